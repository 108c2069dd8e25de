r"""A URL that leads nowhere as it is written, or that stands in a title.

What stands in `url` is taken to the letter by biblatex and by styles that print it as `\url{…}`.
"""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.checks.complaints import Complaint, fields_of, findings
from citelsp.checks.finding import Check, Finding, Safety
from citelsp.checks.printed_fields import TITLES
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.workspace.project import Project

CODE = "malformed-url"
_FIELDS = TITLES | {"url"}
# These three are for an entry in lower case: a search that heeds case skips to the first letter.
_ADDRESS_ALONE = re.compile(r"https?://[\w.-]+(?:[/?#:][^\s{}\"\\,;&]*+)?[}\"]")
_SCHEME = re.compile(r"https?:")
_URL_FIELD = re.compile(r"url(?<!\wurl)\s*+=\s*+[{\"]")
_WHOLE_IN_COMMAND = re.compile(r"\s*\\url\s*\{(?P<inside>[^{}]*)\}\s*")
# `htp://`, `hhttps:/`, `ttp://`, `http;//`, before what may be a host
_WRONG_SCHEME = re.compile(r"(?:hh?t{1,4}p{0,2}|ttp)(?P<secure>s?)(?:[:;]/{0,4}|/{2,3})(?=[\w-]+\.\w)", re.IGNORECASE)
# `https://`, not twice
_RIGHT_SCHEME = re.compile(r"https?://(?!https?:?/)", re.IGNORECASE)
_SCHEME_TWICE = re.compile(r"https?://(?=https?://)", re.IGNORECASE)
# A line break, with the white space around it
_BREAK_IN_ADDRESS = re.compile(r"(?<![ \t])[ \t]*+\r?\n\s*+")
_SECOND_ADDRESS = re.compile(r"(?<=\s)https?://\S*", re.IGNORECASE)  # on a line of its own or not
_IN_TITLE = re.compile(r"https?://[^\s{}]+", re.IGNORECASE)
_LINKING_COMMAND = re.compile(r"\\(?:href|url|footnote|thanks)\b")


def check(project: Project, _: Knowledge) -> list[Finding]:
    style = project.bibtex_style
    wraps_urls = style is not None and style[1].wraps_urls
    every = findings(project, CODE, _complain_of_urls)
    if project.reader == "biber" or wraps_urls:
        return every
    # A style that prints the field as it is needs the command.
    return [it for it in every if not (it.field == "url" and it.cited and _WHOLE_IN_COMMAND.fullmatch(it.cited))]


def _complain_of_urls(node: BibNode) -> tuple[Complaint, ...]:
    if not _may_be_amiss(node.source.lower(), node.key_span.end):
        return ()
    found: list[Complaint] = []
    for field, value, at in fields_of(node, _FIELDS):
        found += _complain_of_url(value, at) if field.name == "url" else _complain_of_title(field.name, value, at)
    return tuple(found)


def _may_be_amiss(lowered: str, start: int) -> bool:
    """True if an entry, in lower case, needs a closer look from `start` on.

    Most need none: each address stands alone in its field, on its own line, and that field is no title.
    """
    for url_field in _URL_FIELD.finditer(lowered, start):
        if not _ADDRESS_ALONE.match(lowered, url_field.end()):
            return True
    for scheme in _SCHEME.finditer(lowered, start):
        line_start = lowered.rfind("\n", 0, scheme.start()) + 1
        name, equals, _ = lowered[line_start : scheme.start()].partition("=")  # of the field that begins the line
        if not equals or name.strip(" \t,") in TITLES or "," in name:
            return True
    return False


def _complain_of_title(field: str, value: str, value_start: int) -> Iterator[Complaint]:
    """The first URL in a title, unless a command such as `\\footnote` puts it elsewhere."""
    if _LINKING_COMMAND.search(value):
        return
    url = _IN_TITLE.search(value)
    if url:
        span = Span(*url.span()).moved(value_start)
        yield Complaint(field, span, f"The {field} contains a URL", for_any_reader="write it in the url field")


def _complain_of_url(value: str, value_start: int) -> Iterator[Complaint]:
    r"""Yield the first thing wrong with the value of a url field: `\url{…}`, `https://https://…`, `htp://…`.

    One with other TeX is left alone.
    """
    wrapped = _WHOLE_IN_COMMAND.fullmatch(value)
    if wrapped:
        whole = Span(value_start, value_start + len(value))
        yield _complain_of_command(whole, wrapped["inside"].strip())
        return
    text = value.strip()
    if text and "{" not in text and "\\" not in text:
        yield from _complain_of_scheme(text, value_start + len(value) - len(value.lstrip()))


def _complain_of_command(whole: Span, address: str) -> Complaint:
    r"""Complain of a value that is `\url{…}` whole, with the fix that leaves the `address` in it."""
    written_again = r"\url is written around it again"
    return Complaint(
        "url",
        whole,
        r"The url field contains \url",
        biber=written_again,
        bibtex=written_again,
        edits=((whole, address),),
        title=r"Remove \url",
        safety="safe",
    )


def _complain_of_scheme(text: str, start: int) -> Iterator[Complaint]:
    """Yield that the scheme of an address stands twice or is misspelt, or else the first thing wrong behind it.

    The address stands at `start` in its entry.  Text that begins with nothing like `http:` is left alone.
    """
    doubled = _SCHEME_TWICE.match(text)
    if doubled:
        span = Span(*doubled.span()).moved(start)
        fault = f"“{doubled[0]}” is doubled"
        yield _make_complaint(span, fault, "write it once", edits=((span, ""),), title="Write it once")
        return
    if _RIGHT_SCHEME.match(text):
        yield from _complain_of_address(text, start)
        return
    scheme = _WRONG_SCHEME.match(text)
    if scheme:
        span = Span(*scheme.span()).moved(start)
        better = f"http{scheme['secure'].lower()}://"
        fault = f"“{scheme[0]}” begins no URL"
        yield _make_complaint(span, fault, f"write {better}", edits=((span, better),), title=f"Write {better}")


def _complain_of_address(text: str, start: int) -> Iterator[Complaint]:
    """Yield the first thing wrong with an address behind its `http://` or `https://`; `start`: of it in its entry."""

    def span_of(match: re.Match[str]) -> Span:
        return Span(*match.span()).moved(start)

    if "&amp;" in text:
        edits = tuple((span_of(it), "&") for it in re.finditer("&amp;", text))
        first = edits[0][0]
        yield _make_complaint(first, "“&amp;” in a URL is HTML", "write & alone", edits=edits, title="Write “&”")
        return
    second = _SECOND_ADDRESS.search(text)
    if second:
        yield _make_complaint(span_of(second), "Another URL follows the first", "write one address alone")
        return
    breaks = tuple((span_of(it), "") for it in _BREAK_IN_ADDRESS.finditer(text))
    if breaks:  # whether the lines are one address is for the author to say: the fix is to be reviewed
        whole = Span(start, start + len(text))
        fault = "A URL is broken over lines"
        yield _make_complaint(whole, fault, "write it on one", edits=breaks, title="Join the lines", safety="review")
        return
    space = re.search(r"\s", text)
    if space:
        advice = "write one address alone, with %20 for a space"
        yield _make_complaint(span_of(space), "A URL ends at a space", advice)


def _make_complaint(
    span: Span,
    fault: str,
    advice: str,
    edits: tuple[tuple[Span, str], ...] = (),
    title: str = "",
    safety: Safety = "safe",
) -> Complaint:
    """Complain of a url field; `advice` says what to write, and `title` names the fix, if there are `edits`."""
    return Complaint("url", span, fault, for_any_reader=advice, edits=edits, title=title, safety=safety)


CHECK = Check(
    CODE,
    "information",
    "A URL leads nowhere as it is written, or a title contains one.",
    check,
    needs="project",
    facts=lambda *_: [_complain_of_urls],
)

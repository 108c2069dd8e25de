r"""A URL that leads nowhere as it is written, or that stands in a title.

What stands in `url` is taken to the letter by biblatex and by styles that print it as `\url{…}`.
"""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.checks.complaints import Complaint, fields_of, findings
from citelsp.checks.finding import Check, Finding
from citelsp.checks.printed_fields import TITLES
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.workspace.project import Project

CODE = "malformed-url"
_FIELDS = TITLES | {"url"}
_CLEAN = re.compile(r"https?://[\w.-]+(?:[/?#:][^\s{}\"\\,;&]*+)?[}\"]", re.IGNORECASE)
_SCHEMED = re.compile(r"https?:", re.IGNORECASE)
_OF_URL = re.compile(r"\burl\s*+=\s*+[{\"]", re.IGNORECASE)
_COMMAND = re.compile(r"\s*\\url\s*\{(?P<inside>[^{}]*)\}\s*")
_SCHEME = re.compile(r"(?:hh?t{1,4}p{0,2}|ttp)(?P<secure>s?)(?:[:;]/{0,4}|/{2,3})(?=[\w-]+\.\w)", re.IGNORECASE)
_RIGHT = re.compile(r"https?://(?!https?:?/)", re.IGNORECASE)
_TWICE = re.compile(r"https?://(?=https?://)", re.IGNORECASE)
_BROKEN = re.compile(r"(?<![ \t])[ \t]*+\r?\n\s*+")
_IN_TITLE = re.compile(r"https?://[^\s{}]+", re.IGNORECASE)
_LINKED = re.compile(r"\\(?:href|url|footnote|thanks)\b")


def check(project: Project, _: Knowledge) -> list[Finding]:
    style = project.bibtex_style
    plain = project.reader != "biber" and not (style and style[1].wraps_urls)
    found = findings(project, CODE, _urls)
    # A style that prints the field as it is needs the command.
    return [it for it in found if not (plain and it.field == "url" and it.cited and _COMMAND.fullmatch(it.cited))]


def _urls(node: BibNode) -> tuple[Complaint, ...]:
    if not _may_hold(node.source, node.key_span.end):
        return ()
    found: list[Complaint] = []
    for field, value, at in fields_of(node, _FIELDS):
        found += _of_url(value, at) if field.name == "url" else _of_title(field.name, value, at)
    return tuple(found)


def _may_hold(source: str, start: int) -> bool:
    """A quick look, which passes over what most entries hold: an address alone, on a line of its own."""
    if any(not _CLEAN.match(source, it.end()) for it in _OF_URL.finditer(source, start)):
        return True
    for found in _SCHEMED.finditer(source, start):
        line = source.rfind("\n", 0, found.start()) + 1
        name, equals, _ = source[line : found.start()].partition("=")
        if not equals or name.strip(" \t,").lower() in TITLES or "," in name:
            return True
    return False


def _of_title(field: str, value: str, at: int) -> Iterator[Complaint]:
    found = None if _LINKED.search(value) else _IN_TITLE.search(value)
    if found:
        span = Span(*found.span()).moved(at)
        yield Complaint(field, span, f"The {field} contains a URL", anyhow="write it in the url field")


def _of_url(value: str, at: int) -> Iterator[Complaint]:
    whole = Span(at, at + len(value))
    if wrapped := _COMMAND.fullmatch(value):
        edits = ((whole, wrapped["inside"].strip()),)
        fault, again = r"The url field contains \url", r"\url is written around it again"
        yield Complaint("url", whole, fault, again, again, edits, r"Remove \url", "safe")
        return
    start = len(value) - len(value.lstrip())
    text = value.strip()
    if not text or "{" in text or "\\" in text:
        return
    if doubled := _TWICE.match(text):
        span = Span(start, start + doubled.end()).moved(at)
        yield _complaint(span, f"“{doubled[0]}” is doubled", "write it once", ((span, ""),), "Write it once")
    elif not _RIGHT.match(text) and (wrong := _SCHEME.match(text)):
        span, better = Span(start, start + wrong.end()).moved(at), f"http{wrong['secure'].lower()}://"
        yield _complaint(span, f"“{wrong[0]}” begins no URL", f"write {better}", ((span, better),), f"Write {better}")
    elif _RIGHT.match(text):
        yield from _complain_inside(text, at + start)


def _complain_inside(text: str, at: int) -> Iterator[Complaint]:
    whole = Span(at, at + len(text))
    if "&amp;" in text:
        edits = tuple((Span(*it.span()).moved(at), "&") for it in re.finditer("&amp;", text))
        yield _complaint(edits[0][0], "“&amp;” in a URL is HTML", "write & alone", edits, "Write “&”")
    elif broken := list(_BROKEN.finditer(text)):
        edits = tuple((Span(*it.span()).moved(at), "") for it in broken)
        yield _complaint(whole, "A URL is broken over lines", "write it on one", edits, "Join the lines", safe=False)
    elif space := re.search(r"\s", text):
        span = Span(space.start(), space.end()).moved(at)
        yield _complaint(span, "A URL ends at a space", "write one address alone, with %20 for a space")


def _complaint(
    span: Span, fault: str, advice: str, edits: tuple[tuple[Span, str], ...] = (), title: str = "", *, safe: bool = True
) -> Complaint:
    safety = "safe" if safe else "review"
    return Complaint(
        "url",
        span,
        fault,
        anyhow=advice,
        edits=edits,
        title=title,
        safety=safety,  # type: ignore[arg-type]
    )


CHECK = Check(
    CODE,
    "information",
    "A URL leads nowhere as it is written, or a title contains one.",
    check,
    needs="project",
    facts=lambda *_: [_urls],
)

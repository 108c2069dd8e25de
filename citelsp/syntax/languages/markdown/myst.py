"""What MyST adds to Markdown, as Sphinx (with sphinxcontrib-bibtex), Jupyter Book and mystmd read it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from citelsp.base import effort
from citelsp.base.text import LineStarts, Span
from citelsp.syntax.languages.latex.cite_arguments import Gathering
from citelsp.syntax.languages.markdown.hidden import Hidden, InfoString
from citelsp.syntax.nodes import Citation, KeyArgument, Link, Placeholder, Syntax

# `{cite:p}` and the back ticks that open its keys.
_ROLE = re.compile(r"\{(?P<name>(?:foot)?cite(?::[a-z]{1,12})?)\}(?P<ticks>`+)")
# `:cite:p:` and a back tick, in reStructuredText.
_REST_ROLE = re.compile(r":(?P<name>(?:foot)?cite(?::[a-z]{1,12})?):(?P<ticks>`)")
_COMMENT = re.compile(r"[ \t]*%")
_LONGEST_ROLE = 4000  # characters
_BLANK = re.compile(r"\n[ \t\r]*\n")
# One key with the words before and behind it, `{see}key{p. 3}`, or a placeholder, up to the comma.
_ITEM = re.compile(
    r"\s*+(?:\{[^{}]*\}\s*+)?(?P<typed>(?P<hint>\?[^,;]*|<[^<>]*>?)|(?P<key>[^{}\s,;?<>][^{}\s,;]*+)|)\s*+"
    r"(?:\{[^{}]*\}\s*+)?(?P<end>[,;]|\Z)"
)
# `cite:t`, `cite:ct`, `cite:author`: the authors stand in the sentence.
_NARRATIVE = re.compile(r".*cite:(?:c?ts?|c?authors?)")
_UNFINISHED_KEY = re.compile(r"[^\s,;`{}]*")
# `{bibliography} refs.bib`
_ARGUMENT = re.compile(r"[ \t]*\{(?P<name>bibliography|include)\}[ \t]*(?P<files>[^\n]*)")
# `:::{code-block}`
_CODE = re.compile(
    r"^[ \t]*(?P<colons>:{3,}+)[ \t]*\{(?:code(?:-block|-cell)?|sourcecode|literalinclude|math|raw)\}", re.MULTILINE
)
_COLONS = re.compile(r"^[ \t]*(?P<colons>:{3,}+)[ \t\r]*$", re.MULTILINE)
_FILE = re.compile(r"[^\s{}]+")
_ALL = re.compile(r"^[ \t]*:all:", re.MULTILINE)


def code(text: str) -> Iterator[Span]:
    """Find the blocks behind colons that are no prose, `:::{code}` or `:::{math}`, in order, none within another.

    Each reaches to a line with at least as many colons; a block without such a line reaches to the text's end.
    """
    end = 0
    for opener in _CODE.finditer(text) if ":::" in text else ():
        if opener.start() < end:
            continue
        end = len(text)
        for closer in _COLONS.finditer(text, opener.end()):
            if len(closer["colons"]) >= len(opener["colons"]):
                end = closer.end()
                break
        yield Span(opener.start(), end)


def read_roles(text: str, hidden: Sequence[Hidden], gathering: Gathering) -> None:
    """Add to `gathering` what roles cite, `{cite:p}`a,{see}b{p. 3}``, but for escaped, hidden or commented ones."""
    if "cite" not in text:
        return
    lines = LineStarts(text)
    for match in effort.iterate(_ROLE.finditer(text)):
        offset = match.start()
        if text[offset - 1 : offset] == "\\" or any(part.covers(offset) for part in hidden):
            continue
        in_comment = _COMMENT.match(text, lines.before(offset), offset)
        if not in_comment:
            _read_role(text, match, gathering)


def read_rest(text: str, span: Span, gathering: Gathering) -> None:
    """Add what roles of reStructuredText cite in an `{eval-rst}` block."""
    for match in _REST_ROLE.finditer(text, span.start, span.end):
        _read_role(text, match, gathering)


def roles_alone(syntax: Syntax) -> Syntax:
    """Return the syntax of a document without what at signs begin, as they mean nothing to Sphinx."""
    return replace(
        syntax,
        citations=tuple(it for it in syntax.citations if it.command != "@"),
        placeholders=tuple(it for it in syntax.placeholders if it.command != "@"),
        arguments=tuple(it for it in syntax.arguments if it.command != "@"),
    )


def links(infos: Iterable[InfoString]) -> Iterator[Link]:
    """Yield links to the files that the directives `{include}` and `{bibliography}` name in the info strings."""
    for info in infos:
        directive = _ARGUMENT.match(info.text)
        if directive is None:
            continue
        kind: Literal["part", "bibliography"] = "part" if directive["name"] == "include" else "bibliography"
        for file in _FILE.finditer(info.text, *directive.span("files")):
            yield Link(kind, file[0], Span(*file.span()).moved(info.offset))


def lists_all(text: str, infos: Iterable[InfoString], hidden: Hidden) -> bool:
    """True if a bibliography directive prints every entry; directives are among the fences that `hidden` holds."""
    directives = (info for info in infos if info.text.lstrip().startswith("{bibliography}"))
    blocks = (hidden.span_around(directive.offset) for directive in directives)
    return any(_ALL.search(text, *block) for block in blocks if block)


def _read_role(text: str, match: re.Match[str], gathering: Gathering) -> None:
    """Add to `gathering` what one role cites; if the role is not closed, add the key that is being typed.

    `match` is the role's name and its opening back ticks: `{cite:p}` and one back tick.  `gathering.arguments` are the
    places where keys are typed, at which completion offers some.
    """
    name = match["name"]
    start = match.end()
    end = text.find(match["ticks"], start, start + _LONGEST_ROLE)
    if end < 0 or _BLANK.search(text, start, end):  # a role ends with its paragraph: back ticks further on are others
        typed = _UNFINISHED_KEY.match(text, start)
        gathering.arguments.append(KeyArgument(Span(start, typed.end() if typed else start), name, "{"))
        return
    whole = Span(match.start(), end + len(match["ticks"]))
    offset = start
    opener: Literal["{", ","] = "{"  # stands for the back ticks, as before a first key in LaTeX
    while True:
        item = _ITEM.match(text, offset, end)
        if item is None:  # no key has a space or a lone brace in it: from there on the role is left unread
            break
        _add_item(item, name, whole, opener, gathering)
        # At the end another round is due only behind a comma or semicolon: an empty item, not yet typed, follows it.
        if item.end() >= end and not item["end"]:
            break
        offset = item.end()
        opener = ","


def _add_item(item: re.Match[str], name: str, whole: Span, opener: Literal["{", ","], gathering: Gathering) -> None:
    """Add to `gathering` one item of a role: a key, a placeholder `?words` or `<words>`, or nothing yet.

    `name` is the role's, and `whole` its span.  `opener` is the sign behind which the item stands.  Every item is added
    to `arguments` too, the places where keys are typed, at which completion offers some.
    """
    span = Span(*item.span("typed"))
    typed_hint = item["hint"]
    if typed_hint:
        in_angles = typed_hint.startswith("<")
        words = " ".join(typed_hint.strip("<>?").split())
        closed = not in_angles or typed_hint.endswith(">")  # `?words` end with the role, which is closed
        span = Span(span.start, span.start + len(typed_hint.rstrip()))
        gathering.placeholders.append(Placeholder(words, span, name, whole, closed))
        if in_angles:
            inner = Span(span.start + len("<"), span.end - len(">") if closed else span.end)
            gathering.arguments.append(KeyArgument(inner, name, "<"))
        else:
            gathering.arguments.append(KeyArgument(span, name, opener))
        return
    gathering.arguments.append(KeyArgument(span, name, opener))
    key = item["key"]
    if key:
        narrative = _NARRATIVE.fullmatch(name) is not None
        gathering.citations.append(Citation(key, span, name, whole, narrative))

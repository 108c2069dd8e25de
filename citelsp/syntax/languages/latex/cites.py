r"""One LaTeX cite command with its arguments: finished, half typed, or a placeholder."""

import re
from dataclasses import dataclass, field
from typing import Literal

from citelsp.base.text import Span
from citelsp.syntax.languages.latex.cite_commands import CiteShape, is_being_defined, shape_of
from citelsp.syntax.languages.latex.grammar import group_end, skip_space, without_comments
from citelsp.syntax.nodes import Citation, KeyArgument, Placeholder

_PLAIN = re.compile(r"\*?(?:\[[^][{}\\%\n]*\]){0,2}\{(?P<keys>[^][{}\\%$#?<>~\n]*)\}")
_PREFIX = re.compile(r"<[^<>]{0,400}>")
# Over several lines plain words alone: behind `\cite<`, half typed, a `>` of later mathematics closes nothing.
_WORDS = re.compile(r"<(?P<words>[^<>\n]{0,400}|[^<>{}\\$%\n]{0,400}(?:\n(?![ \t\r]*\n)[^<>{}\\$%\n]{0,400}){0,2})>")
_OPEN_WORDS = re.compile(r"<(?P<words>[^<>{}\[\]\\$%\r\n]*)")
_PIECE = re.compile(
    r"(?P<text>(?:[^{},\\%$#~\n]|\\[_&%#]|%[^\n]*(?:\n|\Z)|\n(?![ \t\r]*\n))*)"
    r"(?P<macro>(?:\\[a-zA-Z@]+|#+\d)[^{}\n,]*)?"
)
_MERGED = re.compile(r"\s*\*(?:\[[^\[\]{},]*\]){0,2}(?=[^\s*])")  # natbib, REVTeX: `\cite{a,*b,*[see ][]c}` is one item


@dataclass(slots=True)
class Gathering:
    """What the readers of one document have gathered so far."""

    citations: list[Citation] = field(default_factory=list)
    placeholders: list[Placeholder] = field(default_factory=list)
    arguments: list[KeyArgument] = field(default_factory=list)
    cites_all: bool = False
    opaque: bool = False


def read(text: str, start: int, end: int, name: str, gathering: Gathering) -> None:
    r"""Add to `gathering` what the cite command holds whose name, backslash included, reaches from `start` to `end`."""
    # `\string\cite` prints the command's name, in manuals of packages.
    if text[max(start - 7, 0) : start] == "\\string":
        return
    if is_being_defined(text, start):
        return
    shape = shape_of(name)
    if shape.plain and (plain := _PLAIN.match(text, end)):
        _read_plain(plain, start, name, shape, gathering)
    else:
        _read_arguments(text, Span(start, end), name, shape, gathering)


def _read_plain(match: re.Match[str], start: int, name: str, shape: CiteShape, gathering: Gathering) -> None:
    whole = Span(start, match.end())
    offset = match.start("keys")
    opener: Literal["{", ","] = "{"
    for piece in match["keys"].split(","):
        end = offset + len(piece)
        span = Span(offset, end)
        if "*" in piece and (merged := _MERGED.match(piece)):
            span, piece = Span(offset + merged.end(), end), piece[merged.end() :]
        gathering.arguments.append(KeyArgument(span, name, opener))
        key = piece.strip()
        if key:
            if key != piece:
                start_of_key = span.start + piece.index(key)
                span = Span(start_of_key, start_of_key + len(key))
            if key == "*":
                _add_key(key, span, name, whole, shape.narrative, gathering)
            else:
                gathering.citations.append(Citation(key, span, name, whole, shape.narrative))
        offset = end + 1
        opener = ","


def _add_key(key: str, span: Span, name: str, whole: Span, narrative: bool, gathering: Gathering) -> None:
    if key == "*":
        gathering.cites_all = gathering.cites_all or name == "nocite"
    else:
        gathering.citations.append(Citation(key, span, name, whole, narrative))


@dataclass(frozen=True, slots=True)
class _Piece:
    """One key, one `?words`, or what is typed of them; `span` as in KeyArgument."""

    span: Span
    opener: str
    finished: bool
    macro: bool


def _read_arguments(text: str, command: Span, name: str, shape: CiteShape, gathering: Gathering) -> None:
    offset = command.end + text.startswith("*", command.end)
    if text.startswith("<", offset) and _read_angle(text, offset, Span(command.start, offset), name, gathering):
        return
    pieces: list[_Piece] = []
    if shape.repeats:
        offset = _after_options(text, offset, "(")
    end = _read_group(text, offset, shape, pieces)
    while shape.repeats and end is not None and pieces and pieces[-1].finished:
        last, end = end, _read_group(text, end, shape, pieces)
        if end is None:
            end = last
            break
    if end is not None:
        gathering.opaque = gathering.opaque or shape.opens
        _add(text, pieces, Span(command.start, end), name, shape, gathering)


def _read_angle(text: str, offset: int, command: Span, name: str, gathering: Gathering) -> bool:
    r"""Read `<words>` as a placeholder; False if it is apacite's prefix, which `[` or `{` follows."""
    prefix = _PREFIX.match(text, offset)
    if prefix and text.startswith(("[", "{"), skip_space(text, prefix.end())):
        return False
    closed = _WORDS.match(text, offset)
    match = closed or _OPEN_WORDS.match(text, offset)
    if match is None:
        return False
    words = " ".join(match["words"].split())
    whole = Span(command.start, match.end())
    gathering.placeholders.append(
        Placeholder(words, Span(offset, match.end()), name, whole, closed is not None, before="{", after="}")
    )
    gathering.arguments.append(KeyArgument(Span(*match.span("words")), name, "<"))
    return True


def _after_options(text: str, offset: int, openers: str) -> int:
    """The offset after all optional arguments that open with one of `openers`."""
    while text.startswith(tuple(openers), start := skip_space(text, offset)):
        end = group_end(text, start)
        if end is None:
            return offset
        offset = end
    return offset


def _read_group(text: str, offset: int, shape: CiteShape, pieces: list[_Piece]) -> int | None:
    """Read options and one brace group of keys; the offset after it, or None if no keys follow."""
    for _ in range(shape.before):
        start = skip_space(text, _after_options(text, offset, "["))
        end = group_end(text, start) if text.startswith("{", start) else None
        if end is None:
            return None
        offset = end
    offset = skip_space(text, _after_options(text, offset, "[<"))
    if not text.startswith("{", offset):
        return None
    opener = "{"
    while True:
        piece = _read_piece(text, offset + 1, opener)
        pieces.append(piece)
        offset = piece.span.end
        if not piece.finished:
            return offset
        if text[offset] == "}":
            return offset + 1
        opener = ","


def _read_piece(text: str, start: int, opener: str) -> _Piece:
    merged = _MERGED.match(text, start)
    if merged:
        start = merged.end()
    match = _PIECE.match(text, start)
    end = match.end() if match else start
    written = match["text"] if match else ""
    ends = text.startswith(("}", ","), end)
    if match and match["macro"]:
        # `\cite{\key}` hands on what a macro holds; behind a space a command is prose that follows a key half typed.
        macro = ends and (not written.strip() or not written[-1:].isspace())
        finished = macro
    else:
        macro = False
        # Words on several lines are no key: the brace is still to come, and this one stands in the prose below.
        finished = ends and ("\n" not in written or len(without_comments(written).split()) <= 1)
    if not finished:
        end = start + len(_typed(written, opener))
    return _Piece(Span(start, end), opener, finished, macro)


def _typed(piece: str, opener: str) -> str:
    """What belongs to an unfinished key: no further than its line; after a comma it may start on the next one."""
    begins = len(piece) - len(piece.lstrip()) if opener == "," else 0
    end = piece.find("\n", begins)
    return piece if end < 0 else piece[:end].rstrip("\r")


def _add(text: str, pieces: list[_Piece], whole: Span, name: str, shape: CiteShape, gathering: Gathering) -> None:
    for piece in pieces:
        if piece.macro:
            gathering.opaque = True
            continue
        gathering.arguments.append(KeyArgument(piece.span, name, piece.opener))  # type: ignore[arg-type]  # "{" or ","
        written = piece.span.within(text)
        if "%" in written:
            written = without_comments(written)
        key = written.strip()
        if not key:
            continue
        start = piece.span.start + written.index(key)
        span = Span(start, start + len(key))
        if key[0] == "?":
            words = " ".join(key[1:].split())
            gathering.placeholders.append(Placeholder(words, span, name, whole, piece.finished))
        elif piece.finished:
            _add_key(key, span, name, whole, shape.narrative, gathering)

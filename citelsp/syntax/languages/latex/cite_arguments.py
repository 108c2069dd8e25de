r"""One LaTeX cite command with its arguments: finished, half typed, or a placeholder."""

import re
from dataclasses import dataclass, field
from typing import Literal

from citelsp.base.text import Span
from citelsp.syntax.languages.latex.cite_commands import CiteShape, is_being_defined, shape_of
from citelsp.syntax.languages.latex.grammar import group_end, skip_space, without_comments
from citelsp.syntax.nodes import Citation, KeyArgument, Placeholder

# A finished command with nothing unusual in it, which most are: options, then keys between braces.
_PLAIN = re.compile(r"\*?(?:\[[^][{}\\%\n]*\]){0,2}\{(?P<keys>[^][{}\\%$#?<>~\n]*)\}")
_ANGLE = re.compile(r"<[^<>]{0,400}>")  # `<e.g.,>` or a placeholder's `<words>`
# Over several lines plain words alone: behind `\cite<`, half typed, a `>` of later mathematics closes nothing.
_WORDS = re.compile(r"<(?P<words>[^<>\n]{0,400}|[^<>{}\\$%\n]{0,400}(?:\n(?![ \t\r]*\n)[^<>{}\\$%\n]{0,400}){0,2})>")
_OPEN_WORDS = re.compile(r"<(?P<words>[^<>{}\[\]\\$%\r\n]*)")  # `<words`, half typed
# From behind `{` or `,`: a key as far as it goes, and a macro that stands in its place or behind it.
_PIECE = re.compile(
    r"(?P<text>(?:[^{},\\%$#~\n]|\\[_&%#]|%[^\n]*(?:\n|\Z)|\n(?![ \t\r]*\n))*)"
    r"(?P<macro>(?:\\[a-zA-Z@]+|#+\d)[^{}\n,]*)?"
)
# natbib, REVTeX: `\cite{a,*b,*[see ][]c}` is one item; a star alone is none of these, but all works, `\nocite{*}`.
_MERGED = re.compile(r"\s*\*(?:\[[^\[\]{},]*\]){0,2}(?=[^\s*},%])")


@dataclass(slots=True)
class Gathering:
    """What the readers of one document have gathered so far."""

    citations: list[Citation] = field(default_factory=list)
    placeholders: list[Placeholder] = field(default_factory=list)
    arguments: list[KeyArgument] = field(default_factory=list)  # where keys are typed
    cites_all: bool = False  # every entry, as by \nocite{*}
    opaque: bool = False  # something may cite or define keys that cannot be read: then no key is called undefined


def read(text: str, start: int, end: int, name: str, gathering: Gathering) -> None:
    r"""Add to `gathering` what a cite command and its arguments hold.

    Its name, backslash included, reaches from `start` to `end`; `name` is without backslash.  How the arguments of this
    command lie, its `shape`, says how they are read; a finished command like `\cite[…]{keys}` is read quickly.
    """
    # `\string\cite` prints the command's name, in manuals of packages, and cites nothing.
    if text[max(start - len("\\string"), 0) : start] == "\\string":
        return
    if is_being_defined(text, start):
        return
    shape = shape_of(name)
    plain = _PLAIN.match(text, end) if shape.plain else None
    if plain:
        _read_plain(plain, start, name, shape, gathering)
    else:
        _read_arguments(text, Span(start, end), name, shape, gathering)


def _read_plain(match: re.Match[str], start: int, name: str, shape: CiteShape, gathering: Gathering) -> None:
    r"""Add the keys of a finished command, `\cite[p.~3]{a, b}`, that begins at `start`; `match` is of its arguments.

    A KeyArgument is added for each place between commas, even an empty one: a key may be completed there.
    """
    whole = Span(start, match.end())
    offset = match.start("keys")
    opener: Literal["{", ","] = "{"
    for piece in match["keys"].split(","):
        end = offset + len(piece)
        span = Span(offset, end)
        merged = _MERGED.match(piece) if "*" in piece else None  # `a,*b`: one item of the list
        if merged:
            span = Span(offset + merged.end(), end)
            piece = piece[merged.end() :]
        gathering.arguments.append(KeyArgument(span, name, opener))
        key = piece.strip()
        if key:
            if key != piece:
                key_start = span.start + piece.index(key)
                span = Span(key_start, key_start + len(key))
            citation = Citation(key, span, name, whole, shape.narrative)
            if key == "*":
                _add_key(citation, gathering)
            else:  # as `_add_key` would, without a call, as nearly all keys of a document are added here
                gathering.citations.append(citation)
        offset = end + len(",")
        opener = ","


def _add_key(citation: Citation, gathering: Gathering) -> None:
    r"""Add a citation; `*` is no key, and with `\nocite{*}` all entries are cited.

    By `\nociteown{*}` of multibib, which names one list, those of other lists count as cited too.
    """
    if citation.key != "*":
        gathering.citations.append(citation)
    elif citation.command.startswith("nocite"):
        gathering.cites_all = True


@dataclass(frozen=True, slots=True)
class _Piece:
    """One key, one `?words`, or what is typed of them; `span` and `opener` as in KeyArgument."""

    span: Span
    opener: Literal["{", ","]
    finished: bool  # a comma or brace follows
    macro: bool  # a macro stands for the key


def _read_arguments(text: str, command: Span, name: str, shape: CiteShape, gathering: Gathering) -> None:
    r"""Add to `gathering` what a command holds that is half typed, a placeholder, or of an unusual shape.

    `command` is where its name stands, with the backslash.  A shape that `repeats` has several groups of keys:
    `\parencites[1]{a}[2]{b}`.
    """
    offset = command.end
    if text.startswith("*", offset):
        offset += len("*")
    if text.startswith("<", offset) and _read_angle(text, offset, Span(command.start, offset), name, gathering):
        return
    pieces: list[_Piece] = []
    if shape.repeats:
        offset = _after_options(text, offset, "(")  # of multicites: (pre)(post)[pre][post]{key}…
    end = _read_group(text, offset, shape, pieces)
    if end is None:
        return
    # Behind an unfinished key, which is still being typed, no further group belongs to the command.
    while shape.repeats and pieces[-1].finished:  # a group that was read has one piece at least
        next_end = _read_group(text, end, shape, pieces)
        if next_end is None:
            break
        end = next_end
    gathering.opaque = gathering.opaque or shape.opens  # it makes a key that no bibliography holds
    _add_pieces(text, pieces, Span(command.start, end), name, shape, gathering)


def _read_angle(text: str, offset: int, command: Span, name: str, gathering: Gathering) -> bool:
    r"""Add the `<words>` at `offset`, closed or half typed, to `gathering` as a placeholder, and return True.

    `command` is where the command `name` stands.  The words are added to `arguments` too, at which completion offers
    works.  If they are apacite's prefix, `\cite<e.g.,>[p.~3]{key}`, nothing is added, and False is returned.
    """
    angle = _ANGLE.match(text, offset)
    if angle and text.startswith(("[", "{"), skip_space(text, angle.end())):
        return False
    closed = _WORDS.match(text, offset)
    match = closed or _OPEN_WORDS.match(text, offset)
    if match is None:  # never, as `<` alone is half typed
        return False
    words = " ".join(match["words"].split())
    span = Span(offset, match.end())
    whole = Span(command.start, match.end())
    # A key that takes the place of `<words>` needs braces around it.
    placeholder = Placeholder(words, span, name, whole, closed=closed is not None, before="{", after="}")
    gathering.placeholders.append(placeholder)
    gathering.arguments.append(KeyArgument(Span(*match.span("words")), name, "<"))
    return True


def _after_options(text: str, offset: int, openers: str) -> int:
    """Return the offset behind all optional arguments that open with one of `openers`; an unclosed one is none."""
    while True:
        start = skip_space(text, offset)
        if not text.startswith(tuple(openers), start):
            return offset
        end = group_end(text, start)
        if end is None:
            return offset
        offset = end


def _read_group(text: str, offset: int, shape: CiteShape, pieces: list[_Piece]) -> int | None:
    """Read options and one brace group of keys from `offset` on, and add the keys to `pieces`.

    Return the offset behind the group, or behind a key that is half typed; None if no keys follow.
    """
    for _ in range(shape.before):  # groups that a command takes before its keys
        start = skip_space(text, _after_options(text, offset, "["))
        end = group_end(text, start) if text.startswith("{", start) else None
        if end is None:
            return None
        offset = end
    offset = skip_space(text, _after_options(text, offset, "[<"))  # `<`: apacite's prefix, `<e.g.,>`
    if not text.startswith("{", offset):
        return None
    opener: Literal["{", ","] = "{"
    while True:
        piece = _read_piece(text, offset + len(opener), opener)
        pieces.append(piece)
        offset = piece.span.end
        if not piece.finished:
            return offset
        if text[offset] == "}":
            return offset + len("}")
        opener = ","


def _read_piece(text: str, start: int, opener: Literal["{", ","]) -> _Piece:
    r"""Read the key, half a key or macro that begins at `start`, behind its `opener`, in the arguments of a command.

    `a` in `{a,b}` is finished, as a sign that ends it follows; `a` in `{a` is still being typed, and ends where its
    words do.  What a macro in the place of a key stands for is unknown: `\cite{\key}`.
    """
    merged = _MERGED.match(text, start)
    if merged:
        start = merged.end()
    match = _PIECE.match(text, start)
    end = match.end() if match else start
    written = match["text"] if match else ""
    is_delimited = text.startswith(("}", ","), end)
    if match and match["macro"]:
        # Behind words and a space a command is prose that follows a key half typed: `\cite{knu as in \LaTeX, …`.
        follows_words = written.strip() and written[-1].isspace()
        is_macro = is_delimited and not follows_words
        is_finished = is_macro
    else:
        # Words on several lines are no key: the brace is still to come, and this one stands in the prose below.
        is_prose = "\n" in written and len(without_comments(written).split()) > 1
        is_macro = False
        is_finished = is_delimited and not is_prose
    if not is_finished:
        end = start + len(_typed(written, opener))
    return _Piece(Span(start, end), opener, is_finished, is_macro)


def _typed(piece: str, opener: str) -> str:
    """Return what belongs to an unfinished key: the rest of its line; after a comma it may begin on the next line."""
    begins = len(piece) - len(piece.lstrip()) if opener == "," else 0
    end = piece.find("\n", begins)
    return piece if end < 0 else piece[:end].rstrip("\r")


def _add_pieces(
    text: str, pieces: list[_Piece], whole: Span, name: str, shape: CiteShape, gathering: Gathering
) -> None:
    """Add the pieces of one command: finished keys as citations, `?words` as placeholders, all as arguments.

    Arguments are the places where keys are typed, at which completion offers some.  A macro is none of these, and makes
    the document `opaque`: which keys it stands for shows only when TeX runs.
    """
    for piece in pieces:
        if piece.macro:
            gathering.opaque = True
            continue
        gathering.arguments.append(KeyArgument(piece.span, name, piece.opener))
        written = piece.span.within(text)
        if "%" in written:
            written = without_comments(written)
        key = written.strip()
        if not key:
            continue
        key_start = piece.span.start + written.index(key)
        span = Span(key_start, key_start + len(key))
        if key.startswith("?"):
            words = " ".join(key.removeprefix("?").split())
            gathering.placeholders.append(Placeholder(words, span, name, whole, closed=piece.finished))
        elif piece.finished:
            _add_key(Citation(key, span, name, whole, shape.narrative), gathering)

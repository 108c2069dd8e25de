"""Text for a terminal: coloured there, plain in a pipe or if NO_COLOR is set; nothing a stranger wrote moves it."""

import os
import re
import sys
from typing import TYPE_CHECKING, TextIO

from citelsp.base.text import MOVING, still

if TYPE_CHECKING:
    from citelsp.bibliography.record import Record
    from citelsp.knowledge import Candidate

_NARROW = 40  # columns, below which nothing is wrapped
_IMPROBABLE = 0.01  # a probability
_STYLE = re.compile(r"\x1b\[[\d;]*m")  # what `paint` writes: it takes no room
_EXCERPT = 100  # characters
_INDENT_OF_CANDIDATE = 7  # spaces, behind its rank
_CODES = {  # of ANSI's escape sequences, by the names of styles
    "error": "31;1",
    "warning": "33",
    "information": "36",
    "hint": "2",
    "unchecked": "2",
    "bold": "1",
    "dim": "2",
    "good": "32",
}


def paint(text: str, style: str) -> str:
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if _uses_colours() else text


def escape_json(json: str) -> str:
    """JSON that holds as escapes what would move the cursor, or be a command in the log of a job (see `ci_log`)."""
    json = json.replace("##", "#\\u0023")
    return json if json.isascii() else MOVING.sub(lambda it: f"\\u{ord(it[0]):04x}", json)


def work(record: "Record", before: str = "") -> str:
    """`Vaswani et al. 2017: Attention Is All You Need. NeurIPS`; `before` stands at the beginning."""
    from citelsp.features.values import author_year

    who = still(author_year(record.authors, record.year))
    end = "" if record.title.endswith((".", "?", "!")) else "."
    where = f"{end} {still(record.venue)}" if record.venue else ""
    return f"{before}{f'{who}: ' if who else ''}{paint(still(record.title), 'bold')}{where}"


def candidate(item: "Candidate", rank: int, width: int = 0) -> str:
    """Write a candidate: the work, how probable it is, where it is from, and the passages that speak for it.

    `rank`: the number before it.  `width`: columns of a line; 0 is any number.  Texts of services and models pass
    through `still`, which drops characters that would move the terminal's cursor.
    """
    from citelsp.features.values import likelihood

    probability = f"{likelihood(item.probability)} " if item.probability is not None else ""
    key = f" as {item.key}" if item.key else ""
    origins = paint(still(f"  {probability}{', '.join(item.origins)}{key}"), "dim")
    lines = [work(item.record, f"{rank:>4}. ") + origins]
    if item.why:
        lines.append(still(f"      the model says: {item.why}"))
    # A quote from the title says nothing new, as the first line has the title; nor does an empty one.
    quoted = [passage for passage in item.evidence if passage.quote and passage.where != "title"]
    lines += [still(f"      “{passage.quote}” ({passage.where})") for passage in quoted]
    return "\n".join(wrap(line, width, _INDENT_OF_CANDIDATE) for line in lines)


def excerpt(before: str, placeholder: str = "") -> str:
    """Return the end of a text, from the beginning of a word on, and the placeholder behind it."""
    text = still(" ".join(before[-2 * _EXCERPT :].split()))
    if len(text) > _EXCERPT:
        text = "…" + text[-_EXCERPT:].partition(" ")[2]
    return f"{text} {paint(still(placeholder), 'warning')}" if placeholder else text


def reason(text: str) -> str:
    """Style the sentence that says why nothing is offered."""
    return paint(still(text[:1].upper() + text[1:]) or "Nothing fits", "warning")


def width(stream: TextIO) -> int:
    """Return the columns of its terminal; 0 if a program reads what is written, or if the terminal has no size."""
    if not _is_terminal(stream):
        return 0
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except OSError:
        return 0
    return max(_NARROW, columns) if columns else 0


def is_improbable(item: "Candidate") -> bool:
    """Return True for a candidate that is listed only if there is nothing better."""
    return item.probability is not None and item.probability < _IMPROBABLE


def wrap(text: str, width: int, indent: int = 4) -> str:
    """Wrap the text to lines of at most `width` columns, those after the first indented; width 0 leaves it as it is.

    It is cut at spaces alone: a longer word or address stands over the edge.  Escape sequences of styles take no room,
    and the text's own spaces at its beginning stay.
    """
    if not width:
        return text
    first_word, *words = text.split(" ")
    lines = [first_word]
    used = len(_STYLE.sub("", first_word))
    for word in words:
        length = len(_STYLE.sub("", word))
        if used + 1 + length > width:
            lines.append(f"{' ' * indent}{word}")
            used = indent + length
        else:
            lines[-1] += f" {word}"
            used += 1 + length
    return "\n".join(lines)


def _is_terminal(stream: TextIO) -> bool:
    """Emacs's compilation buffer is a dumb one, and reads lines as a program does."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _uses_colours() -> bool:
    return _is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")

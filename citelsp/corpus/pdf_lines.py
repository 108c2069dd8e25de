"""The lines of a PDF page with their places and sizes, as pdfium sees its characters."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, pairwise, takewhile
from typing import TYPE_CHECKING, Protocol

from citelsp.bibliography.printed_signs import ITALIC, ROMAN
from citelsp.corpus import pdf_letters
from citelsp.corpus.pdf_letters import SPACE, Letter, Style, repair_letters

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage

_WIDE = 0.85  # of the size: no space between two words is as wide, one between two names may be
_APART = 2.2  # of the size: what stands as far apart belongs to two blocks
_RAISED = 0.8  # of the size of its line at most: a mark of a footnote or an affiliation
_SPACE_BEFORE_END = re.compile(rf"(?<!\s)\s+{ROMAN}")
_LONGEST = 2000  # characters of a line; a page of a book has a hundred on each


class Printed(Protocol):
    """A line, or what is made of several."""

    @property
    def text(self) -> str: ...

    @property
    def size(self) -> float:
        """Of most of its letters."""


@dataclass(frozen=True, slots=True)
class Line:
    """What stands on one line of a page within one block."""

    page: int  # from 1
    text: str
    plain: str  # without raised marks, wide gaps as tabulators
    size: float  # of most of its letters
    font: str  # of the letter in its middle
    bold: bool  # throughout
    left: float
    right: float
    base: float  # of its letters, from the foot of the page
    marked: str = ""  # the text with the signs of `printed_signs` around what is in italics
    number_right: float | None = None  # where a number ends that the text begins with, as those of lines do
    behind_number: float | None = None  # where what follows that number begins


def read(words: "PdfTextPage", page: int) -> list[Line]:
    """The lines of pdfium's text of a page, in the order in which it was written; none of what stands turned."""
    blocks = _part_into_blocks(pdf_letters.read(words))
    return [_line(block, page) for block in blocks if not all(it.character == " " for it in block)]


def _part_into_blocks(letters: Iterable[Letter | None]) -> Iterator[list[Letter]]:
    """Yield the letters of each printed line, in parts if two of its letters stand far apart, as in columns.

    A printed line need not be one of pdfium's: the places of the letters decide.  If pdfium ends a line, but the next
    letter stands right beside the last one, the line goes on, with a space if there is room for one.  If pdfium goes
    on, but the next letter stands on another line, a new one begins.  No line has many more than `_LONGEST` characters.
    """
    block: list[Letter] = []
    last: Letter | None = None  # of the printed line, spaces left out
    length = 0  # of the printed line
    ended = False  # by pdfium, behind the last letter
    for letter in letters:
        if letter is None:
            ended = True
            continue
        if last is not None and letter.character != " ":
            begins_line = ended and not _is_beside(last, letter)
            if begins_line or _breaks(last, letter) or length > _LONGEST:
                yield block
                block = []
                length = 0
            else:
                if ended and letter.left - last.right > SPACE * letter.size:
                    block.append(replace(letter, character=" "))
                    length += 1
                if _is_apart(last, letter):
                    yield block
                    block = []
            ended = False
        block.append(letter)
        length += 1
        if letter.character != " ":
            last = letter
    if block:
        yield block


def _is_beside(last: Letter, letter: Letter) -> bool:
    size = max(last.size, letter.size)
    return abs(letter.base - last.base) < 0.45 * size and -0.3 * size < letter.left - last.right < _APART * size


def _breaks(last: Letter, letter: Letter) -> bool:
    """True where pdfium goes on in one line although the next letter stands on another one, or far to the left."""
    size = last.size if last.size > letter.size else letter.size
    return abs(letter.base - last.base) > 1.2 * size or letter.right < last.left - 3 * size


def _is_apart(last: Letter, letter: Letter) -> bool:
    """True for another block; what is much smaller, as the number of a line is, need not stand as far away."""
    gap = letter.left - last.right
    small, large = (last.size, letter.size) if last.size < letter.size else (letter.size, last.size)
    return gap > (_APART if small > _RAISED * large else 1.0) * large


def _line(letters: Sequence[Letter], page: int) -> Line:
    """Return the line that these letters make, with the size and base of most of them; they are not all spaces.

    `page`: its number, from 1.  The base is the height of the line that letters stand on, in points.  A line that
    begins with a number, as those of manuscripts for review do, also says where this ends and what is behind it begins.
    """
    printed = [it for it in letters if it.character != " "]
    styles = {it.style for it in printed}
    has_one_style = len(styles) == 1  # as most lines have: then there is nothing to count
    size = round(printed[0].size, 1) if has_one_style else _size_of_most(printed)
    in_size = [it for it in printed if abs(it.size - size) < 0.3]  # points: marks of footnotes are smaller
    base = _most_common([it.base for it in in_size]) if in_size else printed[0].base
    # Signs may be in another font than the letters of the line.
    telling = printed if has_one_style else [it for it in in_size if it.character.isalpha()] or printed
    middle = telling[len(telling) // 2]
    # With ligatures parted, and accents put on their letters.
    text = " ".join(repair_letters("".join([it.character for it in letters])).split())
    first_word = list(takewhile(lambda it: it.character != " ", dropwhile(lambda it: it.character == " ", letters)))
    is_numbered = len(first_word) < len(printed) and all(it.character.isdigit() for it in first_word)
    return Line(
        page=page,
        text=text,
        plain=_plain_text(letters, size, base) if _has_marks(printed, styles, size) else text,
        size=size,
        font=middle.style.font,
        bold=all(it.style.is_bold for it in (telling[0], middle, telling[-1])),  # three letters stand for all
        left=min([it.left for it in printed]),
        right=max([it.right for it in printed]),
        base=base,
        marked=_mark_italics(letters) if any(it.is_italic for it in styles) else text,
        number_right=first_word[-1].right if is_numbered else None,
        behind_number=printed[len(first_word)].left if is_numbered else None,
    )


def _size_of_most(printed: Sequence[Letter]) -> float:
    """Return the size of most letters, which count twice: digits and signs may be in another font."""
    alphabetic = [it for it in printed if it.character.isalpha()]
    return _most_common([it.size for it in (*printed, *alphabetic)])


def _most_common(values: Iterable[float]) -> float:
    """Return the most frequent of these values, rounded to a tenth; if several are as frequent, the first of them."""
    counts = Counter[float]()
    for value, count in Counter(values).items():  # few differ: each is rounded once
        counts[round(value, 1)] += count
    return counts.most_common(1)[0][0]


def _has_marks(printed: Sequence[Letter], styles: Iterable[Style], size: float) -> bool:
    """True if `_plain_text` may differ from the text: if letters may be raised, or stand far from those before them.

    `printed`: the letters of a line, without spaces; `styles`: theirs; `size`: of most of them.
    """
    if any(it.size < _RAISED * size for it in styles):
        return True
    gaps = [letter.left - last.right for last, letter in pairwise(printed)]
    return max(gaps, default=0.0) > _WIDE * size


def _mark_italics(letters: Sequence[Letter]) -> str:
    """Return the text of letters with signs around what is in italics; the first letter of a word decides for it."""
    parts = list[str]()
    is_open = False  # the text so far ends in italics
    begins_word = True
    for letter in letters:
        if letter.character == " ":
            begins_word = True
        elif begins_word:
            begins_word = False
            is_italic = letter.style.is_italic
            if is_italic != is_open:
                is_open = is_italic
                parts.append(ITALIC if is_open else ROMAN)
        parts.append(letter.character)
    marked = repair_letters("".join([*parts, ROMAN if is_open else ""]))
    marked = _SPACE_BEFORE_END.sub(rf"{ROMAN} ", marked)  # italics end before the spaces behind them
    return " ".join(marked.split())


def _plain_text(letters: Sequence[Letter], size: float, base: float) -> str:
    r"""Return the text of a line without raised marks: `Roe\vPoe` for “Roe¹Poe²”, `Roe\tPoe` if they stand far apart.

    `size` and `base` are those of most of its letters.
    """
    parts: list[str] = []
    last: Letter | None = None
    for index, letter in enumerate(letters):
        if letter.character == " ":
            parts.append(" ")
            continue
        is_raised = letter.size < _RAISED * size and letter.base > base + 0.15 * size  # small, and above the line
        if is_raised and not _is_of_isotope(letters, index):  # a small number before “C” in “¹³C” is no mark
            parts.append("\v")  # a mark of a footnote parts two names as a comma does
            continue
        if last is not None and letter.left - last.right > _WIDE * size:
            parts.append("\t")
        parts.append(letter.character)
        last = letter
    text = repair_letters("".join(parts))
    text = re.sub(r"[ \v]*\t[ \v\t]*", "\t", text)  # a wide gap parts names by itself, whatever marks stand beside it
    return re.sub(r"[ \v]*\v[ \v]*", "\v", re.sub(r" +", " ", text)).strip()


def _is_of_isotope(letters: Sequence[Letter], at: int) -> bool:
    """True for raised digits right before a word: `3` of `3He`."""
    start = end = at
    while start > 0 and letters[start - 1].character.isdigit():
        start -= 1
    while end < len(letters) and letters[end].character.isdigit():
        end += 1
    opens = start == 0 or letters[start - 1].character == " "
    return 0 < end - start <= 3 and opens and end < len(letters) and letters[end].character.isupper()


def usual_size(lines: Iterable[Printed]) -> float:
    """The size of most letters, of one line at least."""
    sizes = Counter[float]()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0]


def cut_marked(marked: str, start: int) -> str:
    """Return what follows the first `start` characters of a text; the signs around italics are not counted.

    If the cut falls within italics, the rest begins with their sign.  "" if the text is no longer than that.
    """
    seen = 0
    is_open = False
    for index, character in enumerate(marked):
        if character in (ITALIC, ROMAN):
            is_open = character == ITALIC
        elif seen == start:
            return (ITALIC if is_open else "") + marked[index:]
        else:
            seen += 1
    return ""

"""The lines of a PDF page with their places and sizes, as pdfium sees its characters."""

import ctypes
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING

from citelsp.bibliography.printed_signs import ITALIC, ROMAN

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage

_WIDE = 0.85  # of the size: no space between two words is as wide, one between two names may be
_APART = 2.2  # of the size: what stands as far apart belongs to two blocks
_SPACE = 0.12  # of the size: what is left between two words at least
_NEAR = 250  # characters before and behind an accent, among which its letter is looked for
_ACCENTED_MOST = 500  # of a page
# Fonts of TeX that do not say which letters they have: what stands where other fonts have no letter (T1, OT1).
_UNMAPPED = {
    11: "ﬀ", 12: "ﬁ", 13: "ﬂ", 14: "ﬃ", 15: "ﬄ", 27: "ﬀ", 28: "ﬁ", 29: "ﬂ", 30: "ﬃ", 31: "ﬄ",
    16: "“", 17: "”", 18: "„", 19: "«", 20: "»", 21: "–", 22: "—", 127: "-",
}  # fmt: skip
_RAISED = 0.8  # of the size of its line at most: a mark of a footnote or an affiliation
_ITALIC = re.compile(
    r"ital|obliq|slant|(?:cm|ec|sf|lm|t1|ot1)[a-z]{0,3}(?:ti|sl|mti|it)\d|-it\b|[a-z]it$", re.IGNORECASE
)
_SPACE_BEFORE_END = re.compile(rf"(?<!\s)\s+{ROMAN}")
_BOLD = re.compile(r"bold|black|heavy|cmb|bx\d|-medi|semib|demi", re.IGNORECASE)
_LONGEST = 2000  # characters of a line; a page of a book has a hundred on each
_MOST = 60_000  # characters of a page
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\u00ad": "-", "\ufffe": "-",
     "\x02": "-", "\u00a0": " ", "\u2028": " ", "\u2029": " ", "∆": "Δ"}  # TeX has one letter for both
)  # fmt: skip
# Fonts without accented letters print the accent by itself, before its letter; a cedilla comes after it.
_ACCENTS = {
    "¨": "\u0308", "´": "\u0301", "`": "\u0300", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "˘": "\u0306",
    "˙": "\u0307", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c",
}  # fmt: skip
_ACCENTED = re.compile(r"(?:(?<=[^\W\d_]) ?([¨´`ˆ˜¯˘˙˚˝ˇ]) ?|([¨´ˆ˜¯˘˙˚˝ˇ]) ?)([^\W\d_])")
_CEDILLA = re.compile(r"([cCsStT]) ?¸(?=[^\W\d_]|\b)|¸([cCsStT])")


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


@dataclass(slots=True)
class _Letter:
    character: str
    size: float
    left: float
    right: float
    base: float
    index: int


def repair_letters(text: str) -> str:
    """Text of a PDF with whole letters: ligatures parted, accents on their letters."""
    text = text.translate(_LIGATURES)
    if "¸" in text:
        text = _CEDILLA.sub(lambda it: unicodedata.normalize("NFC", (it[1] or it[2]) + "\u0327"), text)
    return _ACCENTED.sub(_compose, text) if any(it in text for it in _ACCENTS) else text


def _compose(match: "re.Match[str]") -> str:
    return _composition(match[3], match[1] or match[2]) or match[0]


def read(words: "PdfTextPage", page: int) -> list[Line]:
    """The lines of pdfium's text of a page, in the order in which it was written; none of what stands turned."""
    lines: list[Line] = []
    for letters in _runs(_place_accents(list(_letters(words)))):
        lines.extend(_blocks(words, letters, page))
    return lines


def _letters(words: "PdfTextPage") -> Iterator[_Letter | None]:
    """Yield the characters of a page in pdfium's order, and None where pdfium ends a line; none that stand turned.

    `words`: the page's text, as pdfium has it.  Places and sizes are in points, from the page's lower left corner.
    """
    from pypdfium2 import raw

    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    x = ctypes.c_double()
    y = ctypes.c_double()
    matrix = raw.FS_MATRIX()
    for index in range(min(words.count_chars(), _MOST)):
        code = raw.FPDFText_GetUnicode(words, index)
        # pdfium generates line ends; a printed character of such a code is a letter of a font of TeX.
        if code in _UNMAPPED and not raw.FPDFText_IsGenerated(words, index):
            code = ord(_UNMAPPED[code])
        if code in (10, 13):
            yield None
            continue
        angle = raw.FPDFText_GetCharAngle(words, index)  # in radians, from 0 to 2π
        if min(angle, 2 * math.pi - angle) > 0.1:  # it stands turned, by more than 6 degrees
            continue
        raw.FPDFText_GetCharBox(words, index, left, right, bottom, top)
        raw.FPDFText_GetCharOrigin(words, index, x, y)
        size = raw.FPDFText_GetFontSize(words, index)
        if raw.FPDFText_GetMatrix(words, index, matrix):  # many files have fonts of size 1, scaled by the matrix
            size *= math.hypot(matrix.c, matrix.d)
        is_character = code < 0x110000 and not 0xD800 <= code < 0xE000  # neither beyond Unicode nor half of a pair
        character = chr(code) if is_character else "\ufffd"
        yield _Letter(character, size, left.value, right.value, y.value, index)


def _place_accents(letters: list[_Letter | None]) -> list[_Letter | None]:
    """Return the letters with each accent that was printed as a sign of its own put on the letter below it.

    An accent may come far from its letter in pdfium's order, so the letter is looked for by its place on the page: it
    is the one below the accent whose middle lies nearest.  An accent that no letter takes stays.  The letters that were
    passed in are changed.
    """
    accents = [at for at, it in enumerate(letters) if it is not None and it.character in _ACCENTS]
    for at in accents[:_ACCENTED_MOST]:
        accent = letters[at]
        if accent is None:  # never so: for the type checker
            continue
        near = letters[max(0, at - _NEAR) : at] + letters[at + 1 : at + 1 + _NEAR]
        middle = (accent.left + accent.right) / 2
        below = [it for it in near if it is not None and it.character.isalpha() and _is_below(it, accent)]
        letter = min(below, key=lambda it: abs((it.left + it.right) / 2 - middle), default=None)
        accented = _composition(letter.character, accent.character) if letter is not None else ""
        if letter is not None and accented:
            letter.character = accented
            _take_out(letters, at)
    return [it for it in letters if it is None or it.character]  # without those that were taken out


def _take_out(letters: list[_Letter | None], at: int) -> None:
    """Put an empty letter in place of the accent at `at`, and of the spaces beside it that pdfium made because of it.

    The spaces stay if the letters on both sides stand apart on the page, too, or if there is none on one side.
    """
    start = at
    end = at + 1
    while start > 0 and _is_space(letters[start - 1]):
        start -= 1
    while end < len(letters) and _is_space(letters[end]):
        end += 1
    before = letters[start - 1] if start else None
    after = letters[end] if end < len(letters) else None
    nothing = _Letter("", 0.0, 0.0, 0.0, 0.0, -1)
    keeps_spaces = before is None or after is None or after.left - before.right > _SPACE * after.size
    for index in range(start, end):
        if index == at or not keeps_spaces:
            letters[index] = nothing


def _is_space(letter: _Letter | None) -> bool:
    return letter is not None and letter.character.isspace()


def _is_below(letter: _Letter, accent: _Letter) -> bool:
    middle = (accent.left + accent.right) / 2
    return letter.left - 0.5 <= middle <= letter.right + 0.5 and abs(letter.base - accent.base) < 0.6 * accent.size


def _composition(base: str, accent: str) -> str:
    """The letter with the accent, "" if there is none such."""
    composed = unicodedata.normalize("NFC", {"ı": "i", "ȷ": "j"}.get(base, base) + _ACCENTS[accent])
    return composed if len(composed) == 1 else ""


def _runs(letters: Iterable[_Letter | None]) -> Iterator[list[_Letter]]:
    """Yield the letters of each printed line, which need not be pdfium's: the places of the letters decide.

    If pdfium ends a line, but the next letter stands right beside the last one, the line goes on, with a space if
    there is room for one.  If pdfium goes on, but the next letter stands on another line, a new one begins.
    """
    run: list[_Letter] = []
    ended = False  # by pdfium, behind the last letter of `run`
    for letter in letters:
        if letter is None:
            ended = True
            continue
        last = next((it for it in reversed(run) if not it.character.isspace()), None)
        if last is not None and not letter.character.isspace():
            begins_line = ended and not _is_beside(last, letter)
            if begins_line or _breaks(last, letter) or len(run) > _LONGEST:
                yield run
                run = []
            elif ended and letter.left - last.right > _SPACE * letter.size:
                run.append(_Letter(" ", letter.size, last.right, letter.left, letter.base, letter.index))
            ended = False
        run.append(letter)
    if run:
        yield run


def _is_beside(last: _Letter, letter: _Letter) -> bool:
    size = max(last.size, letter.size)
    return abs(letter.base - last.base) < 0.45 * size and -0.3 * size < letter.left - last.right < _APART * size


def _breaks(last: _Letter, letter: _Letter) -> bool:
    """True where pdfium goes on in one line although the next letter stands on another one, or far to the left."""
    size = max(last.size, letter.size)
    return abs(letter.base - last.base) > 1.2 * size or letter.right < last.left - 3 * size


def _blocks(words: "PdfTextPage", letters: Sequence[_Letter], page: int) -> Iterator[Line]:
    """Yield the lines of one printed line's letters: it is parted where two letters stand far apart, as in columns.

    `words`: the page's text, as pdfium has it; `page`: its number, from 1.
    """
    block: list[_Letter] = []
    last: _Letter | None = None
    for letter in letters:
        if not letter.character.isspace():
            if last is not None and _is_apart(last, letter):
                yield from _line(words, block, page)
                block = []
            last = letter
        block.append(letter)
    yield from _line(words, block, page)


def _is_apart(last: _Letter, letter: _Letter) -> bool:
    """True for another block; what is much smaller, as the number of a line is, need not stand as far away."""
    small, large = sorted((last.size, letter.size))
    return letter.left - last.right > (_APART if small > _RAISED * large else 1.0) * large


def _line(words: "PdfTextPage", letters: Sequence[_Letter], page: int) -> Iterator[Line]:
    """Yield the line that these letters make, with the size and base of most of them; none if they are all spaces.

    `words`: the page's text, as pdfium has it; `page`: its number, from 1.  The base is the height of the line that
    letters stand on, in points.  A line that begins with a number, as those of manuscripts for review do, also says
    where this ends and what is behind it begins.
    """
    printed = [it for it in letters if not it.character.isspace()]
    if not printed:
        return
    sizes = Counter[float]()
    for letter in printed:  # letters count more than digits and signs, which may be in another font
        sizes[round(letter.size, 1)] += 2 if letter.character.isalpha() else 1
    size = sizes.most_common(1)[0][0]
    in_size = [it for it in printed if abs(it.size - size) < 0.3]  # points: marks of footnotes are smaller
    bases = Counter(round(it.base, 1) for it in in_size).most_common(1)
    base = bases[0][0] if bases else printed[0].base
    alike = [it for it in in_size if it.character.isalpha()] or printed  # these tell the font
    text = repair_letters("".join(it.character for it in letters))
    first_word = list(takewhile(lambda it: not it.character.isspace(), dropwhile(_is_space, letters)))
    is_numbered = len(first_word) < len(printed) and all(it.character.isdigit() for it in first_word)
    # Italics end before the spaces behind them.
    marked = _SPACE_BEFORE_END.sub(rf"{ROMAN} ", repair_letters(_mark_italics(words, letters)))
    yield Line(
        page=page,
        text=" ".join(text.split()),
        plain=_plain_text(letters, size, base),
        size=size,
        font=_font(words, alike[len(alike) // 2].index),
        bold=all(_BOLD.search(_font(words, it.index)) for it in (alike[0], alike[len(alike) // 2], alike[-1])),
        left=min(it.left for it in printed),
        right=max(it.right for it in printed),
        base=base,
        marked=" ".join(marked.split()),
        number_right=first_word[-1].right if is_numbered else None,
        behind_number=printed[len(first_word)].left if is_numbered else None,
    )


def _mark_italics(words: "PdfTextPage", letters: Sequence[_Letter]) -> str:
    """Return the text of letters with signs around what is in italics; the first letter of a word decides for it."""
    parts = list[str]()
    is_open = False  # the text so far ends in italics
    begins_word = True
    for letter in letters:
        if letter.character.isspace():
            begins_word = True
        elif begins_word:
            begins_word = False
            is_italic = _ITALIC.search(_font(words, letter.index)) is not None
            if is_italic != is_open:
                is_open = is_italic
                parts.append(ITALIC if is_open else ROMAN)
        parts.append(letter.character)
    return "".join([*parts, ROMAN if is_open else ""])


def _plain_text(letters: Sequence[_Letter], size: float, base: float) -> str:
    r"""Return the text of a line without raised marks: `Roe\vPoe` for “Roe¹Poe²”, `Roe\tPoe` if they stand far apart.

    `size` and `base` are those of most of its letters.
    """
    parts: list[str] = []
    last: _Letter | None = None
    for index, letter in enumerate(letters):
        if letter.character.isspace():
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


def _is_of_isotope(letters: Sequence[_Letter], at: int) -> bool:
    """True for raised digits right before a word: `3` of `3He`."""
    start = end = at
    while start > 0 and letters[start - 1].character.isdigit():
        start -= 1
    while end < len(letters) and letters[end].character.isdigit():
        end += 1
    opens = start == 0 or letters[start - 1].character.isspace()
    return 0 < end - start <= 3 and opens and end < len(letters) and letters[end].character.isupper()


def _font(words: "PdfTextPage", index: int) -> str:
    from pypdfium2 import raw

    buffer = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    length = raw.FPDFText_GetFontInfo(words, index, buffer, len(buffer), flags)
    return buffer.value.decode("utf-8", "replace") if 0 < length <= len(buffer) else ""

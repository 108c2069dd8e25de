"""The letters of a PDF page with their places and styles, as pdfium sees its characters."""

import ctypes
import math
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctypes import _FuncPointer as _Function
    from ctypes import _SimpleCData

    from pypdfium2 import PdfTextPage

SPACE = 0.12  # of the size: what is left between two words at least
_NEAR = 250  # characters before and behind an accent, among which its letter is looked for
_ACCENTED_MOST = 500  # of a page
# Fonts of TeX that do not say which letters they have: what stands where other fonts have no letter (T1, OT1).
_UNMAPPED = {
    11: "ﬀ", 12: "ﬁ", 13: "ﬂ", 14: "ﬃ", 15: "ﬄ", 27: "ﬀ", 28: "ﬁ", 29: "ﬂ", 30: "ﬃ", 31: "ﬄ",
    16: "“", 17: "”", 18: "„", 19: "«", 20: "»", 21: "–", 22: "—", 127: "-",
}  # fmt: skip
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
_ITALIC = re.compile(
    r"ital|obliq|slant|(?:cm|ec|sf|lm|t1|ot1)[a-z]{0,3}(?:ti|sl|mti|it)\d|-it\b|[a-z]it$", re.IGNORECASE
)
_BOLD = re.compile(r"bold|black|heavy|cmb|bx\d|-medi|semib|demi", re.IGNORECASE)
_TURNED = 0.1  # radians, about 6 degrees: what stands turned by more is no text of a line


class Style:
    """The size and font that letters of a page have in common; letters that look alike share one style."""

    def __init__(self, size: float, font: str) -> None:
        """`size`: in points; `font`: its name, "" if it has none, or a very long one."""
        self.size = size
        self.font = font

    @cached_property
    def is_italic(self) -> bool:
        return _ITALIC.search(self.font) is not None

    @cached_property
    def is_bold(self) -> bool:
        return _BOLD.search(self.font) is not None


@dataclass(slots=True)
class Letter:
    """A character of a page; of a space nothing but the character counts.

    Places and sizes are in points, from the page's lower left corner.
    """

    character: str  # " " for whatever space
    size: float
    left: float
    right: float
    base: float
    style: Style


def repair_letters(text: str) -> str:
    """Text of a PDF with whole letters: ligatures parted, accents on their letters."""
    text = text.translate(_LIGATURES)
    if "¸" in text:
        text = _CEDILLA.sub(lambda it: unicodedata.normalize("NFC", (it[1] or it[2]) + "\u0327"), text)
    return _ACCENTED.sub(_compose, text) if any(it in text for it in _ACCENTS) else text


def _compose(match: "re.Match[str]") -> str:
    return _composition(match[3], match[1] or match[2]) or match[0]


def read(words: "PdfTextPage") -> list[Letter | None]:
    """Return the characters of a page in pdfium's order, and None where pdfium ends a line; none that stand turned.

    `words`: the page's text, as pdfium has it.
    """
    return _place_accents(_read_characters(words))


def _read_characters(words: "PdfTextPage") -> list[Letter | None]:
    """Return what `read` does, with accents still apart that were printed as signs of their own.

    At most _MOST characters are read.  pdfium is asked as little as possible, since it is asked for every character:
    for the place of a text object's letters only until two of them show that all stand at one height, `y`.
    """
    from pypdfium2 import raw

    get_code = _without_checks(raw.FPDFText_GetUnicode, ctypes.c_uint)
    get_object = _without_checks(raw.FPDFText_GetTextObject, ctypes.c_void_p)
    get_box = _without_checks(raw.FPDFText_GetCharBox, ctypes.c_int)
    get_origin = _without_checks(raw.FPDFText_GetCharOrigin, ctypes.c_int)
    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    box = [ctypes.byref(it) for it in (left, right, bottom, top)]
    origin = [ctypes.byref(it) for it in (x, y)]
    page = ctypes.cast(words.raw, ctypes.c_void_p)
    objects = _TextObjects(words)

    letters: list[Letter | None] = []
    text_object: _TextObject | None = None  # that the last character is of
    last_place: tuple[float, float] | None = None  # of its origin; None if no character of this object was asked for it
    is_level = False  # two characters of this object stand at one height, side by side: so do the others
    for index in range(min(words.count_chars(), _MOST)):
        code = get_code(page, index)
        # pdfium generates line ends; a printed character of such a code is a letter of a font of TeX.
        if code in _UNMAPPED and not raw.FPDFText_IsGenerated(words, index):
            code = ord(_UNMAPPED[code])
        if code in (10, 13):
            letters.append(None)
            continue
        is_character = code < 0x110000 and not 0xD800 <= code < 0xE000  # neither beyond Unicode nor half of a pair
        character = chr(code) if is_character else "\ufffd"
        if character.isspace():
            # What it is by itself says nothing: pdfium generates most spaces, and turns them as it does the page.
            if text_object is not None and not text_object.is_turned:
                style = text_object.style
                letters.append(Letter(" ", style.size, right.value, right.value, y.value, style))
            continue
        address = get_object(page, index)
        if text_object is None or address is None or address != text_object.address:
            text_object = objects.read(index, address)
            last_place = None
        if not text_object.is_turned:
            get_box(page, index, *box)
            if last_place is None or not is_level:
                get_origin(page, index, *origin)
                place = x.value, y.value
                is_level = last_place is not None and text_object.is_straight and _is_beside(last_place, place)
                last_place = place
            style = text_object.style
            letters.append(Letter(character, style.size, left.value, right.value, y.value, style))
    return letters


@dataclass(frozen=True, slots=True)
class _TextObject:
    """What a page shows at once, in one style: a few letters, a word or a row."""

    address: int | None  # pdfium's; None for what pdfium generates
    style: Style
    is_turned: bool
    is_straight: bool  # not even turned a little


class _TextObjects:
    """Reads the text objects of a page; those that look alike share one style."""

    def __init__(self, words: "PdfTextPage") -> None:
        from pypdfium2 import raw

        self._words = words
        self._page = ctypes.cast(words.raw, ctypes.c_void_p)
        self._get_angle = _without_checks(raw.FPDFText_GetCharAngle, ctypes.c_float)
        self._get_size = _without_checks(raw.FPDFText_GetFontSize, ctypes.c_double)
        self._get_matrix = _without_checks(raw.FPDFText_GetMatrix, ctypes.c_int)
        self._get_font = _without_checks(raw.FPDFTextObj_GetFont, ctypes.c_void_p)
        self._matrix = raw.FS_MATRIX()
        self._styles: dict[tuple[float, int | None], Style] = {}  # by size and the font's address

    def read(self, index: int, address: int | None) -> _TextObject:
        """Return the text object at this address, of which the character `index` of the page is one."""
        angle = self._get_angle(self._page, index)  # in radians, from 0 to 2π
        size: float = self._get_size(self._page, index)
        if self._get_matrix(self._page, index, ctypes.byref(self._matrix)):
            size *= math.hypot(self._matrix.c, self._matrix.d)  # many files have fonts of size 1, scaled by the matrix
        font = self._get_font(ctypes.c_void_p(address)) if address is not None else None
        style = self._styles.get((size, font))
        if style is None:
            style = self._styles[size, font] = Style(size, self._read_font(index))
        return _TextObject(address, style, min(angle, 2 * math.pi - angle) > _TURNED, self._matrix.b == 0)

    def _read_font(self, index: int) -> str:
        """Return the name of a character's font; "" if it has none, or a very long one."""
        from pypdfium2 import raw

        buffer = ctypes.create_string_buffer(128)
        flags = ctypes.c_int()
        length = raw.FPDFText_GetFontInfo(self._words, index, buffer, len(buffer), flags)
        return buffer.value.decode("utf-8", "replace") if 0 < length <= len(buffer) else ""


def _is_beside(place: tuple[float, float], other: tuple[float, float]) -> bool:
    """True for places at one height that are not the same, as the parts of a ligature have."""
    return place[1] == other[1] and place[0] != other[0]


def _without_checks(function: "_Function", result: "type[_SimpleCData[Any]]") -> "_Function":
    """Return a function of pdfium that takes its arguments as they are, and answers a `result`.

    To check and convert the arguments takes ctypes longer than pdfium takes to answer, and a paper has 100,000
    characters.  Pointers must be passed as such: as `c_void_p` or `byref`.
    """
    address = ctypes.cast(function, ctypes.c_void_p).value or 0  # never 0: for the type checker
    unchecked: _Function = type(function)(address)  # of the same type: that knows how the system calls functions
    unchecked.restype = result
    return unchecked


def _place_accents(letters: list[Letter | None]) -> list[Letter | None]:
    """Return the letters with each accent that was printed as a sign of its own put on the letter below it.

    An accent may come far from its letter in pdfium's order, so the letter is looked for by its place on the page: it
    is the one below the accent whose middle lies nearest.  An accent that no letter takes stays, as do all behind the
    first `_ACCENTED_MOST`.  The letters that were passed in are changed.
    """
    accents = [at for at, it in enumerate(letters) if it is not None and it.character in _ACCENTS]
    if not accents:
        return letters
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
            _take_out(letters, at, accent.style)
    return [it for it in letters if it is None or it.character]  # without those that were taken out


def _take_out(letters: list[Letter | None], at: int, style: Style) -> None:
    """Put an empty letter in place of the accent at `at`, and of the spaces beside it that pdfium made because of it.

    The spaces stay if the letters on both sides stand apart on the page, too, or if there is none on one side.  `style`
    is the accent's.
    """
    start = at
    end = at + 1
    while start > 0 and _is_space(letters[start - 1]):
        start -= 1
    while end < len(letters) and _is_space(letters[end]):
        end += 1
    before = letters[start - 1] if start else None
    after = letters[end] if end < len(letters) else None
    nothing = Letter("", 0.0, 0.0, 0.0, 0.0, style)
    keeps_spaces = before is None or after is None or after.left - before.right > SPACE * after.size
    for index in range(start, end):
        if index == at or not keeps_spaces:
            letters[index] = nothing


def _is_space(letter: Letter | None) -> bool:
    return letter is not None and letter.character == " "


def _is_below(letter: Letter, accent: Letter) -> bool:
    middle = (accent.left + accent.right) / 2
    return letter.left - 0.5 <= middle <= letter.right + 0.5 and abs(letter.base - accent.base) < 0.6 * accent.size


def _composition(base: str, accent: str) -> str:
    """The letter with the accent, "" if there is none such."""
    composed = unicodedata.normalize("NFC", {"ı": "i", "ȷ": "j"}.get(base, base) + _ACCENTS[accent])
    return composed if len(composed) == 1 else ""

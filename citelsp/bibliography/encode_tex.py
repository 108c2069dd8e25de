r"""Unicode as TeX for the fields of entries: special characters escaped, letters beyond ASCII by their macros."""

import re
import unicodedata
from functools import lru_cache

from citelsp.bibliography.decode_tex import COMBINING, LETTERS, SYMBOLS, TEXT_MACROS, find_greek

_MATH = re.compile(r"\$([^$]+)\$")
_MATH_TOKEN = re.compile(r"\\([A-Za-z]+)|[A-Za-z0-9 ^_+\-*/=<>(),.|!:;'\[\]{}]")
_SPECIAL = re.compile(r"[\\&%$#_{}~^]")
_ESCAPES = {"\\": r"{\textbackslash}", "{": r"{\textbraceleft}", "}": r"{\textbraceright}", "~": r"{\textasciitilde}",
            "^": r"{\textasciicircum}"}  # fmt: skip
_TO_TEX = {
    **{letter: rf"{{\{macro}}}" for macro, letter in LETTERS.items()},
    "–": "--", "—": "---", "’": "'", "‘": "`", "“": "``", "”": "''", "…": r"{\ldots}", "\u00a0": "~", "§": r"{\S}",
    "ẞ": r"{\SS}", "‐": "-", "‑": "-", "−": "-", "°": r"{\textdegree}",
}  # fmt: skip
_MARKS = {combining: sign for sign, combining in COMBINING.items()}


def escape(text: str) -> str:
    r"""Unicode text made safe for a braced BibTeX field: TeX's special characters escaped, simple `$…$` kept."""
    parts: list[str] = []
    copied = 0  # up to there the text is in `parts`
    for math in _MATH.finditer(text):
        if _is_simple_math(math[1]):
            parts += [_SPECIAL.sub(_escaped, text[copied : math.start()]), math[0]]
            copied = math.end()
    return "".join([*parts, _SPECIAL.sub(_escaped, text[copied:])])


def _escaped(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or "\\" + match[0]


def _is_simple_math(text: str) -> bool:
    """True if what stands between two dollars can stay as it is: mathematics of known commands, its braces balanced.

    All else between dollars is text to be escaped, so that a field can neither end early nor run a command.
    """
    # `^^5c` is a backslash to TeX, as each character has such a name.
    if "^^" in text or not _is_balanced(text):
        return False
    # `$x$` and `$x_1$` are mathematics; `$5 and $` are two amounts of money.
    is_symbol = len(text) <= 3 and not text[0].isdigit()
    if not is_symbol and not any(sign in text for sign in "\\^_"):
        return False
    tokens = list(_MATH_TOKEN.finditer(text))
    are_all_known = sum(len(token[0]) for token in tokens) == len(text)
    macros = [token[1] for token in tokens if token[1]]
    return are_all_known and all(name in SYMBOLS or name in TEXT_MACROS or find_greek(name) for name in macros)


def _is_balanced(text: str) -> bool:
    """True if each brace that closes closes one that was opened, and all are closed."""
    depth = 0
    for sign in text:
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        if depth < 0:
            return False
    return depth == 0


def encode(text: str) -> str:
    r"""Letters beyond ASCII as TeX: ö → `{\"o}`, ø → `{\o}`, – → `--`.  What has no TeX name here stays Unicode."""
    return text if text.isascii() else "".join(map(_encoded, unicodedata.normalize("NFC", text)))


@lru_cache(maxsize=2048)
def _encoded(character: str) -> str:
    r"""Write one character as TeX, ö as `{\"o}`; leave it as it is if it has no name there, or more than one accent.

    An accent that is written with a letter has its base in braces, `{\v{c}}`.
    """
    if character.isascii():
        return character
    if character in _TO_TEX:
        return _TO_TEX[character]
    base, *marks = list(unicodedata.normalize("NFD", character))
    if len(marks) != 1 or marks[0] not in _MARKS or not base.isascii():
        return character
    sign = _MARKS[marks[0]]
    if base in "ij" and sign in "'`^\"~=.uv":  # accents that take the place of the dot
        base = "\\" + base
    return f"{{\\{sign}{{{base}}}}}" if sign.isalpha() else f"{{\\{sign}{base}}}"

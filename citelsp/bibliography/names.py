"""Names of people and teams as bibliographies write them, parsed."""

import re
from dataclasses import dataclass

from citelsp.bibliography.decode_tex import decode
from citelsp.bibliography.fold import fold

# A long run of white space or commas is looked at once, from its beginning.
_AND = re.compile(r"(?<!\s)\s+and\s+", re.IGNORECASE)
_OTHERS = re.compile(
    r"et\.?,?\s*al\.?|al\.|\{?al\.?\}?(?:,\s*|\s+)et\.?"  # `al., et`, as programs sort it
    r"|(?:\d+\s+|many\s+)?(?:others|co-?authors|co-?workers)|\d+\s+more|\.{3,}|…|\{?\\l?dots\{?\}?",
    re.IGNORECASE,
)
# `Byron et al.`, `Byron and others`
_ET_AL = re.compile(r"(?<![,\s])[,\s]+(?:et\.?\s*al\.?|and\s+others)(?=\}?\s*$)", re.IGNORECASE)
# `Abbott {\it et al.}, B. P.`, as programs that turn a name round leave it
_FAMILY_ET_AL = re.compile(r"(?<!\s)\s+(?:\{\\\w{2,6}\s|\\\w{4,6}\{)?et\.?\s?al\.?\}?(?=,[^,]+\Z)", re.IGNORECASE)
_SUFFIX = re.compile(r"(?:jr|sr|snr|jnr)\.?|[ivx]{2,4}\.?|ph\.?\s*d\.?|m\.?d\.?", re.IGNORECASE)
_JUNIOR = frozenset("jr sr snr jnr phd md".split())
# `Wei Wang 0003`: DBLP's number of a namesake
_HOMONYM = re.compile(r"(?<!\s)\s+0\d{3}$")
_NUMBER = re.compile(r"0\d{3}")
_INITIAL = re.compile(r"[a-z]\.-?(?:[A-Za-z]\.)*")  # BibTeX would read a small one as a particle
_LABELLED = re.compile(r"\s*(family|given|prefix|suffix)\s*=\s*(.*)", re.IGNORECASE | re.DOTALL)
_IS_LABELLED = re.compile(r"\s*+(?:[{\"]\s*+)?(?:family|given|prefix|suffix)(?:-i)?\s*=", re.IGNORECASE)
# `{\'E}mile`, `{\ae}`: BibTeX's letters, which it looks into
_SPECIAL_LETTER = re.compile(r"\{\\(?:[A-Za-z]+|[^A-Za-z])\s*\{?\s*\\?([A-Za-z])?")
PARTICLES = frozenset(
    "van von der den de la le du di da dos das del della des ten ter zu zur el al bin ibn af av".split()
)


@dataclass(frozen=True, slots=True)
class Name:
    """One author.  A team or a name that cannot be split has only `family`."""

    family: str  # with its particle: "van den Berg"
    given: str = ""  # names or initials
    suffix: str = ""  # "Jr.", "III"
    literal: bool = False  # a team, an organisation, or written in double braces: never taken apart

    def __str__(self) -> str:
        return " ".join(filter(None, (self.given, self.family, self.suffix)))


def parse(raw: str) -> tuple[tuple[Name, ...], bool]:
    """Parse a BibTeX name list: its names, and whether it goes on, by `and others`, "et al.", "12 others" or dots.

    These may stand in the place of a name, or behind one, `Byron et al.`, which is listed without them.
    """
    names: list[Name] = []
    truncated = False
    for part in split(raw):
        short = _FAMILY_ET_AL.sub("", _ET_AL.sub("", part))
        has_et_al = short != part
        stands_for_others = _OTHERS.fullmatch(short.strip("{} \t\n"))
        if not stands_for_others and "\\" in short:  # `\textit{others}`
            stands_for_others = _OTHERS.fullmatch(decode(short))
        if has_et_al or stands_for_others:
            truncated = True
        name = None if stands_for_others else parse_one(short)
        if name:
            names.append(name)
    return tuple(names), truncated


def split(raw: str) -> list[str]:
    """Split a name list at each `and` outside braces; names are as written, and empty ones are left out."""
    if "{" not in raw:
        names = _AND.split(raw.strip())
    else:
        names = []
        start = 0
        depths = _Depths(raw)
        for joint in _AND.finditer(raw):
            if depths.depth_at(joint.start()) == 0:
                names.append(raw[start : joint.start()])
                start = joint.end()
        names.append(raw[start:])
    return [name for name in names if name.strip()]


def parse_one(raw: str) -> Name | None:
    """Parse one name; None if it has no letter or digit, or none that TeX would set.

    `First von Last`, `von Last, First`, `von Last, Jr, First`, biblatex's `family=…, given=…`, `{A Team}`.  What has
    more commas is not taken apart.
    """
    raw = raw.strip()
    if not any(map(str.isalnum, raw)):  # `Ada Byron and .`
        return None
    if _is_group(raw):
        return _made(raw, literal=True)
    if "=" in raw and _IS_LABELLED.match(raw):
        return _labelled(raw)
    parts = [part.strip() for part in _split_outside(raw, signs=",")]
    while len(parts) > 1 and not parts[-1]:  # `Byron, Ada,`
        parts.pop()
    match parts:
        case [whole]:
            return _from_words(_words(_HOMONYM.sub("", whole)))
        case [first, second]:
            return _from_two_parts(first, second)
        # `King, Martin, Jr.`, as authors write it; tried before BibTeX's own order, `King, Jr., Martin`.
        case [family, given, suffix] if _SUFFIX.fullmatch(suffix):
            return _made(family, given, suffix)
        case [family, suffix, given]:
            return _made(family, given, suffix)
    return _made(raw, literal=True)


def _from_two_parts(first: str, second: str) -> Name | None:
    """Parse a name of two parts with a comma between, mostly `Family, Given`."""
    if _NUMBER.fullmatch(first):  # `0001, Ada Byron`, where somebody took it for the family name
        return parse_one(second)
    # BibTeX takes two parts for family and given names; authors write `King, Jr.` all the same.
    if _SUFFIX.fullmatch(second) and not _is_given(first, second):
        name = _from_words(_words(first))
        return name and Name(name.family, name.given, decode(second), name.literal)
    return _behind_suffix(first, second) or _made(first, second)


def _behind_suffix(suffix: str, rest: str) -> Name | None:
    """`III, Hal Daumé`, where somebody took the number for the family name; not `II, M. A.`"""
    name = _from_words(_words(rest)) if _SUFFIX.fullmatch(suffix) else None
    return Name(name.family, name.given, decode(suffix)) if name and name.given and "." not in name.family else None


def _is_given(before: str, after: str) -> bool:
    """`Peng, Xi`, `Millar, SR` and `Le Tran, Vi` are given names, `Henry Louis Gates, III` has a number."""
    if not after.isalpha() or (after.lower() in _JUNIOR and not after.isupper()):
        return False
    return not after.isupper() or len(before.split()) < 2


def family_key(name: Name) -> str:
    """Fold the family name without particle, homonym number and spaces: equal for `van der Berg` and `Berg`."""
    words = fold(_HOMONYM.sub("", name.family)).replace("-", " ").replace("'", "").split()
    if name.literal:
        return "".join(words)
    significant = [it for it in words if it not in PARTICLES] or words
    return "".join(significant)


def initials(name: Name) -> str:
    """Return the folded first letters of the given names: `Jean-Paul B.` → "jpb"."""
    return "".join(word[0] for word in re.split(r"[\s.\-]+", fold(name.given)) if word)


def _made(family: str, given: str = "", suffix: str = "", *, literal: bool = False) -> Name | None:
    """Make a name of its parts, TeX decoded and DBLP's numbers of namesakes left out; None if nothing is left."""
    family = _HOMONYM.sub("", decode(family))
    given = _HOMONYM.sub("", decode(given))
    if not family:
        return Name(given) if given else None
    return Name(family, given, decode(suffix), literal)


def _labelled(raw: str) -> Name | None:
    """Parse a name as biblatex labels its parts: `family=Beethoven, given=Ludwig, prefix=van`."""
    values: dict[str, str] = {}
    for part in _split_outside(raw, ","):
        match = _LABELLED.match(part.strip().strip('"'))
        if match:
            values[match[1].lower()] = match[2].strip().strip('"')
    family = " ".join(filter(None, (values.get("prefix", ""), values.get("family", ""))))
    return _made(family, values.get("given", ""), values.get("suffix", ""))


def _from_words(words: list[str]) -> Name | None:
    """`Ludwig van Beethoven Jr.`, a name without commas."""
    if len(words) < 2:
        return _made(" ".join(words))
    # At least two names before it: `Chen V` is a given name's initial.
    has_suffix = len(words) > 2 and _SUFFIX.fullmatch(words[-1]) and words[-1][0].isupper()
    suffix = words.pop() if has_suffix else ""
    # BibTeX's rule: the family name begins with the first small word, else it is the last word.
    family_start = next((index for index, word in enumerate(words[:-1]) if _is_lower(word)), len(words) - 1)
    return _made(" ".join(words[family_start:]), " ".join(words[:family_start]), suffix)


def _is_lower(word: str) -> bool:
    """True if BibTeX takes the word for a particle: its first letter outside plain braces is a small one."""
    if word.startswith("{"):
        special = _SPECIAL_LETTER.match(word)
        return bool(special and special[1] and special[1].islower())
    letter = next(filter(str.isalpha, word), "")
    return letter.islower() and not _INITIAL.fullmatch(word)


def _words(text: str) -> list[str]:
    """Split a name into words; what stands in braces stays together."""
    if "{" not in text:
        return text.replace("~", " ").split()
    return [part.strip() for part in _split_outside(text, " ~\t\r\n") if part.strip()]


def _split_outside(text: str, signs: str) -> list[str]:
    r"""Split a text at any of `signs` that stands outside braces and behind no backslash (`\,` is a space).

    The parts are as written, and may be empty.
    """
    if len(signs) == 1 and "{" not in text and "\\" not in text:
        return text.split(signs)
    parts: list[str] = []
    start = 0
    depth = 0
    for index, sign in enumerate(text):
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        elif depth <= 0 and sign in signs and text[index - 1 : index] != "\\":  # below 0 after a brace too many
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]]


def _is_group(text: str) -> bool:
    """True for what stands in braces as a whole: `{A Team}`, not `{A} {Team}`; an accent in braces begins no group."""
    if not (text.startswith("{") and text.endswith("}")) or text.startswith("{\\"):
        return False
    if text.count("{") != text.count("}"):
        return False
    depths = _Depths(text)
    return all(depths.depth_at(sign.start()) > 0 for sign in re.finditer(r"[^{}]", text))


class _Depths:
    """Brace depth at rising offsets of a text."""

    def __init__(self, text: str) -> None:
        self._braces = re.finditer(r"[{}]", text)
        self._next = next(self._braces, None)
        self._depth = 0

    def depth_at(self, offset: int) -> int:
        while self._next and self._next.start() < offset:
            self._depth = max(0, self._depth + (1 if self._next[0] == "{" else -1))
            self._next = next(self._braces, None)
        return self._depth

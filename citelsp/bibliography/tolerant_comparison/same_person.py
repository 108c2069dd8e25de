"""Two names compared: whether they can be one person's, or one group's.

They can if the family names agree (particles, hyphens, compound and swapped order allowed for) and no given name
contradicts: initials, missing middle names, nicknames and transliterations do not.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from citelsp.base.footprint import MB, remember
from citelsp.bibliography import shipped_lists
from citelsp.bibliography.fold import bare_letters, words
from citelsp.bibliography.names import Name

_PARTICLES = frozenset(
    "van von der den de la le du di da dos das del della des ten ter zu zur el al bin ibn af av y e".split()
)
_LEFT_OUT_OF_GROUPS = frozenset({"the", "team", "et", "al"})  # words that some leave out of the name of a group
_WHOLE_NAME = 4  # letters of a given name that is no initial
_PINYIN = re.compile(
    r"(?:(?:[zcs]h|[bpmfdtnlgkhjqxrzcsyw])(?:i?a(?:o|ng?)?|[ae]i|e(?:ng?)?|i(?:e|u|ng?|ong)?|o(?:u|ng)?"
    r"|u(?:a(?:i|ng?)?|o|i|e|n)?)|a(?:i|o|ng?)?|e(?:n|r)?|ou?){1,2}"
)  # one or two syllables
_WESTERN = frozenset(
    "alan ana ann anna anne annie ben dan dana dean diana emma eva fan gina hana hanna helen hugo ian ida ivan jan jane"
    " jean jenna joan juan june karen ken kim lana lea lee lena leo lili lina linda lisa lola louis luca lucas luis"
    " luna mae maia mari may mia mila milan mina mira mona nana neil nina nora paul rene rita rose roy ruby sally sam"
    " sara sasha sean sue susan tia tina tom una wendy".split()
)  # given names that read as such syllables
_LONG_O = re.compile(r"oh(?=[^aeiou]|$)")
_RUSSIAN_ENDING = re.compile(r"sk(?:y|ii|iy|ij|yi|yj)$")
_SHORT_NAMES = {"st": "saint", "lv": "lu", "lyu": "lu", "nv": "nu"}  # ü as passports write it
_SLAVIC = (  # letters and endings that English, French and German write each in their own way
    (re.compile(r"ts?ch|s?ch|[sk]h"), "h"), (re.compile(r"zh"), "j"), (re.compile(r"[oe](?:ff?|w)$"), "v"),
    (re.compile(r"[oe]v$"), "v"), (re.compile(r"ou"), "u"), (re.compile(r"w"), "v"),
    (re.compile(r"[iyj](?=[aeou])"), ""), (re.compile(r"y"), "i"),
)  # fmt: skip
_HONOURS = frozenset("sir dame lord dr prof professor mr mrs".split())
_INITIALS_ALONE = re.compile(r"[A-Z]\.?(?:[\s-]?[A-Z]\.?){1,3}")  # two to four initials: `E. P.`, `FAM`
_SUFFIXES = frozenset("jr sr ii iii iv phd md filho neto".split())


@remember(MB // 16)
def same_person(left: Name, right: Name) -> bool:
    """True if two names can be one person's, or one group's: the family names agree, and no given name contradicts.

    The rules go from the surest to those for names whose parts are in doubt: which is the family's, in which order.
    """
    left_written = str(left)
    right_written = str(right)
    if _is_acronym(left_written, right_written) or _is_acronym(right_written, left_written):
        return True
    # `Balzs Kgl` for Balázs Kégl
    if _lost_letters(left_written, right_written) or _lost_letters(right_written, left_written):
        return True
    if left.literal or right.literal:
        return _may_be_one_undivided(left_written, right_written)
    return _may_be_one_divided(left, right)


def _may_be_one_undivided(left: str, right: str) -> bool:
    """True if the words of one name are those of the other, or some of them, or begin them as initials do.

    One of the two is a group's, or a person's whose name was not divided.
    """
    left_words = set(words(left)) - _LEFT_OUT_OF_GROUPS
    right_words = set(words(right)) - _LEFT_OUT_OF_GROUPS
    if left_words <= right_words or right_words <= left_words:
        return True
    return _is_covered(left_words, right_words) or _is_covered(right_words, left_words)


def _may_be_one_divided(left: Name, right: Name) -> bool:
    """True if two names, divided into given and family name rightly or not, can be one person's.

    Whichever part a rule takes for the family name, the given names must not contradict; a family name alone has none.
    """
    left_families = name_key(left).family
    right_families = name_key(right).family
    shared = left_families & right_families
    same_letters = _letters(left) == _letters(right)
    # A family name alone contradicts no given name, and may be a whole name that was not split.
    if not left.given or not right.given:
        return bool(shared) or same_letters or _one_is_whole(left, right)
    if same_letters or _glued_family(left) == _glued_family(right):  # `Le Cun` and `LeCun`
        return _given_agree(left, right) or _are_swapped(left, right)
    one_has_all_families = left_families <= right_families or right_families <= left_families
    if shared and one_has_all_families:  # `García Márquez` and `García`
        return _given_agree(left, right)
    # `Rouse D. M.`, read as the family name M.
    if 1 in (len(bare_letters(left.family)), len(bare_letters(right.family))):
        left_words = set(words(str(left))) - _SUFFIXES
        right_words = set(words(str(right))) - _SUFFIXES
        return _is_covered(left_words, right_words) or _is_covered(right_words, left_words)
    with_initials_first = (_initials_first(left), _initials_first(right))  # `Smith JA`, read as the family name JA
    if with_initials_first != (left, right):
        return same_person(*with_initials_first)
    if _is_within(left, right) or _is_within(right, left):
        return True
    if _is_shortened_to_a_suffix(left, right) or _is_shortened_to_a_suffix(right, left):
        return True
    if _has_hyphenated_initials_behind(left, right) or _has_hyphenated_initials_behind(right, left):
        return True
    # The family name comes first (`Fei-Fei, L.`), begins at another word (`García Márquez, J.`, `Márquez, J. García`),
    # or is an initial of the other name (`M. Pawan Kumar`, `Pawan K Mudigonda`).
    return _are_swapped(left, right) or _are_split_elsewhere(left, right) or _are_turned(left, right)


def _are_turned(left: Name, right: Name) -> bool:
    """`M. Pawan Kumar` and `Pawan K Mudigonda`: one given name, and each one's family is an initial of the other."""
    left_given = words(left.given)
    right_given = words(right.given)
    shared = set(left_given) & set(right_given)
    if not any(len(word) >= _WHOLE_NAME for word in shared):
        return False
    return bare_letters(left.family)[:1] in right_given and bare_letters(right.family)[:1] in left_given


def _lost_letters(broken: str, whole: str) -> bool:
    """`Balzs Kgl`: letters beyond ASCII fell out on the way through a program that knows no others."""
    if whole.isascii() or not broken.isascii():
        return False
    ascii_letters = [sign for sign in unicodedata.normalize("NFC", whole) if sign.isascii()]
    return bare_letters(broken) == bare_letters("".join(ascii_letters))


def _is_within(short: Name, full: Name) -> bool:
    """True if the family name of `short` stands within the name `full`, wherever `full` was divided.

    `Martínez, J. M.` for `José Mario Martínez Pérez`, `Lecun, Yann` for `Y. Le Cun`.  The given names of `short` must
    fit the words before it.
    """
    family = bare_letters(short.family)
    if len(family) < 4:  # which may stand within many names by chance
        return False
    full_words = [bare_letters(word) for word in words(str(full))]
    for start in range(1, len(full_words)):
        is_the_end = "".join(full_words[start:]) == family
        # Chinese family names are short and common: within a longer name they are mostly somebody else's.
        is_one_word = full_words[start] == family and not _PINYIN.fullmatch(family)
        if is_the_end or is_one_word:
            given = words(short.given)
            return len(given) <= start and all(map(_fits, given, full_words))
    return False


def _initials_first(name: Name) -> Name:
    """`Smith JA`, as medical journals write without a comma, read the right way; also `Amir EaD`, El-ad David Amir."""
    are_initials = re.fullmatch(r"[A-Z](?:[a-z]?[A-Z]){0,2}", name.family) is not None
    is_a_family = len(bare_letters(name.given)) >= 2 and not name.given.isupper()
    if not (are_initials and is_a_family):
        return name
    return Name(name.given, " ".join(name.family), name.suffix)


def _is_shortened_to_a_suffix(short: Name, full: Name) -> bool:
    """`Jr., E. P.` or `IV FAM` for Edward Passaro Jr. and Frederick A. Matsen IV, whose comma BibTeX missed.

    It took the suffix for the family name then, and its styles cut the real one to an initial.  The first and the last
    initial must fit: either list may leave out middle names.
    """
    family = set(words(short.family))
    given = set(words(short.given))
    if not (family and given) or not (family <= _SUFFIXES or given <= _SUFFIXES):
        return False
    beside_suffix = short.given if family <= _SUFFIXES else short.family
    full_words = [word for word in words(str(full)) if word not in _SUFFIXES]
    if not _INITIALS_ALONE.fullmatch(beside_suffix) or len(full_words) < 2:
        return False
    initials = bare_letters(beside_suffix)
    return full_words[0].startswith(initials[0]) and full_words[-1].startswith(initials[-1])


def _has_hyphenated_initials_behind(short: Name, full: Name) -> bool:
    """`Yano Ta`, read as the family name Ta, for Taka-aki Yano: medical journals shorten so what has a hyphen."""
    if not re.fullmatch(r"[A-Z][a-z]", short.family) or _plain(bare_letters(short.given)) != _glued_family(full):
        return False
    return _are_initials_of(short.family.lower(), _given_words(full))


def _is_covered(names: set[str], others: set[str]) -> bool:
    """True if each of the names, two at least, is one of the others, or the beginning of one, as an initial is."""
    if len(names) < 2:
        return False
    return all(any(other.startswith(name) for other in others) for name in names)


def _letters(name: Name) -> str:
    """Return all letters in alphabetical order: equal for any order and division of the same names."""
    return "".join(sorted(bare_letters(str(name))))


def _glued_family(name: Name) -> str:
    """Return the letters of the family name in one writing, particles included: `Le Cun` and `LeCun` are one."""
    return "".join(_plain(word) for word in words(name.family) if word not in _SUFFIXES and not word.isdigit())


def _one_is_whole(left: Name, right: Name) -> bool:
    """True if one, which could not be split, is the other's whole name: `Silpa S`, family first without a comma."""
    left_words = set(words(str(left)))
    right_words = set(words(str(right)))
    return len(left_words & right_words) >= 2 or left_words == right_words


def _is_acronym(short: str, full: str) -> bool:
    """`ROTAC` for the Roman Observations Time Allocation Committee."""
    if len(short) < 3 or not short.isupper() or not short.isalpha():
        return False
    return short.lower() == "".join(word[0] for word in words(full) if word not in ("of", "the", "and", "for"))


def _given_agree(left: Name, right: Name) -> bool:
    """True if the given names of two people may be one person's; their family names are not looked at.

    Initials, missing middle names, nicknames and hyphens contradict nothing, nor does a name that is left out.
    """
    left_words = _given_words(left)
    right_words = _given_words(right)
    if not left_words or not right_words or "".join(left_words) == "".join(right_words):
        return True
    if _are_initials_of("".join(left_words), right_words) or _are_initials_of("".join(right_words), left_words):
        return True
    if not _fits(left_words[0], right_words[0]):
        # Somebody may be called by a later name, of those written out: `Scott Fahlman` for `J. Scott Fahlman`.  It is
        # one of the first three: of more names two would often agree by chance.
        return _fit_somewhere(_written_out(left_words[:3]), _written_out(right_words[:3]))
    if len(left_words) == 1 or len(right_words) == 1:
        return True
    # `John A.` is not `J. B.`, but `Juan C.` may be `Juan M. C.`
    return _fit_somewhere(left_words[1:], right_words[1:])


def _given_words(name: Name) -> tuple[str, ...]:
    return tuple(word for word in words(name.given) if word not in _HONOURS)


def _written_out(names: Iterable[str]) -> list[str]:
    """Return the names that are no initials."""
    return [name for name in names if len(name) > 1]


def _fit_somewhere(left: Iterable[str], right: Sequence[str]) -> bool:
    return any(_fits(*pair) for pair in product(left, right))


def _fits(left: str, right: str) -> bool:
    """True if two given names can be one: an initial, a nickname, a transliteration."""
    if left.startswith(right) or right.startswith(left):
        return True
    nicknames = _nicknames()
    if nicknames.get(left, left) == nicknames.get(right, right):
        return True
    # Transliterations differ by a letter or two, but hardly in the first one.
    return left[:1] == right[:1] and len(left) > 2 and len(right) > 2 and _are_near(left, right)


@cache
def _nicknames() -> dict[str, str]:
    """Return for every form of a given name the first form of its group: `bob` and `rob` have one."""
    first_forms: dict[str, str] = {}
    for line in shipped_lists.read("nicknames.txt").splitlines():
        forms = line.split()
        first_forms |= dict.fromkeys(forms, forms[0])
    return first_forms


def _are_near(left: str, right: str) -> bool:
    """True if at most two letters differ, of a word of fewer than six one."""
    from rapidfuzz.distance import DamerauLevenshtein

    # Two letters in five are another name: `Maria` and `Marco`.
    most = 1 if min(len(left), len(right)) < 6 else 2
    return DamerauLevenshtein.distance(left, right) <= most


def _are_initials_of(short: str, names: tuple[str, ...]) -> bool:
    """`JK` or `jm` for Jean Michel."""
    if not 1 < len(short) <= len(names):
        return False
    return all(name.startswith(initial) for name, initial in zip(names, short, strict=False))


def _are_swapped(left: Name, right: Name) -> bool:
    """True if one side has the family name first, as in Chinese, or lacks a comma; `Fei-Fei, L.` for Fei-Fei Li."""
    if sorted(words(str(left))) == sorted(words(str(right))):
        return True
    return _is_crossed(left, right) or _is_crossed(right, left)


def _is_crossed(left: Name, right: Name) -> bool:
    """True if the family names of `left` are the given names of `right`, and the other way round.

    For the other way an initial is enough: `Fei-Fei, L.` and `Li, Fei-Fei`.
    """
    left_key = name_key(left)
    right_key = name_key(right)
    if left_key.family != right_key.given:
        return False
    if left_key.given == right_key.family:
        return True
    if len(left_key.given) != 1 or len(right_key.family) != 1:
        return False
    [initial] = left_key.given
    [family] = right_key.family
    return family.startswith(initial)


def _are_split_elsewhere(left: Name, right: Name) -> bool:
    """True if the family name begins at another word on one side: `Juan García Márquez`.

    The first words fit, and the name of fewer words, either if they have as many, has two whole words at least, all of
    which are in the other.
    """
    left_words = [_plain(word) for word in words(str(left))]
    right_words = [_plain(word) for word in words(str(right))]
    if not left_words or not right_words or not _fits(left_words[0], right_words[0]):
        return False
    if len(left_words) <= len(right_words) and _has_whole_words_of(right_words, left_words):
        return True
    return len(right_words) <= len(left_words) and _has_whole_words_of(left_words, right_words)


def _has_whole_words_of(name: Sequence[str], other: Sequence[str]) -> bool:
    """True if all words of the other name but initials and particles are in this one; two at least."""
    whole_words = [word for word in other if len(word) > 1 and word not in _PARTICLES]
    return len(whole_words) >= 2 and all(word in name for word in whole_words)


def are_two_people(left: Name, right: Name) -> bool:
    """True for two Chinese given names, both written out, that differ: of few family names, Lu is not Liang."""
    for given in (bare_letters(left.given), bare_letters(right.given)):
        if not _PINYIN.fullmatch(given) or given in _WESTERN:
            return False
    return not _given_agree(left, right)


def is_misspelt(left: Name, right: Name) -> bool:
    """True if one may be the other with a typing error, with broken accents, or as another language writes it.

    `Knuht, Donald` for Knuth, `Tschebyscheff, P.` for Chebyshev, P.  The given names must begin with one letter, unless
    an accent is broken: then the whole names must.
    """
    left_name = bare_letters(str(left))
    right_name = bare_letters(str(right))
    if "\ufffd" in f"{left}{right}":  # a broken accent: how much of the name it spoilt nobody knows
        return left_name[:1] == right_name[:1]
    if bare_letters(left.given)[:1] != bare_letters(right.given)[:1]:
        return False
    left_family = bare_letters(left.family)
    right_family = bare_letters(right.family)
    if min(len(left_family), len(right_family)) < 5:
        return False  # in a short name one letter makes another name
    if _are_near(left_family, right_family) or _are_near(left_name, right_name):
        return True
    return _slavic_sound(left) == _slavic_sound(right)


def _slavic_sound(name: Name) -> str:
    """`Chebyshev` as `Tschebyscheff`, `Tikhonov` as `Tychonoff`; the name itself if it is too short to tell."""
    written = _RUSSIAN_ENDING.sub("ski", bare_letters(name.family))
    if len(written) < 7:
        return written
    for pattern, letter in _SLAVIC:
        written = pattern.sub(letter, written)
    return written


class _NameKey(NamedTuple):
    """The words of a name, each in one writing."""

    family: frozenset[str]  # without particles, suffixes and the numbers of namesakes, unless nothing else is left
    given: frozenset[str]


@remember(MB // 8)
def name_key(name: Name) -> _NameKey:
    all_words = words(name.family)
    telling = [word for word in all_words if word not in _PARTICLES and word not in _SUFFIXES and not word.isdigit()]
    return _NameKey(frozenset(map(_plain, telling or all_words)), frozenset(words(name.given)))


@remember(MB // 16)
def _plain(word: str) -> str:
    """Write in one way what is written in several: umlauts (ue), long vowels (oh), Russian endings, saints."""
    # In short names these letters are their own: `Lue`, `Poe`.
    if len(word) <= 3:
        return _SHORT_NAMES.get(word, word)
    word = word.replace("ue", "u").replace("oe", "o").replace("ae", "a")
    if word.startswith("tch"):  # the French `Tchekhov`
        word = word.removeprefix("t")
    return _LONG_O.sub("o", _RUSSIAN_ENDING.sub("ski", word))

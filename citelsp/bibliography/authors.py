"""Author lists compared: who was dropped, added, replaced or moved.

Two names are one person's if the family names agree (particles, hyphens, compound and swapped order allowed for) and
no given name contradicts: initials, missing middle names, nicknames and transliterations do not.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise, product
from typing import NamedTuple

from citelsp.base.footprint import MB, remember
from citelsp.bibliography import shipped_lists
from citelsp.bibliography.fold import bare_letters, words
from citelsp.bibliography.names import Name

_PARTICLES = frozenset(
    "van von der den de la le du di da dos das del della des ten ter zu zur el al bin ibn af av y e".split()
)
_TEAMS = frozenset(
    "team teams consortium collaboration collaborations collaborative collaborators group workgroup initiative network"
    " committee project program programme investigators trialists contributors members council society association"
    " federation institute organization organisation foundation alliance academy academies commission ministry"
    " department agency university laboratory taskforce survey registry".split()
)
_LEFT_OUT_OF_GROUPS = frozenset({"the", "team", "et", "al"})  # words that some leave out of the name of a group
_OF_GROUPS = frozenset("the for and on in".split())  # words that are in no person's name
_HOUSE = re.compile(r"(?!Mac|Mc|Le|La|De|Di|Du|Van|Fitz)(?=\w+\Z)\w*[a-z][A-Z].*|[\w-]+-AI")  # OpenAI, DeepSeek-AI
_FEWEST_BEFORE_DOTS = 5  # names before the dots of a list that APA's style cuts before its last one
_WHOLE_NAME = 4  # letters of a given name that is no initial
_CROWD = 50  # authors from which lists are those of a collaboration, and change from paper to paper
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


@dataclass(frozen=True, slots=True)
class AuthorComparison:
    """How a cited list stands to the recorded one; `same` if nothing shows other people or another order."""

    added: tuple[Name, ...] = ()  # cited, on no record
    dropped: tuple[Name, ...] = ()  # recorded, not cited, although the list claims to be complete
    replaced: tuple[tuple[Name, Name], ...] = ()  # (cited, recorded) at one place
    reordered: bool = False
    shortened: bool = False  # the cited list is the beginning of the recorded one, without "and others"
    repeated: bool = False  # all that differs: somebody is cited twice who is recorded once
    shared: int = 0  # how many people are in both lists

    @property
    def same(self) -> bool:
        return not (self.added or self.dropped or self.replaced or self.reordered)


def compare(
    cited: Sequence[Name], recorded: Sequence[Name], *, cited_cut: bool = False, recorded_cut: bool = False
) -> AuthorComparison:
    """Match a cited list with a record's, person by person: who was added, dropped, replaced or moved.

    `cited_cut`, `recorded_cut`: the list goes on (`and others`, a source's limit), so who is missing at its end proves
    nothing.  A team may stand for anybody, so who is missing beside or behind one proves nothing either, nor do a few
    people of very many.  A place is an index in a list.
    """
    recorded = _drop_repeated(recorded, cited)
    partners = _find_partners(cited, recorded)
    shared_places = [partner for partner in partners if partner is not None]  # in the record, in the cited order
    no_difference = AuthorComparison(shared=len(shared_places))
    # Nobody knows where two cut lists were cut (dots may also stand for people in the midst of one): two people in both
    # are enough.
    if cited_cut and recorded_cut and len(shared_places) >= 2:
        return no_difference

    # Places of people without a partner in the other list.
    lone_cited = [place for place, partner in enumerate(partners) if partner is None]
    lone_recorded = sorted(set(range(len(recorded))) - set(partners))
    # Whoever is cited beyond the end of a recorded list that was cut may well stand in the part that is missing; so may
    # anybody if all whom the list names are cited.
    if recorded_cut:
        lone_cited = [place for place in lone_cited if place < len(recorded)] if lone_recorded else []
    if cited_cut:
        if not lone_cited and _is_cut_before_the_last(shared_places, len(recorded)):
            return no_difference
        # Behind the last one who is in both, the cited list may have been cut, unless somebody else is cited there.
        last = max(shared_places, default=-1)
        lone_recorded = [place for place in lone_recorded if place < last or place in lone_cited]
    if not (lone_cited or lone_recorded) and shared_places == sorted(shared_places):
        return no_difference  # most pairs end here, before the costly look for groups

    lone_cited = _without_groups(lone_cited, cited, recorded)
    lone_recorded = _without_groups(lone_recorded, recorded, cited)
    # Of a crowd every export loses a few people, and some records name only those who wrote the paper.
    if max(len(cited), len(recorded)) >= _CROWD:
        # Of a cited list that goes on, half of the names on record will do.
        half_are_recorded = cited_cut and 2 * len(shared_places) >= len(cited)
        if half_are_recorded or _is_thinned(lone_cited, lone_recorded, shared_places):
            return no_difference

    return _state_differences(cited, recorded, _Places(shared_places, lone_cited, lone_recorded))


class _Places(NamedTuple):
    """Where people stand in two lists, as indices."""

    shared: list[int]  # in the record, of those who are in both, in the cited order
    lone_cited: list[int]  # in the cited list, of those who are really not in the record
    lone_recorded: list[int]  # in the record, of those who are really not cited


def _state_differences(cited: Sequence[Name], recorded: Sequence[Name], places: _Places) -> AuthorComparison:
    """Say what two lists that differ come to: who was added, dropped or replaced, and whether others were moved.

    Replaced is only who has no partner at one and the same place: at two places one is dropped and one added.
    """
    replaced = [place for place in places.lone_cited if place in places.lone_recorded]
    added = [place for place in places.lone_cited if place not in replaced]
    dropped = [place for place in places.lone_recorded if place not in replaced]
    # Behind a team people stand in any order.
    is_behind_team = _behind_a_team(recorded)
    in_order_of_citing = [place for place in places.shared if not is_behind_team[place]]
    only_added = bool(added) and not (dropped or replaced)
    only_dropped = bool(dropped) and not (added or replaced)
    return AuthorComparison(
        added=tuple(cited[place] for place in added),
        dropped=tuple(recorded[place] for place in dropped),
        replaced=tuple((cited[place], recorded[place]) for place in replaced),
        reordered=in_order_of_citing != sorted(in_order_of_citing),
        repeated=only_added and all(cited[place] in cited[:place] for place in added),
        shortened=only_dropped and places.shared == list(range(len(cited))),
        shared=len(places.shared),
    )


def _behind_a_team(people: Sequence[Name]) -> list[bool]:
    """Say for each place whether a team stands there or before: who stands behind it may be of it, in any order."""
    return list(accumulate(map(is_team, people), max))


def _without_groups(lost: Sequence[int], people: Sequence[Name], others: Sequence[Name]) -> list[int]:
    """Keep of the `lost` places those of `people` whom the `others` really lack.

    A group among the others may stand for any of them; one among the people, for others who are named one by one.
    """
    if any(map(is_team, others)) or _is_house(others):
        return []
    is_behind_team = _behind_a_team(people)
    return [place for place in lost if not is_behind_team[place] and not _is_company(people[place])]


def _is_cut_before_the_last(order: Sequence[int], count: int) -> bool:
    """True if a list has of `count` people the first ones in their order and the last one: `A, B, C, … Z`.

    APA's style cuts long lists so.  `order` are the places of those it has.
    """
    *first, last = order or [-1]
    are_the_first = first == list(range(len(first)))
    return len(first) >= _FEWEST_BEFORE_DOTS and are_the_first and last == count - 1


def _is_thinned(added: Sequence[int], dropped: Sequence[int], order: Sequence[int]) -> bool:
    """True if, of a crowd in one order, the cited list lacks a few people or the record any number.

    Or, in any order, if the record names its writers only: fewer people than are cited besides. `order` are the places
    in the record of those whom both have.
    """
    if added and dropped:
        return False
    are_few_lost = list(order) == sorted(order) and len(dropped) * 10 <= len(order)
    names_writers_only = len(added) > len(order)
    return are_few_lost or names_writers_only


def _is_house(people: Sequence[Name]) -> bool:
    """True if a company is the only author, and stands for its people."""
    return len(people) == 1 and _is_company(people[0])


def _is_company(name: Name) -> bool:
    """True for a company, which some list beside its people and others do not."""
    return not name.given and _HOUSE.fullmatch(name.family) is not None


def is_team(name: Name) -> bool:
    """True for a group of people, some of whom may be listed as well."""
    written = str(name)
    parts = words(written)
    if not _TEAMS.isdisjoint(parts) or "task force" in " ".join(parts) or written.endswith(" Coll."):
        return True
    if not name.literal or len(parts) <= 2:
        return False
    # Among several words in braces, one that is in no person's name, or a number.
    return not _OF_GROUPS.isdisjoint(parts) or any(map(str.isdigit, parts))


def holds_commas(name: Name) -> bool:
    """True if several people, or an address, stand in one name."""
    return re.search(r",(?!\s*(?:[JjSs]r|[IVX]+)\b)", str(name)) is not None


def are_teams(people: Sequence[Name]) -> bool:
    """True if all are groups, which stand for people who are not named."""
    return bool(people) and all(map(is_team, people))


def are_groups(people: Sequence[Name]) -> bool:
    """True for teams alone, or one company, whose people another list may name one by one."""
    return are_teams(people) or _is_house(people)


def _drop_repeated(recorded: Sequence[Name], cited: Sequence[Name]) -> Sequence[Name]:
    """Drop from a record's list whoever stands there several times in a row, as in some registries.

    Two of one name in a row stay if the entry lists them so, too: they are namesakes.
    """
    namesakes = {name for name, following in pairwise(cited) if name == following}
    distinct: list[Name] = []
    for name in recorded:
        is_repeated = distinct[-1:] == [name]
        if not is_repeated or any(same_person(name, namesake) for namesake in namesakes):
            distinct.append(name)
    return distinct


def _find_partners(cited: Sequence[Name], recorded: Sequence[Name]) -> list[int | None]:
    """Return for every cited name the index of its person in the record, None if there is none; each person once.

    Partners are looked for at the same place in both lists first, there also under a misspelt name (see
    `_pair_same_places`), then anywhere: the nearest whose name can be one person's.
    """
    partners: list[int | None] = [None] * len(cited)
    free = set(range(len(recorded)))  # places in the record of people without a partner
    for place, name in enumerate(cited):
        if place in free and same_person(name, recorded[place]):
            partners[place] = place
            free.discard(place)
    _pair_same_places(cited, recorded, partners, free)
    # Only who shares a word of the name is compared: everybody with everybody takes seconds for lists of thousands.
    places_by_word: dict[str, list[int]] = {}
    for place in sorted(free):
        for word in _words_of(recorded[place]):
            places_by_word.setdefault(word, []).append(place)
    for place, name in enumerate(cited):
        if partners[place] is not None:
            continue
        with_same_word: set[int] = set()
        for word in _words_of(name):
            with_same_word.update(places_by_word.get(word, ()))
        persons = [other for other in sorted(with_same_word & free) if same_person(name, recorded[other])]
        partner = _nearest(persons, place)
        if partner is not None:
            partners[place] = partner
            free.discard(partner)
    return partners


def _words_of(name: Name) -> frozenset[str]:
    return _key(name).family | _key(name).given


def _nearest(places: Sequence[int], place: int) -> int | None:
    """Return the one of these places that is nearest to `place`; None if there are none."""
    return min(places, key=lambda other: abs(other - place), default=None)


def _pair_same_places(
    cited: Sequence[Name], recorded: Sequence[Name], partners: list[int | None], free: set[int]
) -> None:
    """Pair people at the same place who have one family name, or a misspelt one, if most have partners.

    Most are all but one, or four fifths of the cited.  Their given names need not agree, since these are written in
    many ways.  `partners` has for each cited name the index of its person in the record, None if there is none so far;
    `free` has the indices in the record of people without a partner.  Both are changed.
    """
    open_places = [place for place, partner in enumerate(partners) if partner is None and place in free]
    # If many disagree the lists are of two works, and one family name at one place is chance.
    if len(open_places) > max(1, len(cited) // 5):
        return
    by_family: dict[frozenset[str], list[int]] = {}
    for place in open_places:
        by_family.setdefault(_key(recorded[place]).family, []).append(place)
    for place in open_places:
        name = cited[place]
        recorded_name = recorded[place]
        family = _key(name).family
        # `Chen, Mia` and `Chen, Dehao` who changed places are no namesakes of each other.
        elsewhere = [other for other in by_family.get(family, ()) if other != place]
        if any(same_person(name, recorded[other]) for other in elsewhere):
            continue
        # An only author of the same family name may be anybody of it; so may a Chinese one of another given name.
        is_one_family = len(cited) > 1 and family == _key(recorded_name).family
        if (is_one_family and not _are_two(name, recorded_name)) or _is_misspelt(name, recorded_name):
            partners[place] = place
            free.discard(place)


def _are_two(left: Name, right: Name) -> bool:
    """True for two Chinese given names, both written out, that differ: of few family names, Lu is not Liang."""
    for given in (bare_letters(left.given), bare_letters(right.given)):
        if not _PINYIN.fullmatch(given) or given in _WESTERN:
            return False
    return not _given_agree(left, right)


def _is_misspelt(left: Name, right: Name) -> bool:
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
def _key(name: Name) -> _NameKey:
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
    left_families = _key(left).family
    right_families = _key(right).family
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
    left_key = _key(left)
    right_key = _key(right)
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

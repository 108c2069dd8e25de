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

from citelsp.base.footprint import MB, remembered
from citelsp.bibliography import listings
from citelsp.bibliography.fold import squeezed, words
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
_IN_GROUPS = frozenset({"the", "team", "et", "al"})  # words that some leave out of the name of a group
_OF_GROUPS = frozenset("the for and on in".split())  # words that are in no person's name
_HOUSE = re.compile(r"(?!Mac|Mc|Le|La|De|Di|Du|Van|Fitz)(?=\w+\Z)\w*[a-z][A-Z].*|[\w-]+-AI")  # OpenAI, DeepSeek-AI
_APA = 5  # names before the dots of a list that is cut before its last one
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
_LONG = re.compile(r"oh(?=[^aeiou]|$)")
_RUSSIAN_ENDING = re.compile(r"sk(?:y|ii|iy|ij|yi|yj)$")
_SHORT = {"st": "saint", "lv": "lu", "lyu": "lu", "nv": "nu"}  # ü as passports write it
_SLAVIC = (  # letters and endings that English, French and German write each in their own way
    (re.compile(r"ts?ch|s?ch|[sk]h"), "h"), (re.compile(r"zh"), "j"), (re.compile(r"[oe](?:ff?|w)$"), "v"),
    (re.compile(r"[oe]v$"), "v"), (re.compile(r"ou"), "u"), (re.compile(r"w"), "v"),
    (re.compile(r"[iyj](?=[aeou])"), ""), (re.compile(r"y"), "i"),
)  # fmt: skip
_HONOURS = frozenset("sir dame lord dr prof professor mr mrs".split())
_SUFFIXES = frozenset("jr sr ii iii iv phd md filho neto".split())


@dataclass(frozen=True, slots=True)
class AuthorComparison:
    """How a cited list stands to the recorded one; all empty means: the same people in the same order."""

    added: tuple[Name, ...] = ()  # cited, on no record
    dropped: tuple[Name, ...] = ()  # recorded, not cited, although the list claims to be complete
    replaced: tuple[tuple[Name, Name], ...] = ()  # (cited, recorded) at one place
    reordered: bool = False
    shortened: bool = False  # the cited list is the beginning of the recorded one, without "and others"
    repeated: bool = False  # all that differs: somebody is cited twice who is recorded once
    shared: int = 0

    @property
    def same(self) -> bool:
        return not (self.added or self.dropped or self.replaced or self.reordered)


def compare(
    cited: Sequence[Name], recorded: Sequence[Name], *, cited_cut: bool = False, recorded_cut: bool = False
) -> AuthorComparison:
    """Match person by person; a list that is cut (`and others`, a source's limit) proves nothing by its end."""
    recorded = _distinct(recorded, cited)
    partners = _partners(cited, recorded)
    order = [partner for partner in partners if partner is not None]
    alike = AuthorComparison(shared=len(order))
    # Of two lists that are cut nobody knows where: dots stand for people in the midst of one, too.
    if cited_cut and recorded_cut and len(order) >= 2:
        return alike

    lost_cited = [place for place, partner in enumerate(partners) if partner is None]
    lost_recorded = sorted(set(range(len(recorded))) - set(partners))
    # Whoever is cited beyond the end of a list that was cut may well stand in the part that is missing.
    if recorded_cut:
        lost_cited = [place for place in lost_cited if place < len(recorded)] if lost_recorded else []
    if cited_cut:
        if not lost_cited and _is_cut_before_the_last(order, len(recorded)):
            return alike
        last = max(order, default=-1)
        lost_recorded = [place for place in lost_recorded if place < last or place in lost_cited]
    if not (lost_cited or lost_recorded) and order == sorted(order):
        return alike  # most pairs are; whether somebody is a group need not be known of them

    cited_behind = _behind_a_team(cited)
    recorded_behind = _behind_a_team(recorded)
    lost_cited = _without_groups(lost_cited, cited, recorded, cited_behind)
    lost_recorded = _without_groups(lost_recorded, recorded, cited, recorded_behind)
    if max(len(cited), len(recorded)) >= _CROWD:
        is_half = cited_cut and 2 * len(order) >= len(cited)
        if is_half or _is_thinned(lost_cited, lost_recorded, order):
            return alike

    # Only at one place: two who are lost at different places are one left out and one added.
    replaced = [place for place in lost_cited if place in lost_recorded]
    added = [place for place in lost_cited if place not in replaced]
    dropped = [place for place in lost_recorded if place not in replaced]
    moved = [place for place in order if not recorded_behind[place]]
    only_added = bool(added) and not (dropped or replaced)
    only_dropped = bool(dropped) and not (added or replaced)
    return AuthorComparison(
        added=tuple(cited[place] for place in added),
        dropped=tuple(recorded[place] for place in dropped),
        replaced=tuple((cited[place], recorded[place]) for place in replaced),
        reordered=moved != sorted(moved),
        repeated=only_added and all(cited[place] in cited[:place] for place in added),
        shortened=only_dropped and order == list(range(len(cited))),
        shared=len(order),
    )


def _behind_a_team(people: Sequence[Name]) -> list[bool]:
    """Of each place, whether a team stands there or before: who stands behind it may be of it, in any order."""
    return list(accumulate(map(is_team, people), max))


def _without_groups(
    lost: Sequence[int], people: Sequence[Name], others: Sequence[Name], behind: Sequence[bool]
) -> list[int]:
    """The places of people whom the other list lacks.

    A group there stands for people whom this list names one by one: nobody is missing for that.
    """
    if any(map(is_team, others)) or _is_house(others):
        return []
    return [place for place in lost if not (behind[place] or _signs(people[place]))]


def _is_cut_before_the_last(order: Sequence[int], recorded: int) -> bool:
    """The first ones in their order and the last one, as APA's style cuts long lists: `A, B, C, … Z`."""
    *first, last = order or [-1]
    return len(first) >= _APA and first == list(range(len(first))) and last == recorded - 1


def _is_thinned(added: Sequence[int], dropped: Sequence[int], order: Sequence[int]) -> bool:
    """Every export of a crowd loses a few people, the record as well, which may also name its writers only."""
    in_order = list(order) == sorted(order) and len(dropped) * 10 <= len(order)
    return not (added and dropped) and (in_order or len(added) > len(order))


def _is_house(people: Sequence[Name]) -> bool:
    """True if a company is the only author, and stands for its people."""
    return len(people) == 1 and _signs(people[0])


def _signs(name: Name) -> bool:
    """True for a company, which some list beside its people and others do not."""
    return not name.given and _HOUSE.fullmatch(name.family) is not None


def is_team(name: Name) -> bool:
    """True for a group of people, some of whom may be listed as well."""
    parts = words(str(name))
    if not _TEAMS.isdisjoint(parts) or "task force" in " ".join(parts) or str(name).endswith(" Coll."):
        return True
    return name.literal and len(parts) > 2 and (not _OF_GROUPS.isdisjoint(parts) or any(map(str.isdigit, parts)))


def holds_commas(name: Name) -> bool:
    """True if several people, or an address, stand in one name."""
    return re.search(r",(?!\s*(?:[JjSs]r|[IVX]+)\b)", str(name)) is not None


def are_teams(people: Sequence[Name]) -> bool:
    """Groups alone, which stand for people who are not named."""
    return bool(people) and all(map(is_team, people))


def are_groups(people: Sequence[Name]) -> bool:
    """Teams, or one company: whom another list may name one by one."""
    return are_teams(people) or _is_house(people)


def _distinct(recorded: Sequence[Name], cited: Sequence[Name]) -> Sequence[Name]:
    """The people of a record once each: some registries list one person several times in a row.

    Whom the entry lists so too are namesakes.
    """
    namesakes = {one for one, other in pairwise(cited) if one == other}
    return [it for place, it in enumerate(recorded) if place == 0 or it != recorded[place - 1] or it in namesakes]


def _partners(cited: Sequence[Name], recorded: Sequence[Name]) -> list[int | None]:
    """The index of the recorded person for every cited name, the same place first, each person once."""
    partners: list[int | None] = [None] * len(cited)
    free = set(range(len(recorded)))
    for place, name in enumerate(cited):
        if place in free and same_person(name, recorded[place]):
            partners[place] = place
            free.discard(place)
    _settle(cited, recorded, partners, free)
    # By words of the names: comparing everybody with everybody takes seconds for lists of thousands.
    by_word: dict[str, list[int]] = {}
    for index in sorted(free):
        for word in _words_of(recorded[index]):
            by_word.setdefault(word, []).append(index)
    for place, name in enumerate(cited):
        if partners[place] is not None:
            continue
        with_same_word: set[int] = set()
        for word in _words_of(name):
            with_same_word.update(by_word.get(word, ()))
        persons = [index for index in sorted(with_same_word & free) if same_person(name, recorded[index])]
        partners[place] = _nearest(persons, place)
        free -= {partners[place]}
    return partners


def _words_of(name: Name) -> frozenset[str]:
    family, given = _key(name)
    return family | given


def _nearest(places: Sequence[int], place: int) -> int | None:
    """The nearest of these places; None if there are none."""
    return min(places, key=lambda it: abs(it - place), default=None)


def _settle(cited: Sequence[Name], recorded: Sequence[Name], partners: list[int | None], free: set[int]) -> None:
    """Pair one family name at one place, if all others agree: a given name may be written in many ways."""
    open_places = [place for place, partner in enumerate(partners) if partner is None and place in free]
    # Where many disagree the lists are of two works, and one family name at one place is chance.
    if len(open_places) > max(1, len(cited) // 5):
        return
    by_family: dict[frozenset[str], list[int]] = {}
    for place in open_places:
        by_family.setdefault(_key(recorded[place])[0], []).append(place)
    for place in open_places:
        name = cited[place]
        family = _key(name)[0]
        # `Chen, Mia` and `Chen, Dehao` who changed places are no namesakes of each other.
        elsewhere = [other for other in by_family.get(family, ()) if other != place]
        if any(same_person(name, recorded[other]) for other in elsewhere):
            continue
        is_one_family = family == _key(recorded[place])[0] and len(cited) > 1
        if (is_one_family and not _are_two(name, recorded[place])) or _misspelt(name, recorded[place]):
            partners[place] = place
            free.discard(place)


def _are_two(left: Name, right: Name) -> bool:
    """Two Chinese given names, both written out: the few family names are borne by many, and Lu is not Liang."""
    mine, its = (squeezed(it.given) for it in (left, right))
    spelled = all(_PINYIN.fullmatch(it) and it not in _WESTERN for it in (mine, its))
    return spelled and not _given_agree(left, right)


def _misspelt(left: Name, right: Name) -> bool:
    """One letter more, less or other in a whole name; broken accents."""
    left_name = squeezed(str(left))
    right_name = squeezed(str(right))
    if "\ufffd" in f"{left}{right}":
        return left_name[:1] == right_name[:1]
    if squeezed(left.given)[:1] != squeezed(right.given)[:1]:
        return False
    left_family = squeezed(left.family)
    right_family = squeezed(right.family)
    if min(len(left_family), len(right_family)) < 5:
        return False  # in a short name one letter makes another name
    return _near(left_family, right_family) or _near(left_name, right_name) or _sound(left) == _sound(right)


def _sound(name: Name) -> str:
    """`Chebyshev` as `Tschebyscheff`, `Tikhonov` as `Tychonoff`; the name itself if it is too short to tell."""
    written = _RUSSIAN_ENDING.sub("ski", squeezed(name.family))
    if len(written) < 7:
        return written
    for pattern, letter in _SLAVIC:
        written = pattern.sub(letter, written)
    return written


@remembered(MB // 8)
def _key(name: Name) -> tuple[frozenset[str], frozenset[str]]:
    """(words of the family name, words of the given names), particles, suffixes and homonym numbers left out."""
    family = [it for it in words(name.family) if it not in _PARTICLES and it not in _SUFFIXES and not it.isdigit()]
    return frozenset(map(_plain, family or words(name.family))), frozenset(words(name.given))


@remembered(MB // 16)
def _plain(word: str) -> str:
    """One writing of what is written in several: umlauts (ue), long vowels (oh), Russian endings, saints."""
    # In short names these letters are their own: `Lue`, `Poe`.
    if len(word) <= 3:
        return _SHORT.get(word, word)
    word = word.replace("ue", "u").replace("oe", "o").replace("ae", "a")
    return _LONG.sub("o", _RUSSIAN_ENDING.sub("ski", word.removeprefix("t") if word.startswith("tch") else word))


@remembered(MB // 16)
def same_person(left: Name, right: Name) -> bool:
    """Whether two names can be one person's."""
    (left_families, _), (right_families, _) = _key(left), _key(right)
    if _is_acronym(str(left), str(right)) or _is_acronym(str(right), str(left)):
        return True
    if _lost_letters(str(left), str(right)) or _lost_letters(str(right), str(left)):
        return True
    if left.literal or right.literal:
        left_words = set(words(str(left))) - _IN_GROUPS
        right_words = set(words(str(right))) - _IN_GROUPS
        if left_words <= right_words or right_words <= left_words:
            return True
        return _covered(left_words, right_words) or _covered(right_words, left_words)
    # A family name alone contradicts no given name, and may be a whole name that was not split.
    shared = left_families & right_families
    if not left.given or not right.given:
        return bool(shared) or _letters(left) == _letters(right) or _one_is_whole(left, right)
    if _letters(left) == _letters(right) or _glued_family(left) == _glued_family(right):
        return _given_agree(left, right) or _swapped(left, right)
    if shared and (left_families <= right_families or right_families <= left_families):
        return _given_agree(left, right)
    if 1 in (len(squeezed(left.family)), len(squeezed(right.family))):  # `Rouse D. M.`
        left_words = set(words(str(left)))
        right_words = set(words(str(right)))
        return _covered(left_words, right_words) or _covered(right_words, left_words)
    turned = (_initials_first(left), _initials_first(right))
    if turned != (left, right):
        return same_person(*turned)
    if _is_within(left, right) or _is_within(right, left):
        return True
    return _swapped(left, right) or _split_elsewhere(left, right) or _turned(left, right)


def _turned(left: Name, right: Name) -> bool:
    """`M. Pawan Kumar` and `Pawan K Mudigonda`: one given name, and each one's family is an initial of the other."""
    mine = words(left.given)
    its = words(right.given)
    share_a_name = any(len(it) >= _WHOLE_NAME for it in set(mine) & set(its))
    return share_a_name and squeezed(left.family)[:1] in its and squeezed(right.family)[:1] in mine


def _lost_letters(broken: str, whole: str) -> bool:
    """`Balzs Kgl`: letters beyond ASCII fell out on the way through a program that knows no others."""
    if whole.isascii() or not broken.isascii():
        return False
    return squeezed(broken) == squeezed("".join(it for it in unicodedata.normalize("NFC", whole) if it.isascii()))


def _is_within(short: Name, full: Name) -> bool:
    """`Martínez, J. M.` and `Lecun, Yann` for `José Mario Martínez Pérez` and `Y. Le Cun`: unsure families."""
    family = squeezed(short.family)
    if len(family) < 4:
        return False
    full_words = [squeezed(word) for word in words(str(full))]
    for start in range(1, len(full_words)):
        is_the_rest = "".join(full_words[start:]) == family
        # Chinese family names are short and common: within a longer name they are mostly somebody else's.
        is_one_word = full_words[start] == family and not _PINYIN.fullmatch(family)
        if is_the_rest or is_one_word:
            given = words(short.given)
            return len(given) <= start and all(map(_fits, given, full_words))
    return False


def _initials_first(name: Name) -> Name:
    """`Smith JA`, as medical journals write without a comma, read the right way."""
    if not re.fullmatch(r"[A-Z]{1,3}", name.family) or name.given.isupper() or len(squeezed(name.given)) < 2:
        return name
    return Name(name.given, " ".join(name.family), name.suffix)


def _covered(mine: set[str], its: set[str]) -> bool:
    """Each word is one of the other's, or its initial."""
    return len(mine) >= 2 and all(_begins_one(it, its) for it in mine)


def _begins_one(initial: str, names: Iterable[str]) -> bool:
    return any(it.startswith(initial) for it in names)


def _letters(name: Name) -> str:
    """All letters in alphabetical order: equal for any order and division of the same names."""
    return "".join(sorted(squeezed(str(name))))


def _glued_family(name: Name) -> str:
    return "".join(_plain(it) for it in words(name.family) if it not in _SUFFIXES and not it.isdigit())


def _one_is_whole(left: Name, right: Name) -> bool:
    """A name that could not be split holds all words of the other: `Silpa S`, family first without a comma."""
    mine = set(words(str(left)))
    its = set(words(str(right)))
    return len(mine & its) >= 2 or mine == its


def _is_acronym(short: str, full: str) -> bool:
    """`ROTAC` for the Roman Observations Time Allocation Committee."""
    if len(short) < 3 or not short.isupper() or not short.isalpha():
        return False
    return short.lower() == "".join(it[0] for it in words(full) if it not in ("of", "the", "and", "for"))


def _given_agree(left: Name, right: Name) -> bool:
    """No given name contradicts another: initials, missing middle names, nicknames, hyphens."""
    left_words = _given_words(left)
    right_words = _given_words(right)
    if not left_words or not right_words or "".join(left_words) == "".join(right_words):
        return True
    if _initialled("".join(left_words), right_words) or _initialled("".join(right_words), left_words):
        return True
    if _fits(left_words[0], right_words[0]):  # `John A.` is not `J. B.`, but `Juan C.` may be `Juan M. C.`
        return 1 in (len(left_words), len(right_words)) or _fit_somewhere(left_words[1:], right_words[1:])
    return _fit_somewhere(_written_out(left_words[:3]), _written_out(right_words[:3]))


def _given_words(name: Name) -> tuple[str, ...]:
    return tuple(it for it in words(name.given) if it not in _HONOURS)


def _written_out(names: Iterable[str]) -> list[str]:
    """Those that are no initials."""
    return [it for it in names if len(it) > 1]


def _fit_somewhere(left: Iterable[str], right: Sequence[str]) -> bool:
    return any(_fits(*pair) for pair in product(left, right))


def _fits(left: str, right: str) -> bool:
    if left.startswith(right) or right.startswith(left):
        return True
    if _nicknames().get(left, left) == _nicknames().get(right, right):
        return True
    # Transliterations differ by a letter or two, but hardly in the first one.
    return left[:1] == right[:1] and len(left) > 2 and len(right) > 2 and _near(left, right)


@cache
def _nicknames() -> dict[str, str]:
    """Every form of a given name with the first of its group."""
    found: dict[str, str] = {}
    for line in listings.read("nicknames.txt").splitlines():
        forms = line.split()
        found |= dict.fromkeys(forms, forms[0])
    return found


def _near(left: str, right: str) -> bool:
    from rapidfuzz.distance import DamerauLevenshtein

    # Two letters in five are another name: `Maria` and `Marco`.
    return DamerauLevenshtein.distance(left, right) <= (1 if min(len(left), len(right)) < 6 else 2)


def _initialled(short: str, names: tuple[str, ...]) -> bool:
    """`JK` or `jm` for Jean Michel."""
    return 1 < len(short) <= len(names) and all(it.startswith(c) for it, c in zip(names, short, strict=False))


def _swapped(left: Name, right: Name) -> bool:
    """Family name first on one side: Chinese, Hungarian, or a comma forgotten; `Fei-Fei, L.` for Fei-Fei Li."""
    mine = words(str(left))
    its = words(str(right))
    return sorted(mine) == sorted(its) or _crossed(left, right) or _crossed(right, left)


def _crossed(left: Name, right: Name) -> bool:
    (family, given), (other, its_given) = _key(left), _key(right)
    if family != its_given:
        return False
    return given == other or (len(given) == len(other) == 1 and next(iter(other)).startswith(next(iter(given))))


def _split_elsewhere(left: Name, right: Name) -> bool:
    """Iberian and compound names whose family begins at another word: `Juan García Márquez`."""
    mine = [_plain(it) for it in words(str(left))]
    its = [_plain(it) for it in words(str(right))]
    shorter, longer = sorted((mine, its), key=len)
    full = [it for it in shorter if len(it) > 1 and it not in _PARTICLES]
    return len(full) >= 2 and all(it in longer for it in full) and _fits(mine[0], its[0])

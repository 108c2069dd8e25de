"""Author lists compared: who was dropped, added, replaced or moved."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

from citelsp.bibliography.group_names import is_company, is_house, is_team
from citelsp.bibliography.names import Name
from citelsp.bibliography.tolerant_comparison.same_person import are_two_people, is_misspelt, name_key, same_person

_FEWEST_BEFORE_DOTS = 5  # names before the dots of a list that APA's style cuts before its last one
_CROWD = 50  # authors from which lists are those of a collaboration, and change from paper to paper


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

    lone_cited = _drop_groups(lone_cited, cited, recorded)
    lone_recorded = _drop_groups(lone_recorded, recorded, cited)
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
    is_behind_team = _mark_behind_teams(recorded)
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


def _mark_behind_teams(people: Sequence[Name]) -> list[bool]:
    """Say for each place whether a team stands there or before: who stands behind it may be of it, in any order."""
    return list(accumulate(map(is_team, people), max))


def _drop_groups(lost: Sequence[int], people: Sequence[Name], others: Sequence[Name]) -> list[int]:
    """Keep of the `lost` places those of `people` whom the `others` really lack.

    A group among the others may stand for any of them; one among the people, for others who are named one by one.
    """
    if any(map(is_team, others)) or is_house(others):
        return []
    is_behind_team = _mark_behind_teams(people)
    return [place for place in lost if not is_behind_team[place] and not is_company(people[place])]


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
    return name_key(name).family | name_key(name).given


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
        by_family.setdefault(name_key(recorded[place]).family, []).append(place)
    for place in open_places:
        name = cited[place]
        recorded_name = recorded[place]
        family = name_key(name).family
        # `Chen, Mia` and `Chen, Dehao` who changed places are no namesakes of each other.
        elsewhere = [other for other in by_family.get(family, ()) if other != place]
        if any(same_person(name, recorded[other]) for other in elsewhere):
            continue
        # An only author of the same family name may be anybody of it; so may a Chinese one of another given name.
        is_one_family = len(cited) > 1 and family == name_key(recorded_name).family
        if (is_one_family and not are_two_people(name, recorded_name)) or is_misspelt(name, recorded_name):
            partners[place] = place
            free.discard(place)

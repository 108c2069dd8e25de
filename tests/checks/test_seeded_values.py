"""Each kind of fault that is found in single values, seeded in entries that are right: found, and nothing else is."""

import pytest

from citelsp.checks import duplicate_entry, shared_identifier
from citelsp.knowledge import Knowledge
from fixture_projects import project_of
from seeded_values import CHECKS, SEEDS

FAMILIES = "Müller Ortega Nguyen Okafor Lindqvist Rossi Dubois Kowalska Tanaka Silva".split()
GIVEN = "Ana Björn Chen Dolores Emeka François Giulia Hana Iris João".split()
SUBJECTS = "birds rivers graphs markets proteins statutes poems glaciers compilers vaccines".split()
PLACES = "Bern Lagos Kyoto Lima Oslo".split()
COUNT = 500


def right(number):
    """A right entry, by field; no two are alike."""
    family, given = FAMILIES[number % 10], GIVEN[number // 10 % 10]
    subject, place = SUBJECTS[number // 7 % 10], PLACES[number % 5]
    names = [f"{family}, {given}", f"{GIVEN[number % 7]} {FAMILIES[number // 3 % 10]}", f"Roe, {GIVEN[number % 9]}"]
    return {
        "author": " and ".join(names),
        "title": f"On {subject} (and other things) of {place}: study {number} [abridged] \\& more",
        "journal": f"Journal of {subject.title()}",
        "year": str(1950 + number % 70),
        "month": str(1 + number % 12),
        "pages": f"{number + 100}--{number + 101 + number % 30}",
        "doi": f"10.1000/{number}.{family[:2].encode().hex()}",
        "url": f"https://example.org/{subject}/{number}",
        "issn": "0028-0836",
    }


def written(entries):
    rows = (
        f"@article{{k{number},\n" + "".join(f"  {name} = {{{value}}},\n" for name, value in it.items()) + "}\n"
        for number, it in enumerate(entries)
    )
    return project_of({"r.bib": "".join(rows)})


def test_nothing_is_found_in_right_entries():
    entries = [right(it) for it in range(COUNT)]
    entries[0]["url"] = "https://example.org/a?a=1&b=%20#c"
    for check in (*CHECKS, shared_identifier, duplicate_entry):
        assert [it.message for it in check.CHECK.run(written(entries), Knowledge())] == []


@pytest.mark.parametrize("fault", SEEDS)
def test_what_is_seeded_is_found(fault):
    seed, entries = SEEDS[fault], [right(it) for it in range(COUNT)]
    for it in entries:
        it[seed.field] = seed.spoil(it[seed.field]) or it[seed.field]
    found = {it.key for it in seed.check.CHECK.run(written(entries), Knowledge())}
    assert len(found) >= 0.98 * COUNT


def test_copied_identifiers_are_found():
    entries = [right(it) for it in range(COUNT)]
    for number, it in enumerate(entries):
        it["doi"] = entries[number - number % 2]["doi"]
    assert len(shared_identifier.CHECK.run(written(entries), Knowledge())) >= 0.98 * COUNT / 2

"""Each kind of fault that is found in single values, seeded in entries that are right: found, and nothing else is."""

import pytest

from citelsp.checks import (
    duplicate_entry,
    foreign_markup,
    malformed_date,
    malformed_identifier,
    malformed_name,
    malformed_url,
    reversed_pages,
    shared_identifier,
    unescaped_character,
    unfinished_entry,
    unpaired_bracket,
)
from citelsp.knowledge import Knowledge
from fixture_projects import project_of

FAMILIES = "Müller Ortega Nguyen Okafor Lindqvist Rossi Dubois Kowalska Tanaka Silva".split()
GIVEN = "Ana Björn Chen Dolores Emeka François Giulia Hana Iris João".split()
SUBJECTS = "birds rivers graphs markets proteins statutes poems glaciers compilers vaccines".split()
PLACES = "Bern Lagos Kyoto Lima Oslo".split()
CHECKS = (
    foreign_markup,
    malformed_date,
    malformed_identifier,
    malformed_name,
    malformed_url,
    reversed_pages,
    unescaped_character,
    unfinished_entry,
    unpaired_bracket,
)
COUNT = 500


def right(number):
    """A right entry, by field; no two are alike."""
    family, given = FAMILIES[number % 10], GIVEN[number // 10 % 10]
    subject, place = SUBJECTS[number // 7 % 10], PLACES[number % 5]
    return {
        "author": f"{family}, {given} and {GIVEN[number % 7]} {FAMILIES[number // 3 % 10]}",
        "title": f"On {subject} (and other things) of {place}: study {number} [abridged] \\& more",
        "journal": f"Journal of {subject.title()}",
        "year": str(1950 + number % 70),
        "month": str(1 + number % 12),
        "pages": f"{number + 1}--{number + 1 + number % 30}",
        "doi": f"10.1000/{number}.{family[:2].encode().hex()}",
        "url": f"https://example.org/{subject}/{number}?a=1&b=%20#c",
        "issn": "0028-0836",
    }


SEEDS = {
    "an entity": (foreign_markup, "title", lambda it: it.replace("On", "&Uuml;ber", 1)),
    "an entity in a name": (foreign_markup, "author", lambda it: it.replace(",", "{&eacute;},", 1)),
    "a tag": (foreign_markup, "title", lambda it: it.replace("other", "<i>other</i>")),
    "Google Scholar": (foreign_markup, "title", lambda it: it.replace("On", "$\\{$DNA$\\}$", 1)),
    "no month": (malformed_date, "month", lambda _: "13"),
    "no year": (malformed_date, "year", lambda it: f"{it[:2]}XX"),
    "a year too long": (malformed_date, "year", lambda it: f"{it}1"),
    "an ISSN": (malformed_identifier, "issn", lambda _: "0028-0837"),
    "commas": (malformed_name, "author", lambda _: "Ana Silva, João Rossi, Iris Tanaka"),
    "y": (malformed_name, "author", lambda it: it.replace(" and ", " y ")),
    "und": (malformed_name, "author", lambda it: it.replace(" and ", " und ")),
    "an institution": (malformed_name, "author", lambda it: f"{it} and World Health Organization"),
    "a scheme": (malformed_url, "url", lambda it: it.replace("https", "htp")),
    "two addresses": (malformed_url, "url", lambda it: f"{it} {it}"),
    "a URL in a title": (malformed_url, "title", lambda it: f"{it} https://example.org/a"),
    "pages": (reversed_pages, "pages", lambda it: "-".join(["9" + it.split("--")[0], "", "1" + it.split("--")[0]])),
    "a line's end": (unescaped_character, "title", lambda it: it.replace(" of ", " %\n of ", 1)),
    "a placeholder": (unfinished_entry, "author", lambda _: "Firstname Lastname and others"),
    "a bracket": (unpaired_bracket, "title", lambda it: it.replace(")", "", 1)),
}  # fmt: skip


def written(entries):
    rows = (
        f"@article{{k{number},\n" + "".join(f"  {name} = {{{value}}},\n" for name, value in it.items()) + "}\n"
        for number, it in enumerate(entries)
    )
    return project_of({"r.bib": "".join(rows)})


def test_nothing_is_found_in_right_entries():
    project = written(map(right, range(COUNT)))
    for check in (*CHECKS, shared_identifier, duplicate_entry):
        assert [it.message for it in check.CHECK.run(project, Knowledge())] == []


@pytest.mark.parametrize(("check", "field", "spoil"), SEEDS.values(), ids=SEEDS.keys())
def test_what_is_seeded_is_found(check, field, spoil):
    entries = [right(it) for it in range(COUNT)]
    for it in entries:
        it[field] = spoil(it[field])
    found = {it.key for it in check.CHECK.run(written(entries), Knowledge())}
    assert len(found) >= 0.98 * COUNT


def test_copied_identifiers_are_found():
    entries = [right(it) for it in range(COUNT)]
    for number, it in enumerate(entries):
        it["doi"] = entries[number - number % 2]["doi"]
    assert len(shared_identifier.CHECK.run(written(entries), Knowledge())) >= 0.98 * COUNT / 2

"""Faults seeded in right entries are found where they are, and nothing else is."""

from random import Random

import pytest

from citelsp import checks
from citelsp.knowledge import Knowledge
from fixture_projects import project_of
from seeded_faults import CASES, STRINGS, TEXTUAL, TEXTUAL_CASES, right_entries, written

COUNT = 500  # with --thorough; else a tenth
TEX = {
    "biber": "\\documentclass{x}\\addbibresource{r.bib}\\nocite{*}",
    "bibtex": "\\documentclass{x}\\bibliographystyle{plain}\\bibliography{r}\\nocite{*}",
}
CODES = frozenset(
    """malformed-entry stray-text malformed-name malformed-date undefined-string dangling-reference unescaped-character
    duplicate-entry foreign-encoding""".split()
)


@pytest.fixture
def count(request):
    return COUNT if request.config.getoption("--thorough") else COUNT // 10


def found_in(entries, tool):
    """Which of the entries, by their numbers, have which findings above information."""
    text, numbers = STRINGS, []
    for entry in entries:
        numbers.append(len(text))
        text += entry
    found = checks.run(project_of({"m.tex": TEX[tool], "r.bib": text}), Knowledge(), paths=("r.bib",), codes=CODES)
    grave = [it for it in found if it.severity in ("error", "warning")]
    ends = [*numbers[1:], len(text)]
    return [{it.code for it in grave if start <= it.span.start < end} for start, end in zip(numbers, ends, strict=True)]


@pytest.mark.parametrize("tool", TEX)
def test_right_entries_are_left_alone(tool, count):
    assert not any(found_in([written(*it) for it in right_entries(count, tool)], tool))


@pytest.mark.parametrize(("fault", "tool"), CASES, ids=lambda it: getattr(it, "name", it))
def test_a_fault_in_a_value_is_found_and_nothing_else(fault, tool, count):
    random = Random(1)  # noqa: S311
    entries = right_entries(count, tool)
    for _, _, fields in entries:
        fault.seed(fields, random)
    found = found_in([written(*it) for it in entries], tool)
    assert sum(fault.code in it for it in found) >= 0.98 * count
    assert set().union(*found) == {fault.code}


@pytest.mark.parametrize(("fault", "tool"), TEXTUAL_CASES)
def test_a_fault_between_values_is_found(fault, tool, count):
    """In every fifth entry, as it may take the next one with it."""
    code, _, seed = TEXTUAL[fault]
    entries = [written(*it) for it in right_entries(count, tool)]
    faulty = range(0, count, 5)
    found = found_in([seed(it) if number in faulty else it for number, it in enumerate(entries)], tool)
    assert sum(bool(found[it]) for it in faulty) >= 0.98 * len(faulty)
    assert code in set().union(*(found[it] for it in faulty))

"""Faults seeded in right entries: found in the entry where they are, and reported by the program that is named."""

import shutil
from random import Random

import pytest

import compilers
from citelsp import checks
from citelsp.knowledge import Knowledge
from faults import FAULTS, TEXTUAL, right_entries, written
from worlds import project_of

COUNT = 500  # with --thorough; else a tenth
STRINGS = "@string{jacmx = {JACM}}\n"
TEX = {
    "biber": "\\documentclass{x}\\addbibresource{r.bib}\\nocite{*}",
    "bibtex": "\\documentclass{x}\\bibliographystyle{plain}\\bibliography{r}\\nocite{*}",
}
CODES = frozenset(
    """malformed-entry stray-text malformed-name malformed-date undefined-string dangling-reference unescaped-character
    duplicate-entry foreign-encoding""".split()
)
CASES = [(fault, tool) for fault in FAULTS for tool in fault.tools]


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


@pytest.mark.parametrize("tool", TEX)
@pytest.mark.parametrize("fault", TEXTUAL)
def test_a_fault_between_values_is_found(fault, tool, count):
    """In every fifth entry, as it may take the next one with it."""
    code, seed = TEXTUAL[fault]
    entries = [written(*it) for it in right_entries(count, tool)]
    faulty = range(0, count, 5)
    found = found_in([seed(it) if number in faulty else it for number, it in enumerate(entries)], tool)
    assert sum(bool(found[it]) for it in faulty) >= 0.98 * len(faulty)
    assert code in set().union(*(found[it] for it in faulty))


@pytest.mark.compile
@pytest.mark.parametrize("tool", [compilers.bibtex, compilers.biber], ids=lambda it: it.__name__)
def test_the_programs_take_the_right_entries(tool, tmp_path):
    assert shutil.which(tool.__name__), f"--compile needs {tool.__name__}"
    file = tmp_path / "refs.bib"
    file.write_text(STRINGS + "".join(written(*it) for it in right_entries(COUNT, tool.__name__)), "utf-8")
    assert tool(file) == []


SAID = [it for it in CASES if it[0].code not in ("unescaped-character",) and it[0].name not in ("et al.",)]
SILENT = ("names parted by ;", "names parted by &", "and at the end")  # which are misread without a word


@pytest.mark.compile
@pytest.mark.parametrize(("fault", "tool"), SAID, ids=lambda it: getattr(it, "name", it))
def test_the_program_reports_it(fault, tool, tmp_path):
    if fault.name in SILENT or (fault.name, tool) == ("and twice", "bibtex"):
        pytest.skip("the names are misread without a word")
    random = Random(1)  # noqa: S311
    [(kind, key, fields)] = right_entries(1, tool, seed=3)
    fault.seed(fields, random)
    if fault.name == "a macro that is not defined":
        kind = "book"
    file = tmp_path / "refs.bib"
    file.write_text(STRINGS + written(kind, key, fields), "utf-8")
    assert getattr(compilers, tool)(file)

"""The programs take the right entries without a word, and report what is seeded in them."""

import shutil
from random import Random

import pytest

import compilers
from seeded_faults import CASES, STRINGS, TEXTUAL, TEXTUAL_CASES, right_entries, written

pytestmark = pytest.mark.compile


@pytest.mark.parametrize("tool", [compilers.bibtex, compilers.biber], ids=lambda it: it.__name__)
def test_the_programs_take_the_right_entries(tool, tmp_path):
    assert shutil.which(tool.__name__), f"--compile needs {tool.__name__}"
    file = tmp_path / "refs.bib"
    file.write_text(STRINGS + "".join(written(*it) for it in right_entries(500, tool.__name__)), "utf-8")
    assert tool(file) == []


SAID = [it for it in CASES if it[0].code not in ("unescaped-character",) and it[0].name not in ("et al.",)]
SILENT = ("names parted by ;", "names parted by &", "and at the end")  # which are misread without a word


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


@pytest.mark.parametrize(("fault", "tool"), TEXTUAL_CASES)
def test_the_program_reports_it_between_values(fault, tool, tmp_path):
    if (fault, tool) == ("no key", "bibtex"):
        pytest.skip("BibTeX takes no key for an empty one")
    first, second = (written(*it) for it in right_entries(2, tool))
    file = tmp_path / "refs.bib"
    file.write_text(STRINGS + TEXTUAL[fault][2](first) + second, "utf-8")
    assert getattr(compilers, tool)(file)

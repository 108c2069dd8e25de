import pytest

from citelsp.base.text import apply
from citelsp.checks.malformed_date import CHECK, is_date
from citelsp.knowledge import Knowledge
from finding_fixtures import check
from fixture_projects import project_of
from reading_programs import MAIN


@pytest.mark.parametrize("reader", MAIN)
def test_for_biber(reader):
    mark = "                 ^^^^^^^^ malformed-date\n" if reader in ("biber", "") else ""
    check(CHECK, f"{MAIN[reader]}@misc{{k, date = {{May 2020}}}}\n{mark}")


def test_a_bibliography_alone_that_is_written_for_biblatex():
    fixture = """
        %% r.bib
        @article{k, journaltitle = {J}, location = {L}, date = {2020-13}, urldate = {2020-05-31}}
                                                                ^^^^^^^ malformed-date
    """
    check(CHECK, fixture)


RIGHT = """2020 2020-05 2020-02-29 2020/2021 2020/ /2020 ../2020 2020/.. 2020-05-04/2020-06-01 2020? 2020~ 2020%
199X 1999-XX 2020-21 2020-41 Y17000000002 -0044 2020-05-04T10:15:30 2020-05-04T10:15:30Z 2020-05-04T10:15:30+01:00
2020?/2021~ -2020-05 2020-05~""".split()
WRONG = """2020-5 2020-13 2020-13-45 2020-02-30 2019-02-29 2020-00 2020-05-00 2020/05/04 199u 2020-42 44 20200504
2020-05-04T10:15 2020--2021 2020-2021 {2020} n.d. 2020-05-04T25:15:30 2020.05 12-05-2020 ?2020 2020a 2020/May""".split()


@pytest.mark.parametrize("value", ["", *RIGHT])
def test_dates(value):
    assert is_date(value)


@pytest.mark.parametrize("value", ["May 2020", "in press", "\\today", "2020 /2021", *WRONG])
def test_no_dates(value):
    assert not is_date(value)


@pytest.mark.parametrize(
    ("value", "better"),
    [
        ("May 2020", "2020-05"),
        ("Sept. 2020", "2020-09"),
        ("2020/5/4", "2020-05-04"),
        ("2020--2021", "2020/2021"),
        ("2020-13-01", None),
        ("1995-1230", None),
    ],
)
def test_what_can_only_be_meant(value, better):
    text = f"@misc{{k, date = {{{value}}}}}\n"
    [finding] = CHECK.run(
        project_of({"m.tex": "\\documentclass{x}\\addbibresource{r.bib}", "r.bib": text}), Knowledge()
    )
    fixed = [apply(text, it.edits) for it in finding.fixes]
    assert fixed == ([text.replace(value, better)] if better else [])

"""What is told of a whole reference: unknown, retracted, astray, published since, without DOI."""

from dataclasses import replace

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Update
from citelsp.checks import (
    identifier_conflict,
    missing_identifier,
    published_version,
    retracted_work,
    unconfirmed_work,
    unknown_identifier,
    unknown_work,
)
from citelsp.knowledge import Difference, Holding, Traced, Verdict
from citelsp.verification import verdict_cache
from verdict_fixtures import after, check
from written_references import ELSEWHERE, PAPER, PREPRINT

DAY = "2026-01-02"
MADE_UP = """
    %% r.bib
    @inproceedings{made, author = {A. Nobody}, title = {Deep Residual Learning for Speech Recognition}}
                   ^^^^ unknown-work
    @misc{other, title = {Other}}
"""


def test_unknown_work():
    told = Verdict("not-found", asked=("crossref", "openalex", "dblp"), alternatives=(PAPER,), date=DAY)
    (found,) = check(unknown_work.CHECK, MADE_UP, {"made": told, "other": Verdict("unchecked")})
    assert found.message.startswith(
        "No work with this title and these authors: Crossref, OpenAlex and DBLP list none (checked 2026-01-02)."
        " Closest match: "
    )
    assert found.severity == "warning"  # it says of no venue that it holds the work
    placed_text = MADE_UP.replace("Speech Recognition}", "Speech Recognition}, booktitle = {ICML}")
    (placed,) = check(unknown_work.CHECK, placed_text, {"made": told})
    assert placed.severity == "error"
    assert [it.safety for it in found.fixes] == ["review"]
    text = after(MADE_UP, found)
    assert text.startswith("@inproceedings{made,") and "770--778" in text
    assert text.endswith("}\n@misc{other, title = {Other}}\n")


@pytest.mark.parametrize(
    ("entry", "is_offered"),
    [
        ("author = {A. Nobody}, title = {Deep Residual Learning for Images}", True),
        ("author = {He, Kaiming}, title = {On the Dreams of Convolutional Sheep}", True),
        ("author = {A. Nobody}, title = {Deep Learning for the Migration of Birds}", False),
    ],
)
def test_what_merely_came_first_in_a_search_is_not_offered_for_an_unknown_work(entry, is_offered):
    """A work of a like title, or of one of the entry's people, may be the one that was meant; no other."""
    text = f"""
        %% r.bib
        @inproceedings{{made, {entry}}}
                       ^^^^ unknown-work
    """
    told = Verdict("not-found", asked=("crossref",), alternatives=(PAPER,), date=DAY)
    (found,) = check(unknown_work.CHECK, text, {"made": told})
    assert ("Closest match" in found.message) == is_offered
    assert bool(found.fixes) == is_offered


@pytest.mark.parametrize(
    ("main", "ids"),
    [
        (r"\bibliographystyle{plain}\bibliography{r} \cite{Made}", ""),
        (r"\addbibresource{r.bib} \cite{Made}", "ids = {Made}, "),
    ],
)
def test_unknown_work_is_told_where_another_spelling_of_its_key_is_cited(main, ids):
    command = main.partition(r"\cite{")[0] + r"\cite{"
    text = f"""
        %% m.tex
        \\documentclass{{x}} {main}
        {" " * len(f"{chr(92)}documentclass{{x}} {command}")}^^^^ unknown-work
        %% r.bib
        @misc{{made, {ids}title = {{Deep Residual Learning}}}}
              ^^^^ unknown-work
    """
    told = Verdict("not-found", asked=("crossref",), date=DAY)
    assert {it.severity for it in check(unknown_work.CHECK, text, {"made": told})} == {"information", "warning"}


ASTRAY = """
    %% r.bib
    @article{a,
      title = {Deep Residual Learning for Image Recognition},
      doi   = {10.1000/birds},
              ^^^^^^^^^^^^^^^ CODE
      year  = 2016
    }
"""


@pytest.mark.parametrize(
    ("check_of", "leads", "message"),
    [
        (
            identifier_conflict,
            "elsewhere",
            "The DOI 10.1000/birds leads to another work according to Crossref (checked 2026-01-02): ",
        ),
        (
            unknown_identifier,
            "nowhere",
            "The DOI 10.1000/birds is not registered; the work exists, and its DOI is 10.1109/cvpr.2016.90 according to"
            " Crossref (checked 2026-01-02).",
        ),
    ],
)
def test_an_identifier_astray(check_of, leads, message):
    traced = Traced("doi", "10.1000/birds", leads, "crossref", ELSEWHERE if leads == "elsewhere" else None)
    fixture = ASTRAY.replace("CODE", check_of.CODE)
    (found,) = check(check_of.CHECK, fixture, {"a": Verdict("conflict", record=PAPER, traced=(traced,), date=DAY)})
    assert found.message.startswith(message)
    assert found.severity == "error"
    assert after(fixture, found) == (
        "@article{a,\n  title = {Deep Residual Learning for Image Recognition},\n"
        "  doi   = {10.1109/cvpr.2016.90},\n  year  = 2016\n}\n"
    )
    (found,) = check(check_of.CHECK, fixture, {"a": Verdict("conflict", traced=(traced,), date=DAY)})
    assert found.fixes == ()  # nobody has the work: without the DOI nothing would speak against it


NOWHERE = Traced("doi", "10.1000/birds", "nowhere", "crossref")


@pytest.mark.parametrize(
    ("known", "message"),
    [
        (
            Verdict("conflict", record=PAPER, records=(replace(PAPER, source="dblp"),)),
            "The DOI 10.1000/birds is not registered; the work exists, and its DOI is 10.1109/cvpr.2016.90 according to"
            " DBLP (checked 2026-01-02).",
        ),
        (
            Verdict("conflict", record=replace(PAPER, identifiers=Identifiers())),
            "The DOI 10.1000/birds is not registered: neither doi.org nor Crossref knows it; the work itself exists"
            " (checked 2026-01-02).",
        ),
        (  # of several printings nobody knows which one the DOI is of
            Verdict("conflict", record=replace(PAPER, also_in=("Communications of the ACM",))),
            "The DOI 10.1000/birds is not registered: neither doi.org nor Crossref knows it; the work itself exists"
            " (checked 2026-01-02).",
        ),
        (  # other people wrote what was found under this title
            Verdict("conflict", record=PAPER, differences=(Difference("authors", "A. Nobody", "Kaiming He", ()),)),
            "The DOI 10.1000/birds is not registered: neither doi.org nor Crossref knows it (checked 2026-01-02).",
        ),
    ],
)
def test_of_an_invented_identifier_it_is_told_that_the_work_exists(known, message):
    fixture = ASTRAY.replace("CODE", unknown_identifier.CODE)
    (found,) = check(unknown_identifier.CHECK, fixture, {"a": replace(known, traced=(NOWHERE,), date=DAY)})
    assert (found.message, len(found.message) <= 160) == (message, True)


def test_who_has_the_right_identifier_is_said_of_a_verdict_that_was_stored():
    """Several sources' records are merged into one, which has no source of its own."""
    known = Verdict(
        "conflict",
        record=replace(PAPER, source="merged"),
        records=(replace(PREPRINT, source="arxiv"), replace(PAPER, source="dblp"), replace(PAPER, source="openalex")),
        traced=(NOWHERE,),
        date=DAY,
    )
    fixture = ASTRAY.replace("CODE", unknown_identifier.CODE)
    told = "The DOI 10.1000/birds is not registered; the work exists, and its DOI is 10.1109/cvpr.2016.90"
    (found,) = check(unknown_identifier.CHECK, fixture, {"a": verdict_cache.slim(known)})
    assert found.message == f"{told} according to DBLP (checked 2026-01-02)."
    (found,) = check(unknown_identifier.CHECK, fixture, {"a": replace(known, records=())})  # as stored before
    assert found.message == f"{told} (checked 2026-01-02)."


@pytest.mark.parametrize("check_of", [identifier_conflict, unknown_identifier])
def test_an_identifier_astray_of_a_work_without_one_is_removed(check_of):
    leads = "elsewhere" if check_of is identifier_conflict else "nowhere"
    traced = Traced("doi", "10.1000/birds", leads, "crossref", ELSEWHERE)
    known = replace(PAPER, identifiers=Identifiers())
    fixture = ASTRAY.replace("CODE", check_of.CODE)
    (found,) = check(check_of.CHECK, fixture, {"a": Verdict("conflict", record=known, traced=(traced,), date=DAY)})
    assert found.fixes[0].title == "Remove this DOI"
    assert after(fixture, found) == (
        "@article{a,\n  title = {Deep Residual Learning for Image Recognition},\n  year  = 2016\n}\n"
    )


@pytest.mark.parametrize(
    ("check_of", "leads", "message"),
    [
        (identifier_conflict, "elsewhere", "No service that was asked lists this work; its DOI 10.1000/birds leads to"),
        (
            unknown_identifier,
            "nowhere",
            "No service that was asked lists this work, and its DOI 10.1000/birds is not registered: neither doi.org"
            " nor Crossref knows it (checked 2026-01-02).",
        ),
    ],
)
def test_of_an_invented_entry_both_facts_are_told_at_once(check_of, leads, message):
    traced = Traced("doi", "10.1000/birds", leads, "crossref", ELSEWHERE if leads == "elsewhere" else None)
    verdict = Verdict("conflict", traced=(traced,), is_unknown=True, date=DAY)
    (found,) = check(check_of.CHECK, ASTRAY.replace("CODE", check_of.CODE), {"a": verdict})
    assert found.message.startswith(message)


@pytest.mark.parametrize(
    ("check_of", "verdict", "message"),
    [
        (
            retracted_work,
            Verdict("retracted", records=(replace(PAPER, updates=(Update("retraction", "crossref"),)),)),
            "This work was retracted, says Crossref.",
        ),
        (
            unknown_work,
            Verdict("not-found", asked=("crossref",), date=DAY),
            "No work with this title and these authors: Crossref lists none (checked 2026-01-02).",
        ),
        (
            unknown_identifier,
            Verdict("conflict", traced=(Traced("doi", "10.1/x", "nowhere", "crossref"),), is_unknown=True, date=DAY),
            "No service that was asked lists this work, and its DOI 10.1/x is not registered",
        ),
    ],
)
def test_what_should_not_be_cited_is_told_where_it_is_cited_too(check_of, verdict, message):
    written = f"%% a.tex\nSee \\cite{{b, a}}.\n             ^ {check_of.CODE}\n%% r.bib\n"
    fixture = f"{written}@article{{a, title = {{T}}}}\n         ^ {check_of.CODE}\n@article{{b, title = {{U}}}}\n"
    at_entry, at_citation = check(check_of.CHECK, fixture, {"a": verdict})
    assert at_citation.message.startswith(message)
    assert (at_citation.severity, at_citation.fixes) == ("information", ())
    assert at_entry.severity in ("error", "warning")


def test_the_identifier_of_the_cited_people_stays_as_their_title_may_be_wrong():
    traced = Traced("doi", "10.1000/birds", "elsewhere", "crossref", ELSEWHERE)
    fixture = ASTRAY.replace("CODE", identifier_conflict.CODE).replace(
        "  title", "  author = {Anna Meyer},\n      title"
    )
    (found,) = check(identifier_conflict.CHECK, fixture, {"a": Verdict("conflict", traced=(traced,), date=DAY)})
    assert found.fixes == ()


@pytest.mark.parametrize(
    ("printed", "title"),
    [
        ("booktitle = {CVPR}, year = 2016", "Replace by the identifier on record"),
        ("booktitle = {IJCAI}, year = 2016", "Remove this DOI"),
        ("booktitle = {CVPR}, year = 2019", "Remove this DOI"),
        ("journal = {arXiv preprint arXiv:1512.03385}, year = 2016", "Remove this DOI"),
    ],
)
def test_the_doi_of_another_printing_is_not_written(printed, title):
    fixture = f"%% r.bib\n@misc{{a, title = {{T}}, {printed}, doi = {{10.1/x}}}}\n"
    mark = " " * fixture.splitlines()[1].index("{10.1/x}") + "^" * len("{10.1/x}") + " unknown-identifier\n"
    verdict = Verdict("conflict", record=PAPER, traced=(Traced("doi", "10.1/x", "nowhere", "crossref"),), date=DAY)
    (found,) = check(unknown_identifier.CHECK, fixture + mark, {"a": verdict})
    assert [it.title for it in found.fixes] == [title]


@pytest.mark.parametrize(
    ("notice", "kind", "severity", "message"),
    [
        (Update("retraction", "crossref", "2020-02-03", "10.1/r"), "retracted", "error",
         "This work was retracted on 2020-02-03, says Crossref. See https://doi.org/10.1/r"),
        (Update("withdrawal", "arxiv", note="a gap in the proof"), "retracted", "error",
         "This work was withdrawn, says arXiv: a gap in the proof."),
        (Update("withdrawal", "crossref", date="2024-05-17", note="retraction-watch"), "retracted", "error",
         "This work was withdrawn on 2024-05-17, says Crossref (Retraction Watch)."),
        (Update("concern", "crossref"), "verified", "information",
         "This work has an expression of concern, says Crossref."),
    ],
)  # fmt: skip
def test_notices(notice, kind, severity, message):
    fixture = "%% r.bib\n@article{a, title = {T}}\n         ^ retracted-work\n"
    (found,) = check(retracted_work.CHECK, fixture, {"a": Verdict(kind, records=(replace(PAPER, updates=(notice,)),))})
    assert (found.severity, found.message) == (severity, message)


def test_published_since():
    fixture = """
        %% r.bib
        @article{a,
                 ^ published-version
          title   = {Deep Residual Learning for Image Recognition},
          journal = {arXiv preprint arXiv:1512.03385},
          year    = {2015},
          note    = {mine}
        }
        @inproceedings{b, title = {Deep Residual Learning for Image Recognition}, booktitle = {CVPR}}
    """
    told = Verdict("verified", record=PAPER, date=DAY)
    (found,) = check(published_version.CHECK, fixture, {"a": told, "b": told})
    assert found.severity == "information"
    text = after(fixture, found)
    assert f"  journal = {{{PAPER.venue}}},\n  year    = {{2016}},\n  note    = {{mine}}" in text
    assert "10.1109/cvpr.2016.90" in text
    check(published_version.CHECK, "%% r.bib\n@misc{a, eprint = {1512.03385}}\n", {"a": replace(told, record=PREPRINT)})
    early = replace(PAPER, source="semantic_scholar", years=(2015,))  # the venue of the paper, the year of the preprint
    cited_so = "%% r.bib\n@misc{a, eprint = {1512.03385}, year = {2015}}\n      ^ published-version\n"
    (found,) = check(published_version.CHECK, cited_so, {"a": replace(told, record=early)})
    assert found.message.startswith(f"This preprint has since been published: {PAPER.venue} (checked ")
    before = "%% r.bib\n@misc{a, eprint = {1512.03385}, year = {2017}}\n"  # by when it cannot have been published
    check(published_version.CHECK, before, {"a": told})


def test_a_doi_that_the_entry_does_not_give():
    fixture = """
        %% r.bib
        @inproceedings{a, title = {T}, year = 2016}
                       ^ missing-identifier
        @inproceedings{b, title = {T}, eprint = {1512.03385}, archiveprefix = {arXiv}}
    """
    told = Verdict("verified", record=PAPER, date=DAY)
    (found,) = check(missing_identifier.CHECK, fixture, {"a": told, "b": told})
    assert [it.safety for it in found.fixes] == ["safe"]
    assert "@inproceedings{a, title = {T}, year = 2016, doi = {10.1109/cvpr.2016.90}}" in after(fixture, found)
    bare = replace(told, record=replace(PAPER, identifiers=Identifiers()))
    check(missing_identifier.CHECK, "%% r.bib\n@misc{a, title = {T}}\n", {"a": bare})


def test_a_printed_reference_lacks_no_doi_as_styles_leave_it_out():
    printed = "%% a.bbl\n\\begin{thebibliography}{1}\n\\bibitem{a} K. He. Deep Residual Learning. CVPR, 2016.\n"
    told = Verdict("verified", record=PAPER, date=DAY)
    check(missing_identifier.CHECK, f"{printed}\\end{{thebibliography}}\n", {"a": told})


def test_a_doi_of_one_of_several_printings():
    fixture = "%% r.bib\n@inproceedings{a, title = {T}, booktitle = {CVPR}, year = 2016}\n"
    several = Verdict("verified", record=replace(PAPER, also_in=("Communications of the ACM",)), date=DAY)
    check(missing_identifier.CHECK, fixture, {"a": several})
    registered = replace(several, record=replace(several.record, origins={"venue": ("crossref",)}))
    marked = fixture + "               ^ missing-identifier\n"
    assert check(missing_identifier.CHECK, marked, {"a": registered})


def test_a_doi_that_tells_the_year_of_the_entry_is_of_its_version():
    fixture = """
        %% r.bib
        @inproceedings{a, title = {T}, booktitle = {CVPR}, year = 2016}
                       ^ missing-identifier
        @inproceedings{b, title = {T}, booktitle = {CVPR}, year = 2014}
    """
    told = Verdict("verified", record=replace(PAPER, years=(2019,)), date=DAY)
    check(missing_identifier.CHECK, fixture, {"a": told, "b": told})


@pytest.mark.parametrize("where", ["journal = {Nature}", "journal = {CoRR}", "journal = {CVPR}, year = 2012"])
def test_the_doi_of_another_version_is_not_added(where):
    told = Verdict("verified", record=PAPER, date=DAY)
    check(missing_identifier.CHECK, f"%% r.bib\n@article{{a, title = {{T}}, {where}}}\n", {"a": told})


def _unknown(number, kind="not-found", **more):
    traced = (Traced("doi", f"10.1000/{number}", "nowhere", "crossref"),) if kind == "conflict" else ()
    return Verdict(kind, traced=traced, is_unknown=bool(traced), asked=("crossref", "openalex"), date=DAY, **more)


INVENTED = "%% r.bib\n" + "".join(
    f"@misc{{k{it}, doi = {{10.1000/{it}}}}}\n                ^^^^^^^^^^^ unknown-identifier\n" for it in range(6)
)


def test_identifiers_of_works_that_nobody_has_either_are_reported_however_many():
    verdicts = {f"k{it}": _unknown(it, "conflict", alternatives=(PAPER,)) for it in range(6)}
    found = check(unknown_identifier.CHECK, INVENTED, verdicts)
    assert {it.severity for it in found} == {"error"}


UNLISTED = """
    %% r.bib
    @article{made,
             ^^^^ unconfirmed-work
      title   = {On the Dreams of Sheep},
      journal = {Journal of Imaginary Pastures}
    }
"""


def test_an_unconfirmed_work_says_who_was_asked_and_what_is_known_of_its_journal():
    reason = "no index knows a journal called Journal of Imaginary Pastures"
    told = Verdict("unconfirmed", reason, asked=("crossref", "openalex"), date=DAY)
    (found,) = check(unconfirmed_work.CHECK, UNLISTED, {"made": told})
    assert (found.severity, found.fixes) == ("information", ())
    assert found.message == (
        f"No service that was asked lists this work, which proves nothing: {reason}."
        " Asked: Crossref and OpenAlex (checked 2026-01-02)."
    )


def test_an_unknown_work_says_among_how_many_it_was_looked_for():
    held = Holding("crossref", "Energy Policy", 2021, 812)
    told = Verdict("not-found", asked=("crossref", "openalex"), holding=held, date=DAY)
    (found,) = check(unknown_work.CHECK, MADE_UP, {"made": told, "other": Verdict("unchecked")})
    held = "list none. Crossref has 812 works of 2021 from Energy Policy, but not this one (checked 2026-01-02)."
    assert held in found.message

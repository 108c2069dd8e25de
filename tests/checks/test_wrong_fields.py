"""wrong-title, wrong-authors, wrong-year, wrong-venue, wrong-pages: the place, the message, the text after the fix."""

from dataclasses import replace

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.checks import wrong_authors, wrong_pages, wrong_title, wrong_venue, wrong_year
from citelsp.knowledge import Difference, Traced, Verdict
from verdict_fixtures import after, check
from written_references import PAPER

ENTRY = r"""
%% r.bib
% my references
@inproceedings{he16,
  title     = {Deep Residual Training},
               ^^^^^^^^^^^^^^^^^^^^^^ title
  author    = "Kaiming He and Ren, Shaoqing",
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ author
  booktitle = {ICML},
               ^^^^ booktitle
  year      = 2014,
              ^^^^ year
  pages     = {1--2},
               ^^^^ pages
  note      = {mine}
}
"""
WRONG = {
    wrong_title: ("title", "Deep Residual Training", PAPER.title, "title", PAPER.title),
    wrong_authors: (
        "authors",
        "Kaiming He, Shaoqing Ren",
        "Kaiming He, Xiangyu Zhang, Shaoqing Ren, Jian Sun",
        "author",
        "He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian",
    ),
    wrong_year: ("year", "2014", "2016", "year", "2016"),
    wrong_venue: ("venue", "ICML", PAPER.venue, "booktitle", PAPER.venue),
    wrong_pages: ("pages", "1--2", "770-778", "pages", "770--778"),
}


def marked(field, code):
    lines = [it for it in ENTRY.splitlines() if "^" not in it or it.split()[-1] == field]
    return "\n".join(lines).replace(f"^ {field}", f"^ {code}")


def widened(fixture):
    """Marks over the delimiters too: the value as it is written."""
    lines = fixture.splitlines()
    for number, line in enumerate(lines):
        if "^" in line and lines[number - 1][line.index("^") - 1] in '{"':
            start = line.index("^") - 1
            lines[number] = line[:start] + "^" + line[start + 1 :].replace("^ ", "^^ ", 1)
    return "\n".join(lines)


def verdict(*fields):
    told = [Difference(field, cited, recorded, ("crossref", "openalex")) for field, cited, recorded, *_ in fields]
    return Verdict("mismatch", record=PAPER, differences=tuple(told), date="2026-01-02")


@pytest.mark.parametrize("module", WRONG, ids=lambda it: it.CODE)
def test_one_field(module):
    field, cited, recorded, written, new = WRONG[module]
    fixture = widened(marked(written, module.CODE))
    (found,) = check(module.CHECK, fixture, {"he16": verdict(WRONG[module])})
    if field == "title":
        cited, recorded = f"“{cited}”", f"“{recorded}”"
    verb = "are" if field in ("authors", "pages") else "is"
    assert found.message == (
        f"The {field} {verb} {cited} here but {recorded} according to Crossref and OpenAlex (checked 2026-01-02)."
        " See https://doi.org/10.1109/cvpr.2016.90"
    )
    assert (found.field, found.severity, [it.safety for it in found.fixes]) == (field, "warning", ["review"])
    before = "\n".join(it for it in fixture.splitlines()[2:] if "^" not in it) + "\n"
    old = next(it for it in before.splitlines() if it.lstrip().startswith(written))
    head = old[: old.index("=") + 2]
    now = f"{head}{new}," if new.isdigit() and "{" not in old else f"{head}{{{new}}},"
    assert after(fixture, found) == before.replace(old, now)


def test_thousands_of_authors_are_told_in_short():
    crowd = ", ".join(f"Author Number{it}" for it in range(3000))
    told = Difference("authors", "A. Ada", crowd, ("crossref", "dblp", "openalex"), f"left out: {crowd}")
    given = Verdict("mismatch", record=PAPER, differences=(told,), date="2026-01-02")
    fixture = "%% r.bib\n@article{a, author = {A. Ada}}\n                     ^^^^^^^^ wrong-authors\n"
    (found,) = check(wrong_authors.CHECK, widened(fixture), {"a": given})
    assert len(found.message) < 1000
    assert "… according to Crossref, DBLP and OpenAlex (checked 2026-01-02); left out: Author" in found.message
    assert found.recorded == crowd


def test_a_message_that_ends_with_an_initial_has_one_full_stop():
    told = Difference("authors", "A. Ada", "B. Bee", ("crossref",), "not an author: J. R.")
    given = Verdict("mismatch", differences=(told,), date="2026-01-02")
    fixture = "%% r.bib\n@article{a, author = {A. Ada}}\n                     ^^^^^^^^ wrong-authors\n"
    (found,) = check(wrong_authors.CHECK, widened(fixture), {"a": given})
    assert found.message.endswith("; not an author: J. R.")


def test_all_fields_at_once():
    fixture = widened(marked("year", "wrong-year"))
    (found,) = check(wrong_year.CHECK, fixture, {"he16": verdict(WRONG[wrong_year], WRONG[wrong_pages])})
    assert found.fixes[1].title.startswith("Change year and pages to the record: ")
    assert "  year      = 2016,\n  pages     = {770--778},\n" in after(fixture, found, 1)


def test_a_field_the_entry_lacks_is_added():
    fixture = "%% r.bib\n@article{a, title = {T}, year = {2001}}\n         ^ wrong-pages\n"
    given = verdict(("volume", "", "7"))
    (found,) = check(wrong_pages.CHECK, fixture, {"a": replace(given, record=replace(PAPER, volume="7"))})
    assert found.message.startswith("The volume is missing here but 7 according to Crossref and OpenAlex (checked")
    assert after(fixture, found) == "@article{a, title = {T}, year = {2001}, volume = {7}}\n"


def test_a_preprint_cited_as_published():
    fixture = "%% r.bib\n@inproceedings{a, booktitle = {ICML}}\n                              ^^^^^^ wrong-venue\n"
    told = Verdict(
        "mismatch",
        record=replace(PAPER, venue="arXiv"),
        differences=(Difference("venue", "ICML", "arXiv", ("arxiv", "openalex")),),
        asked=("arxiv", "openalex"),
        date="2026-01-02",
    )
    (found,) = check(wrong_venue.CHECK, fixture, {"a": told})
    assert found.message == (
        "Known only as a preprint, but cited as published in ICML: arXiv and OpenAlex list nothing else"
        " (checked 2026-01-02)."
    )


def test_the_year_of_a_preprint_goes_with_its_venue():
    """Written alone, it would be neither that of the publication nor of what is cited then."""
    fixture = "%% r.bib\n@inproceedings{a,\n  year = 2014,\n         ^^^^ wrong-year\n  booktitle = {ICML}}\n"
    venue, year = Difference("venue", "ICML", "arXiv", ("arxiv",)), Difference("year", "2014", "2016", ("arxiv",))
    told = Verdict("mismatch", record=replace(PAPER, venue="arXiv"), differences=(venue, year), date="2026-01-02")
    (found,) = check(wrong_year.CHECK, fixture, {"a": told})
    assert found.fixes == ()
    (found,) = check(wrong_year.CHECK, fixture, {"a": replace(told, differences=(year,))})
    assert len(found.fixes) == 1


def test_other_verdicts_tell_nothing():
    fixture = "%% r.bib\n@article{a, title = {T}}\n"
    for kind in ("verified", "not-found", "unchecked"):
        check(wrong_title.CHECK, fixture, {"a": replace(verdict(WRONG[wrong_title]), kind=kind)})
    check(wrong_title.CHECK, fixture, {})


def test_nothing_is_written_of_another_publication():
    """The entry describes one printing and gives the DOI of another, which one of them is meant nobody knows."""
    printed = replace(PAPER, venue="Communications of the ACM", years=(2019,), identifiers=Identifiers(doi="10.1145/2"))
    told = Verdict(
        "mismatch",
        record=replace(printed, volume="55", pages="121-130"),
        differences=tuple(Difference(it, "x", "y", ("crossref",)) for it in ("year", "venue", "pages")),
        date="2026-01-02",
    )
    fixture = """
        %% r.bib
        @inproceedings{a, booktitle = {CVPR}, year = 2016, pages = {770--778}}
                                                     ^^^^ wrong-year
    """
    (found,) = check(wrong_year.CHECK, fixture, {"a": told})
    assert found.fixes == ()
    at_one_place = replace(told, record=printed)
    assert check(wrong_year.CHECK, fixture, {"a": at_one_place})[0].fixes


def test_all_fields_at_once_are_those_that_are_offered_one_by_one():
    """The title of this work is wrong; that it was printed elsewhere, years later, is another matter."""
    fixture = widened(marked("title", "wrong-title"))
    record = replace(PAPER, venue="Communications of the ACM", years=(2019,), identifiers=Identifiers(doi="10.1145/2"))
    told = verdict(WRONG[wrong_title], WRONG[wrong_authors], WRONG[wrong_year], WRONG[wrong_venue])
    (found,) = check(wrong_title.CHECK, fixture, {"he16": replace(told, record=record)})
    assert [it.title.partition(" to ")[0] for it in found.fixes] == ["Change title", "Change title and authors"]
    assert {edit.new_text for edit in found.fixes[1].edits}.isdisjoint(("2019", "{Communications of the ACM}"))
    at_one_place = replace(told, record=replace(record, pages="1-2"))
    (found,) = check(wrong_title.CHECK, fixture, {"he16": at_one_place})
    assert found.fixes[1].title.startswith("Change title, authors, year and venue to the record: ")


def test_of_many_fields_the_title_of_the_fix_has_the_number():
    fixture = widened(marked("title", "wrong-title"))
    differing = [it for module, it in WRONG.items() if module != wrong_year]
    told = replace(verdict(*differing, ("volume", "", "7")), record=replace(PAPER, volume="7"))
    (found,) = check(wrong_title.CHECK, fixture, {"he16": told})
    assert found.fixes[1].title.startswith("Change 5 fields to the record: ")


@pytest.mark.parametrize(
    ("kind", "is_told"),
    [("mismatch", True), ("retracted", True), ("conflict", True), ("unchecked", False), ("verified", False)],
)
def test_fields_are_wrong_beside_a_notice_or_an_identifier_of_another_work(kind, is_told):
    mark = "                                  ^^^^ wrong-year\n"
    fixture = "%% r.bib\n@article{a, title = {T}, year   = 2014}\n" + mark * is_told
    told = replace(verdict(WRONG[wrong_year]), kind=kind, traced=(Traced("doi", "10.1/b", "elsewhere", "crossref"),))
    check(wrong_year.CHECK, fixture, {"a": told})


@pytest.mark.parametrize(("sources", "fixes"), [(("crossref",), 0), (("crossref", "dblp"), 1)])
def test_one_source_alone_does_not_move_people(sources, fixes):
    fixture = """
        %% r.bib
        @article{a, author = {Sun, J. and Zhang, X. and Ren, S. and He, K.}}
                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wrong-authors
    """
    told = Verdict("mismatch", record=PAPER, differences=(Difference("authors", "x", "y", sources),), date="2026-01-02")
    assert len(check(wrong_authors.CHECK, fixture, {"a": told})[0].fixes) == fixes


@pytest.mark.parametrize("place", ["arXiv preprint arXiv:1512.03385", "ICML Workshop on Deep Residuals"])
def test_what_came_before_print_is_not_written_as_printed(place):
    fixture = f"%% r.bib\n@article{{a, title = {{Deep Nets}}, journal = {{{place}}}}}\n"
    fixture += " " * 20 + "^" * len("{Deep Nets}") + " wrong-title\n"
    told = Difference("title", "Deep Nets", PAPER.title, ("crossref", "dblp"))
    known = Verdict("mismatch", record=PAPER, differences=(told,), date="2026-01-02")
    assert check(wrong_title.CHECK, fixture, {"a": known})[0].fixes == ()
    known = replace(known, differences=(replace(told, sources=("arxiv", "crossref")),))
    assert check(wrong_title.CHECK, fixture, {"a": known})[0].fixes


@pytest.mark.parametrize(("sources", "fixes"), [(("crossref",), 0), (("crossref", "dblp"), 1)])
def test_one_source_alone_takes_nobody_and_nothing_away(sources, fixes):
    fixture = """
        %% r.bib
        @article{a, author = {He, K. and Zhang, X. and Ren, S. and Sun, J. and Curie, M.},
                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wrong-authors
          title = {The Deeper Residual Learning for Image Recognition}}
    """
    told = Verdict("mismatch", record=PAPER, differences=(Difference("authors", "x", "y", sources),), date="2026-01-02")
    assert len(check(wrong_authors.CHECK, fixture, {"a": told})[0].fixes) == fixes
    title = fixture.replace(fixture.splitlines()[3] + "\n", "").rstrip() + "\n"
    title = title.replace("nition}}", "nition}}\n                  " + "^" * 52 + " wrong-title")
    told = replace(told, differences=(Difference("title", "x", "y", sources),))
    assert len(check(wrong_title.CHECK, title, {"a": told})[0].fixes) == fixes


@pytest.mark.parametrize(("sources", "fixes"), [(("crossref",), 0), (("crossref", "dblp"), 2)])
def test_a_record_of_other_title_people_and_pages_is_another_works(sources, fixes):
    fixture = """
        %% r.bib
        @article{a, author = {He, K. and Zhang, X.}, title = {Deep Learning of Strings}, pages = {1--9}}
                                                                                                 ^^^^^^ wrong-pages
    """
    told = tuple(Difference(it, "x", "y", sources) for it in ("title", "authors", "pages"))
    known = Verdict("mismatch", record=PAPER, differences=told, date="2026-01-02")
    assert len(check(wrong_pages.CHECK, fixture, {"a": known})[0].fixes) == fixes

import pytest

from citelsp.checks.shared_identifier import CHECK
from citelsp.knowledge import Knowledge, Verdict
from finding_fixtures import check
from fixture_projects import project_of


def test_one_doi_of_two_works():
    [finding] = check(
        CHECK,
        """
        %% r.bib
        @article{a, title = {Birds of the north and the south}, doi = {10.1000/xyz}}
        @article{b, title = {Fish of the deep and the shallow}, doi = {https://doi.org/10.1000/XYZ}}
                                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shared-identifier
        """,
    )
    assert finding.message == "“a” has the DOI 10.1000/xyz too: they are one work, or one identifier is wrong."


FIRST = "title = {Birds of the north and the south}"
SECOND = "title = {Fish of the deep and the shallow}"


@pytest.mark.parametrize(
    ("one", "other", "field"),
    [
        ("article", "eprint = {1706.03762}, archiveprefix = {arXiv}", "eprint"),
        ("article", "pmid = {12345678}", "pmid"),
        ("book", "isbn = {978-3-16-148410-0}", "isbn"),
    ],
)
def test_other_identifiers(one, other, field):
    text = f"@{one}{{a, {FIRST}, {other}}}\n@{one}{{b, {SECOND}, {other}}}\n"
    assert [it.field for it in CHECK.run(project_of({"r.bib": text}), Knowledge())] == [field]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"article{{a, {FIRST}, doi = {{10.1000/x}}}}", f"article{{b, {FIRST}, doi = {{10.1000/x}}}}"),
        (f"article{{a, {FIRST}, doi = {{10.1000/x}}}}", "article{b, title = {Birds of the north}, doi = {10.1000/x}}"),
        (
            f"article{{a, {FIRST}, doi = {{10.1000/x}}}}",
            "misc{b, title = {Supplemental material: Birds of the north and the south}, doi = {10.1000/x}}",
        ),
        (f"inbook{{a, {FIRST}, isbn = {{978-3-16-148410-0}}}}", f"inbook{{b, {SECOND}, isbn = {{9783161484100}}}}"),
        (f"book{{a, {FIRST}, isbn = {{978-3-16-148410-0}}}}", f"inbook{{b, {SECOND}, isbn = {{9783161484100}}}}"),
        (
            f"book{{a, {FIRST}, volume = 1, isbn = {{9783161484100}}}}",
            f"book{{b, {SECOND}, volume = 2, isbn = {{9783161484100}}}}",
        ),
        (
            f"book{{a, {FIRST}, isbn = {{9783161484100}}}}",
            f"book{{b, {SECOND}, booktitle = {{All Birds}}, chapter = 3, isbn = {{9783161484100}}}}",
        ),
        (
            f"inbook{{a, {FIRST}, booktitle = {{All}}, doi = {{10.1000/x}}}}",
            f"inbook{{b, {SECOND}, booktitle = {{All}}, doi = {{10.1000/x}}}}",
        ),
        (f"article{{a, {FIRST}, doi = {{10.1000/x}}}}", f"article{{b, {SECOND}, doi = {{10.1000/y}}}}"),
        ("article{a, doi = {10.1000/x}}", f"article{{b, {SECOND}, doi = {{10.1000/x}}}}"),
    ],
)
def test_what_may_have_one_in_common(one, other):
    assert not CHECK.run(project_of({"r.bib": f"@{one}\n@{other}\n"}), Knowledge())


@pytest.mark.parametrize("macros", ["", "@string{jn = {Journal of Names}}"])
def test_it_is_said_of_the_entry_that_was_not_found_as_it_is_described(macros):
    journal = ", journal = jn" if macros else ""
    entries = [
        f"@article{{{key}, {title}, doi = {{10.1000/x}}{journal}}}" for key, title in (("a", FIRST), ("b", SECOND))
    ]
    project = project_of({"r.bib": "\n".join(entries), "names.bib": macros})
    first, second = (content for _, content in project.contents)
    for verdicts, key in (({}, "b"), ({first: "verified"}, "b"), ({second: "verified"}, "a")):
        known = Knowledge(verdicts={content: Verdict(kind, "") for content, kind in verdicts.items()})
        assert [it.key for it in CHECK.run(project, known)] == [key]


def test_books_are_compared_however_many_chapters_share_their_isbn():
    isbn = "isbn = {9783161484100}"
    chapters = [f"@incollection{{c{number}, title = {{Chapter {number}}}, {isbn}}}" for number in range(100)]
    books = [f"@book{{a, {FIRST}, {isbn}}}", f"@book{{b, {SECOND}, {isbn}}}"]
    project = project_of({"r.bib": "\n".join([*chapters, *books])})
    assert [finding.key for finding in CHECK.run(project, Knowledge())] == ["b"]


def test_it_is_said_where_the_search_ends():
    books = [f"@book{{b{number}, title = {{{number}}}, isbn = {{9783161484100}}}}" for number in range(100)]
    *_, last = CHECK.run(project_of({"r.bib": "\n".join(books)}), Knowledge())
    assert last.severity == "information"
    assert "looked for no more from here on" in last.message

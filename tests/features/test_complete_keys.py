"""Citekeys offered where one is typed, and works at a placeholder."""

from dataclasses import replace

import pytest

from citelsp.base.settings import Checks, Completion, Settings
from citelsp.base.text import on_one_line
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.features import complete_keys, complete_placeholder, popup_of_work
from citelsp.features.completion_row_width import BAD
from citelsp.features.popup_markdown import to_plain
from citelsp.knowledge import Candidate, Evidence, Knowledge, Suggestion, Verdict
from fixture_projects import world

BIB = r"""
%% refs.bib
@inproceedings{vaswani17, author = {Vaswani, Ashish and Shazeer, Noam and Parmar, Niki}, year = 2017,
  title = {Attention Is All You Need}, booktitle = {Advances in Neural Information Processing Systems}}
@article{knuth84, author = {Knuth, Donald E.}, title = {Literate Programming}, year = 1984}
@article{turing50, author = {Turing, Alan}, title = {Computing Machinery and Intelligence}, year = 1950}
@article{turing36, author = {Turing, Alan}, title = {On Computable Numbers}, year = 1936, ids = {entscheidung}}
"""


def completed(fixture, **settings):
    it = world(fixture.strip("\n") + BIB, Settings(completion=Completion(**settings)))
    return it, complete_keys.complete(it.project, Libraries(), *it.cursor)


def offered(fixture, **settings):
    _, found = completed(fixture, **settings)
    return [it.key for it in found.items]


def accepted(fixture):
    """The document after the first item is taken."""
    it, found = completed(fixture)
    text = it.project.sources[it.cursor[0]].document.text
    return (text[: found.span.start] + found.items[0].new_text + text[found.span.end :]).strip()


@pytest.mark.parametrize(
    ("document", "after"),
    [
        (r"%% a.tex" "\n" r"\cite{vas|}", r"\cite{vaswani17}"),
        (r"%% a.tex" "\n" r"\cite{need attention|}", r"\cite{vaswani17}"),
        (r"%% a.tex" "\n" r"\parencites[1]{knuth84}[2]{ 1950 tur|}", r"\parencites[1]{knuth84}[2]{ turing50}"),
        (r"%% a.tex" "\n" r"\cite{knuth84, computing mach|}", r"\cite{knuth84, turing50}"),
        (r"%% a.tex" "\n" r"\cite{tur|ing50, knuth84}", r"\cite{turing50, knuth84}"),
        (r"%% a.tex" "\n" r"\cite{literate prog|", r"\cite{knuth84"),
        (r"%% a.tex" "\n" "\\cite{knuth84,\n  vaswani|\n}", "\\cite{knuth84,\n  vaswani17\n}"),
        ("%% a.md\nSee [@vasw|].", "See [@vaswani17]."),
        ("%% a.md\nSee @lit|", "See @knuth84"),
        ("%% a.md\nSee [@knuth84; @need attention|].", "See [@knuth84; @vaswani17]."),
        ("%% a.md\nSee [@attention is all|", "See [@vaswani17"),
        ("%% a.md\nSee [@knuth84; @need|].", "See [@knuth84; @vaswani17]."),
        ("%% a.md\nAs @vasw|: it", "As @vaswani17: it"),
        ("%% a.md\nAs @va|sw: it", "As @vaswani17: it"),
        ("%% a.md\nAs @vasw:|", "As @vaswani17"),
        ("%% a.md\nAs @vasw|-- it", "As @vaswani17-- it"),
    ],
)
def test_accepting_writes_the_key(document, after):
    assert accepted(document) == after


@pytest.mark.parametrize(
    ("typed", "after"),
    [
        ("@bruijn|.", "@{b.r.}."),
        ("[@{bruijn|}]", "[@{b.r.}]"),
        ("[@{bruijn|", "[@{b.r."),
        ("\\cite{knuth84, bruijn|}", "\\cite{knuth84, b.r.}"),
    ],
)
def test_braces_in_markdown_where_a_key_needs_them_and_has_none(typed, after):
    assert accepted(f"%% a.md\n{typed}\n%% own.bib\n@misc{{b.r., author = {{Bruijn, N. G. de}}}}\n") == after


def test_nothing_away_from_citations():
    assert completed("%% a.tex\nSee| \\cite{x}.\n")[1] is None
    assert completed("%% a.tex\n\\cite<wor|ds>\n")[1] is None
    assert completed("%% a.md\n[@knuth84 chapter|]\n")[1] is None
    assert completed("%% a.md\n@literate prog|\n")[1] is None


def test_what_an_item_says():
    it, found = completed("%% a.tex\n\\cite{all you|}\n")
    item = found.items[0]
    assert (item.title, item.who) == ("Attention Is All You Need", "Vaswani et al., 2017")
    assert item.path == "refs.bib"
    assert (found.typed, found.incomplete) == ("all you", True)
    assert to_plain(complete_keys.resolve(it.project, Knowledge(), "vaswani17")).startswith("Attention Is All You Need")


@pytest.mark.parametrize("key", ["doe", "doe\u00a01999", "d\u200boe"])
def test_the_key_of_a_label(key):
    items = f'[{{"id": "{key}", "title": "T"}}, {{"id": "roe"}}]'
    it = world(f"%% a.md\n---\nbibliography: refs.json\n---\n[@|\n%% refs.json\n{items}\n")
    assert complete_keys.find_labelled(it.project, on_one_line(key)) == key
    assert complete_keys.find_labelled(it.project, "none") == "none"


def test_nothing_typed_lists_nearby_citations_then_the_newest():
    document = "%% a.tex\n\\cite{turing36} Far. \\cite{knuth84} \\cite{|}\n"
    assert offered(document) == ["knuth84", "turing36", "vaswani17", "turing50"]


@pytest.mark.parametrize(
    ("document", "offers"),
    [
        (r"A \cite{knuth84} b \cite{|}", ["turing36", "turing50", "knuth84", "vaswani17"]),
        (r"A \cite{turing36,|}", ["turing50", "vaswani17", "knuth84"]),  # not again what this citation has
        (r"A \cite{knuth84} b \cite{t|}", None),
    ],
)
def test_where_nothing_is_typed_the_likely_come_first(document, offers):
    it = world(f"%% main.tex\n{document}{BIB}")
    asked = []
    found = complete_keys.complete(
        it.project, Libraries(), *it.cursor, lambda place: asked.append(place) or ["turing36", "gone", "turing50"]
    )
    if offers is None:
        assert not asked
    else:
        assert [it.key for it in found.items] == offers
        assert len(asked) == 1 and asked[0].start <= it.cursor[1] <= asked[0].end


def test_in_a_bibliography_nothing_is_likelier():
    it = world("%% refs.bib\n@misc{a, crossref = {|}}\n@book{b, title = {B}}\n")
    assert complete_keys.complete(it.project, Libraries(), *it.cursor, lambda _: pytest.fail("asked")).items


def test_never_empty_and_never_more_than_the_limit():
    assert len(offered("%% a.tex\n\\cite{|}\n")) == 4
    assert len(offered("%% a.tex\n\\cite{|}\n", limit=2)) == 2
    assert len(offered("%% a.tex\n\\cite{turing36, |}\n", limit=3)) == 3


def test_keys_of_the_same_citation_are_left_out():
    assert offered("%% a.tex\n\\cite{turing50, tur|}\n") == ["turing36"]
    assert offered("%% a.md\n[@turing50; @tur|]\n") == ["turing36"]


def test_the_sentence_breaks_ties():
    assert offered("%% a.tex\nMachinery can have intelligence \\cite{turing|}. Numbers?\n") == ["turing50", "turing36"]
    assert offered("%% a.tex\nMachinery? The computable numbers \\cite{turing|}.\n") == ["turing36", "turing50"]


def test_misspellings_only_where_wanted():
    assert offered("%% a.tex\n\\cite{vaswnai|}\n") == ["vaswani17"]
    assert offered("%% a.tex\n\\cite{vaswnai|}\n", fuzzy=False) == []


KEYS = r"""
%% keys.bib
@misc{choi_2012b}
@misc{Kallio:2006p279}
@misc{qian_2012}
@misc{müller+straße:99}
@misc{noriega14_crowd_based_socio_cognit_system_}
%% more.bib
@misc{brown_2019a}
@misc{brown_2018a}
"""


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("chio_2012b", "choi_2012b"),
        ("chi_2012b", "choi_2012b"),
        ("choii_2012b", "choi_2012b"),
        ("CHOJ_2012b", "choi_2012b"),
        ("Kallio:206p279", "Kallio:2006p279"),
        ("Kalilo:", "Kallio:2006p279"),
        ("qian2_012", "qian_2012"),
        ("mülelr+str", "müller+straße:99"),
        ("noriega14_crwod_basde_soc", "noriega14_crowd_based_socio_cognit_system_"),
        ("brwon_2019a", "brown_2019a"),
        ("entschiedung", "turing36"),
    ],
)
def test_a_mistyped_key_is_found_as_far_as_it_is_typed(typed, first):
    fixture = f"%% a.tex\n\\cite{{{typed}|}}\n{KEYS.strip()}\n"
    assert offered(fixture)[:1] == [first]
    assert offered(fixture, fuzzy=False) == []


@pytest.mark.parametrize("typed", ["xyz", "qzxjkw", "coi", "coihjk", "chio_2012b and more", "choi" * 50])
def test_what_is_like_no_key_finds_none(typed):
    assert offered(f"%% a.tex\n\\cite{{{typed}|}}\n{KEYS.strip()}\n") == []


def test_a_key_that_is_one_error_away_comes_before_words_in_it():
    fixture = "%% a.tex\n\\cite{KEY|}\n%% r.bib\n@misc{other, title = {Working in Tor 84}}\n@misc{tor:in84}\n"
    assert offered(fixture.replace("KEY", "tro:in84"))[0] == "tor:in84"
    assert offered(fixture.replace("KEY", "tor:in"))[0] == "tor:in84"
    assert offered(fixture.replace("KEY", "tor in"))[0] == "other"
    assert "tor:in84" not in offered(fixture.replace("KEY", "tro:in84"), fuzzy=False)


def test_keys_that_are_only_like_it_are_left_out_where_anything_fits():
    fixture = f"%% a.tex\n\\cite{{brown_2018|}}\n{KEYS.strip()}\n"
    assert offered(fixture) == ["brown_2018a"]


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("lewis2020", ["lewis2020retrieval", "karpukhin2020dense"]),
        ("Lewis2020Retr", ["lewis2020retrieval"]),
        ("lewis 2020 retr", ["lewis2020retrieval", "karpukhin2020dense"]),
        ("lewis2020dens", ["karpukhin2020dense"]),  # as no key begins so
    ],
)
def test_a_key_typed_beyond_its_year_lists_no_works_that_only_have_its_words(typed, keys):
    entries = """
        @misc{lewis2020retrieval, author = {Lewis, Patrick}, title = {Retrieval-Augmented Generation}, year = 2020}
        @misc{karpukhin2020dense, author = {Karpukhin, Vladimir and Lewis, Patrick}, year = 2020,
          title = {Dense Passage Retrieval}}
    """
    assert offered(f"%% a.tex\n\\cite{{{typed}|}}\n%% r.bib{entries}") == keys


def test_aliases_are_found():
    assert offered("%% a.tex\n\\cite{entsch|}\n") == ["turing36"]


def test_a_key_of_two_bibliographies_is_offered_once():
    document = (
        "%% a.tex\n\\cite{knu|}\n%% more.bib\n@book{knuth84, author = {Knuth, D.}, title = {Other}, year = 1984}\n"
    )
    assert offered(document) == ["knuth84"]


def test_entries_written_in_the_manuscript():
    document = (
        "%% a.tex\n\\cite{curry|}\n\\begin{thebibliography}{9}\n"
        "\\bibitem{ch} H. Curry and W. Howard. \\emph{Feasible functionals}, 1958.\n\\end{thebibliography}\n"
    )
    assert offered(document) == ["ch"]


RECORD = Record(
    "corpus", "w1", "On Growth and Form", (Name("Thompson", "D'Arcy"),), years=(1917,), abstract="Cells are small."
)
EVIDENCE = Evidence("Cells are small.", "abstract", "corpus", "supported")


def placeholder(document, suggestion):
    it = world(document + BIB)
    path, offset = it.cursor
    return it, complete_placeholder.offers(
        it.project, path, it.project.placeholder_at(path, offset), offset, suggestion
    )


def test_the_better_entry_comes_first_whichever_bibliography_has_it():
    bibs = ["%% r.bib\n@misc{a1, title = {Talks with Knuth}}\n", "%% s.bib\n@misc{knuth84, title = {Growth}}\n"]
    for in_order in (bibs, bibs[::-1]):
        it = world("%% a.tex\n\\cite{knuth|}\n" + "".join(in_order))
        found = complete_keys.complete(it.project, Libraries(), *it.cursor)
        assert [item.key for item in found.items] == ["knuth84", "a1"]


def test_a_candidate_replaces_the_placeholder():
    suggestion = Suggestion((Candidate(RECORD, 0.8, ("corpus",), evidence=(EVIDENCE,)),))
    _, found = placeholder("%% a.tex\nCells \\cite<gro|wth>.", suggestion)
    [offer] = found.items
    assert offer.adds
    assert offer.new_text == "{" + offer.key + "}"
    assert (offer.who, offer.title, offer.found_in) == ("Thompson 1917", "On Growth and Form", "your corpus")
    assert offer.shown == ("On Growth and Form", "Thompson", "1917", "80%", "", True)
    assert found.typed == "<gro"
    assert "“Cells are small.”" in to_plain(popup_of_work.candidate(offer.candidate))


@pytest.mark.parametrize("text", ["[@vasw |", "[@vasw att|\n\nMore.", "[@knuth84; @vasw |]", "[@vasw |]"])
def test_the_list_stays_at_a_space_between_words(text):
    assert offered(f"%% a.md\nSee {text}\n") == ["vaswani17"]


@pytest.mark.parametrize(
    ("probability", "origins", "chance"),
    [(0.31, ("corpus",), "31%"), (0.004, ("corpus",), "<1%"), (0.999, ("corpus",), ">99%"), (None, ("openalex",), "")],
)
def test_how_likely_a_work_is_stands_in_its_row(probability, origins, chance):
    _, found = placeholder("%% a.tex\n\\cite<|>", Suggestion((Candidate(RECORD, probability, origins),)))
    assert found.items[0].shown.chance == chance


def test_what_a_model_chose_is_marked():
    works = [Candidate(replace(RECORD, title=f"Kind {it}", id=f"{it}"), 0.9, ("corpus",)) for it in range(2)]
    _, found = placeholder("%% a.tex\n\\cite<|>", Suggestion(tuple(works), usage={"tokens_in": 9}))
    assert [it.shown.chance for it in found.items] == ["✓90%", "90%"]


@pytest.mark.parametrize(
    ("comment", "off", "not_found", "retracted"),
    [
        ("", "", BAD, BAD),
        ("% citelsp: ignore", "", "", ""),
        ("% citelsp: ignore[unknown-work]", "", "", BAD),
        ("% citelsp: ignore[retracted-work]", "", BAD, ""),
        ("% citelsp: ignore[wrong-year]", "", BAD, BAD),
        ("", "unknown-work", "", BAD),
        ("", "retracted-work", BAD, ""),
    ],
)
def test_what_the_author_silenced_is_not_marked(comment, off, not_found, retracted):
    text = f"%% a.tex\n\\cite<|>\\addbibresource{{own.bib}}\n%% own.bib\n{comment}\n@book{{mine, title = {{Mine}}}}\n"
    settings = Settings(checks=Checks(severity={off: "off"} if off else {}))
    it = world(text, settings)
    path, offset = it.cursor
    gap = it.project.placeholder_at(path, offset)
    content = it.project.find_first("mine").content

    def mark(verdict, *updates):
        own = Candidate(Record("library", "mine", "Mine", updates=updates), key="mine")
        known = Knowledge({content: verdict})
        [offer] = complete_placeholder.offers(it.project, path, gap, offset, Suggestion((own,)), known).items
        return offer.shown.mark

    assert mark(Verdict("not-found")) == not_found
    assert mark(Verdict("retracted")) == retracted
    assert mark(Verdict("unchecked"), Update("retraction", "crossref")) == retracted


def test_a_work_that_was_retracted_or_that_nobody_has_is_marked():
    notice = replace(RECORD, updates=(Update("retraction", "crossref"),))
    own = Candidate(Record("library", "knuth84", "Literate Programming"), key="knuth84")
    it, found = placeholder("%% a.tex\n\\cite<|>", Suggestion((Candidate(notice), own)))
    assert [offer.shown.mark for offer in found.items] == [BAD, ""]
    assert [offer.against for offer in found.items] == ["This work was retracted or withdrawn", ""]
    known = Knowledge({it.project.find_first("knuth84").content: Verdict("not-found")})
    path, offset = it.cursor
    place = it.project.placeholder_at(path, offset)
    again = complete_placeholder.offers(it.project, path, place, offset, Suggestion((own,)), known)
    assert [offer.shown.mark for offer in again.items] == [BAD]
    assert again.items[0].against.startswith("No ")
    assert found.ghost is None and again.ghost is None, "its mark would not be seen"
    assert complete_placeholder.offers(it.project, path, place, offset, Suggestion((own,))).ghost == found.items[1]


def test_after_a_search_the_list_says_how_many_works_came_from_where():
    online, own = Candidate(RECORD, None, ("openalex",)), Candidate(Record("library", "knuth84", "L"), key="knuth84")
    searched = Suggestion((online, own), usage={"requests": 2})
    assert placeholder("%% a.tex\n\\cite<|>", searched)[1].searched == "Found 1 online, 1 in your .bib"
    doubtful = replace(searched, abstained=True, reason="so", silent=("dblp",))
    found = placeholder("%% a.tex\n\\cite<|>", doubtful)[1]
    assert found.verdict == "No answer from DBLP; found 1 online, 1 in your .bib"
    assert placeholder("%% a.tex\n\\cite<|>", replace(searched, usage={}))[1].searched == ""


def test_where_no_entry_can_be_added_own_entries_are_offered_wherever_they_stand():
    it = world("%% untitled:/new.tex\nSo \\cite<so|rt>.\n" + BIB, read_only=("refs.bib",))
    path, offset = it.cursor
    own = Candidate(Record("library", "knuth84", "Literate Programming"), key="knuth84")
    suggestion = Suggestion((Candidate(RECORD), own))
    place = it.project.placeholder_at(path, offset)
    found = complete_placeholder.offers(it.project, path, place, offset, suggestion)
    assert [offer.key for offer in found.items] == ["knuth84"]
    assert found.reason


def test_that_nothing_fits_comes_with_the_best_there_is():
    suggestion = Suggestion((Candidate(RECORD, 0.02, ("corpus",)),), abstained=True, reason="improbable")
    _, found = placeholder("%% a.tex\n\\cite<|>", suggestion)
    assert found.verdict == "Nothing fits well (best: 2%)"


def test_a_candidate_in_markdown():
    _, found = placeholder("%% a.md\nCells [@<gro|wth>].", Suggestion((Candidate(RECORD),)))
    assert found.items[0].new_text == "@" + found.items[0].key


def test_a_work_that_has_an_entry_is_cited_by_its_key():
    known = Record("corpus", "w2", "Literate programming", (Name("Knuth", "D. E."),), years=(1984,))
    listed = Candidate(Record("library", "turing50", "Computing Machinery and Intelligence"), key="turing50")
    _, found = placeholder("%% a.tex\n\\cite<|>", Suggestion((Candidate(known), listed)))
    assert [(it.key, it.adds) for it in found.items] == [("knuth84", False), ("turing50", False)]


@pytest.mark.parametrize(
    ("suggestion", "reason"),
    [
        (None, "Not searched yet"),
        (Suggestion(abstained=True, reason="No work says this"), "No work says this"),
        (Suggestion(complete=False), "Still searching"),
        (Suggestion(), "Nothing fits"),
    ],
)
def test_nothing_fits_is_said(suggestion, reason):
    _, found = placeholder("%% a.tex\n\\cite<|>", suggestion)
    assert (found.items, found.reason) == ((), reason)


def test_no_placeholder_no_offers():
    it = world("%% a.tex\n\\cite{x|}" + BIB)
    assert it.project.placeholder_at(*it.cursor) is None


@pytest.mark.parametrize(
    ("field", "typed", "first"),
    [
        ("crossref = {turing 1936|}", "turing 1936", "turing36"),
        ("crossref = {|}", "", None),
        ("xdata = {knuth84, vasw|ani}", "vasw", "vaswani17"),
        ('related = "literate|"', "literate", "knuth84"),
        ("entryset = {turing50,|", "", None),
    ],
)
def test_keys_where_an_entry_names_others(field, typed, first):
    it = world(BIB.lstrip("\n") + f"@misc{{turing, {field}}}\n")
    found = complete_keys.complete(it.project, Libraries(), *it.cursor)
    assert found.typed == typed
    assert "turing" not in [item.key for item in found.items]
    assert first in (None, found.items[0].key)


@pytest.mark.parametrize("field", ["title = {turing|}", "crossref| = {a}", "note = x, |", "crossref = tu|ring"])
def test_no_keys_elsewhere_in_a_bibliography(field):
    it = world(f"%% refs.bib\n@misc{{turing, {field}}}\n")
    assert complete_keys.complete(it.project, Libraries(), *it.cursor) is None

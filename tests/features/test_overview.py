from citelsp.bibliography.entry import fingerprint
from citelsp.features import code_lens, overview
from citelsp.knowledge import Difference, Knowledge, Verdict
from fixture_projects import world

FIXTURE = """%% a.tex
Known \\cite{a, b}, missing \\cite{nobody}, again \\cite{b} and open \\cite<some words>.
\\addbibresource{r.bib}
%% r.bib
@misc{c, title = {C}}
@misc{a, title = {A}, author = {Ada Lovelace}, year = 1843}
@misc{b, title = {B}}
"""


def test_cited_entries_first_with_their_places_and_verdicts():
    project = world(FIXTURE).project
    knowledge = Knowledge(verdicts={fingerprint(project.find("a")[0].entry): Verdict("mismatch", "wrong year")})
    found = overview.find(project, knowledge)
    assert [(it.key, it.who, it.verdict, it.reason, len(it.cited)) for it in found.references] == [
        ("a", "Lovelace 1843", "mismatch", "wrong year", 1),
        ("b", "", None, "", 2),
        ("c", "", None, "", 0),
    ]
    assert found.summary == "1 mismatch, 1 not yet checked"
    assert [(it.words, it.place.path.rsplit("/", 1)[-1]) for it in found.gaps] == [("some words", "a.tex")]


def test_nothing_known_is_no_summary():
    assert overview.find(world(FIXTURE).project, Knowledge()).summary == ""


def test_each_line_leads_to_its_entry_and_its_citations():
    it = world(FIXTURE)
    texts = {path: source.document.text for path, source in it.project.sources.items()}
    found = overview.find(it.project, Knowledge())
    first = found.references[0]
    assert first.title == "A" and first.place.path == "r.bib"
    assert first.place.span.within(texts["r.bib"]) == "a"
    assert first.place.whole.within(texts["r.bib"]).startswith("@misc{a,")
    assert [(to.path, to.span.within(texts[to.path]), to.whole.within(texts[to.path])) for to in first.cited] == [
        ("a.tex", "a", "\\cite{a, b}")
    ]
    [gap] = found.gaps
    assert gap.place.whole.within(texts["a.tex"]) == "\\cite<some words>"


def test_of_what_nobody_cites_a_thousand_entries_are_shown():
    found = overview.find(world("%% r.bib\n" + "@misc{a}\n" * 1002).project, Knowledge())
    assert len(found.references) == 1000


def test_what_a_comment_silences_wholly_is_settled():
    text = FIXTURE.replace("@misc{a,", "% citelsp: ignore[wrong-year]\n@misc{a,")
    difference = Difference("year", "1843", "1842", ("crossref",))
    verdicts = {
        (difference,): True,
        (difference, Difference("title", "A", "B", ("crossref",))): False,  # of which the title is not settled
    }
    project = world(text).project
    place = project.find("a")[0]
    for differences, is_settled in verdicts.items():
        verdict = Verdict("mismatch", "differs", differences=differences)
        found = overview.find(project, Knowledge(verdicts={fingerprint(place.entry): verdict}))
        assert {it.key: it.settled for it in found.references} == {"a": is_settled, "b": False, "c": False}
    retracted = Knowledge(verdicts={fingerprint(place.entry): Verdict("retracted")})
    assert code_lens.find(project, retracted, "r.bib").gravest.startswith("a: This work was retracted")
    silenced = world(text.replace("[wrong-year]", "")).project
    known = Knowledge(verdicts={fingerprint(silenced.find("a")[0].entry): Verdict("retracted")})
    assert code_lens.find(silenced, known, "r.bib").gravest == ""

import pytest

from citelsp.base.settings import Settings
from citelsp.bibliography import datamodel, shipped_lists
from citelsp.bibliography.entry import fingerprint
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.corpus.place_query import Query
from citelsp.corpus.words import stems
from citelsp.features import hover, popup_of_work
from citelsp.features.popup_markdown import to_plain
from citelsp.features.values import likelihood
from citelsp.knowledge import Candidate, Difference, Evidence, Knowledge, Suggestion, Traced, Verdict
from citelsp.workspace import cited_claims
from citelsp.workspace import question as questions
from fixture_projects import world

BIB = r"""
%% refs.bib
@article{knuth84, author = {Knuth, Donald E.}, title = {Literate {P}rogramming},
  journal = {The Computer Journal},
  volume = 27, number = 2, pages = {97--111}, year = 1984, doi = {10.1093/comjnl/27.2.97},
  abstract = {The author thinks.}}
"""


FOUND = Record(
    "crossref", "1", "Literate Programming", (Name("Knuth", "Donald E."),), years=(1984,),
    venue="The Computer Journal", identifiers=Identifiers(doi="10.1093/comjnl/27.2.97"),
)  # fmt: skip
ENTRY = world(BIB.replace("    ", "")).project.find("knuth84")[0].entry


def shown(fixture, knowledge=None, lists=None):
    it = world(fixture)
    found = hover.find(it.project, knowledge or Knowledge(), *it.cursor, lists or {})
    return found and (found.span.within(it.project.sources[it.cursor[0]].document.text), to_plain(found.blocks))


def learnt(fixture, key, verdict, evidence=()):
    mark = fingerprint(world(fixture).project.find(key)[0].entry)
    return Knowledge(verdicts={mark: verdict}, evidence={mark: evidence})


def test_reference_of_exactly_the_key():
    assert shown("%% a.tex\nSee \\cite{x, knu|th84}.\n" + BIB.lstrip()) == (
        "knuth84",
        "Literate Programming\n\n"
        "Donald E. Knuth (1984). The Computer Journal, 27(2), 97–111. · DOI https://doi.org/10.1093/comjnl/27.2.97\n\n"
        "The author thinks.\n\n"
        "article in refs.bib",
    )


def test_what_is_left_of_web_pages_is_not_shown():
    bib = """%% refs.bib
@misc{a, title = {On <i>E. coli</i> &amp; x < y}, abstract = {{$<$}p{$><$}strong class="c"{$>$}It{$<$}/strong{$>$} is.}}
"""
    assert shown(f"%% a.tex\n\\cite{{a|}}.\n{bib}")[1].startswith("On E. coli & x < y\n\nIt is.\n\n")


def test_reference_in_the_manuscripts_own_style():
    fixture = "%% a.md\n@knuth|84\n" + BIB.lstrip()
    mark = world(fixture).project.find("knuth84")[0].content
    _, text = shown(fixture, Knowledge(references={mark: "KNUTH, D. E. 1984. Literate programming."}))
    assert text.startswith("Literate Programming\n\nKNUTH, D. E. 1984. Literate programming. · DOI https://doi.org/10")
    assert "Donald" not in text and "The author thinks." in text


@pytest.mark.parametrize(
    "end", [" https://doi.org/10.1093/comjnl/27.2.97", " https://doi.org/10.1093/COMJNL/27.2.97.", ""]
)
def test_an_address_of_the_doi_is_not_shown_beside_its_link(end):
    fixture = "%% a.md\n@knuth|84\n" + BIB.lstrip()
    mark = world(fixture).project.find("knuth84")[0].content
    _, text = shown(fixture, Knowledge(references={mark: f"KNUTH, D. E. 1984. Literate programming.{end}"}))
    assert "Literate programming. · DOI https://doi.org/10.1093/comjnl/27.2.97\n" in text


@pytest.mark.parametrize(
    ("journal", "shown_journal"), [("jml", "Journal of Machines"), ("jml # { Letters}", "Journal of Machines Letters")]
)
def test_a_journal_that_is_a_macro_of_another_bibliography(journal, shown_journal):
    fixture = f"""%% a.tex
\\cite{{a|}}
\\bibliography{{names,refs}}
%% names.bib
@string{{jml = {{Journal of Machines}}}}
%% refs.bib
@article{{a, title = {{On Engines}}, author = {{Byron, Ada}}, journal = {journal}, year = 1843}}
"""
    assert f"Ada Byron (1843). {shown_journal}." in shown(fixture)[1]


def test_nothing_on_the_rest_of_the_line():
    assert shown("%% a.tex\nSe|e \\cite{knuth84}.\n" + BIB.lstrip()) is None
    assert shown("%% a.tex\nSee \\ci|te{knuth84}.\n" + BIB.lstrip()) is None


def test_verdict_with_date_sources_and_evidence():
    fixture = "%% a.tex\n\\cite{knuth|84}\n" + BIB.lstrip()
    verdict = Verdict(
        "mismatch",
        "differs in year",
        differences=(Difference("year", "1984", "1985", ("crossref",)),),
        asked=("crossref",),
        unavailable=("openalex",),
        date="2026-11-22",
    )
    evidence = (Evidence("Programs are read.", "abstract", "crossref", "supported"),)
    _, text = shown(fixture, learnt(fixture, "knuth84", verdict, evidence))
    assert "✗ Differs from the record in year (checked 2026-11-22 with Crossref; no answer from OpenAlex)\n" in text
    assert "“Programs are read.”\n\nabstract, Crossref, supported" in text


def test_retraction_notice():
    fixture = "%% a.tex\n\\cite{knuth|84}\n" + BIB.lstrip()
    record = Record("crossref", "x", "T", updates=(Update("retraction", "crossref", "2020-01-02", "10.1/n"),))
    _, text = shown(fixture, learnt(fixture, "knuth84", Verdict("retracted", record=record)))
    assert "Retraction 2020-01-02 according to Crossref · notice https://doi.org/10.1/n" in text


def test_undefined_and_repeated_keys():
    assert shown("%% a.tex\n\\cite{no|ne}\n%% r.bib\n@misc{a}\n")[1] == "No entry with the key none was found in r.bib."
    bare = "No entry with the key none was found in this document, which declares no bibliography."
    assert shown("%% a.tex\n\\cite{no|ne}\n")[1] == bare
    assert "2 entries have this key" in shown("%% a.tex\n\\cite{a|}\n%% r.bib\n@misc{a}@misc{a}\n")[1]
    _, text = shown("%% r.bib\n@misc{a, title = {First}}\n@misc{a|, title = {Second}}\n")
    assert "Second" in text and "First" not in text and "entries have this key" not in text


def test_key_of_an_entry_and_crossref_value():
    assert shown("%% r.bib\n@misc{a|, title = {One}}\n")[1].startswith("One")
    assert shown("%% r.bib\n@misc{a, crossref = {b|}}\n@misc{b, title = {Two}}\n")[1].startswith("Two")


PLACEHOLDER = (
    "%% a.tex\n\\documentclass{article}\n\\title{On Sorting}\nOld. Quicksort is fast \\cite<hoa|re> in practice. New.\n"
)


def test_placeholder_before_a_search():
    span, text = shown(PLACEHOLDER)
    assert span == "<hoare>"
    assert "Searched with: On Sorting Quicksort is fast in practice. hoare" in text
    assert "Not searched yet." in text


@pytest.mark.parametrize(
    "text",
    [
        "Old. The method was introduced by Smith et al. Transformers are now used \\cite<|>. New.",
        "Old. Known \\cites[see][3]{knuth84}[and][]{lamport94} it works \\cite<|>, see Fig. 3, at once. New.",
    ],
)
def test_the_sentence_of_a_placeholder_is_the_one_that_is_searched_with(text):
    it = world(f"%% a.tex\n{text}\n")
    path, offset = it.cursor
    question = questions.placeholder_question(it.project, path, it.project.placeholder_at(path, offset))
    assert f"Searched with: {question.sentence}" in shown(f"%% a.tex\n{text}\n")[1]
    assert stems(Query(question).sentence) == stems(question.sentence)


def test_placeholder_with_candidates():
    it = world(PLACEHOLDER)
    question = questions.placeholder_question(it.project, "a.tex", it.project.placeholder_at(*it.cursor)).key
    record = Record(
        "corpus", "1", "Quicksort", (Name("Hoare", "C. A. R."),), years=(1962,), identifiers=Identifiers(doi="10.1/q")
    )
    found = Candidate(record, 0.9, ("corpus",), evidence=(Evidence("It is fast.", "abstract", "corpus"),))
    _, text = shown(PLACEHOLDER, lists={question: Suggestion((found,))})
    assert (
        "Quicksort\n\n“It is fast.”\n\nabstract, your corpus\n\nC. A. R. Hoare (1962). · DOI https://doi.org/10.1/q"
        in text
    )
    assert "Found in your corpus, 90% likely to be the work meant" in text


def test_placeholder_where_nothing_fits():
    it = world(PLACEHOLDER)
    question = questions.placeholder_question(it.project, "a.tex", it.project.placeholder_at(*it.cursor)).key
    _, text = shown(PLACEHOLDER, lists={question: Suggestion(abstained=True, reason="no paper on this")})
    assert "Nothing fits: no paper on this" in text


@pytest.mark.parametrize(
    ("probability", "said"), [(0.999, "over 99%"), (0.99, "99%"), (0.904, "90%"), (0.004, "under 1%")]
)
def test_nothing_is_certain(probability, said):
    assert likelihood(probability) == said


@pytest.mark.parametrize(
    ("fixture", "said"),
    [
        ("@art|icle{a, year = 2000}", ["@article", "Needs author, title, journal, year."]),
        (
            "@onli|ne{a, year = 2000}",
            ["@online is not an entry type of BibTeX's standard styles: it is printed as @misc is."],
        ),
        ("@article{a, ye|ar = 2000}", ["year", "@article needs it in BibTeX's standard styles."]),
        ("@article{a, volume| = 2}", ["volume", "Of a journal or of a book in several.", "@article may have it"]),
        ("@article{a, frobnicate| = 2}", ["frobnicate"]),
    ],
)
def test_types_and_fields_of_a_bibliography(fixture, said):
    it = world(f"%% refs.bib\n{fixture}\n")
    found = hover.find(it.project, Knowledge(), *it.cursor)
    text = to_plain(found.blocks)
    assert all(sentence in text for sentence in said)
    assert found.span.within(it.marked.files["refs.bib"]) in fixture.replace("|", "").replace("{a, ", " ").split()


@pytest.mark.parametrize("dialect", ["bibtex", "biblatex"])
def test_every_field_of_the_data_models_is_explained(dialect):
    explained = {line.partition(":")[0] for line in shipped_lists.read("fields.txt").splitlines()}
    for kind in datamodel.types(dialect):
        needed = {name for names in datamodel.required_fields(kind, dialect) for name in names}
        assert needed | {*datamodel.optional(kind, dialect)} <= explained


def test_beside_another_program_the_verdict_alone():
    fixture = "%% a.tex\n\\cite{knuth|84}\n" + BIB.lstrip()
    beside = Settings(beside=("texlab",))
    it = world(fixture, beside)
    assert hover.find(it.project, Knowledge(), *it.cursor) is None
    found = hover.find(it.project, learnt(fixture, "knuth84", Verdict("not-found")), *it.cursor)
    assert to_plain(found.blocks) == "✗ Not found"


def test_beside_another_program_a_placeholder_shows_all():
    it = world(PLACEHOLDER, Settings(beside=("texlab",)))
    found = hover.find(it.project, Knowledge(), *it.cursor)
    assert to_plain(found.blocks) == shown(PLACEHOLDER)[1]


@pytest.mark.parametrize(("why", "more"), [("", "."), ("It is about glaciers.", ": It is about glaciers.")])
def test_what_a_model_chose_is_said_with_its_reason_if_it_gave_one(why, more):
    work = Candidate(Record("corpus", "w", "Glaciers"), why=why)
    assert popup_of_work.choice(Suggestion((work,), usage={"tokens_in": 9})) == f"The model chose “Glaciers”{more}"


def test_of_many_works_that_a_model_chose_two_are_named():
    works = tuple(Candidate(Record("corpus", it, it)) for it in "ABCD")
    assert (
        popup_of_work.choice(Suggestion(works, usage={"tokens_in": 9}, together=4))
        == "The model chose “A” and “B” and 2 more."
    )
    assert popup_of_work.choice(Suggestion(works)) == ""


def test_what_the_work_says_is_said_of_the_sentence_at_the_cursor():
    citing = "%% a.tex\nPrograms are long \\cite{knuth84}.\n\nPrograms are read \\cite{knu|th84}.\n"
    long, read = cited_claims.find_claims(world(citing + BIB.lstrip()).project, "a.tex")
    evidence = {
        long.content: (Evidence("They are long.", "", "corpus"),),
        read.content: (Evidence("They are read.", "", "corpus"),),
    }
    _, text = shown(citing + BIB.lstrip(), Knowledge(evidence=evidence))
    assert "They are read." in text and "They are long." not in text


def found(*works, text=PLACEHOLDER, **more):
    it = world(text)
    question = questions.placeholder_question(it.project, "a.tex", it.project.placeholder_at(*it.cursor)).key
    return shown(text, lists={question: Suggestion(works, **more)})[1].split("\n\n")[1:]


TROUT = [Candidate(Record("corpus", f"{it}", f"Trout {it}")) for it in range(5)]


@pytest.mark.parametrize(
    ("works", "more", "said"),
    [
        ((), {}, ["Nothing was found."]),
        ((), {"complete": False}, ["Still searching."]),
        ((), {"abstained": True}, ["Nothing fits."]),
        ((), {"abstained": True, "reason": "nothing fits, as it is too rare"}, ["Nothing fits: it is too rare."]),
        (TROUT[:1], {"reason": "openalex: 500"}, ["Trout 0", "Found in your corpus", "Openalex: 500."]),
        (TROUT[:1], {"abstained": True, "reason": "x"}, ["Nothing fits: x.", "Trout 0", "Found in your corpus"]),
        (TROUT[:1], {"complete": False}, ["Trout 0", "Found in your corpus", "Still searching."]),
        (TROUT[:1], {"trajectory": "/s/x.jsonl"}, ["Trout 0", "Found in your corpus",
            "How they were found: citelsp suggest --explain --replay /s/x.jsonl"]),
        (TROUT[:1], {"usage": {"tokens_in": 9}}, ["Trout 0", "Found in your corpus",
            "The search took 0 turns, 9 tokens read and 0 written."]),
    ],
)  # fmt: skip
def test_what_a_search_for_a_placeholder_came_to_is_said(works, more, said):
    assert found(*works, **more) == said


def test_a_work_that_should_not_be_cited_is_shown_with_the_reason():
    retracted = Record("crossref", "1", "Cold Fusion", updates=(Update("retraction", "crossref"),))
    assert found(Candidate(retracted))[:2] == ["Cold Fusion", "✗ This work was retracted or withdrawn"]
    text = f"{PLACEHOLDER}{BIB.lstrip()}"
    own = Candidate(FOUND, key="knuth84")
    it = world(text)
    question = questions.placeholder_question(it.project, "a.tex", it.project.placeholder_at(*it.cursor)).key
    knowledge = learnt(text, "knuth84", Verdict("retracted", record=FOUND))
    assert "✗ This work was retracted or withdrawn" in shown(text, knowledge, {question: Suggestion((own,))})[1]


def test_of_many_works_three_are_shown():
    assert [it for it in found(*TROUT) if it.startswith("Trout")] == ["Trout 0", "Trout 1", "Trout 2"]


def test_a_work_is_shown_with_why_it_was_chosen_its_passages_and_its_place():
    record = Record(
        "crossref", "1", "Quicksort", (Name("Hoare", "C. A. R."),), years=(1962,), venue="The Computer Journal",
        volume="5", issue="1", pages="10-16", abstract="It is a sort.", identifiers=Identifiers(doi="10.1/q", pmid="7"),
        authors_complete=False,
    )  # fmt: skip
    title = Evidence("Quicksort", "title", "crossref")
    line = (
        "C. A. R. Hoare et al. (1962). The Computer Journal, 5(1), 10–16. · DOI https://doi.org/10.1/q · PubMed "
        "https://pubmed.ncbi.nlm.nih.gov/7/"
    )
    assert found(Candidate(record, 0.5, evidence=(title,), why="It is fast.")) == [
        "Quicksort", "The model says: It is fast.", line, "It is a sort.",
        "Found in Crossref, 50% likely to be the work meant",
    ]  # fmt: skip
    quoted = Evidence("It sorts.", "abstract", "", "supported")
    assert found(Candidate(record, origins=("dblp",), evidence=(title, quoted))) == [
        "Quicksort", "“It sorts.”", "abstract, supported", line, "Found in DBLP",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (Verdict("verified", date="2026-11-22"), "✓ Verified (checked 2026-11-22)"),
        (Verdict("verified", asked=("crossref",)), "✓ Verified (asked Crossref)"),
        (Verdict("unchecked", "switched off", date="2026-11-22"), "Unchecked: switched off"),
        (Verdict("conflict", "it is another"), "✗ The identifier is not this work's: it is another"),
        (Verdict("conflict", traced=(Traced("doi", "10.1/x", "nowhere", "crossref"),)),
            "✗ The DOI 10.1/x is not registered"),
        (Verdict("conflict", record=FOUND, traced=(Traced("doi", "10.1/x", "nowhere", "crossref"),)),
            "✗ The DOI 10.1/x is not registered; the work exists, and its DOI is 10.1093/comjnl/27.2.97"),
        (Verdict("conflict", record=FOUND, traced=(Traced("doi", "10.1/x", "elsewhere", "crossref"),)),
            "✗ The DOI 10.1/x leads to another work"),
        (Verdict("conflict", "so", is_unknown=True, traced=(Traced("doi", "10.1/x", "nowhere", "crossref"),)),
            "✗ No service that was asked lists this work, and its DOI 10.1/x is not registered"),
        (Verdict("conflict", "so", is_unknown=True, traced=(Traced("doi", "10.1/x", "elsewhere", "crossref"),)),
            "✗ No service that was asked lists this work, and its DOI 10.1/x leads to another work"),
        (Verdict("not-found", unavailable=("crossref",)), "✗ Not found (no answer from Crossref)"),
        (Verdict("mismatch", "x", differences=(Difference("year", "1", "2", ()), Difference("title", "1", "2", ()))),
            "✗ Differs from the record in year and title"),
        (Verdict("mismatch", "so"), "✗ Differs from the record: so"),
    ],
)  # fmt: skip
def test_a_verdict_is_said_with_who_was_asked_and_when(known, said):
    assert to_plain(popup_of_work.verdict(known, ENTRY)) == said


def test_a_notice_without_a_date_or_an_address_is_said_all_the_same():
    record = Record("crossref", "x", "T", updates=(Update("concern", "pubmed"),))
    assert (
        to_plain(popup_of_work.verdict(Verdict("verified", record=record), ENTRY))
        == "✓ Verified\n\nConcern according to PubMed"
    )


def test_links_lead_where_a_reader_can_look():
    known = Identifiers(doi="10.1/a", arxiv="2001.1", pmid="7", acl="P1", url="https://x.org")
    assert [(it.label, it.url) for it in popup_of_work.links(known)] == [
        ("DOI", "https://doi.org/10.1/a"), ("arXiv", "https://arxiv.org/abs/2001.1"),
        ("PubMed", "https://pubmed.ncbi.nlm.nih.gov/7/"), ("ACL Anthology", "https://aclanthology.org/P1/"),
    ]  # fmt: skip
    assert [it.label for it in popup_of_work.links(Identifiers(pmid="7", url="https://x.org"))] == [
        "PubMed",
        "Web page",
    ]


def test_a_long_abstract_and_a_long_quote_are_cut():
    long = "word " * 300
    title, _, abstract = popup_of_work.record(Record("x", "1", "T", abstract=long))
    assert (len(abstract.text), title.role) == (895, "strong")
    quote, note = popup_of_work.evidence([Evidence(long, "2", "corpus")])
    assert (len(quote.text), note.text) == (395, "2, your corpus")


def explained(text):
    it = world(f"%% refs.bib\n{text}\n")
    return to_plain(hover.find(it.project, Knowledge(), *it.cursor).blocks).split("\n\n")


def test_macros_types_and_fields_are_explained_in_sentences():
    assert explained("@string{acm = {ACM}}\n@misc{a, note = ac|m}") == ["ACM", "@string in refs.bib"]
    assert explained("@string{ac|m = {}}") == ["nothing", "@string in refs.bib"]
    assert explained("@misc{a, month = ja|n}") == ["A month, which each style writes in its own way."]
    assert explained("@misc{a, note = ac|m}") == ["No @string defines acm."]
    assert explained("@ mi|sc{a, note = {x}}")[:2] == ["@misc", "Requires no field."]
    assert explained("@misc{a, no|te = {x}}")[-1] == "@misc may have it in BibTeX's standard styles."
    kind, needs, may = explained("@b|ook{a}")
    assert (kind, needs) == ("@book", "Needs author, title, publisher, year.")
    assert may.startswith("May have ") and "title" not in may.split(", ") and may.endswith(".")


def test_a_field_that_nobody_knows_is_only_named():
    assert explained("@article{a, frobnicate| = 2}") == ["frobnicate"]


@pytest.mark.parametrize(
    ("fixture", "roles"),
    [
        ("@article{a, edit|or = {E}}", ["strong", "text"]),
        ("@string{cacm = {Communications}}\n@article{a, journal = ca|cm}", ["strong", "note"]),
        ("@art|icle{a, title = {T}}", ["strong", "note"]),
    ],
)
def test_what_is_explained_is_set_apart_from_what_is_said_of_it(fixture, roles):
    it = world(f"%% r.bib\n{fixture}\n")
    shown_roles = [block.role for block in hover.find(it.project, Knowledge(), *it.cursor).blocks]
    assert (shown_roles[0], shown_roles[-1]) == tuple(roles)


def test_asides_are_set_apart():
    it = world("%% a.tex\n\\cite{a|}\n%% r.bib\n@misc{a, title = {A}}@misc{a}\n")
    found = hover.find(it.project, Knowledge(), *it.cursor)
    assert [(block.text, block.role) for block in found.blocks] == [
        ("A", "strong"), ("misc in r.bib", "note"), ("2 entries have this key; this is the first.", "note"),
    ]  # fmt: skip


def test_the_entry_that_is_described_is_the_one_at_the_cursor():
    twice = "%% r.bib\n@misc{a, title = {One}}\n@misc{a|, title = {Two}}\n"
    it = world(twice)
    assert hover.entry_at(it.project, *it.cursor).entry.title == "Two"
    citing = world("%% a.tex\n\\cite{a|}\n" + twice.replace("|", ""))
    assert hover.entry_at(citing.project, *citing.cursor).entry.title == "One"
    assert hover.entry_at(citing.project, "a.tex", 0) is None
    assert hover.entry_at(world("%% a.tex\n\\cite{a|}\n", Settings(beside=("texlab",))).project, "a.tex", 7) is None


def test_what_is_said_of_a_search_is_set_apart_from_the_works():
    it = world(PLACEHOLDER)
    question = questions.placeholder_question(it.project, "a.tex", it.project.placeholder_at(*it.cursor)).key
    for suggestion in (
        Suggestion(),
        Suggestion(abstained=True),
        Suggestion(TROUT[:1], reason="x"),
        Suggestion(complete=False),
    ):
        _, *blocks = hover.find(it.project, Knowledge(), *it.cursor, {question: suggestion}).blocks
        assert {block.role for block in blocks if not block.text.startswith("Trout")} == {"note"}

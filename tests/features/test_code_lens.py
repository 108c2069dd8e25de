from citelsp.bibliography.entry import fingerprint
from citelsp.bibliography.record import Record
from citelsp.features import code_lens
from citelsp.knowledge import Evidence, Knowledge, Traced, Verdict
from citelsp.workspace import cited_claims
from fixture_projects import world

FIXTURE = "%% a.tex\n\\cite{a, b}\n%% r.bib\n@misc{a, title = {A}}\n@misc{b, title = {B}}\n@misc{c, title = {C}}\n"


def summary(path, **verdicts):
    project = world(FIXTURE).project
    learnt = {fingerprint(project.find(key)[0].entry): verdict for key, verdict in verdicts.items()}
    return str(code_lens.find(project, Knowledge(verdicts=learnt), path))


def test_counts_in_the_order_of_the_verdicts():
    known = {"c": Verdict("verified", date="2026-01-01"), "a": Verdict("mismatch", date="2026-02-01")}
    assert summary("r.bib", **known) == "1 verified, 1 mismatch, 1 not yet checked (2026-02-01)"
    assert summary("a.tex", **known) == "1 mismatch, 1 not yet checked (2026-02-01)"


def test_nothing_known_yet():
    assert code_lens.find(world(FIXTURE).project, Knowledge(), "r.bib") is None


def test_no_entries_no_line():
    known = Knowledge(verdicts={"elsewhere": Verdict("verified")})
    assert code_lens.find(world("%% a.tex\nx\n").project, known, "a.tex") is None


def test_each_kind_of_verdict_is_counted_in_its_order_and_nobody_s_date_is_none():
    known = {"a": Verdict("unchecked"), "b": Verdict("retracted"), "c": Verdict("verified")}
    why = "✗ b: This work was retracted or withdrawn"
    assert summary("r.bib", **known) == why
    assert summary("a.tex", b=Verdict("retracted", date="2026-01-01")) == why
    assert str(code_lens.summary(Knowledge(), world(FIXTURE).project.entries())) == "3 not yet checked"


def test_the_gravest_that_is_known_comes_first_with_its_key():
    astray = (Traced("doi", "10.1/x", "nowhere", "crossref"),)
    known = {"a": Verdict("conflict", traced=astray), "c": Verdict("not-found", asked=("crossref",))}
    why = "✗ c (and 1 more): No work with this title and these authors: Crossref lists none"
    assert summary("r.bib", **known) == why
    assert summary("r.bib", a=Verdict("conflict", traced=astray)) == "✗ a: The DOI 10.1/x is not registered"
    found = Verdict("conflict", record=Record("crossref", "1", "A"), traced=astray)
    assert summary("r.bib", a=found) == "✗ a: The DOI 10.1/x is not registered; the work itself exists"
    assert summary("r.bib", a=Verdict("conflict")) == "1 conflict, 2 not yet checked"


def test_of_a_large_bibliography_what_is_cited_counts():
    entries = "".join(f"@misc{{k{it}, title = {{K{it}}}}}\n" for it in range(1001))
    for count, said in ((1000, "1 verified, 999 not yet checked"), (1001, "1 verified")):
        project = world("%% a.tex\n\\cite{k7}\n%% r.bib\n" + "".join(entries.splitlines(True)[:count])).project
        known = Knowledge(verdicts={fingerprint(project.find("k7")[0].entry): Verdict("verified")})
        assert str(code_lens.find(project, known, "r.bib")) == said
    assert str(code_lens.find(project, known, "a.tex")) == "1 verified"
    assert code_lens.find(project, known, "none.bib") is None


def test_citations_with_an_entry_are_counted():
    project = world("%% a.tex\n\\cite{a, nobody} \\cite{a}\n%% r.bib\n@misc{a}\n").project
    assert (code_lens.count_cited(project, "a.tex"), code_lens.count_cited(project, "none.tex")) == (2, 0)


def test_a_single_passage_is_called_one():
    it = world("%% a.tex\nOne \\cite{a}.\n%% r.bib\n@misc{a, title = {A}}\n")
    quotes = (Evidence("x", "1", "corpus"),)
    known = Knowledge(evidence={claim.content: quotes for claim in cited_claims.find_claims(it.project, "a.tex")})
    [lens] = code_lens.evidence(it.project, known, "a.tex")
    assert lens.text == "a: 1 passage, show evidence"


def test_paragraphs_are_parted_by_empty_lines():
    bib = "%% r.bib\n@misc{a, title = {A}}\n@misc{b, title = {B}}\n"
    it = world("%% a.tex\nOne \\cite{a}.\n \t\nTwo \\cite{b},\nand more \\cite{a}.\n" + bib)
    quotes = (Evidence("x", "1", "corpus"), Evidence("y", "1", "corpus"))
    known = Knowledge(evidence={claim.content: quotes for claim in cited_claims.find_claims(it.project, "a.tex")})
    text = it.project.sources["a.tex"].document.text
    lenses = code_lens.evidence(it.project, known, "a.tex")
    found = [(lens.text, lens.span.within(text)) for lens in lenses]
    assert found == [("a: 2 passages, show evidence", "a"), ("Evidence for 2 of 2 citations, show", "b")]
    assert [lens.above for lens in lenses] == [text.index("One"), text.index("Two")]

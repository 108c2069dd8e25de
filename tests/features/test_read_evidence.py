"""Evidence for the citations of a manuscript: a line for each paragraph, and all of it to be read through."""

from citelsp.features import code_lens, read_evidence
from citelsp.knowledge import Evidence, Knowledge
from citelsp.workspace import cited_claims
from fixture_projects import world

FIXTURE = """%% a.tex
Adam is fast \\cite{adam}. It needs memory \\cite{adam, other}.

Nothing is said of this \\cite{other}.
%% r.bib
@misc{adam, title = {Adam}, author = {Kingma, D.}, year = 2014}
@misc{other, title = {Other Matters}}
"""
QUOTE = Evidence("It is fast.", "abstract", "corpus", "supported")


def learnt(it, **by_key):
    known = {
        claim.content: by_key[claim.citation.key]
        for claim in cited_claims.find_claims(it.project)
        if claim.citation.key in by_key
    }
    return Knowledge(evidence=known)


def test_a_paragraph_has_one_line_and_one_without_passages_none():
    it = world(FIXTURE)
    [lens] = code_lens.evidence(it.project, learnt(it, adam=(QUOTE,), other=()), "a.tex")
    assert lens.text == "Evidence for 2 of 3 citations, show"
    text = it.marked.files["a.tex"]
    assert (lens.above, lens.span.within(text)) == (0, "adam")
    wrapped = world(FIXTURE.replace("It needs", "\\section{Speed}\n\nMuch is\nsaid of it.\nIt needs"))
    [_, lens] = code_lens.evidence(wrapped.project, learnt(wrapped, adam=(QUOTE,)), "a.tex")
    assert wrapped.marked.files["a.tex"][lens.above :].startswith("Much is"), "never inside a sentence"
    assert not code_lens.evidence(it.project, learnt(it, other=()), "a.tex")


def test_all_citations_are_told_in_their_order():
    it = world(FIXTURE)
    found = read_evidence.find(it.project, learnt(it, adam=(QUOTE,), other=()), "a.tex")
    lines = found.text.splitlines()
    assert lines[0] == "Evidence for 4 citations in a.tex"
    assert [lines[citation.line] for citation in found.citations] == [
        "1 of 4 · adam · supported",
        "2 of 4 · adam · supported",
        "3 of 4 · other · no passage found",
        "4 of 4 · other · no passage found",
    ]
    text = it.marked.files["a.tex"]
    assert [it.span.within(text) for it in found.citations] == ["adam", "adam", "other", "other"]
    assert lines[2:7] == [
        "1 of 4 · adam · supported",
        "  Adam is fast [adam].",
        "  Kingma 2014: Adam",
        "    “It is fast.” (abstract, your corpus)",
        "",
    ]
    assert {citation.why_none for citation in found.citations} == {""}
    assert "1 of 4 · adam · not looked for yet" in read_evidence.find(it.project, Knowledge(), "a.tex").text


def test_a_sentence_of_which_a_citation_is_a_part_says_where_it_stands():
    it = world(
        "%% a.tex\nIt was found by \\citet{adam} and later by \\citet{eve}.\n%% r.bib\n@misc{adam}\n@misc{eve}\n"
    )
    found = read_evidence.find(it.project, Knowledge(), "a.tex").citations
    assert [it.sentence for it in found] == [
        "It was found by [adam] and later by.",
        "It was found by and later by [eve].",
    ]


def test_passages_without_a_verdict_are_told_apart_from_none():
    it = world(FIXTURE)
    unjudged = Evidence("It is fast.", "abstract", "corpus")
    assert "1 of 4 · adam · not judged" in read_evidence.find(it.project, learnt(it, adam=(unjudged,)), "a.tex").text


def test_each_document_has_the_lines_of_its_own_citations():
    it = world("%% b.tex\nAdam is slow \\cite{adam}.\n" + FIXTURE)
    known = learnt(it, adam=(QUOTE,))
    assert [lens.text for lens in code_lens.evidence(it.project, known, "b.tex")] == ["adam: supported, show evidence"]
    assert read_evidence.find(it.project, known, "b.tex").text.splitlines()[0] == "Evidence for 1 citation in b.tex"


def test_why_no_passage_was_found_stands_in_its_place():
    it = world(FIXTURE)
    why_none = {claim.content: "no text of this work could be read" for claim in cited_claims.find_claims(it.project)}
    found = read_evidence.find(it.project, learnt(it, adam=(QUOTE,), other=()), "a.tex", why_none)
    lines = found.text.splitlines()
    at = lines.index("3 of 4 · other · no passage found")
    assert lines[at + 3] == "    no text of this work could be read"
    assert [citation.why_none for citation in found.citations] == ["", "", *["no text of this work could be read"] * 2]

import pytest

from citelsp import checks
from citelsp.features import code_lens, hover
from citelsp.features.popup_markdown import to_plain
from citelsp.knowledge import Evidence, Knowledge
from citelsp.workspace import cited_claims
from fixture_projects import world

FIXTURE = """%% a.tex
Adam is slow \\cite{ad|am}. It is new \\cite{other}.
%% r.bib
@misc{adam, title = {Adam}}
@misc{other, title = {Other}}
"""


def learnt(verdict, fixture=FIXTURE, quote="It is fast."):
    it = world(fixture)
    [adam, _] = cited_claims.find_claims(it.project)
    return it, Knowledge(evidence={adam.content: (Evidence(quote, "abstract", "corpus", verdict),)})


def found(it, knowledge):
    return [finding for finding in checks.run(it.project, knowledge) if finding.code == "contradicted-claim"]


def test_a_quoted_contradiction_is_reported_as_information():
    it, knowledge = learnt("unsupported")
    [finding] = found(it, knowledge)
    assert (finding.key, finding.severity) == ("adam", "information")
    assert finding.message == "adam seems to say otherwise: “It is fast.” (abstract, corpus)"
    assert finding.span.within(it.project.sources["a.tex"].document.text) == "adam"


def test_nothing_else_is():
    for verdict in ("supported", "partially", "uncertain", None):
        assert not found(*learnt(verdict))
    assert not found(*learnt("unsupported", quote=""))


def test_evidence_follows_the_sentence_and_is_gone_with_it():
    _, knowledge = learnt("unsupported")
    moved = FIXTURE.replace("Adam is slow", "Some words.\n\nAdam is slow")
    assert found(world(moved), knowledge)
    assert not found(world(FIXTURE.replace("slow", "quick")), knowledge)


@pytest.mark.parametrize(
    ("name", "listing"),
    [
        ("a.tex", "\\nocite{other}"),
        ("a.tex", "\\newcites{own}{Own}\\nociteown{other}"),
        ("a.tex", "\\usepackage{apacite}\\masknocite{other}"),
        ("a.org", "[cite/n:@other]"),
        ("a.org", "[cite/nocite:@other]"),
        ("a.typ", "#cite(<other>, form: none)"),
    ],
)
def test_a_work_that_is_only_listed_is_cited_by_no_sentence(name, listing):
    cites = {"a.tex": "\\cite{adam}", "a.org": "[cite:@adam]", "a.typ": "@adam"}[name]
    it = world(f"%% {name}\nAdam is slow {cites}.\n{listing}|\n%% r.bib{FIXTURE.partition('%% r.bib')[2]}")
    assert [claim.citation.key for claim in cited_claims.find_claims(it.project)] == ["adam"]
    assert code_lens.count_cited(it.project, name) == 1


def test_the_hover_and_a_lens_show_it():
    it, knowledge = learnt("supported")
    told = to_plain(hover.find(it.project, knowledge, *it.cursor).blocks)
    assert "“It is fast.”\n\nabstract, your corpus, supported" in told
    [lens] = code_lens.evidence(it.project, knowledge, "a.tex")
    assert lens.text == "Evidence for 1 of 2 citations, show"
    assert code_lens.count_cited(it.project, "a.tex") == 2
    assert code_lens.count_cited(it.project, "r.bib") == 0

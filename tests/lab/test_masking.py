from dataclasses import replace

import pytest

from lab import masking

MAIN = r"""\documentclass{article}
\begin{document}
Attention replaced recurrence in translation \cite{vaswani}.

Glaciers calve in winter \cite[p.~3]{ice}, as seals know \cite{missing}.
\bibliography{refs}
\end{document}
"""
REFS = """@misc{vaswani, author = {Vaswani, Ashish}, title = {Attention Is All You Need}}
@misc{ice, author = {Ice, Ida}, title = {How Glaciers Calve}}
"""


def test_each_citation_of_an_entry_is_masked_and_the_manuscript_stays(tmp_path):
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "refs.bib").write_text(REFS)
    assert masking.manuscript(tmp_path, each=9, fewest=3) is None
    known = masking.manuscript(tmp_path, each=9, fewest=2)
    assert {frozenset(it.keys) for it in known.places} == {frozenset({"vaswani"}), frozenset({"ice"})}
    found = list(masking.outcomes(known))
    assert [it.rank for it in found] == [1, 1]
    assert (tmp_path / "main.tex").read_text() == MAIN
    assert "right entry first: 100.0%" in masking.report(found)
    assert [it.rank for it in masking.outcomes(known, keys=True)] == [1, 1]


@pytest.mark.parametrize(("first_draft", "cited"), [(False, {"harps", "ice"}), (True, {"harps"})])
def test_in_a_first_draft_nothing_is_cited_behind_the_place(tmp_path, first_draft, cited, monkeypatch):
    (tmp_path / "main.tex").write_text(
        r"\documentclass{article}\begin{document}A \cite{harps}. Attention \cite{vaswani}. B \cite{ice}.\input{more}"
        r"\bibliography{refs}\end{document}"
    )
    (tmp_path / "more.tex").write_text(r"C \cite{ice}.")
    (tmp_path / "refs.bib").write_text(REFS + "@misc{harps, title = {Harps}}")
    known = masking.manuscript(tmp_path, each=9, fewest=2)
    [place] = (it for it in known.places if it.keys == {"vaswani"})
    seen, ask = [], masking.gather.gather_locally
    monkeypatch.setattr(masking.gather, "gather_locally", lambda *of: [seen.append(of[2]), ask(*of)][1])
    list(masking.outcomes(replace(known, places=(place,)), first_draft=first_draft))
    assert {it.key for _, it in seen[0].citations()} == cited
    assert len(list(masking.outcomes(known))) == 4  # the texts are as they were


def test_the_command_says_so_if_there_is_nothing_to_mask(tmp_path, capsys):
    masking.main([str(tmp_path)])
    assert "no manuscript" in capsys.readouterr().out

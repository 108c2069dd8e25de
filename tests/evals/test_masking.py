from citelsp.evals import masking

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


def test_the_command_says_so_if_there_is_nothing_to_mask(tmp_path, capsys):
    masking.main([str(tmp_path)])
    assert "no manuscript" in capsys.readouterr().out

import pytest

from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from lab import entries_and_corpus, masking

GLACIERS, ATTENTION = "How Glaciers Calve", "Attention Is All You Need"
WORKS = [
    Work("ice", GLACIERS, "Ice breaks off."),
    *(Work(f"apart{n}", f"Nobody cites this on {subject}") for n, subject in enumerate(("harps", "owls", "mills"))),
]
MAIN = r"""\documentclass{article}
\begin{document}
Attention replaced recurrence in translation \cite{vaswani}.

Glaciers calve in winter \cite{ice}.
\bibliography{refs}
\end{document}
"""
TITLES = {
    "vaswani": ATTENTION,
    "ice": GLACIERS,
    "copy": GLACIERS.upper(),
    **{f"other{n}": f"On the making of things, part {n}" for n in range(12)},
}
ALL_TITLES = set(TITLES.values())
ENTRIES = [f"@misc{{{key}, title = {{{title}}}}}" for key, title in TITLES.items()]


@pytest.fixture
def manuscript(tmp_path):
    (tmp_path / "main.tex").write_text(MAIN, encoding="utf-8")
    (tmp_path / "refs.bib").write_text("\n".join(ENTRIES), encoding="utf-8")
    return masking.manuscript(tmp_path, each=9, fewest=2)


def test_each_place_is_asked_with_its_entry_and_without_it(place, manuscript, monkeypatch):
    asked_of, gather_locally = [], entries_and_corpus.gather.gather_locally

    def gather_and_note(question, corpus, project, libraries):
        if libraries:
            asked_of.append({it.entry.title for it in project.entries()})
        return gather_locally(question, corpus, project, libraries)

    monkeypatch.setattr(entries_and_corpus.gather, "gather_locally", gather_and_note)
    with Corpus(place) as corpus:
        answers = list(entries_and_corpus.ask(manuscript, corpus))
    kinds = [("first draft", "entry gone"), ("first draft", "entry there")]
    kinds += [("whole text", "corpus alone"), ("whole text", "entry gone"), ("whole text", "entry there")]
    assert sorted((it.text, it.works) for it in answers) == sorted(2 * kinds)
    gone = [frozenset(ALL_TITLES - titles) for titles in asked_of]
    assert set(gone) == {frozenset(), frozenset({ATTENTION}), frozenset({GLACIERS, GLACIERS.upper()})}
    assert all(it.is_right for it in answers if it.works == "entry there")
    # The corpus has one of both works, which is right without its entry, too.
    without_entry = [it for it in answers if it.works == "entry gone"]
    assert {(it.in_corpus, any(it.rights)) for it in without_entry} == {(True, True), (False, False)}
    assert (manuscript.folder / "refs.bib").read_text(encoding="utf-8") == "\n".join(ENTRIES)


def test_shares_and_what_is_said_are_printed_by_kind(place, manuscript):
    with Corpus(place) as corpus:
        section = entries_and_corpus.section(list(entries_and_corpus.ask(manuscript, corpus)))
    (table,) = section.tables
    rows = {name: cells for name, *cells in table.rows}
    assert rows["whole text, entry there"][:2] == ["2", "100.0 (100.0..100.0)"]
    assert rows["whole text, both"][0] == "4"
    assert "first draft, corpus alone" not in rows
    assert "50.0%" in section.notes[0]

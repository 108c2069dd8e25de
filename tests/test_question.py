"""What a placeholder asks: its sentence, its clause, its key, and what stands beside it."""

import pytest

from citelsp.base.text import Span
from citelsp.corpus.place_query import Query
from citelsp.workspace import question as questions
from fixture_projects import world


def asked(fixture):
    """The questions of the only document's placeholders."""
    it = world(fixture)
    path = next(iter(it.project.manuscript))
    return [
        questions.placeholder_question(it.project, path, placeholder)
        for placeholder in it.project.sources[path].syntax.placeholders
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (r"One. Two \cite{|} three. Four.", "Two three."),
        (r"One. Two \cite[p.~3]{|", "Two"),
        (r"One. Two \cite{a,|} three.", "Two three."),
        (r"One. Two \parencites{a}{|} three.", "Two three."),
    ],
)
def test_a_place_without_a_placeholder_asks_the_same(text, sentence):
    it = world(f"%% a.tex\n{text}")
    path, offset = it.cursor
    assert questions.place_question(it.project, path, Span(offset, offset)).sentence == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (r"One. Two \cite<> three. Four.", "Two three."),
        (r"As Doe et al. say, e.g. here \cite<>, it is. Next.", "As Doe et al. say, e.g. here, it is."),
        ("Para one\n\n\\emph{Two} \\cite<> \\citep[p.~3]{x} end % note\n\nthree", "Two end"),
        ("\\section{Head}\nText~\\cite<>.", "Text."),
        (r"One. RRF, see Fig. 3, is simple \cite<>.", "RRF, see Fig. 3, is simple."),
        (r"One. Scaling (cf. Eq. 2) is practice \cite<>. Two.", "Scaling (cf. Eq. 2) is practice."),
        (r"It was Smith et al. Transformers are used \cite<>.", "It was Smith et al. Transformers are used."),
        (r"Known \cites[see][3]{knuth84}[and][]{lamport94} it works \cite<>.", "Known it works."),
        ("\\bibliographystyle{plain}\\bibliography{refs}\nOne \\cite<>.", "One."),
        (r"Claim one. \citet<> show that two. Three.", "show that two."),
        (r"Claim one. \cite<> Next two. Three.", "Claim one."),
        ("The bound\n\\begin{equation}\nx = 1\n\\end{equation}\nholds \\cite<> here. So.", "The bound holds here."),
        (r"Erd\H{o}s met Schr\"odinger\footnote{By chance. Once.} \cite<>.", "Erdős met Schrödinger."),
        ("It holds \\cite<>\n\n\\section{Next}\nMore of this.", "It holds"),
    ],
)
def test_the_sentence_around_it(text, sentence):
    [question] = asked(f"%% a.tex\n{text}\n")
    assert question.sentence == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Lists merge [see @x, p. 3; @y] in practice [@<>]. Next.", "Lists merge in practice."),
        ("Retrieval [e.g. @x, pp. 10-12] beats systems [@<>].", "Retrieval beats systems."),
        ("One.\n\n- First item [@a]\n- The *second* has `code` [@<>] too", "The second has code too"),
        ("```\ncode. Code\n```\nProse [@<>].", "Prose."),
        ("As a [link](http://a.b/c.d) says [@<>].^[A note. More.]", "As a link says."),
    ],
)
def test_the_sentence_in_markdown(text, sentence):
    [question] = asked(f"%% a.md\n{text}\n")
    assert question.sentence == sentence


@pytest.mark.parametrize(
    "head",
    [
        "%% main.tex\n\\documentclass{article}\n\\title{On \\emph{Ice}}\n\\date{2020}\n\\begin{document}\n",
        "%% main.md\n---\ntitle: On *Ice*\ndate: 2020\n---\n",
    ],
)
def test_title_and_date_and_nothing_of_a_preamble(head):
    [question] = asked(
        f"{head}Glaciers calve {'[@<in winter>]' if '.md' in head else chr(92) + 'cite<in winter>'} a lot.\n"
    )
    assert (question.before, question.after) == ("Glaciers calve", "a lot.")
    assert (question.title, question.date, question.hint) == ("On Ice", "2020", "in winter")


def test_two_placeholders_in_one_sentence_ask_two_things():
    first, second = asked(
        "%% a.tex\nAttention replaced recurrence \\cite<>, whereas residuals made it deep \\cite<>.\n"
    )
    assert first.sentence == second.sentence and first.key != second.key


@pytest.mark.parametrize(("hint", "beside"), [("", {"ng", "Old Title"}), ("old", set())])
def test_what_the_sentence_cites_is_beside_it_unless_words_say_what_is_meant(hint, beside):
    entry = "%% refs.bib\n@misc{ng, title = {Old Title}}\n@misc{lee, title = {Another}}\n"
    [question] = asked(
        f"%% a.tex\nOld \\cite{{lee}}. This \\cite{{ng}} and that \\cite<{hint}>.\n\\bibliography{{refs}}\n{entry}"
    )
    assert question.beside == beside


def test_a_citation_that_the_author_left_open_in_words_is_none_beside_it():
    [question] = asked(r"""
%% a.tex
It is old \cite{lee}. This [REF] and that \cite<>.
\bibliography{refs}
%% refs.bib
@misc{lee, title = {Another}}
""")
    assert question.beside == set()


def test_an_answer_outlives_an_edit_of_the_next_paragraph_but_not_of_its_sentence():
    [known], [same], [other] = (
        asked(f"%% a.tex\n{text}\n")
        for text in ("It is \\cite<>.\n\nA", "It is \\cite<>.\n\nB", "It was \\cite<>.\n\nA")
    )
    assert known.key == same.key != other.key


@pytest.mark.parametrize("name", ["a.tex", "a.md", "a.org", "a.typ"])
def test_a_paragraph_asks_the_same_before_its_full_stop_is_typed(name):
    """As the placeholder is typed before it: the next paragraph is no part of the sentence."""
    place = {"a.tex": r"\cite<errors>", "a.md": "[@<errors>]", "a.org": "[cite:@<errors>]", "a.typ": "@<errors>"}[name]
    text = f"%% {name}\nSome perceive. Attention weighs errors {place}\n\nBuildings waste energy in winter.\n"
    [before], [after] = asked(text), asked(text.replace(place, f"{place}."))
    assert before.sentence == after.sentence.removesuffix(".") == "Attention weighs errors"
    assert Query(before).clause == Query(after).clause
    assert "energy" not in Query(before).sentence


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        (r"We train networks, namely deep autoencoders \cite<>.", "namely deep autoencoders"),
        (r"We train autoencoders \cite{x} \cite<>.", "We train autoencoders"),
        (r"So. \citet<> train autoencoders, and more.", "train autoencoders"),
        (r"It is (see \citep{x}; \cite<>) good.", "see"),
    ],
)
def test_the_clause_that_the_citation_stands_behind(text, clause):
    [question] = asked(f"%% a.tex\n{text}\n")
    assert Query(question).clause.strip() == clause


def test_words_are_never_cut():
    [question] = asked(f"%% a.tex\n{'calibration ' * 400}\\cite<> {'networks ' * 400}\n")
    words = f"{question.before} {question.after} {Query(question).sentence} {Query(question).window}".split()
    assert set(words) == {"calibration", "networks"}


def test_a_text_that_stands_alone():
    question = questions.read_marked(r"Rates of 5% are \emph{usual} [REF]. They fell \cite{x} to 3% \cite<> since.")
    assert (question.before, question.after) == ("Rates of 5% are usual [REF]. They fell [REF] to 3%", "since.")


def test_what_the_manuscript_cites_stands_nearest_first():
    [question] = asked(r"""
%% main.tex
\cite{far} Some words. \cite{near} \cite<>. Then \cite{behind, far, undefined} \input{part} \bibliography{refs}
%% part.tex
\cite{elsewhere}
%% refs.bib
@book{far, title = {Far}}
@book{near, title = {Near}}
@book{behind, title = {Behind}}
@book{elsewhere, title = {Elsewhere}}
@book{uncited, title = {Uncited}}
""")
    assert question.cites == ("Near", "Behind", "Far", "Elsewhere")

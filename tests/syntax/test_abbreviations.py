"""What abbreviations stand for, where they are printed, and what they cite."""

import pytest

from citelsp.base import bounds
from citelsp.base.text import Document, Span
from citelsp.syntax.languages.latex import abbreviations
from citelsp.syntax.languages.latex.parsing import parse
from citelsp.workspace import question as questions
from fixture_projects import world


def acronyms(text):
    return dict(parse(Document("a.tex", text, "latex")).acronyms)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"\newacronym{k}{VAE}{variational autoencoder}", "variational autoencoder (VAE)"),
        (r"\newacronym[plural=VAEs]{ k } {VAE} {variational" "\n  autoencoder}", "variational autoencoder (VAE)"),
        (r"\newabbreviation{k}{VAE}{variational autoencoder}", "variational autoencoder (VAE)"),
        (r"\acro{k}{variational autoencoder}", "variational autoencoder (k)"),
        (r"\acrodef{k}[VAE]{variational autoencoder}", "variational autoencoder (VAE)"),
        (r"\newacro{k}[VAE]{variational autoencoder}", "variational autoencoder (VAE)"),
        (r"\DeclareAcronym{k}{short = VAE, long = {variational, autoencoder}}", "variational, autoencoder (VAE)"),
        (r"\DeclareAcronym{k}{long=encoder}", "encoder"),
        (r"\newglossaryentry{k}{name={latent space}, description={where, long = ago}}", "latent space"),
        (r"\newglossaryentry{k}{name=VAE, long=encoder, short=V}", "encoder (V)"),
        (r"\longnewglossaryentry{k}{name=space}{A text.}", "space"),
        (r"\newacronym{k}{}{encoder}", "encoder"),
        ("\\DeclareAcronym{k}{short = AB\\\n, long = alpha}", "alpha (AB)"),
        (r"\newacronym{k}{VAE}{encoder}\newacronym{k}{other}{one}", "encoder (VAE)"),
        (r"\acro{k}{" + "a" * 196 + "}", "a" * 196 + " (k)"),
    ],
)  # fmt: skip
def test_what_an_abbreviation_stands_for(text, words):
    assert acronyms(text) == {"k": words}


@pytest.mark.parametrize(
    "text",
    [
        r"\newacronym{k",
        r"\newacronym{k}{}{}",
        r"\DeclareAcronym{k}{tag = x}",
        r"\DeclareAcronym{k}",
        r"\acro",
        r"% \newacronym{k}{VAE}{encoder}",
        r"\begin{verbatim}\acro{k}{encoder}\end{verbatim}",
        r"\acro{k}{" + "a" * 197 + "}",
    ],
)
def test_what_defines_no_abbreviation(text):
    assert acronyms(text) == {}


def test_so_many_abbreviations_are_read(monkeypatch):
    monkeypatch.setattr(bounds, "ACRONYMS", 2)
    assert list(acronyms(r"\acro{a}{x}\acro{b}{x}\acro{c}{x}")) == ["a", "b"]


@pytest.mark.parametrize(
    "command",
    """gls Gls GLS glspl Glspl glstext glsfirst glsname glsplural glsentryshort glsentrylong glsentryname glsshort
    glsxtrshort glsxtrlongpl Glsxtrfull acrshort Acrlong acrfullpl ac Ac acs acl acf acp acsp aclp acfp iac Iac acfi
    acsu ac* gls[hyper=false]""".split(),
)
def test_where_one_is_printed(command):
    text = rf"A \{command}{{k}}s and \{command}{{other}}."
    [(span, words)] = abbreviations.uses(text, Span(0, len(text)), {"k": "words"})
    assert (span.within(text), words) == (rf"\{command}{{k}}", "words")


@pytest.mark.parametrize(
    "command", ["glsadd{k}", "acro{k}", "glspath{k}", "gls k", "acc{k}", "glsxtr{k}", "gls{}", "gls{a\nk}"]
)
def test_where_none_is_printed(command):
    text = f"\\{command}"
    assert not list(abbreviations.uses(text, Span(0, len(text)), {"k": "words", "": "no"}))


_PROJECT = r"""
%% main.tex
\documentclass{book}
\loadglsentries[main]{terms}
\begin{document}
\input{one}
\end{document}
%% one.tex
One. A \gls{vae} % \gls{vae}
learns\footnote{So \gls{vae}.} \cite<>. Two \ac{x}.
%% terms.tex
\newacronym{vae}{\textsc{vae}}{variational\\autoencoder}
"""


def test_a_question_has_the_words_that_an_abbreviation_of_another_file_stands_for():
    project = world(_PROJECT).project
    path = next(it for it in project.manuscript if it.endswith("one.tex"))
    [placeholder] = project.sources[path].syntax.placeholders
    assert (
        questions.placeholder_question(project, path, placeholder).sentence == "A variational autoencoder (vae) learns."
    )


def test_acronyms_cite_in_their_properties():
    text = r"""\DeclareAcronym{nato}{short = {a, cite = {no}}, % cite = no
  cite = [see][p. 3]{a, b}, long = \cite{c}}
\DeclareAcronym{eu} { cite=d }\DeclareAcronym{un}{short=x,cite= }
\DeclareAcronym{q}{short = x

, cite = no}"""
    syntax = parse(Document("a.tex", text, "latex"))
    assert [it.key for it in syntax.citations] == ["a", "b", "c", "d"]
    assert [it.span.within(text) for it in syntax.arguments] == ["a", " b", "c", "d", ""]


def test_what_is_cited_comes_in_its_order():
    text = r"\DeclareAcronym{n}{short = \cite{x}, cite = {z, a}, long = \cite{y}} \cite{b}"
    syntax = parse(Document("a.tex", text, "latex"))
    assert [it.key for it in syntax.citations] == [it.span.within(text).strip() for it in syntax.arguments]
    assert [it.key for it in syntax.citations] == ["x", "z", "a", "y", "b"]


def test_placeholders_come_in_their_order():
    text = r"\DeclareAcronym{n}{long = \cite{?x}, cite = {?z}, short = \cite{?y}}"
    syntax = parse(Document("a.tex", text, "latex"))
    assert [it.words for it in syntax.placeholders] == ["x", "z", "y"]

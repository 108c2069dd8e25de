"""What nobody would write: every sign that opens something, again and again, in each language that is read."""

import random

from citelsp.base.text import Document
from citelsp.syntax import languages

PIECES = {
    "latex": r"""\cite[|\cite{|\cite<|\cite{a}|\cite{a, |\cite<a> |\textcites(|\textcites(a)[b]{c}|\volcite{|\cite{a,*b,
|\iffalse |\iffalse\x |\if0 |\if0\x |\fi |\else |\input{|\input{a}|\import{|\include{|\bibliography{|\bibliography{a}|
\bibliography{a,|\addbibresource{|\addbibresource[|\newcommand{\a}[1]{|\newcommand{\a}{\cite{b}}|\def\a#1{|\def\a|
\section{|\section{a}|\section{\thanks{|\bibitem{|\bibitem[|\bibitem{a} |\bib{|\documentclass[|\documentclass{a}|
\begin{lstlisting}[|\begin{lstlisting}|\newminted{|\lstinline{|\lstinline|\verb|\begin{verbatim}|\begin{comment}|
\end{comment}|\begin{a}|\end{a}|\begin{document}|\begin{filecontents}{a.bib}|50\%\cite{a}|%\url{a}%\cite{a}|
\DeclareCiteCommand{\a}[|\title{\x}|\title{|\url{|\href{|$|$$|\[|\(|\]|{|}|[|]|%|%a¶|\\|\acro{|\ac{a}|
\newacronym{a}{|\usepackage[|\usepackage{a}|\ifx|\ref{|\label{a}|\footnote{|\begin{thebibliography}{|\item |\citetext{
|\nocite{*}|\nocite{|\defcitealias{|\'e|\"{|``|''|~|a. |A. B. |. |et al. |\emph{|\RequirePackage{|\newenvironment{a}{
|\expandafter|\endinput|<<a>>=|@|% citelsp: ignore[x]¶|%! TEX root=a¶|\cite{?|\cite{?a} |\cite<a\cite{b}|
\fullcite{a}|\footfullcite[see][]{a}|{\bibliography{~a}|\begin{filecontents}{a""",
    "markdown": r"""[@<|@a{|-@|@{|<!--|<!-- -->|[@?|[@a|[@a]|[@a; |@a |@a [|@a [p. 3] |@{a} |@<a> |[@<a>]|$$|$|$a$ |`|
```|```¶|```r¶|~~~ |`a` |<style>|<script>|<a |<a b="|{{<|{{< include a >}}|*_*_*_*_*_*_@|@a{}{|*|_|**a |__a |*@a|
\begin{a}¶|see http://a/@b, @c |a¶¶    x @a¶|# a¶|#|a¶===¶|a¶---¶|---¶|¶---¶a:¶|[|]|](|]: |[a](|[a]: b "|[^|[^a]: |
^[|(@a) |(@|> |- |1. |    |:::|::: {|\cite{a}|\cite{|\|{|}|{a="|&amp;|nocite: @a¶|<!-- citelsp: ignore[x] --> |
a. |A. B. |www.|mailto:|<http://|@fig-a |![](|[a][|@@|@*|~a~|\@|...@a|a@b |word @k and |{cite}`|{cite}`a` |""",
    "bibtex": r"""@a{|@a(|@a(k, |@a{k, t = {|@a{k, t = "|@a(k, {|@comment{|@comment|{|}|@|"|#|@a{k, a=%¶|
@a{k, t = {x}} |@a{k, t = {x}}¶|@a{k, t = x # |@a{k, crossref={k}}|@a{k, ids={a,|,|@string{a = "|@string{a = b}|
@preamble{|@a{k, author = {a and |@a{k, author={,|@a{k,,|@a{k,a=1,a=1,|%|% citelsp: ignore[x]¶|=|
@article{k, title={{|@article{k, title={\|$|\|@a{k¶|@book{k, title={A}, year=2000} |@book{k,title={A},isbn={|a |
@a{k, file={a:b:c;|@a{k, url={http://""",
    "csl-json": r"""[|{|{"a":|"|[{"id":"a"},|{"id":"a","author":[{|,|:|\|[{"id":"a","title":"|{"id":"a"}|[]|{}""",
    "csl-yaml": r"""-|- |- id: a¶|- id: a¶  author:¶  - family: |a:¶|a: |? |{|[|"|'|&a |*a |!|> |#|---¶|
<<: *a¶|- &a¶|references:¶|{a: |[a, """,
    "ris": r"""TY  - JOUR¶|ER  - ¶|AU  - A, B¶|A|TY  - |TY  - JOUR¶AU  - a¶ER  - ¶|KW  - a¶|TI  - a¶""",
    "endnote": r"""<|<xml>|<records>|<record>|<record><titles><title>|</record>|<!--|<![CDATA[|<?|&amp;|&|<a b="|
<record></record>|<style>""",
    "org": r"""[cite:@a;|[cite:@a]|[cite:|[cite/t:@|cite:a |cite:&a;|cite:|[[cite:a][|[[|[[a][b]]|#+bibliography: a¶|
#+begin_src¶|#+begin_|#+begin_src a¶#+end_src¶|#+title: a¶|* a¶|*|** |:a: b¶|:PROPERTIES:¶|:END:¶|~|=|=a= |~a~ |/a |+|_|
# a¶|#+cite_export: |[fn:|[fn:a]|[fn::|- |@|@a |[@|$|$a$ |\cite{|\cite{a}|<|<<|<<a>>|{{{|{{{a(|#+print_bibliography:¶|
#+include: a¶|#+macro: a |[cite:@?|[cite:@<a>]|¶|a |. |src_a{|\begin{a}¶|%%(|| |""",
    "typst": r"""@|@a |@a[|@a[b] |@<a> |@<|@?[|@a:|@a.|#cite(<a>) |#cite(|#cite(<a>, form: |#cite(label("a")) |#[|#{|#(|
[|{|(|]|}|)|$|$a$ |`|```|```typ¶|```¶|//|// citelsp: ignore[x]¶|/*|/* */|*/|<a>|<|"|#"|\|\|#let x = |#let x(|#set |
#show: |#import "|#import "a.typ"¶|#include "a.typ"¶|#include "|#bibliography("|#bibliography("a.bib")¶|'|http://a|
#bibliography(("a", |#a(|#a(b: [|#a.b(|#if a {|#if a [|#for a in b [|= a¶|=|- |+ |/ a: |a |¶|_|*|**|~|---|http://a/@b |
#footnote[|#footnote[@a] |= a <b>¶|#raw("|#link("a")[|#gls("a")|#context |#quote(attribution: <a>)[|:|::|
document(title: [""",
    "notebook": r"""{"cell_type": "markdown", "source": ["[@a]\n"]},|{"cell_type": "markdown", "source": "@a"},|{},|[|{|
{"cell_type": "code", "source": []},|{"cell_type": "raw", "source": "---\na: b\n---"},|{"source": "|{"source": ["|"|\|
{"|{"cell_type": "markdown", "source": ["|{"cell_type": "markdown", "metadata": {|{"cell_type":|"a", |a|\"|]|}|,|\n|
{"cell_type": "markdown", "source": "\u00e9\n\"@a\""},|{"cell_type": "markdown", "source": "```"},|1,|{"a": "b"},|
{"cell_type": "markdown", "source": "(@a) b @a"},|{"cell_type": "markdown", "source": "# a"},|
{"cell_type": "markdown", "source": "<!-- citelsp: ignore -->"},|{"cell_type": "markdown", "source": "@doi:10.1/a"},""",
    # Of a language that has no row of its own: what opens something in some language or other.
    "": r"""(|[|{|<|"|'|`|$|@|@a |#|#a(|//|/*|/* */|\|\a{|:|::|- |* |=|= a¶|_|~|---¶|¶|a |<!--|```¶|[cite:@a;|[cite:|
cite:a |#cite(<|<a> |#bibliography("|#import "|{cite}`|{"cells": [|"|[|#+begin_src¶|#+bibliography: a¶|:a: b¶|[[a][""",
}  # fmt: skip
MANUSCRIPTS = {
    "latex": "\\documentclass{article}\n\\addbibresource{refs.bib}\n\\begin{document}\n",
    "markdown": "---\nbibliography: refs.bib\n---\n\n",
    "notebook": '{"cells": [',
}
LIBRARIES = tuple(it.name for it in languages.ALL if it.bibliography)
LANGUAGES = tuple(it.name for it in languages.ALL)


def pieces(language: str) -> list[str]:
    written = PIECES.get(language, PIECES[""]).replace("\n", "").split("|")
    return list(dict.fromkeys(it.replace("¶", "\n") for it in written if it))


def document(language: str, piece: str, length: int) -> Document:
    """One piece, so often that the text has about this length."""
    return Document(f"it.{language}", MANUSCRIPTS.get(language, "") + piece * (length // len(piece)), language)


def mixed(language: str, dice: random.Random, length: int) -> str:
    """Pieces in any order, some of them many times."""
    known, written = pieces(language), MANUSCRIPTS.get(language, "") if dice.random() < 0.7 else ""
    while len(written) < length:
        written += dice.choice(known) * dice.choice((1, 1, 1, 2, 30, 300))
    return written

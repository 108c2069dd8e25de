"""Texts that nobody would write: ten times as much of one takes about ten times the work, and never very much more.

What is measured is CPU time, tried again where the machine was busy.
"""

import gc
import time

import pytest

from citelsp.base.text import Document
from citelsp.syntax import parse

LENGTHS = (20_000, 4_000)  # characters; a tenth of the large text.  What takes long is measured in the shorter
LONG = 0.04  # seconds
STEEPEST = 20.0  # times the work of a tenth of the text; 100 if it grew by the square, 10 if caches were boundless
HARDEST = 300.0  # times the work of an ordinary text of that length
SHORT = 0.02  # seconds in which a large text shows nothing
TRIES = 6

ORDINARY = {
    "latex": "\\section{A title}\nSome ordinary words, as everybody knows \\parencite[p.~3]{key2020}, and more.\n\n",
    "markdown": "# A title\n\nSome ordinary words, as everybody knows [see @key2020, p. 3], and `code`.\n\n",
    "bibtex": "@article{key2020,\n  title = {A title},\n  author = {Knuth, Donald},\n  year = {2020},\n}\n\n",
}
OPENERS = [
    *(
        ("latex", it)
        for it in r"""
        \cite[  \cite{  \cite<  \textcites(  \volcite{  \cite{a,*b,  \iffalse\x  \if0\x  \input{  \import{
        \bibliography{  \newcommand{\a}[1]{  \def\a#1{  \section{  \section{\thanks{  \bibitem{  \bibitem[  \bib{
        \documentclass[  \begin{lstlisting}[  \newminted{  \lstinline{  \begin{verbatim}  \begin{comment}
        \begin{filecontents}{a.bib}  50\%\cite{a}  %\url{a}%\cite{a}  \DeclareCiteCommand{\a}[  \title{\x}
        """.split()
    ),
    ("latex", "% citelsp: ignore[x]\n"),
    *(("markdown", it) for it in "[@< @a{ -@ @{ <!-- [@? $$ ` ``` <style> {{< *_*_*_*_*_*_@ @a{}{".split()),
    *(("markdown", it) for it in ("```r\n", "~~~ ", "`a` ", "\\begin{a}\n", "see http://a/@b, @c ", "a\n\n    x @a\n")),
    ("markdown", "<!-- citelsp: ignore[x] --> "),
    *(("bibtex", it) for it in ("@a{", "@a(", "@a{k, t = {", '@a{k, t = "', "@a(k, {", "@comment{", "{", "@")),
    *(("bibtex", it) for it in ("@a{k, a=%\n", "@a{k, t = {x}} ")),
]  # fmt: skip


def repeated(piece, length):
    return piece * (length // len(piece))


def seconds(work, *given):
    """CPU time of this thread."""
    began = time.thread_time()
    work(*given)
    return time.thread_time() - began


def grows(work, make):
    """Why the work grows faster than what `make` makes of a length; "" where it does not."""
    length = LENGTHS[seconds(work, make(LENGTHS[0])) > LONG]
    gc.disable()
    try:
        for _ in range(TRIES):
            small, large = seconds(work, make(length)), seconds(work, make(10 * length))
            if large <= max(STEEPEST * small, SHORT):
                return ""
    finally:
        gc.enable()
    return f"{small:.3f} s for {length} characters, {large:.3f} s for ten times as many"


def compared(work, ordinary, other):
    """How many times the work for an ordinary text another of its length takes, at best."""
    return min(seconds(work, other) / seconds(work, ordinary) for _ in range(2))


@pytest.mark.parametrize(("language", "opener"), OPENERS)
def test_what_is_opened_again_and_again_is_read_in_proportion(language, opener):
    def read(text):
        parse(Document("a", text, language))

    assert not grows(read, lambda length: repeated(opener, length))
    ordinary, hard = (repeated(it, LENGTHS[1]) for it in (ORDINARY[language], opener))
    assert compared(read, ordinary, hard) <= HARDEST

"""Org manuscripts, as Org 9.5, org-ref and pandoc read their citations."""

import time

import pytest

from citelsp.base.text import Document
from citelsp.syntax import parse
from fixture_projects import project_of


def parsed(text):
    return parse(Document("a.org", text, "org"))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("[cite:@a] [cite/t:see @b p. 3; @c] [cite/na/b:pre;@d suf [in] ;@e; post]", ["a", "b", "c", "d", "e"]),
        ("[cite:@a:x/y_1.2-b] [cite:@b, p. 3] [cite:@c\np. 4]", ["a:x/y_1.2-b", "b", "c"]),
        ("[cite:@] [cite:@a\n\n] me@x.org [@no]", []),
        ("cite:a,b. citep:c (citet:d) [[cite:see &e p. 3;and &f]] cite:&g;&h [[citep:i]]", list("abcdefghi")),
        (
            "[[cite:KLL+97][KLL+97]] cite:B+12,C+13. [[cite: A:b , c!d][x]] citep:&D+14;&E",
            ["KLL+97", "B+12", "C+13", "A:b", "c!d", "D+14", "E"],
        ),
        (
            "parencite:a autocite:b,c Citep:d citealp*:e [[footcite:see &f p. 3]] [[textcites:g][x]] nocite:h",
            list("abcdefgh"),
        ),
        ("recite:no excites:no 1cite:no cité:no cite-x:no mycitet:no", []),
        ("precite:a \\cite:a https://x.org/cite:a", []),
        ("\\cite{a} and \\citep[p. 3]{b,c}", ["a", "b", "c"]),
        ("# [cite:@no]\n: [cite:@no]\n#+title: [cite:@a]\n#+author: [cite:@no]\n#+caption: By [cite:@b]", ["a", "b"]),
        ("#+begin_src org\n[cite:@no]\n#+end_src\n#+BEGIN_QUOTE\n[cite:@a]\n#+END_QUOTE", ["a"]),
        ("#+begin_example\n[cite:@a] is never closed", ["a"]),
        ("=[cite:@no]= ~[cite:@no]~, a=[cite:@a] 2=b [cite:@c]=d", ["a", "c"]),
        (":PROPERTIES:\n:ROAM_REFS: [cite:@no]\n:END:\n[cite:@a]", ["a"]),
        ("* COMMENT x\n[cite:@no]\n** y\n[cite:@no]\n* z\n[cite:@a]\n* w :x:noexport:\n[cite:@no]", ["a"]),
        ("=[cite:@no]= x\n\n=[cite:@a]\n\n=", ["a"]),
        ("* COMMENT x\n#+begin_src\n[cite:@no]\n#+end_src\n* y\n[cite:@a]", ["a"]),
        ("#+begin_export latex\n\\cite{a} % \\cite{no}\n[cite:@no]\n#+end_export\n#+latex: \\nocite{b}", ["a", "b"]),
        ("#+begin_export html\n\\cite{no}\n#+end_export\n#+latex_header: \\nocite{a}", ["a"]),
        ("* COMMENT x\n#+latex: \\cite{no}\n* y\n#+latex: \\cite{a}\n* z :noexport:\n#+latex: \\cite{no}", ["a"]),
        ("| [cite:@a] | b |\n- x :: [cite:@b] [fn:1] [fn:: [cite:@c]]", ["a", "b", "c"]),
    ],
)
def test_citations(text, keys):
    assert [it.key for it in parsed(text).citations] == keys


def test_all_entries_and_names_in_the_sentence():
    found = parsed("[cite/n:@*] [cite/t:@a] [cite:@b] citet:c citep:d")
    assert found.cites_all and [it.key for it in found.citations if it.narrative] == ["a", "c"]
    for written in ("nocite:* ", "[[nocite:*][all]]"):
        found = parsed(f"{written} nocite:a")
        assert found.cites_all and [it.key for it in found.citations] == ["a"]
    assert not parsed("=nocite:*= xnocite:* nocite:a").cites_all


def test_files_that_are_named():
    text = """#+title: On
#+title: Org
#+bibliography: refs.bib
#+bibliography: "my refs.json"
#+include: "part.org::*Head" :lines "1-3"
#+include: "x.py" src python
#+setupfile: setup.org
bibliography:a.bib,b.bib
"""
    found = parsed(text)
    assert [(it.kind, it.target) for it in found.links] == [
        ("bibliography", "refs.bib"),
        ("bibliography", "my refs.json"),
        ("part", "part.org"),
        ("part", "setup.org"),
        ("bibliography", "a.bib"),
        ("bibliography", "b.bib"),
    ]
    assert found.title == "On Org" and found.is_root


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        ("#+bibliography: a.bib", "pandoc"),
        ("bibliography:a.bib", ""),
        ("\\bibliography{a}", ""),
        ("#+latex_header: \\addbibresource{a.bib}", ""),
    ],
)
def test_bibliographies_that_are_named_for_latex_are_not_read_by_pandoc(text, reader):
    assert project_of({"a.org": text, "a.bib": ""}).reader == reader


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        ("\\bibliographystyle{ieeetr}\n\\bibliography{a}\n", "bibtex"),
        ("bibliographystyle:unsrt\nbibliography:a.bib\n", "bibtex"),
        ("# \\bibliographystyle{ieeetr}\n\\bibliography{a}\n", ""),
        ("#+latex_header: \\usepackage{biblatex}\n\\bibliographystyle{ieeetr}\n\\bibliography{a}\n", ""),
        ("\\bibliographystyle{ieeetr}\n", "pandoc"),
    ],
)
def test_a_style_of_bibtex_tells_who_reads(text, reader):
    assert project_of({"a.org": text, "a.bib": ""}).reader == reader


def test_what_is_being_typed():
    found = parsed("[cite:@<some words>; @?others] [cite/t:@ke\n[cite:@a;@")
    assert [(it.words, it.closed) for it in found.placeholders] == [("some words", True), ("others", True)]
    text = found.ground.text
    assert [it.span.within(text) for it in found.arguments] == ["some words", "?others", "ke", "a", ""]


@pytest.mark.parametrize("part", ["[cite:@", "[cite:@\n", " =a", "#+begin_src\n#+end_quote\n", "* a :noexport:x:"])
def test_time_grows_with_length(part):
    start = time.process_time()
    parsed(part * (300_000 // len(part)))
    assert time.process_time() - start < 1


def test_an_and_sign_alone_is_no_key_of_org_ref():
    assert not parsed("[[cite:&]] [[cite:see &]]").citations


def test_a_link_of_org_ref_is_whole_with_its_brackets_and_its_note():
    text = "[[cite:a][p. 3]] cite:b [[cite:&c]]"
    assert [it.whole.within(text) for it in parsed(text).citations] == ["[[cite:a][p. 3]]", "cite:b", "[[cite:&c]]"]


def test_each_thing_has_its_place():
    text = "#+date: 2020\n#+date: no\n\\nocite{z} [cite/t:see @a p. 3; @b] [[cite:see &c;&d]] citep:e,f [cite:@g\n"
    text += "* H :x:\n** I\n"
    found = parsed(text)
    assert [it.span.within(text) for it in found.citations] == [it.key for it in found.citations] == list("zabcdef")
    assert [it.whole.within(text) for it in found.citations] == [
        r"\nocite{z}", *["[cite/t:see @a p. 3; @b]"] * 2, *["[[cite:see &c;&d]]"] * 2, *["citep:e,f"] * 2
    ]  # fmt: skip
    assert [it.command for it in found.citations] == ["nocite", "cite/t", "cite/t", "cite", "cite", "citep", "citep"]
    assert [it.span.within(text) for it in found.arguments] == list("zabcdefg")
    assert [(it.title, it.level, it.span.within(text)) for it in found.headings] == [
        ("H :x:", 1, "* H :x:"), ("I", 2, "** I")
    ]  # fmt: skip
    assert found.date == "2020" and not found.is_root


@pytest.mark.parametrize(
    ("text", "words", "replaced", "whole", "closed"),
    [
        ("x [cite:@<a  b>] y", "a b", "@<a  b>", "[cite:@<a  b>]", True),
        ("[cite/t:see @?a b ;@c]", "a b", "@?a b", "[cite/t:see @?a b ;@c]", True),
        ("[cite:@<a b\nc", "a b", "@<a b", "[cite:@<a b", False),
        ("[cite:@?a b\n\nc]", "a b", "@?a b", "[cite:@?a b", False),
        ("[cite:@<a b]", "a b", "@<a b", "[cite:@<a b]", False),
    ],
)
def test_placeholders(text, words, replaced, whole, closed):
    [found] = parsed(text).placeholders
    assert (found.words, found.span.within(text), found.whole.within(text)) == (words, replaced, whole)
    assert (found.closed, found.before, found.after) == (closed, "@", "")


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ('#+BIBLIOGRAPHY: "a b.bib" x', [("bibliography", "a b.bib")]),
        ("#+bibliography: my a.bib :x y", [("bibliography", "my a.bib")]),
        ('#+include: "a.org::x" :lines 5', [("part", "a.org")]),
        ("  #+INCLUDE: a.org \t", [("part", "a.org")]),
        ("#+include: a.py src", []),
        ("# #+include: a.org", []),
        ("#+BIBLIOGRAPHY: lib/refs alpha limit:t", [("bibliography", "lib/refs")]),
        ("#+BIBLIOGRAPHY: refs plain option:--style foo.bst", [("bibliography", "refs")]),
        ("#+bibliography: my own.bib", [("bibliography", "my own.bib")]),
        ("#+bibliography: ../my own.bib", [("bibliography", "../my own.bib")]),
        ("x\n\n\\bibliography{a, b}\n=\\bibliography{no}= 5 % \\bibliography{c}",
         [("bibliography", it) for it in "abc"]),
        ("#+latex: 5 \\% \\bibliography{a} % \\bibliography{no}", [("bibliography", "a")]),
        ("* P :noexport:\n#+LaTeX_HEADER: \\addbibresource[x=y]{a.bib}\n\\bibliography{no}",
         [("bibliography", "a.bib")]),
        ("#+begin_export latex\n\\bibliography{a}\n#+end_export\n#+latex: \\bibliography{b}",
         [("bibliography", it) for it in "ab"]),
        ("#+begin_src latex\n\\bibliography{a}\n#+end_src\n#+begin_export html\n\\bibliography{a}\n#+end_export", []),
        ("#+begin_latex\n%\\bibliography{no}\n\\bibliography{a}\n#+end_latex", [("bibliography", "a")]),
        ("#+begin_src\n#+include: a.org\nbibliography:b.bib\n#+end_src", []),
        ("[[bibliography:a.bib,b.bib]] no-bibliography:no addbibresource:d", [("bibliography", it) for it in
         ("a.bib", "b.bib", "d")]),
    ],
)  # fmt: skip
def test_files_and_their_places(text, links):
    found = parsed(text).links
    assert [(it.kind, it.target) for it in found] == links
    assert all(it.span.within(text) == it.target for it in found)

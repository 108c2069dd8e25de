"""What is left of a manuscript if only the lines count that name files or a main document."""

import json
from time import process_time

import pytest

from citelsp.base.text import Document, Span
from citelsp.syntax import bounded_parse, languages, parse


def skimmed(language, text, path="a"):
    document = Document(path, text, language)
    return languages.language_of(document).manuscript.skim(document)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "% !TeX root = m.tex\nA \\input{a} b\nc\n\\include{d}",
            ["% !TeX root = m.tex", "\\input{a} b", "\\include{d}"],
        ),
        ("\\% \\input{a}\n% \\input{no}\nx % y \\input{no} \\input{no}\n\\input{b}", ["\\input{a}", "\\input{b}"]),
        ("\\inputenc{x}\\begin {document}\\addbibresource [x] {a}", ["\\begin {document}", "\\addbibresource [x] {a}"]),
        (f"{'x' * 2000}\n% !TeX root = far.tex", []),
        ("%include a.lhs", []),
        ("\\input{a}\n\nx\n", ["\\input{a}"]),
        ("\\begin{refsection}[a.bib] x\n\\begin{refsection}\n\\bibliographystyle{b}", ["\\begin{refsection}[a.bib]"]),
        ("A \\documentstyle[x]{article} b\nc", ["\\documentstyle[x]{article} b"]),
        ("\\url{a%20b} \\input{a}\n\\\\% \\input{no}", ["\\input{a}"]),
        ("a \\input% x\n  % y\n {a} b\nc", ["\\input% x\n  % y\n {a} b"]),
        ("\\addbibresource[x]%\n%\n{a}\nb", ["\\addbibresource[x]%\n%\n{a}"]),
        (
            "\\verb|%| \\input{a}\n\\lstinline[x]{%}\\input{b}\n\\mintinline{c}+%+ \\input{c} % \\input{d}\n"
            "\\verb*!%!%\\input{no}",
            ["\\input{a}", "\\input{b}", "\\input{c} % \\input{d}"],
        ),
        ("\\newcites{x}{X}\n\\bibliographyx{a}", ["\\newcites{x}{X}", "\\bibliographyx{a}"]),
    ],
)
def test_lines_of_latex(text, lines):
    assert skimmed("latex", text) == "\n".join(lines)


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("markdown", "---\ntitle: T\n---\nA @b\n{{< include a >}}\nc\n", "---\ntitle: T\n---\n\n\n{{< include a >}}"),
        ("markdown", "A\n\n---\nx: y\n---\n```{r child='b'}\n```", "---\nx: y\n---\n\n\n```{r child='b'}\n```"),
        (
            "markdown",
            "A\n- ```{include} a.md\n  ```\nb ```{include}```\n",
            "```{include} a.md\n```\n\nb ```{include}```",
        ),
        ("org", "#+title: T\nA\n  #+INCLUDE: b\nx bibliography:c y", "#+title: T\n  #+INCLUDE: b\nx bibliography:c y"),
        ("notebook", "---\nx: y\n---\nno", "---\nx: y\n---\n"),
        ("notebook", json.dumps({"cells": [{"cell_type": "raw", "source": "---\nx: y\n---\nno"}]}), "---\nx: y\n---\n"),
        ("notebook", json.dumps({"cells": [{"cell_type": "markdown", "source": "no"}]}), ""),
    ],
)
def test_lines_of_others(language, text, left):
    assert skimmed(language, text) == left


def test_literate_haskell_names_parts_of_its_own():
    assert skimmed("latex", "%include a.lhs\n\\input{b}", "a.lhs") == "%include a.lhs\n\\input{b}"


@pytest.mark.parametrize(
    ("language", "text", "keys", "openers"),
    [
        ("latex", r"\cite[p.]{a, b c} \textcite*{d} x\cite{e,} \Cite{} \cite{\f}", ["a", "b c", "d", "e"], "{{{{"),
        ("markdown", "[@a; @b/c] me@x @d. \\@no", ["a", "b/c", "d"], "@@@"),
        ("typst", "@a. #cite(<b>) \\@no", ["a", "b"], "@@"),
        ("org", "[cite:@a;@b] @no@", ["a", "b", "no"], "@@@"),
        ("csl-yaml", "@no", [], ""),
    ],
)
def test_what_looks_like_keys_if_there_is_no_time(language, text, keys, openers):
    found = bounded_parse.read(Document("a", text, language), (), "time")
    assert [it.span.within(text) for it in found.citations] == [it.key for it in found.citations] == keys
    assert [it.span for it in found.arguments] == [it.span for it in found.citations]
    assert "".join(it.opener for it in found.arguments) == openers
    assert (found.opaque, found.reduced, found.placeholders) == (True, "time", ())
    assert all(it.key in it.whole.within(text) for it in found.citations)


def test_what_is_left_of_a_document_with_too_many_keys():
    text = "% !TeX root = m.tex\n\\documentclass{x}\\bibliography{a}\\cite{b}\\cite<c>\n\\section{d}"
    whole = parse(Document("a.tex", text, "latex"))
    cut = bounded_parse.cut(whole, "keys")
    assert (cut.citations, cut.arguments, cut.placeholders, cut.headings) == (whole.citations, whole.arguments, (), ())
    assert [(it.target, it.span) for it in cut.links] == [("x.cls", Span(0, 0)), ("a", Span(0, 0))]
    assert (cut.is_root, cut.root, cut.signs) == (True, "m.tex", {"bibliography"})
    assert cut.opaque and cut.reduced == "keys"


def test_commands_in_a_long_comment_take_time_in_proportion():
    start = process_time()
    assert skimmed("latex", "%\\input\n" * 20_000) == ""
    assert process_time() - start < 2

"""What is read in LaTeX: every citation of a fixture is underlined by `cite`, and nothing else is a citation."""

from textwrap import dedent

import pytest

import marks
from citelsp.base.text import Document
from citelsp.syntax import parse
from citelsp.syntax.languages.latex import inline_entries


def check(fixture, cite_commands=()):
    marked = marks.parse(f"%% a.tex\n{dedent(fixture)}")
    text = marked.files["a.tex"]
    syntax = parse(Document("a.tex", text, "latex"), cite_commands)
    spans = sorted((it.span.start, it.span.end) for it in syntax.citations)
    assert [text[lo:hi] for lo, hi in spans] == [text[lo:hi] for _, lo, hi, _ in marked.ranges]
    assert spans == [(lo, hi) for _, lo, hi, _ in marked.ranges]
    return syntax


def read(text, cite_commands=()):
    return parse(Document("a.tex", text, "latex"), cite_commands)


def keys(text, cite_commands=()):
    return [it.key for it in read(text, cite_commands).citations]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\cite{a}", "a"),
        (r"\cite{a, b ,c}", "a b c"),
        ("\\cite{a,\n  b, % \\cite{no}\n  c%\n}", "a b c"),
        ("\\cite\n  [p. 3]\n  {a}", "a"),
        (r"\citep*[see][p.~3]{a}", "a"),
        (r"\citet[{see [1]}][\S 3]{a}", "a"),
        (r"\Citeauthor{a}\citealp{b}\citeyearpar{c}\citetalias{d}", "a b c d"),
        (r"\parencites(see)(etc.)[1]{a}[2][3]{b}{c, d}", "a b c d"),
        (r"\textcites{a}{b} \cite{c}", "a b c"),
        (r"\volcite[see]{3}[12]{a}", "a"),
        (r"\pvolcites(x)(y)[p]{1}[q]{a}{2}{b}", "a b"),
        (r"\cite<see>[p. 3]{a} \citeA<e.g.,>{b} \shortciteNP{c}", "a b c"),
        (r"\textcquote[12]{a}[.]{text \cite{b}}", "a b"),
        (r"\blockcquote{a}{text}\foreigntextcquote{german}[3]{b}{text}\hybridblockcquote{latin}{c}{t}", "a b c"),
        (r"\begin{displaycquote}[3]{a}text\end{displaycquote}\begin{foreigndisplaycquote}{latin}{b}", "a b"),
        (r"\footfullcite{a}\smartcite{b}\supercite{c}\fullcite{d}", "a b c d"),
        (r"\citetitle*{e}\bibentry{f}\autocite{g}", "e f g"),
        (r"\parencite[see][also \cite{b}]{a}", "a b"),
        (r"\nocite{a,b}", "a b"),
        (r"\newcites{supp}{More}\citesupp{a}\citepsupp{b}", "a b"),
        (r"\defbibentryset{set}{a,b}\addtocategory{mine}{c}\string\cite{no}", "a b c"),
        ("\\begin{lstlisting}[caption={By \\citet{a}}]\n\\cite{no}\n\\end{lstlisting}\\cite{b}", "a b"),
        (r"\if0\ifx\a\b\cite{no}\fi\else\cite{a}\fi\if00\cite{b}\fi", "a b"),
        (r"\newcommand{\blind}{0}\if0\blind{\cite{a}}\fi", "a"),
        (r"\def\blind{1}\if0\blind{\cite{no}}\fi \if1\blind\cite{a}\else\cite{no}\fi \cite{b}", "a b"),
        (r"\newcommand{\blind}{0}\if0\blind\cite{a}\else\cite{no}\fi\if1\blind\cite{no}\else\cite{b}\fi", "a b"),
        (r"\if0\unknown\cite{a}\else\cite{b}\fi\if0\section{No}\cite{no}\fi\if1 \cite{no}\fi", "a b"),
        (r"\providecommand{\blind}{0}\if0\blind\cite{a}\else\cite{b}\fi", "a b"),
        (r"\newcommand{\blind}{0}\renewcommand{\blind}{1}\if0\blind\cite{a}\else\cite{b}\fi", "a b"),
        (r"\iftrue\cite{a}\iftrue\cite{b}\else\cite{no}\fi\if00\else\cite{no}\fi\else\cite{no}\fi\cite{c}", "a b c"),
        (r"\let\ifdraft\iftrue\cite{a}\else\cite{b}\fi\iftrue\cite{c}\else\cite{d}", "a b c d"),
        (r"\iftrue\verb|\else|\cite{a}\fi\iftrue\begin{verbatim}\else\end{verbatim}\cite{b}\fi\cite{c}", "a b c"),
        ("\\newcommand{\\blind}{%\n1}\n% \\def\\x{}\n\\renewcommand\\blind{0}\\if0\\blind\\cite{a}\\fi", "a"),
        (r"\iffalse0\cite{no}\fi\cite{a}", "a"),
        (r"\\\cite{a} \\cite{no} \%\cite{b} \\%\cite{no}", "a b"),
        (r"\url{http://x.y/%20z} \cite{a} \href{a%b}{c} \cite{b}", "a b"),
        (r"\citestyle{no}\setcitestyle{no}\citereset\bibliographystyle{no}\mycite{no}\cites \cite[no] \cite", ""),
        (r"\cite{Knuth:1984/α+b_c.d-e'f&g}", "Knuth:1984/α+b_c.d-e'f&g"),
    ],
)  # fmt: skip
def test_cite_commands(text, expected):
    assert keys(text) == expected.split()


def test_users_own_commands():
    assert keys(r"\mycite[3]{a} \mycites{b}{c} \other{d}", ("mycite", r"\mycites*")) == ["a", "b", "c"]


def test_spans_are_of_the_key_alone():
    check(r"""
        😀 As shown by \parencites[1]{ knuth84 }[2]{turing,lamport}. % \cite{no}
                                      ^^^^^^^ cite
                                                   ^^^^^^ cite
                                                          ^^^^^^^ cite
    """)


def test_whole_and_narrative():
    parens, text = read(r"x \citep[p. 1]{a} \textcite{b}").citations
    assert (parens.whole.start, parens.whole.end, parens.narrative) == (2, 17, False)
    assert (text.command, text.narrative) == ("textcite", True)


@pytest.mark.parametrize(
    "definition",
    [
        r"\newcommand{\x}[1]{\textbf{\cite{a#1}}}",
        r"\def\x#1{\citep[see][]{a#1}}",
        r"\newcommand{\y}[1]{\newcommand{\x}[1]{\cite{##1}}}",
        r"\cite{\key}",
        r"\cite{a\number\year}",
        r"\bibitem{\key}",
        r"\bibitem{a#1}",
        r"\newcommand{\x}[1]{\input{#1}}",
        r"\newcommand{\x}[1]{\import{#1}{intro}}",
        r"\MakeShortVerb{\|}",
        "\\addbibresource[location=remote]{https://x.org/a%20b}\n{",
    ],
)
def test_macros_are_opaque_and_give_no_keys(definition):
    syntax = read(definition)
    assert syntax.opaque and not syntax.citations and not syntax.links


@pytest.mark.parametrize(
    "definition", [r"\let\oldcite\cite", r"\renewcommand{\cite}[2][]{x}", r"\newcommand{\x}{\cite{a}}"]
)
def test_definitions_without_parameters_are_not_opaque(definition):
    assert not read(definition).opaque


@pytest.mark.parametrize(
    "definition",
    [
        r"\newcommand{\x}[1]{\cite{#1}}",
        r"\newcommand\citet[1]{\cite{#1}}",
        r"\NewDocumentCommand\x{mm}{\def\t{#2}\cite{#1}}",
        r"\NewDocumentCommand{\x}{s O{see} o m}{\citep[#2][#3]{#4}}",
        r"\renewcommand\cite{mm}",
        r"\let\old\cite\renewcommand{\cite}[2][]{\textbf{\old[#1]{#2}}}",
    ],
)
def test_definitions_that_hand_keys_on_are_understood(definition):
    syntax = read(definition)
    assert not syntax.opaque and not syntax.citations


def test_keys_merged_into_the_item_before():
    assert keys(r"\cite{a, *b,*[see ][]c} \cites[p. 1]{a,*b}{*c} \nocite{*}") == ["a", "b", "c", "a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (r"\cite{|}", [("", "{")]),
        (r"\cite{|", [("", "{")]),
        ("\\cite{\n\nText, with commas}", [("", "{")]),
        (r"\cite{foo", [("foo", "{")]),
        ("\\cite{foo \nNext line.", [("foo ", "{")]),
        (r"\cite{deep lea \emph{x}", [("deep lea ", "{")]),
        (r"\cite{a, de", [("a", "{"), (" de", ",")]),
        (r"\citep[p. 3]{a, \cite{b}", [("a", "{"), (" ", ","), ("b", "{")]),
        (r"\cite<deep lea", [("deep lea", "<")]),
        (r"\cite<deep lea>", [("deep lea", "<")]),
        (r"\cite{a, }", [("a", "{"), (" ", ",")]),
        ("\\cite{a,\r\n de", [("a", "{"), ("\r\n de", ",")]),
        (r"\parencites{a}{de", [("a", "{"), ("de", "{")]),
        (r"\cite{?deep nets}", [("?deep nets", "{")]),
    ],
)
def test_arguments_while_typing(text, arguments):
    text = text.replace("|", "")
    assert [(it.span.within(text), it.opener) for it in read(text).arguments] == arguments


def test_keys_beside_one_that_a_macro_makes():
    syntax = read(r"\cite{\key, b,\other ,c}")
    assert syntax.opaque and [it.key for it in syntax.citations] == ["b", "c"]


def test_which_commands_name_the_authors_in_the_sentence():
    text = r"\Textcites{a}{b}\textcites{c}\tvolcite{1}{d}\Tvolcites{1}{e}\citeasnoun{f}\cites{g}\volcite{1}{h}\cite{i}"
    assert [it.key for it in read(text).citations if it.narrative] == ["a", "b", "c", "d", "e", "f"]


def test_bibliographies_among_the_options_of_a_package():
    text = r"\usepackage[x, bibfile=a.bib]{cleanthesis}\PassOptionsToPackage{bibfile={b}}{x}"
    found = [(it.kind, it.target, it.span.within(text)) for it in read(text).links]
    assert found == [
        ("package", "cleanthesis.sty", "cleanthesis"), ("bibliography", "a.bib", "a.bib"), ("bibliography", "b", "b")
    ]  # fmt: skip


def test_an_unclosed_brace_swallows_nothing():
    assert keys("\\cite{a, foo\nbar \\emph{x} \\cite{b}\n\n\\cite{c} and \\cite{d}") == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("text", "words", "replaced", "closed"),
    [
        (r"\cite<>", "", "<>", True),
        (r"\citep*<deep  nets>.", "deep nets", "<deep  nets>", True),
        ("\\textcite<deep\nnets>", "deep nets", "<deep\nnets>", True),
        (r"\cite<deep nets \emph{x}", "deep nets", "<deep nets ", False),
        (r"\cite{?}", "", "?", True),
        (r"\cite{a, ?deep nets }", "deep nets", "?deep nets", True),
        (r"\parencites[3]{?nets}{a}", "nets", "?nets", True),
        (r"\mycite<nets>", "nets", "<nets>", True),
    ],
)
def test_placeholders(text, words, replaced, closed):
    [found] = read(text, ("mycite",)).placeholders
    assert (found.words, found.span.within(text), found.closed) == (words, replaced, closed)
    assert (found.before, found.after) == (("{", "}") if replaced[0] == "<" else ("", ""))


@pytest.mark.parametrize(
    "text",
    [r"\cite<see>[p. 3]{a}", r"\cite<see>{a}", r"\cite<see> {a}", r"% \cite<x>", r"\verb|\cite<x>|", r"\emph<x>"],
)
def test_no_placeholders(text):
    assert not read(text).placeholders


@pytest.mark.parametrize(
    ("text", "links"),
    [
        (r"\input{a/b}\include{c}\subfile{d}\subfileinclude{e}", ["a/b", "c", "d", "e"]),
        ("\\input sec.tex\n\\input{ x }", ["sec.tex", "x"]),
        (r"\bibliography{a, b/c,d.bib}", ["a", "b/c", "d.bib"]),
        (r"\addbibresource[location=remote]{http://x.y/z.bib}\addglobalbib{g.bib}", ["http://x.y/z.bib", "g.bib"]),
        (r"\addsectionbib{s}", ["s"]),
        (r"\addbibresource{bib/*.bib}\addbibresource{\jobname.bib}", ["bib/*.bib", r"\jobname.bib"]),
        (r'\input{"my file"}\input{"a}\input{b"}\input{""}', ["my file", '"a', 'b"', '""']),
        (r"\usepackage{a, b,}\RequirePackage[x]{c}\LoadClass{d}\usepackage{#1}", ["a.sty", "b.sty", "c.sty", "d.cls"]),
        (r"\import{a}\bibliography\bibliography{a % x" + "\n,b}\\input{}", ["a", "b"]),
        (r"\includestandalone[mode=tex]{fig}\includestandalone{plot}", ["fig", "plot"]),
        (r"\putbib[a,b]\begin{refsection}[c.bib]\newrefsection[d.bib]", ["a", "b", "c.bib", "d.bib"]),
        (r"\graphicspath{{a}}\includegraphics{b}\includeonly{c}\inputencoding{d}", []),
        (r"\bibliographystyle{e}\lstinputlisting{f}\inputminted{tex}{g}", []),
        ("% \\input{no}\n\\begin{verbatim}\\input{no}\\end{verbatim}", []),
    ],
)  # fmt: skip
def test_links(text, links):
    found = read(text).links
    assert [it.target for it in found] == links
    assert all(it.span.within(text) == it.target.removesuffix(".sty").removesuffix(".cls") for it in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\newcommand*\cite{no}\newcommand\citet{no}\providecommand \citep{no}", ""),
        (r"\let\y=\cite{no}\let\y\cite{no}\def\cite{no}\DeclareRobustCommand\x\cite{no}", ""),
        (r"\mylet\cite{a} x\cite{b} *\cite{c} \emph{d}\cite{d} \newcommand{\x}{y}\cite{e}", "a b c d e"),
        (r"\string\cite{no} \xstring\cite{a}", "a"),
    ],
)
def test_a_command_that_is_being_defined_cites_nothing(text, expected):
    assert keys(text) == expected.split()


def test_bibliographies_that_a_document_writes():
    text = r"""\begin{filecontents*}[nosearch, force]{ a.BIB }@misc{k}
@string{x={y}}\end{filecontents*}\begin{filecontents}{b.bib}@misc{l}\end{filecontents}@misc{no}"""
    written = read(text).written
    assert (written.names, written.overwrites, written.strings) == (("a.BIB", "b.bib"), True, {"x": "{y}"})
    assert [(it.key, text[written.entries.start(at) :][:7]) for at, it in enumerate(written.entries)] == [
        ("k", "@misc{k"), ("l", "@misc{l")
    ]  # fmt: skip
    assert not read(r"\begin{filecontents}[noheader]{a.bib}\end{filecontents}").written.overwrites
    assert read(r"\begin{filecontents}[overwrite]{a.bib}\end{filecontents}").written.overwrites
    other = read(r"\begin{filecontents}{a.tex}@misc{k}\end{filecontents}")
    assert other.opaque and not other.written


def test_imports_have_a_base():
    first, second = read(r"\import{a/}{b}\subimport*{c}{d.tex}").links
    assert (first.base, first.target, second.base, second.target) == ("a/", "b", "c", "d.tex")


def test_a_bibliography_list_can_be_extended():
    text = r"\bibliography{a,b}"
    assert [text[it.insert_at :] for it in read(text).links] == ["}", "}"]


def test_title_date_and_root():
    syntax = read('\\documentclass{a}\n\\title[short]{On {D}eep\\\\ {N\\"o}ts\\thanks{x}}\\date{May 2020}')
    assert (syntax.title, syntax.date, syntax.is_root) == ("On Deep Nöts", "May 2020", True)


def test_parts_that_name_their_root():
    assert read("% !TeX root = ../main.tex\n").root == "../main.tex"
    part = read(r"\documentclass[../main.tex]{subfiles}")
    assert (part.root, part.is_root) == ("../main.tex", False)


def test_headings():
    text = "\\chapter{One}\n\\section*[x]{On \\emph{two} % no\n lines}\n% \\section{No}"
    assert [(it.title, it.level) for it in read(text).headings] == [("One", 1), ("On two lines", 2)]


def test_nocite_star():
    for written in (r"\nocite{*}", r"\nocite {*}", "\\nocite{*% all of them\n}", r"\nocite {a, *}"):
        assert read(written).cites_all
    assert read(r"\nocite{*}").cites_all and not read(r"\nocite{a}").cites_all
    assert read(r"\newcites{own}{Own}\nociteown{*}").cites_all and not read(r"\newcites{own}{Own}\citeown{*}").cites_all


def test_the_label_of_a_bibitem_cites_nothing():
    items = r"\begin{thebibliography}{1}\bibitem[\protect\citeauthoryear{Siek and Taha}{S}{2006}]{a} \cite{b}."
    syntax = read(items)
    assert [it.key for it in syntax.citations] == ["b"]
    assert syntax.entries is not None and syntax.entries.node(0).key == "a"


def test_bibitems():
    items = "\\bibitem[{A[1]}(2000)]{k1} One, doi.\n\n\\bibitem{k2}\n Two."
    text = f"\\begin{{thebibliography}}{{9}}\n{items}\n\\end{{thebibliography}}"
    entries = read(text).entries
    first, second = entries.node(0), entries.node(1)
    assert (first.kind, first.key, first.raw("note")) == ("bibitem", "k1", "One, doi.")
    assert text[entries.start(1) :].startswith(second.source) and second.source == "\\bibitem{k2}\n Two."
    assert entries.by_key("k2") == [1] and entries.entry_at(text.index("Two")) == 1 and entries.entry_at(0) is None


def test_amsrefs():
    entries = read("\\bib{K84}{book}{\n  author={Knuth, D.},\n  title={The {\\TeX} book},\n}").entries
    node = entries.node(0)
    assert (node.kind, node.key, node.raw("author"), node.raw("title")) == (
        "book",
        "K84",
        "Knuth, D.",
        r"The {\TeX} book",
    )


def test_amsrefs_in_amsrefs_are_another_work_s():
    entries = read("\\bib{a}{article}{title={T}, book={title={B}, author={E}}, date={2001}}").entries
    assert [(field.name, value) for field, value in inline_entries.amsrefs_values(entries.placed[0].item)] == [
        ("title", "T"),
        ("book", "title={B}, author={E}"),
        ("date", "2001"),
    ]


def test_amsrefs_behind_a_bibitem_leave_it_whole():
    items = "\\bibitem{a} One. \\bib{b}{book}{title={T}}"
    entries = read(f"\\begin{{thebibliography}}{{9}}{items}\\end{{thebibliography}}").entries
    assert [placed.item.key for placed in entries.placed] == ["a", "b"]
    assert entries.node(0).raw("note").startswith("One.") and entries.node(1).raw("title") == "T"


@pytest.mark.parametrize("key", ["#1", "\\key"])
def test_amsrefs_in_a_macro_are_no_entries(key):
    syntax = read(f"\\newcommand{{\\x}}[1]{{\\bib{{{key}}}{{book}}{{title={{T}}}}}}")
    assert syntax.opaque and not syntax.entries


def test_amsrefs_without_a_key_are_no_entries():
    assert len(read("\\bib{ }{book}{title={T}} \\bib{a}{book}{title={T}}").entries) == 1


def test_suppressions():
    text = "a \\cite{b} % citelsp: ignore[undefined-citation, x] why\n% citelsp: ignore\n\nnext\n"
    own, alone = read(text).suppressions
    assert (own.codes, own.covers.within(text)) == (("undefined-citation", "x"), text.split("\n")[0])
    assert (alone.codes, alone.covers.within(text)) == ((), "next")
    assert not read("\\begin{verbatim}\n% citelsp: ignore\n\\end{verbatim}").suppressions


@pytest.mark.parametrize(
    ("definition", "use"),
    [
        (r"\newcommand{\seecite}[1]{(see \cite{#1})}", r"\seecite{a}"),
        (r"\newcommand*{\seecite}[2][]{\citep[#1]{#2}}", r"\seecite[p. 3]{a}"),
        (r"\NewDocumentCommand{\seecite}{o m}{\citep[#1]{#2}}", r"\seecite{a}"),
        (r"\DeclareCiteCommand{\seecite}[\mkbibparens]{}{}{}{}", r"\seecite{a}"),
        (r"\def\seecite#1{(see \cite{#1})}", r"\seecite{a}"),
        (r"\def\seecite[#1]#2{\cite[#1]{#2}}", r"\seecite[p. 3]{a}"),
        (r"\let\seecite=\citep", r"\seecite[p. 3]{a}"),
        (r"\newcommand*\seecite{\citep*}", r"\seecite{a}"),
    ],
)
def test_commands_defined_in_the_document(definition, use):
    syntax = read(f"{definition} {use}")
    assert [it.key for it in syntax.citations] == ["a"] and syntax.cite_commands == ("seecite",)


@pytest.mark.parametrize(
    "definition",
    [
        r"\newcommand{\x}[1]{\emph{#1}}",
        r"\newcommand{\x}[2]{#1 \cite{#2}}",
        r"\newcommand{\x}{\cite{b}}",
        r"\DeclareRobustCommand{\x}[1]{\emph{#1}}",
        r"\DeclareDocumentCommand{\x}{m}{\emph{#1}}",
    ],
)
def test_other_definitions_take_no_keys(definition):
    syntax = read(definition + r" \x{no}{no}")
    assert not syntax.cite_commands and "no" not in [it.key for it in syntax.citations]


@pytest.mark.parametrize("macro", [r"\input", r"\sqrt", r"\colorbox", r"\href", r"\date", r"\frac", r"\begin", r"\'"])
def test_titles_hold_any_macro(macro):
    assert "nd" in parse(Document("a", rf"\title{{{macro} End}}", "latex")).title


@pytest.mark.parametrize(
    "definition", [r"\newcommand{\sys}{FooSys\xspace}", r"\def\sys{\textsc{FooSys}}", r"\newcommand*\sys{FooSys}"]
)
def test_titles_hold_the_names_that_the_document_defines(definition):
    assert read(rf"{definition}\title{{\sys{{}}: A Fast \sys System}}").title == "FooSys: A Fast FooSys System"


def test_titles_that_no_decoder_understands():
    assert read(r"\section{\textbf\input}\cite{a}").citations


def test_comments_in_a_list_of_bibliographies():
    links = read("\\bibliography{%\n  abbreviations, % old, gone\n  refs}").links
    assert [it.target for it in links] == ["abbreviations", "refs"]


def test_fields_of_entries_in_latex_have_their_places():
    text = "\\bib{K}{Book}{title={A {b}}, year = {2000}, no = x,\n author={C}}\\bibitem[x]{k} \n D e.\\bibitem{l}"
    entries = read(text).entries
    book, item, bare = (entries.node(at) for at in range(3))
    found = [[part.within(book.source) for part in (it.name_span, it.value_span, it.span)] for it in book.fields()]
    assert found == [
        ["title", "{A {b}}", "title={A {b}}"], ["year", "{2000}", "year = {2000}"], ["author", "{C}", "author={C}"]
    ]  # fmt: skip
    [note] = item.fields()
    assert (note.name, note.name_span.within(item.source), note.span) == ("note", "", note.value_span)
    assert note.value_span.within(item.source) == item.raw("note") == "D e." and not bare.fields()
    assert (book.kind, book.key_span.within(book.source), item.key_span.within(item.source)) == ("book", "K", "k")

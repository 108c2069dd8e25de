"""What is written into documents of each language: further bibliographies, keys, and names half typed."""

import json

import pytest

from citelsp.base.text import Document, Edit, Span, apply
from citelsp.syntax import languages, parse
from citelsp.syntax.languages.language import Form

BIBLATEX = "\\usepackage[a]{x,biblatex} % y"
BEGIN, END = "\\begin{document}\n", "\\end{document}\n"
STYLE = "\\bibliographystyle{plain}\n"
CELL = (
    '\n  {\n   "cell_type": "raw",\n   "metadata": {},\n   "source": ["---\\n", "bibliography: b.bib\\n", "---"]\n  }'
)


def written(language):
    return languages.language_of(Document("a", "", language)).manuscript


def raw(*source):
    """A notebook of one cell."""
    return json.dumps({"cells": [{"cell_type": "raw", "source": source}]})


@pytest.mark.parametrize(
    ("language", "text", "after"),
    [
        ("latex", f"{BIBLATEX}\nA", f"{BIBLATEX}\n\\addbibresource{{b.bib}}\nA"),
        ("latex", f"{BIBLATEX}\r\nA", f"{BIBLATEX}\r\n\\addbibresource{{b.bib}}\r\nA"),
        ("latex", f"% {BIBLATEX}\nA\n", f"% {BIBLATEX}\nA\n{STYLE}\\bibliography{{b}}\n"),
        ("latex", f"{BEGIN}A\n{END}", f"{BEGIN}A\n{STYLE}\\bibliography{{b}}\n{END}"),
        ("latex", f"{BEGIN}A {END}", f"{BEGIN}A \n{STYLE}\\bibliography{{b}}\n{END}"),
        ("latex", f"% {END}{STYLE}A", f"% {END}{STYLE}A\n\\bibliography{{b}}\n"),
        ("latex", f"{END}", f"{STYLE}\\bibliography{{b}}\n{END}"),
        ("latex", "", f"{STYLE}\\bibliography{{b}}\n"),
        ("latex", "% \\bibliography{}\nA \\bibliography{ } B", "% \\bibliography{}\nA \\bibliography{b} B"),
        ("latex", f"{BIBLATEX}\n\\addbibresource{{}}\nA", f"{BIBLATEX}\n\\addbibresource{{b.bib}}\nA"),
        ("markdown", "A", "---\nbibliography: b.bib\n---\n\nA"),
        ("markdown", "---\ntitle: T\n---\nA", "---\ntitle: T\nbibliography: b.bib\n---\nA"),
        ("markdown", "---\nbibliography: null # x\n---\nA", "---\nbibliography: b.bib # x\n---\nA"),
        ("markdown", "---\nbibliography: []\n---\nA", "---\nbibliography: b.bib\n---\nA"),
        ("markdown", "---\nbibliography: ''\n---\nA", "---\nbibliography: b.bib\n---\nA"),
        ("markdown", "---\nbibliography:\n  - # x\n---\nA", "---\nbibliography:\n  - b.bib # x\n---\nA"),
        (
            "markdown",
            "---\nbibliography: # x\n- \nlang: de\n---\n",
            "---\nbibliography: # x\n- b.bib \nlang: de\n---\n",
        ),
        ("markdown", "% T\n% A\n\nB", "% T\n% A\n\n---\nbibliography: b.bib\n---\n\nB"),
        ("markdown", "+++\nx\n+++\nB", "+++\nx\n+++\n\n---\nbibliography: b.bib\n---\nB"),
        ("markdown", "A\n\n---\ntitle: T\n---\n", "---\nbibliography: b.bib\n---\n\nA\n\n---\ntitle: T\n---\n"),
        ("markdown", "\ufeffA", "\ufeff---\nbibliography: b.bib\n---\n\nA"),
        ("org", "A", "#+bibliography: b.bib\n\nA"),
        ("org", "#+title: T\n# x\nA", "#+title: T\n# x\n#+bibliography: b.bib\nA"),
        (
            "org",
            "# x\n:PROPERTIES:\n:ID: 1\n:END:\n#+title: T\n\nA",
            "# x\n:PROPERTIES:\n:ID: 1\n:END:\n#+title: T\n#+bibliography: b.bib\n\nA",
        ),
        ("org", ":PROPERTIES:\n:ID: 1\n:END:", ":PROPERTIES:\n:ID: 1\n:END:\n#+bibliography: b.bib\n"),
        ("org", ":PROPERTIES:\nA", "#+bibliography: b.bib\n\n:PROPERTIES:\nA"),
        ("typst", "A", 'A\n\n#bibliography("b.bib")\n'),
        ("typst", "A\n", 'A\n\n#bibliography("b.bib")\n'),
        ("typst", "", '#bibliography("b.bib")\n'),
        ("notebook", '{"cells": []}', f'{{"cells": [{CELL}]}}'),
        ("notebook", '{"cells": [{}]}', f'{{"cells": [{CELL},{{}}]}}'),
        ("notebook", "A", "---\nbibliography: b.bib\n---\n\nA"),
    ],
)
def test_a_first_bibliography_is_declared(language, text, after):
    edit = written(language).declare(text, (), "b.bib", [text])
    assert apply(text, [Edit("", *edit)]) == after


def test_what_other_parts_load_says_how():
    text = f"{BEGIN}\n{END}"
    declare = written("latex").declare
    assert declare(text, (), "b.bib", [text, BIBLATEX]) == (Span(0, 0), "\\addbibresource{b.bib}\n")
    assert declare(text, (), "b.bib", [text, STYLE])[1] == "\\bibliography{b}\n"


def test_the_end_of_a_document_in_a_listing_is_none():
    text = f"{BEGIN}{END}A\n{END}"
    listing = Span(len(BEGIN), len(BEGIN + END))
    edit = written("latex").declare(text, (Span(0, 3), listing), "b.bib", [STYLE])
    assert apply(text, [Edit("", *edit)]) == f"{BEGIN}{END}A\n\\bibliography{{b}}\n{END}"


@pytest.mark.parametrize(
    ("language", "text", "after"),
    [
        ("latex", r"\bibliography{a}", r"\bibliography{a,b}"),
        ("latex", r"\bibliography{a.bib }", r"\bibliography{a.bib,b.bib }"),
        ("latex", "\\bibliography{\\subfix{a}\n}", "\\bibliography{\\subfix{a},b\n}"),
        ("latex", "\\bibliography{a% x\n}", "\\bibliography{a,b% x\n}"),
        ("latex", "\\bibliography{\\subfix{a}% x\n}", "\\bibliography{\\subfix{a},b% x\n}"),
        ("latex", "\\addbibresource[x]{a.bib}\nA", "\\addbibresource[x]{a.bib}\n\\addbibresource{b.bib}\nA"),
        ("latex", r"\addbibresource{\subfix{a.bib}}", "\\addbibresource{\\subfix{a.bib}}\n\\addbibresource{b.bib}"),
        (
            "latex",
            "\\addbibresource{\\subfix{a.bib}% }\n}\n{{A}}",
            "\\addbibresource{\\subfix{a.bib}% }\n}\n\\addbibresource{b.bib}\n{{A}}",
        ),
        ("latex", r'\addbibresource{"a b.bib"}', '\\addbibresource{"a b.bib"}\n\\addbibresource{b.bib}'),
        ("latex", r"\x{\addbibresource{a.bib}}{}", "\\x{\\addbibresource{a.bib}\n\\addbibresource{b.bib}}{}"),
        ("markdown", "---\nbibliography: a.bib\n---\n", "---\nbibliography: [a.bib, b.bib]\n---\n"),
        ("markdown", "---\nbibliography: 'a.bib'\n---\n", "---\nbibliography: ['a.bib', b.bib]\n---\n"),
        ("markdown", "---\nbibliography: [a.bib]\n---\n", "---\nbibliography: [a.bib, b.bib]\n---\n"),
        ("markdown", "---\nbibliography: [\n  a.bib]\n---\n", "---\nbibliography: [\n  a.bib, b.bib]\n---\n"),
        ("markdown", '---\nbibliography: ["a.bib" ]\n---\n', '---\nbibliography: ["a.bib", b.bib ]\n---\n'),
        ("markdown", "---\nbibliography:\n  - a.bib # x\n---\n", "---\nbibliography:\n  - a.bib # x\n  - b.bib\n---\n"),
        (
            "markdown",
            "---\r\nbibliography:\r\n- a.bib\r\n---\r\n",
            "---\r\nbibliography:\r\n- a.bib\r\n- b.bib\r\n---\r\n",
        ),
        ("org", "#+bibliography: a.bib\nA", "#+bibliography: a.bib\n#+bibliography: b.bib\nA"),
        ("org", "#+bibliography: a.bib", "#+bibliography: a.bib\n#+bibliography: b.bib"),
        ("typst", '#bibliography("a.bib")', '#bibliography(("a.bib", "b.bib"))'),
        ("typst", '#bibliography("", title: none)', '#bibliography("b.bib", title: none)'),
        ("typst", '#bibliography(("a.bib"))', '#bibliography(("a.bib", "b.bib"))'),
        ("typst", '#bibliography(style: "s", "a.bib")', '#bibliography(style: "s", ("a.bib", "b.bib"))'),
        ("typst", '#let x = ("a.bib", "c.bib")', '#let x = ("a.bib", "b.bib", "c.bib")'),
        ("typst", '#t(x: (file: "a.bib"))', '#t(x: (file: ("a.bib", "b.bib")))'),
        ("typst", '#t(bib: ("x.bib", "a.bib",))', '#t(bib: ("x.bib", "b.bib", "a.bib",))'),
        ("notebook", raw("---\nbibliography: a.bib\n---"), raw("---\nbibliography: [a.bib, b.bib]\n---")),
        (
            "notebook",
            raw("---\ntitle: '[A]'\nbibliography: a.bib\n---"),
            raw("---\ntitle: '[A]'\nbibliography: [a.bib, b.bib]\n---"),
        ),
        (
            "notebook",
            raw('---\nbibliography:\n- "a.bib"\n- c.bib\n---'),
            raw('---\nbibliography:\n- "a.bib"\n- b.bib\n- c.bib\n---'),
        ),
        ("notebook", raw('---\nbibliography: "a.bib"\n---'), raw('---\nbibliography: ["a.bib", b.bib]\n---')),
        ("notebook", raw("---\nbibliography: [a.bib]\n---"), raw("---\nbibliography: [a.bib, b.bib]\n---")),
        (
            "notebook",
            raw("---\n", "bibliography: [\n", '  "a.bib",\n', "c.bib]\n", "---"),
            raw("---\n", "bibliography: [\n", '  "a.bib", b.bib,\n', "c.bib]\n", "---"),
        ),
        (
            "notebook",
            raw("---\nbibliography:\n  - a.bib # é\n---"),
            raw("---\nbibliography:\n  - a.bib # é\n  - b.bib\n---"),
        ),
        (
            "notebook",
            raw("---\n", "bibliography:\n", "- a.bib\n", "---"),
            raw("---\n", "bibliography:\n", "- a.bib\n- b.bib\n", "---"),
        ),
    ],
)
def test_a_further_bibliography_is_declared_beside_the_first(language, text, after):
    link = next(it for it in parse(Document("a", text, language)).links if it.kind == "bibliography")
    assert apply(text, [Edit("", *written(language).declare_beside(text, link, "b.bib"))]) == after


@pytest.mark.parametrize(
    ("language", "text", "naming"),
    [
        ("latex", r"\bibliography{a, b", ("b", ("bib",), True)),
        ("latex", r"\addbibresource[x=y]{a", ("a", ("bib",), False)),
        ("latex", r"\bibliography{a} b", None),
        ("markdown", "---\nbibliography: a", ("a", ("bib",), False)),
        ("markdown", "---\ncsl: 'a", ("a", ("csl",), False)),
        ("markdown", "---\nbibliography:\n  - a\n  - b", ("b", ("bib",), False)),
        ("markdown", "---\nx: y\n---\nbibliography: a", None),
        ("markdown", "x\n---\nbibliography: a", None),
        ("markdown", "---\r\nbibliography:\r\n  - a\r\n  - b", ("b", ("bib",), False)),
        ("markdown", "---\r\nx: y\r\n---\r\nbibliography: a", None),
        ("org", '#+bibliography: "a', ("a", ("bib",), False)),
        ("org", "#+title: a", None),
        ("typst", '#bibliography("a', ("a", ("bib", "yml", "yaml"), False)),
        ("typst", '#bibliography(("a", "b', ("b", ("bib", "yml", "yaml"), False)),
        ("typst", '#bibliography("a", style: "b', ("b", ("csl",), False)),
        ("typst", '#image("a', None),
        ("notebook", '{"cells": ["---\\nbibliography: a', None),
        ("notebook", "---\nbibliography: a", ("a", ("bib",), False)),
    ],
)
def test_the_name_of_a_file_that_is_being_typed(language, text, naming):
    assert written(language).naming(text + "b.bib\n---\n", len(text)) == naming
    far = "x" * 3000 + "\n" + text
    assert language in ("markdown", "notebook") or written(language).naming(far, len(far)) == naming


@pytest.mark.parametrize(
    ("language", "text", "key", "after"),
    [
        ("latex", r"\cite{old}", "a b", r"\cite{a b}"),
        ("markdown", "[@old]", "new", "[@new]"),
        ("markdown", "[@old]", "a,b", "[@{a,b}]"),
        ("markdown", "[@{old}]", "a,b", "[@{a,b}]"),
        ("typst", "@old", "new", "@new"),
        ("typst", "@old x", "a/b", '#cite(label("a/b")) x'),
        ("typst", "@old[p. 3]", "a/b", '#cite(label("a/b"), supplement: [p. 3])'),
        ("typst", "@old[see [3], \\] f.] x", "a/b", '#cite(label("a/b"), supplement: [see [3], \\] f.]) x'),
        ("typst", "@old[see @b] x", "a/b", '#(it => cite(label("a/b"), supplement: it))[see @b] x'),
        ("typst", "@old[see", "a/b", '#cite(label("a/b"));[see'),
        ("typst", "@old(x)", "a/b", '#cite(label("a/b"));(x)'),
        ("typst", "@old[p. 3]; and", "a/b", '#cite(label("a/b"), supplement: [p. 3]);; and'),
        ("typst", "#cite(<old>)", "a/b", '#cite(label("a/b"))'),
        ("typst", "#cite(<old", "a/b", '#cite(label("a/b")'),
        ("typst", '#cite(label("old"))', "a/b", '#cite(label("a/b"))'),
        ("notebook", "[@old]", "a,b", "[@{a,b}]"),
        ("notebook", '{"cells": "[@old]', 'a"b', '{"cells": "[@{a\\"b}]'),
        ("csl-json", '[{"id": "old"}]', "new", '[{"id": "new"}]'),
        ("csl-json", '[{"id": old}]', "new", '[{"id": "new"}]'),
        ("bibtex", "@a{old}", "new", "@a{new}"),
    ],
)
def test_a_key_is_written_as_its_place_needs(language, text, key, after):
    start = text.index("old")
    edit = languages.language_of(Document("a", "", language)).key(text, Span(start, start + 3), key)
    assert apply(text, [Edit("", *edit)]) == after


def test_signs_of_a_locator_are_no_markup_of_typst():
    cite = written("typst").cite
    assert cite(["a"], Form(locator="p. 3* and 4/5")) == r"@a[p. 3\* and 4\/5]"
    assert cite(["a/b"], Form(locator="p. 3*")) == r'#cite(label("a/b"), supplement: [p. 3\*])'


@pytest.mark.parametrize(
    ("text", "key", "after"),
    [
        ("as @<deep nets>; but", "a", "as @a; but"),
        ("as @<deep nets>; but", "a/b", 'as #cite(label("a/b"));; but'),
        ("as @<deep nets>(ours)", "a/b", 'as #cite(label("a/b"));(ours)'),
        ("as @<deep nets>. But", "a/b", 'as #cite(label("a/b")). But'),
        ("as @<deep nets>[p. 3]", "a", "as @a[p. 3]"),
    ],
)
def test_what_follows_a_placeholder_in_typst_is_no_part_of_a_call(text, key, after):
    [placeholder] = parse(Document("a.typ", text, "typst")).placeholders
    assert apply(text, [Edit("", placeholder.span, written("typst").fill(placeholder, [key]))]) == after


@pytest.mark.parametrize(
    ("language", "beside", "textual"),
    [
        ("latex", r"\cite[p.~4]{a,b}", r"\textcite[p.~4]{a,b}"),
        ("markdown", "[@a; @b, p. 4]", "@a, @b [p. 4]"),
        ("org", "[cite:@a;@b p. 4]", "[cite/t:@a;@b p. 4]"),
        ("typst", "@a @b[p. 4]", '#cite(<a>, form: "prose") #cite(<b>, supplement: [p. 4], form: "prose")'),
    ],
)
def test_works_are_cited_together(language, beside, textual):
    cite = written(language).cite
    assert cite(["a", "b"], Form(locator="p. 4")) == beside
    assert cite(["a", "b"], Form(textual=True, locator="p. 4", command="textcite")) == textual
    assert (
        cite(["a"], Form()) == {"latex": r"\cite{a}", "markdown": "[@a]", "org": "[cite:@a]", "typst": "@a"}[language]
    )


@pytest.mark.parametrize(
    ("language", "good", "bad"),
    [("markdown", ["a", "_", "9", "a:b"], [":a", "a:"]), ("org", ["a:b/c"], ["a b", "a;b", ""]),
     ("typst", ["a:b", "a.b"], ["a/b", "a:", "a."]), ("latex", ["a b"], []), ("csl-yaml", ["a"], ["-a"])],
)  # fmt: skip
def test_keys_that_cannot_be_written_are_refused_with_the_reason(language, good, bad):
    problem = languages.language_of(Document("a", "", language)).key_problem
    assert not any(map(problem, good)) and all(problem(it).endswith((".", ").")) for it in bad)


@pytest.mark.parametrize(
    ("language", "kind", "target", "names"),
    [
        ("latex", "part", "a.b", ["a.b.tex", "a.b"]),
        ("latex", "part", "a.TEX", ["a.TEX"]),
        ("latex", "bibliography", "a.b", ["a.b.bib", "a.b"]),
        ("markdown", "part", "a", ["a"]),
        *(("markdown", "bibliography", f"a.{it}", [f"a.{it}"]) for it in ("bib", "json", "yaml", "yml", "BIB")),
        ("org", "bibliography", "a", ["a.bib", "a"]),
        ("typst", "bibliography", "a", ["a"]),
    ],
)
def test_the_files_that_a_name_may_mean(language, kind, target, names):
    assert [*written(language).names(kind, target)] == names

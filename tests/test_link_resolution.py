"""Which files the links of a manuscript mean, on a real disk, and why a bibliography was not read."""

import os
import time
import unicodedata
from itertools import combinations
from pathlib import Path

import pytest

from citelsp import checks
from citelsp.base.settings import Settings, SyntaxSettings
from citelsp.knowledge import Knowledge
from citelsp.workspace import include_graph
from citelsp.workspace.disk import LocalDisk
from citelsp.workspace.files import DiskFiles
from citelsp.workspace.unincluded_chapters import join_strays

DEFAULT = Settings()
BIB = "@book{a, title = {A}}\n"
CLASS = r"\documentclass{article}"


def built(root, path="main.tex", settings=DEFAULT, **environment):
    files = DiskFiles([str(root)], environment={"TEXMFHOME": str(root / "no-texmf"), **environment})
    return include_graph.build(files, str(root / path), settings)


def names(root, project):
    return [Path(it).relative_to(root).as_posix() for it in project.bibliographies]


def whys(project):
    return [(it.link.target, it.why) for it in project.unresolved]


@pytest.mark.parametrize(
    "written",
    [
        r"\newcommand{\bibdir}{lib}\addbibresource{\bibdir/refs.bib}",
        r"\newcommand*\bibdir {lib/}\addbibresource{\bibdir refs.bib}",
        r"\def\bibdir{lib}\addbibresource{\bibdir{}/refs.bib}",
        r"\def\top{.}\edef\bibdir{\top/lib}\bibliography{\bibdir/refs}",
        r"\input{preamble}\addbibresource{\bibdir/refs.bib}",
        "% \\def\\d{old}\n\\providecommand{\\d}{lib}\\renewcommand{\\d}{gone}\\bibliography{\\d/refs}",
        r"\def\bibfile{refs.bib}\addbibresource{lib/\bibfile}",
    ],
)
def test_macros_in_a_path(tree, written):
    root = tree({"main.tex": CLASS + written, "lib/refs.bib": BIB, "preamble.tex": r"\newcommand{\bibdir}{lib}"})
    it = built(root)
    assert names(root, it) == ["lib/refs.bib"] and it.closed


class DiskOfMac(LocalDisk):
    """One that holds accents as signs of their own, and finds a file by either form of its name, as macOS does."""

    def stamp(self, path):
        return super().stamp(unicodedata.normalize("NFD", path))

    def load(self, path):
        return super().load(unicodedata.normalize("NFD", path))


def test_a_chapter_with_an_accent_in_its_name_belongs_to_who_names_it_on_a_mac(tree):
    chapter = unicodedata.normalize("NFD", "résumé.tex")
    root = tree(
        {"main.tex": f"{CLASS}\\bibliography{{refs}}\\include{{résumé}}", chapter: r"\cite{a}", "refs.bib": BIB}
    )
    files = DiskFiles([str(root)], disk=DiskOfMac())
    project = include_graph.build(files, str(root / chapter), DEFAULT)
    assert names(root, project) == ["refs.bib"]
    assert not project.guessed


def test_macros_in_the_path_of_a_part(tree):
    root = tree({"main.tex": CLASS + r"\def\lib{lib}\input{\lib/part}", "lib/part.tex": r"\bibliography{lib/refs}"})
    tree({"lib/refs.bib": BIB})
    assert names(root, built(root)) == names(root, built(root, "lib/part.tex")) == ["lib/refs.bib"]


def test_a_bibliography_below_a_macro_belongs_to_who_names_it(tree):
    root = tree({"main.tex": CLASS + r"\def\lib{lib}\bibliography{\lib/refs}", "lib/refs.bib": BIB, "refs.bib": BIB})
    assert [Path(it).name for it in built(root, "lib/refs.bib").manuscript] == ["main.tex"]
    assert not built(root, "refs.bib").manuscript


@pytest.mark.parametrize("written", [r"\def\x{\x}\bibliography{\x/refs}", r"\def\x#1{lib}\bibliography{\x{1}/refs}"])
def test_macros_that_end_nowhere(tree, written):
    root = tree({"main.tex": CLASS + written, "lib/refs.bib": BIB})
    assert not names(root, built(root)) and not built(root).closed


@pytest.mark.parametrize("written", ["$LIB/refs", "${LIB}/refs", "~/lib/refs"])
def test_variables_and_home(tree, monkeypatch, written):
    root = tree({"work/main.tex": rf"{CLASS}\addbibresource{{{written}.bib}}", "lib/refs.bib": BIB})
    monkeypatch.setenv("LIB", str(root / "lib"))
    monkeypatch.setenv("HOME", str(root))
    monkeypatch.setenv("USERPROFILE", str(root))
    assert names(root, built(root, "work/main.tex")) == ["lib/refs.bib"]


def test_the_letter_case_of_a_name_as_kpathsea_reads_it(tree):
    notes = "---\nbibliography: Refs.bib\n---\n"
    root = tree({"main.tex": CLASS + r"\bibliography{Refs}", "a.md": notes, "refs.bib": BIB})
    assert names(root, built(root)) == ["refs.bib"]
    if os.path.normcase("R") == "R" and not (root / "Refs.bib").exists():
        assert whys(built(root, "a.md")) == [("Refs.bib", "missing")]


def test_bibliographies_of_the_tex_distribution(tree):
    root = tree({"p/main.tex": CLASS + r"\bibliography{IEEEabrv,gone}", "dist/bibtex/bib/x/IEEEabrv.bib": BIB})
    it = built(root / "p", TEXMFDIST=str(root / "dist"))
    assert names(root, it) == ["dist/bibtex/bib/x/IEEEabrv.bib"]
    assert whys(it) == [("gone", "missing")]


def test_paths_that_count_from_a_directory_between_the_root_and_the_workspace(tree):
    root = tree({"docs/src/a.md": "---\nbibliography: lib/refs.bib\n---\n", "docs/lib/refs.bib": BIB})
    it = built(root, "docs/src/a.md")
    assert names(root, it) == ["docs/lib/refs.bib"] and whys(it) == [("lib/refs.bib", "elsewhere")]


def test_a_part_of_two_main_documents_one_of_which_finds_the_bibliography(tree):
    root = tree(
        {
            "one/main.tex": CLASS + r"\input{../part}",
            "one/refs.bib": BIB,
            "two/main.tex": CLASS + r"\input{../part}",
            "part.tex": r"\bibliography{refs}\cite{a}",
        }
    )
    assert whys(built(root, "part.tex")) == [("refs", "elsewhere")]


@pytest.mark.parametrize(
    ("data", "why", "said"),
    [
        (b"\0\1\2" * 99, "binary", "refs.bib exists, but is not text."),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "foreign", ""),
        (b"@misc{{ key }}, title = {{ '{' }}{{ item.title }}{{ '}' }}}\n", "foreign", ""),
    ],
)
def test_a_bibliography_that_is_there_and_cannot_be_read(tree, data, why, said):
    root = tree({"main.tex": CLASS + r"\bibliography{refs}\cite{a}"})
    (root / "refs.bib").write_bytes(data)
    it = built(root)
    assert whys(it) == [("refs", why)] and not it.closed
    assert [found.message for found in checks.missing_bibliography.check(it, None)] == ([said] if said else [])


def test_a_bibliography_that_is_too_large(tree):
    root = tree({"main.tex": CLASS + r"\bibliography{refs}\cite{a}"})
    with (root / "refs.bib").open("wb") as file:
        file.truncate((100 << 20) + 1)
    it = built(root)
    assert whys(it) == [("refs", "large")] and not checks.missing_bibliography.check(it, None)
    assert it.problems == (f"{root / 'refs.bib'} is larger than 100 MB and was not read.",)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("refs.ris", "TY  - JOUR\nTI  - a\nER  -\n"),
        ("refs.xml", "<xml><records></records></xml>"),
        ("refs.nbib", "PMID- 1\nTI  - A\n"),
    ],
)
def test_formats_that_are_not_read_define_what_they_may(tree, name, text):
    root = tree({"a.md": f"---\nbibliography: {name}\n---\n[@a]", name: text})
    it = built(root, "a.md")
    assert whys(it) == [(name, "foreign")] and not it.closed and not it.bibliographies
    assert str(root / name) in it.sources  # a link leads there


@pytest.mark.parametrize(
    ("option", "disk", "expected"),
    [("", "", {"own"}), ("", BIB, {"a"}), ("[overwrite]", BIB, {"own"}), ("[noheader, force]", BIB, {"own"})],
)
def test_bibliographies_that_the_document_writes(tree, option, disk, expected):
    body = f"\\begin{{filecontents}}{option}{{\\jobname.bib}}\n@book{{own, title = {{O}}}}\n\\end{{filecontents}}\n"
    root = tree({"main.tex": body + CLASS + r"\bibliography{main}\cite{own,a}"} | ({"main.bib": disk} if disk else {}))
    it = built(root)
    assert it.closed and {place.node.key for place in it.entries()} == expected
    if not disk:
        [place] = it.entries()
        assert place.key_span.within((root / "main.tex").read_text(encoding="utf-8")) == "own"


def test_another_file_that_the_document_writes_may_hold_anything(tree):
    text = r"\begin{filecontents}{x.tex}\bibliography{y}\end{filecontents}" + CLASS + r"\bibliography{refs}\cite{b}"
    assert not built(tree({"main.tex": text, "refs.bib": BIB})).closed


def test_search_paths_of_too_many_folders_make_nothing_missing(tree):
    root = tree({"main.tex": CLASS + r"\bibliography{gone}"})
    for number in range(1001):
        (root / "many" / str(number)).mkdir(parents=True)
    it = built(root, BIBINPUTS=f"{root / 'many'}//")
    assert whys(it) == [("gone", "elsewhere")]
    assert it.problems == ("BIBINPUTS names more than 1,000 folders, not all of which were searched.",)


def test_bibliographies_are_read_together_if_one_root_has_both(tree):
    root = tree(
        {
            "long.tex": CLASS + r"\bibliography{library,long}",
            "short.tex": CLASS + r"\bibliography{library,short}",
            **dict.fromkeys(("library.bib", "long.bib", "short.bib", "own.bib"), BIB),
        }
    )
    it = built(root, "library.bib", settings=Settings(syntax=SyntaxSettings(bibliographies=("own.bib",))))
    names = ("library", "long", "short", "own")
    paths = [str(root / f"{name}.bib") for name in names]
    assert [[it.are_read_together(one, other) for other in paths] for one in paths] == [
        [True, True, True, True],
        [True, True, False, True],
        [True, False, True, True],
        [True, True, True, True],
    ]


@pytest.mark.parametrize(
    ("body", "pairs"),
    [
        (r"\begin{refsection}[b.bib,c.bib]\end{refsection}\newrefsection[a.bib, d.bib]", ["ad", "bc"]),
        (r"\addbibresource{b.bib}\newrefsection [b.bib]\begin{refsection}[c.bib]\end{refsection}", ["ab"]),
        (r"\begin{bibunit}\putbib[b]\end{bibunit}\begin{bibunit}\putbib[c,d]\end{bibunit}", ["cd"]),
        (r"\newcites{own}{My papers}\bibliography{b}\bibliographystyleown{x}\bibliographyown{c, d}", ["ab", "cd"]),
        (r"\usepackage{chapterbib}\include{one}\include{two}", ["bc"]),
    ],
)
def test_bibliographies_that_sections_have_for_themselves(tree, body, pairs):
    files = dict.fromkeys(("a.bib", "b.bib", "c.bib", "d.bib"), BIB)
    files |= {"one.tex": r"\bibliography{b,c}", "two.tex": r"\bibliography{d}"}
    root = tree({"main.tex": rf"{CLASS}\addbibresource{{a.bib}}{body}", **files})
    it = built(root)
    paths = {name: str(root / f"{name}.bib") for name in "abcd"}
    assert [a + b for a, b in combinations("abcd", 2) if it.are_read_together(paths[a], paths[b])] == pairs


def cited_by_strays(root, path="main.tex"):
    return {it.key for source in built(root, path).strays for it in source.syntax.citations}


def test_chapters_that_nothing_includes_cite_all_the_same(tree):
    root = tree(
        {
            "main.tex": CLASS + r"\chapter{one}\include{two}\bibliography{refs}",
            "two.tex": r"\cite{a}",
            "parts/one.tex": r"\cite{b} \input{parts/within}",
            "parts/within.tex": r"\cite{c}",
            "parts/manual.tex": r"Write \verb|\documentclass{x}| first",
            "parts/other/main.tex": CLASS + r"\include{three}\bibliography{refs}",
            "parts/other/three.tex": r"\cite{d}",
            "parts/other/four.tex": r"\cite{e}",
            "parts/own.sty": r"\cite{f}",
            "parts/old.tex": "% !TeX root = ../main.tex\n\\cite{h}",
            "parts/older.tex": "% !TeX root = other/main.tex\n\\cite{i}",
            "notes.md": "[@g]",
            "refs.bib": BIB,
            "parts/other/refs.bib": BIB,
        }
    )
    assert cited_by_strays(root) == {"b", "c", "h"}
    assert cited_by_strays(root, "refs.bib") == {"b", "c", "h"}
    assert cited_by_strays(root, "parts/other/three.tex") == {"e"}
    assert cited_by_strays(root, "parts/one.tex") == {"h"}


@pytest.mark.parametrize(
    ("ending", "main", "cite"),
    [
        ("typ", '#include "parts/one.typ"\n#bibliography("refs.bib")', "@{}"),
        ("org", '#+bibliography: refs.bib\n#+include: "parts/one.org"\n', "[cite:@{}]"),
    ],
)
def test_chapters_of_typst_and_org_that_nothing_includes(tree, ending, main, cite):
    root = tree(
        {
            f"main.{ending}": main,
            f"parts/one.{ending}": cite.format("c"),
            f"parts/two.{ending}": cite.format("b") + " " + cite.format("zz"),
            f"parts/letter.{ending}": "Dear reader",
            "parts/other.tex": r"\cite{d}",
            "refs.bib": BIB + "@book{b, title = {B}}\n@book{c, title = {C}}\n",
        }
    )
    assert cited_by_strays(root, f"main.{ending}") == {"b", "zz"}
    unused = [it.key for it in checks.run(built(root, f"main.{ending}"), Knowledge()) if it.code == "unused-entry"]
    assert unused == ["a"]
    chapter = built(root, f"parts/two.{ending}")
    assert chapter.defines("b")
    assert not [it for it in checks.run(chapter, Knowledge()) if it.code == "undefined-citation"]
    assert not built(root, f"parts/letter.{ending}").bibliographies


def test_a_path_that_is_handed_to_a_template_of_typst(tree):
    template = "#let thesis(bib, body) = { body\n bibliography(bib) }"
    sample = '#import "pages/template.typ": thesis\n#show: thesis.with(bib: "../bib/refs.bib")\n@a @zz'
    direct = '#bibliography("../bib/refs.bib")\n@a'
    texts = {"pages/template.typ": template, "main.typ": sample, "direct.typ": direct}
    root = tree({**texts, "bib/refs.bib": BIB})
    main = built(root, "main.typ")
    codes = ("missing-bibliography", "undefined-citation")  # that no key is missing is not said, as it is a guess
    assert main.defines("a") and not checks.run(main, Knowledge(), codes=codes)
    assert built(root, "bib/refs.bib").manuscript == main.manuscript
    [missing] = checks.run(built(root, "direct.typ"), Knowledge(), codes=codes)
    assert missing.code == "missing-bibliography"


def test_a_path_counts_from_the_template_that_the_document_imports(tree):
    texts = {
        "pages/inner.typ": "#let thesis(bib, body) = { body\n bibliography(bib) }",
        "lib.typ": '#import "pages/inner.typ": thesis\n#import "lib.typ"',
        "main.typ": '#import "lib.typ": thesis\n#show: thesis.with(bib: "../bib/refs.bib")\n@a',
        "bib/refs.bib": BIB,
    }
    root = tree({f"{thesis}/{name}": text for thesis in ("one", "two") for name, text in texts.items()})
    for thesis in ("one", "two"):
        assert built(root, f"{thesis}/main.typ").bibliographies == (str(root / thesis / "bib/refs.bib"),)
        assert str(root / thesis / "main.typ") in built(root, f"{thesis}/bib/refs.bib").manuscript


def test_markdown_that_cites_and_names_no_bibliography(tree):
    cited = {
        "bracket": "[@b]",
        "narrative": "@c",
        "parts/below": "see [-@d]",
        "parts/named": "---\nbibliography: e.bib\n---\n[@e]",
    }
    root = tree(
        {
            **{f"{name}.qmd": text for name, text in cited.items()},
            "main.qmd": "---\nbibliography: refs.bib\n---\n[@a]",
            "refs.bib": BIB + "".join(f"@book{{{key}, title = {{T}}}}\n" for key in "bcde"),
            "parts/e.bib": "@book{e, title = {E}}\n",
        }
    )
    assert cited_by_strays(root, "main.qmd") == cited_by_strays(root, "refs.bib") == {"b", "c", "d"}
    unused = [it.key for it in checks.run(built(root, "refs.bib"), Knowledge()) if it.code == "unused-entry"]
    assert unused == ["e"]
    (root / "_quarto.yml").write_text("bibliography: refs.bib\n", encoding="utf-8")
    assert cited_by_strays(root, "main.qmd") == set()


def test_drafts_that_lead_to_no_bibliography(tree):
    drafts = {
        "unnamed.tex": CLASS + r"\cite{b,zz}",
        "unfound.tex": CLASS + r"\cite{c}\bibliography{gone}",
        "unfound.md": "---\nbibliography: gone.bib\n---\n[@d]",
        "named.tex": CLASS + r"\cite{e}\input{parts/preamble}",
        "parts/preamble.tex": r"\bibliography{parts/own}",
        "figures/one.tex": CLASS,
        "figures/two.tex": r"\cite{f}",
    }
    main = {"main.tex": CLASS + r"\cite{a}\bibliography{refs}", "main.md": "---\nbibliography: refs.bib\n---\n[@a]"}
    refs = BIB + "".join(f"@book{{{key}, title = {{T}}}}\n" for key in "bcdef")
    root = tree({"refs.bib": refs, "parts/own.bib": "@book{e, title = {E}}\n", **main, **drafts})
    assert cited_by_strays(root, "refs.bib") == {"b", "zz", "c", "d", "f"}
    unused = [it.key for it in checks.run(built(root, "refs.bib"), Knowledge()) if it.code == "unused-entry"]
    assert unused == ["e"]
    # A path that counts from another folder, as pandoc is run there, names a bibliography of this name.
    (root / "above").mkdir()
    (root / "above/refs.bib").write_text(refs, encoding="utf-8")
    (root / "above/main.md").write_text(main["main.md"], encoding="utf-8")
    (root / "notes.md").write_text("---\nbibliography: above/elsewhere/refs.bib\n---\n[@e]", encoding="utf-8")
    assert cited_by_strays(root, "above/refs.bib") == {"e"}
    # For all that is known, the bibliography that was not found has these keys.
    renamed_in = join_strays(built(root, "refs.bib")).manuscript
    assert not [path for path in renamed_in if "unfound" in path]


def test_too_many_chapters_that_nothing_includes_are_not_read(tree):
    chapters = {f"{number}.tex": r"\cite{b}" for number in range(31)}
    root = tree({"main.tex": CLASS + r"\bibliography{refs}", "refs.bib": BIB, **chapters})
    assert built(root).strays is None
    assert not [it for it in checks.run(built(root), Knowledge()) if it.code == "unused-entry"]
    (root / "30.tex").unlink()
    assert cited_by_strays(root) == {"b"}
    assert [it.key for it in checks.run(built(root), Knowledge()) if it.code == "unused-entry"] == ["a"]


def test_mystmd_reads_all_beside_its_settings_if_these_name_none(tree):
    book = {"myst.yml": "project:\n  title: x\n", "parts/page.md": "@a @zz", "notes.bib": "", "parts/own.bib": ""}
    built_before = {"_build/temp/page.md": "@no", "_build/temp/refs.bib": BIB}
    pages = {f"parts/{number}.md": "" for number in range(200)}
    root = tree({"refs.bib": BIB, **book, **built_before, **pages})
    project = built(root, "parts/page.md")
    assert names(root, project) == ["notes.bib", "refs.bib"]
    assert project.defines("a") and not project.closed
    assert [it for it in built(root, "refs.bib").sources if "_build" in it] == []
    (root / "myst.yml").write_text("project:\n  bibliography: [refs.bib]\n")
    assert names(root, built(root, "parts/page.md")) == ["refs.bib"]


def test_a_bibliography_in_a_submodule_that_was_not_fetched_is_not_missing(tree):
    main = CLASS + r"\addbibresource{lib/refs.bib}\addbibresource{library/refs.bib}\cite{a}"
    modules = '[submodule "lib"]\n\tpath = lib\n\turl = git@example.org:me/lib.git\n'
    root = tree({"main.tex": main, ".gitmodules": modules, "other.bib": BIB})
    assert whys(built(root)) == [("lib/refs.bib", "elsewhere"), ("library/refs.bib", "missing")]


def test_macros_in_names_are_looked_for_once_a_text(tree):
    parts = {f"parts/{number}.tex": r"\newcommand{\own}{\b} \command{\dir} " * 1300 for number in range(10)}
    inputs = "".join(rf"\input{{\dir/{number}}}" for number in range(10)) * 60
    root = tree(
        {"main.tex": CLASS + rf"\newcommand\dir{{parts}}{inputs}\bibliography{{refs}}", "refs.bib": BIB, **parts}
    )
    files = DiskFiles([str(root)], environment={})
    assert len(include_graph.build(files, str(root / "main.tex"), DEFAULT).manuscript) == 11
    start = time.process_time()
    include_graph.build(files, str(root / "main.tex"), DEFAULT)
    assert time.process_time() - start < 0.15

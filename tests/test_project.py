"""Projects read from a real directory."""

import cProfile
import os
import pstats
from pathlib import Path

import pytest

from citelsp.base.settings import Settings, SyntaxSettings
from citelsp.workspace import include_graph
from citelsp.workspace.files import DiskFiles

DEFAULT = Settings()
MAIN = r"\documentclass{article} \input{chapters/intro} \bibliography{refs} \cite{a}"
BIB = "@book{a, title = {A}}\n@book{b, title = {B}}\n"
CLASS = r"\documentclass{article}"


def build(root, path, settings=DEFAULT, *, folders=None, **environment):
    folders = [str(root)] if folders is None else folders
    files = DiskFiles(folders, environment={"TEXMFHOME": str(root / "no-texmf"), **environment})
    return include_graph.build(files, str(root / path), settings)


def names(root, paths):
    return [Path(it).relative_to(root).as_posix() for it in paths]


def test_chapter_opened_alone_finds_its_main_file(tree):
    root = tree({"main.tex": MAIN, "chapters/intro.tex": r"\cite{b}", "refs.bib": BIB})
    it = build(root, "chapters/intro.tex")
    assert names(root, it.manuscript) == ["main.tex", "chapters/intro.tex"]
    assert names(root, it.bibliographies) == ["refs.bib"]
    assert [c.key for _, c in it.citations()] == ["a", "b"]
    assert it.closed and [place.node.key for place in it.entries()] == ["a", "b"]


@pytest.mark.parametrize(
    ("ending", "including"),
    [
        ("md", "```{include} one.md\n```\n\n- ```{include} two.md\n  ```\n"),
        ("Rmd", "```{r child='one.Rmd'}\n```\n\n```{r, child = 'two.Rmd'}\n```\n"),
    ],
)
def test_chapter_finds_the_main_file_that_includes_it_by_a_block_of_markdown(tree, ending, including):
    main = f"main.{ending}"
    head = "---\nbibliography: refs.bib\n---\n"
    root = tree({main: head + including, f"one.{ending}": "@a", f"two.{ending}": "@b", "refs.bib": BIB})
    for chapter in (f"one.{ending}", f"two.{ending}"):
        assert set(names(root, build(root, chapter).manuscript)) == {main, f"one.{ending}", f"two.{ending}"}


@pytest.mark.parametrize(
    "naming",
    [
        r"\begin{refsection}[refs.bib]",
        r"\newrefsection[refs.bib]",
        "\\newcites{x}{X}\n\\bibliographyx{refs}",
        r"\InputIfFileExists{part}{}{}",
        r"\loadglsentries{part}",
        r"\newcommand{\refs}[1]{\bibliographystyle{plain}\bibliography{#1}}\refs{refs}",
        r"\let\refs\bibliography \refs{refs}",
        r"\newcommand\refs{\addbibresource}\refs{refs.bib}",
        r"\newcommand{\refs}[1]{\addbibresource{#1.bib}}\refs{refs}",
    ],
)
def test_bibliography_finds_the_document_that_names_it_by_a_rare_command(tree, naming):
    root = tree({"main.tex": f"{CLASS}\n{naming}\n", "part.tex": r"\bibliography{refs}", "refs.bib": BIB})
    assert build(root, "refs.bib").manuscript[0] == str(root / "main.tex")


def test_bibliography_finds_the_document_that_names_it_in_a_directive(tree):
    root = tree({"main.md": "{cite}`a`\n\n```{bibliography} refs.bib\n```\n", "refs.bib": BIB})
    assert names(root, build(root, "refs.bib").manuscript) == ["main.md"]


def test_chapter_outside_every_workspace_folder(tree):
    root = tree({"main.tex": MAIN, "chapters/intro.tex": r"\cite{b}", "refs.bib": BIB})
    files = DiskFiles(environment={})
    files.open(str(root / "chapters/intro.tex"), r"\cite{b}")
    it = include_graph.build(files, str(root / "chapters/intro.tex"), DEFAULT)
    assert names(root, it.manuscript) == ["main.tex", "chapters/intro.tex"] and it.closed


def test_chapter_of_several_roots_and_a_stranger_of_the_same_name(tree):
    root = tree(
        {
            "paper.tex": CLASS + r"\input{parts/one}\bibliography{x}",
            "thesis.tex": CLASS + r"\include{parts/one}\bibliography{y}",
            "parts/one.tex": "",
            "old/paper.tex": CLASS + r"\input{parts/one}",
            "old/parts/one.tex": "",
            "x.bib": BIB,
            "y.bib": BIB,
        }
    )
    it = build(root, "parts/one.tex")
    assert names(root, it.manuscript) == ["paper.tex", "thesis.tex", "parts/one.tex"]
    assert names(root, it.bibliographies) == ["x.bib", "y.bib"]


def test_paths_count_from_the_root_and_from_the_including_file(tree):
    root = tree(
        {
            "main.tex": CLASS + r"\input{a/one.tex}",
            "a/one.tex": r"\input{a/two} \input{three} \import{../b/}{four} \subfile{sub/five}",
            "a/two.tex": "",
            "a/three.tex": "",
            "b/four.tex": "",
            "a/sub/five.tex": r"\documentclass[../../main]{subfiles}",
        }
    )
    parts = ["main.tex", "a/one.tex", "a/two.tex", "a/three.tex", "b/four.tex", "a/sub/five.tex"]
    for path in parts:
        it = build(root, path)
        assert names(root, it.manuscript) == parts and not it.unresolved


def test_cycles(tree):
    root = tree({"a.tex": r"\input{b}", "b.tex": CLASS + r"\input{a}\input{b}"})
    assert names(root, build(root, "a.tex").manuscript) == ["b.tex", "a.tex"]


@pytest.mark.parametrize("part", ["% !TeX root = ../main.tex", r"\documentclass[../main]{subfiles}"])
def test_part_that_names_its_root_itself(tree, part):
    root = tree({"main.tex": CLASS + r"\bibliography{refs}", "parts/one.tex": part + "\n\\cite{a}", "refs.bib": BIB})
    it = build(root, "parts/one.tex")
    assert names(root, it.manuscript) == ["main.tex", "parts/one.tex"]
    assert names(root, it.bibliographies) == ["refs.bib"] and it.closed


@pytest.mark.parametrize(
    ("declaration", "found"),
    [
        (r"\bibliography{refs}", ["refs.bib"]),
        (r"\bibliography{refs.bib, lib/more}", ["refs.bib", "lib/more.bib"]),
        (r"\addbibresource[glob]{lib/*.bib}", ["lib/more.bib", "lib/other.bib"]),
        (r"\addbibresource[glob]{{lib/{more,other}.bib}}", ["lib/more.bib", "lib/other.bib"]),
        (r"\bibliography{\jobname}", ["main.bib"]),
        (r"\bibliography{\jobname-refs}", ["main-refs.bib"]),
        (r'\bibliography{"my refs"}', ["my refs.bib"]),
        (r"\addbibresource{../{ROOT}/lib/more.bib}", ["lib/more.bib"]),
    ],
)
def test_bibliographies_as_declared(tree, declaration, found):
    bibs = ["refs.bib", "lib/more.bib", "lib/other.bib", "main.bib", "main-refs.bib", "my refs.bib"]
    root = tree(dict.fromkeys(bibs, BIB))
    tree({"main.tex": CLASS + declaration.replace("{ROOT}", root.name)})
    it = build(root, "main.tex")
    assert names(root, it.bibliographies) == found
    assert it.closed


@pytest.mark.parametrize("target", ["gone", r"\here/refs", "http://example.org/refs.bib", "gone*"])
def test_bibliographies_that_lead_nowhere_open_the_namespace(tree, target):
    root = tree({"main.tex": rf"{CLASS}\addbibresource{{{target}}}\bibliography{{refs}}", "refs.bib": BIB})
    it = build(root, "main.tex")
    assert not it.closed and names(root, [found.path for found in it.unresolved]) == ["main.tex"]


def test_search_paths(tree):
    root = tree(
        {
            "paper/main.tex": CLASS + r"\input{shared}\bibliography{deep,flat}",
            "tex/shared.tex": "",
            "bib/a/b/deep.bib": BIB,
            "bib2/flat.bib": BIB,
        }
    )
    paths = os.pathsep.join([f"{root / 'bib'}//", "../bib2", ""])
    it = build(root, "paper/main.tex", folders=[str(root / "paper")], BIBINPUTS=paths, TEXINPUTS="../tex//")
    assert names(root, it.bibliographies) == ["bib/a/b/deep.bib", "bib2/flat.bib"] and it.closed
    assert not any(it.sources[path].writable for path in it.bibliographies)


@pytest.mark.parametrize(("path", "found"), [(".//", ["bib/a/deep.bib"]), ("./", []), (".", [])])
def test_search_path_below_where_tex_is_run(tree, path, found):
    root = tree({"main.tex": CLASS + r"\bibliography{deep}", "bib/a/deep.bib": BIB})
    assert names(root, build(root, "main.tex", BIBINPUTS=path).bibliographies) == found


def test_own_texmf_tree_and_home(tree, monkeypatch):
    root = tree({"p/main.tex": CLASS + r"\bibliography{mine}\addbibresource{~/x.bib}", "t/bibtex/bib/y/mine.bib": BIB})
    tree({"home/x.bib": BIB})
    monkeypatch.setenv("HOME", str(root / "home"))
    monkeypatch.setenv("USERPROFILE", str(root / "home"))
    it = build(root, "p/main.tex", TEXMFHOME=str(root / "t"))
    assert names(root, it.bibliographies) == ["t/bibtex/bib/y/mine.bib", "home/x.bib"]


def test_parts_of_the_distribution_and_drawings_do_not_open_the_namespace(tree):
    text = CLASS + r"\input{glyphtounicode}\input{plot.pgf}\input{fig.pdf_tex}\bibliography{refs}"
    root = tree({"main.tex": text, "refs.bib": BIB})
    assert build(root, "main.tex").closed


def test_bibliography_opened_alone_belongs_to_those_who_name_it(tree):
    root = tree(
        {
            "one/main.tex": CLASS + r"\bibliography{../refs}\cite{a}",
            "two/paper.md": "---\nbibliography: [../refs.bib]\n---\n@b",
            "three/main.tex": CLASS + r"\bibliography{refs}",
            "three/refs.bib": "",
            "refs.bib": BIB,
        }
    )
    it = build(root, "refs.bib")
    assert names(root, it.manuscript) == ["one/main.tex", "two/paper.md"]
    assert it.cited == {"a", "b"} and not it.shared
    assert names(root, build(root, "one/main.tex").shared) == ["refs.bib"]


def test_bibliography_that_nobody_names(tree):
    root = tree({"refs.bib": BIB})
    it = build(root, "refs.bib")
    assert names(root, it.bibliographies) == ["refs.bib"] and it.manuscript == () and not it.closed


def test_quarto_project(tree):
    root = tree(
        {
            "_quarto.yml": "project:\n  type: website\nbibliography: refs.bib\nmetadata-files:\n  - more.yml\n",
            "more.yml": "bibliography: lib/more.bib\n",
            "posts/_metadata.yml": "bibliography: posts.bib\n",
            "posts/a.qmd": "---\ntitle: A\nbibliography: own.bib\n---\n@a",
            "posts/own.bib": BIB,
            "posts/posts.bib": BIB,
            "lib/more.bib": BIB,
            "refs.bib": BIB,
        }
    )
    it = build(root, "posts/a.qmd")
    assert names(root, it.manuscript) == ["posts/a.qmd"]
    assert sorted(names(root, it.bibliographies)) == ["lib/more.bib", "posts/own.bib", "posts/posts.bib", "refs.bib"]
    assert it.closed
    assert names(root, build(root, "refs.bib").manuscript) == ["posts/a.qmd"]


def test_quarto_book_is_one_manuscript(tree):
    book = "project:\n  type: book\nbook:\n  chapters:\n    - index.qmd\n    - two.qmd\nbibliography: refs.bib\n"
    root = tree({"_quarto.yml": book, "index.qmd": "@a", "two.qmd": "@b", "refs.bib": BIB})
    for path in ("two.qmd", "index.qmd", "refs.bib"):
        assert sorted(names(root, build(root, path).manuscript)) == ["index.qmd", "two.qmd"]


def test_bookdown_chapters_have_the_bibliography_of_the_index(tree):
    root = tree(
        {
            "index.Rmd": "---\nbibliography: [book.bib]\n---\n",
            "01-intro.Rmd": "@a",
            "_draft.Rmd": "@c",
            "_bookdown.yml": "delete_merged_file: true\n",
            "book.bib": BIB,
        }
    )
    it = build(root, "01-intro.Rmd")
    assert names(root, it.manuscript) == ["index.Rmd", "01-intro.Rmd"] and it.closed


@pytest.mark.parametrize(
    ("config", "generated"),
    [
        ("delete_merged_file: true\n", ["_main.tex", "_main.knit.md", "_main.Rmd"]),
        ("book_filename: 'thesis'\noutput_dir: docs\n", ["thesis.tex", "docs/thesis.tex"]),
        ("book_filename: index\n", []),
    ],
)
def test_what_bookdown_wrote_is_no_manuscript(tree, config, generated):
    written = dict.fromkeys(["_main.tex", "_main.knit.md", "_main.Rmd", "thesis.tex", "docs/thesis.tex"], CLASS)
    files = {"index.Rmd": "@a", "_bookdown.yml": config, **written}
    root = tree(files)
    found = {Path(it).relative_to(root).as_posix() for it in DiskFiles([str(root)]).manuscripts()}
    assert found == {"index.Rmd", *written} - set(generated)
    (root / "index.Rmd").unlink()  # whoever goes on without it writes in what is left
    found = {Path(it).relative_to(root).as_posix() for it in DiskFiles([str(root)]).manuscripts()}
    assert found == set(written)


def test_book_that_bookdown_put_into_a_folder_before_its_chapters_is_no_manuscript(tree):
    config = "book_filename: thesis\noutput_dir: ../docs\n"
    root = tree({"src/index.Rmd": "@a", "src/_bookdown.yml": config, "docs/thesis.tex": CLASS, "docs/other.tex": CLASS})
    manuscripts = sorted(names(root, DiskFiles([str(root)]).manuscripts()))
    assert manuscripts == ["docs/other.tex", "src/index.Rmd"]


def test_settings_name_bibliographies(tree):
    root = tree({"main.tex": CLASS, "lib/one.bib": BIB, "other/main.tex": CLASS})
    it = build(root, "main.tex", Settings(syntax=SyntaxSettings(bibliographies=("lib/*.bib", "gone.bib"))))
    assert names(root, it.bibliographies) == ["lib/one.bib"] == names(root, it.shared)
    assert it.problems == ("The settings name the bibliography gone.bib, which does not exist.",)
    named = build(root, "lib/one.bib", Settings(syntax=SyntaxSettings(bibliographies=("lib/one.bib",))))
    assert sorted(names(root, named.manuscript)) == ["main.tex", "other/main.tex"]


@pytest.mark.parametrize("written", ["**/*.bib", "./*.bib", "top"])
def test_settings_give_a_bibliography_to_all_manuscripts_however_they_name_it(tree, written):
    root = tree({"main.tex": CLASS, "top.bib": BIB, "other/main.tex": CLASS})
    settings = Settings(syntax=SyntaxSettings(bibliographies=(written,)))
    assert names(root, build(root, "main.tex", settings).bibliographies) == ["top.bib"]
    assert sorted(names(root, build(root, "top.bib", settings).manuscript)) == ["main.tex", "other/main.tex"]


def test_bibliography_of_the_settings_that_cannot_be_read_is_not_said_to_be_missing(tree):
    root = tree({"main.tex": MAIN, "chapters/intro.tex": "", "refs.bib": BIB, "lib.bib": "\0"})
    it = build(root, "main.tex", Settings(syntax=SyntaxSettings(bibliographies=("lib.bib",))))
    assert it.problems == (
        f"{root / 'lib.bib'} is not text and was not read.",
        "The settings name the bibliography lib.bib, which could not be read.",
    )
    assert not it.closed


@pytest.mark.parametrize("written", [r"\jobname.bib", r"\jobname-refs.bib", r"\dir/\jobname.bib"])
def test_bibliography_leads_to_the_main_document_by_whose_name_a_part_calls_it(tree, written):
    name = "main-refs.bib" if "refs" in written else "main.bib"
    preamble = rf"\newcommand{{\dir}}{{.}}\addbibresource{{{written}}}"
    root = tree(
        {"main.tex": rf"{CLASS}\input{{preamble}}\cite{{a}}", "preamble.tex": preamble, name: BIB, "x.bib": BIB}
    )
    assert names(root, build(root, name).manuscript) == ["main.tex", "preamble.tex"]
    assert build(root, "x.bib").manuscript == ()


def test_bibliography_called_by_a_name_in_a_folder_of_a_macro_is_not_shared_with_a_document_of_another_name(tree):
    main = rf"{CLASS}\newcommand{{\dir}}{{lib}}\addbibresource{{\dir/\jobname.bib}}\cite{{a}}"
    root = tree({"one.tex": main, "two.tex": main, "lib/one.bib": BIB, "lib/two.bib": BIB})
    it = build(root, "one.tex")
    assert names(root, it.bibliographies) == ["lib/one.bib"] and not it.shared


def test_bibliography_leads_to_the_document_that_calls_it_by_a_macro_and_a_pattern(tree):
    main = rf"{CLASS}\newcommand{{\dir}}{{lib}}\addbibresource{{\dir/r*.bib}}\cite{{a}}"
    root = tree({"main.tex": main, "lib/refs.bib": BIB, "lib/x.bib": BIB})
    assert names(root, build(root, "lib/refs.bib").manuscript) == ["main.tex"]
    assert build(root, "lib/x.bib").manuscript == ()


def test_entries_know_strings_and_parents_of_other_bibliographies(tree):
    root = tree(
        {
            "main.tex": CLASS + r"\bibliography{strings,refs}",
            "strings.bib": '@string{acm = "ACM Press"}\n@proceedings{conf, title = {Proceedings of X}, year = 1999}',
            "refs.bib": "@inproceedings{a, title = {A}, publisher = acm, crossref = {conf}}",
        }
    )
    [place] = build(root, "main.tex").find("a")
    assert place.entry.strings["acm"].strip('"{}') == "ACM Press"
    assert place.entry.parent("conf").key == "conf"
    assert place.key_span.within(place.source.document.text) == "a"
    assert place.span.within(place.source.document.text) == place.node.source


def test_citation_and_placeholder_at_an_offset(tree):
    root = tree({"main.tex": r"\cite{aa,bb} \cite<words>"})
    it = build(root, "main.tex")
    path = it.manuscript[0]
    at = [it.citation_at(path, offset) for offset in range(14)]
    assert [found.key if found else "" for found in at] == [""] * 6 + ["aa"] * 3 + ["bb"] * 3 + [""] * 2
    assert it.placeholder_at(path, 20).words == "words" and it.placeholder_at(path, 3) is None
    assert it.citation_at("elsewhere.tex", 0) is None


def test_a_document_that_is_not_there(tmp_path):
    it = build(tmp_path, "gone.tex")
    assert not it.sources and not it.closed and list(it.entries()) == []


def test_chapter_that_nothing_readable_includes_is_taken_for_one_of_the_main_files_above_it(tree):
    root = tree(
        {
            "main.tex": r"\input{include/header}\begin{document}\chapterfile{intro}\bibliography{refs}",
            "include/header.tex": CLASS + r"\newcommand{\chapterfile}[1]{\input{chapters/#1}}",
            "chapters/intro.tex": r"\cite{b}",
            "refs.bib": BIB,
        }
    )
    it = build(root, "chapters/intro.tex")
    assert names(root, it.manuscript) == ["main.tex", "include/header.tex", "chapters/intro.tex"]
    assert it.defines("b") and it.guessed and not it.closed
    assert "chapters/intro.tex" not in names(root, build(root, "main.tex").manuscript)


def test_a_chapter_that_nothing_includes_may_have_its_keys_elsewhere(tree):
    main = CLASS + r"\begin{document}\bibliography{refs}\end{document}"
    root = tree({"main.tex": main, "chapters/intro.tex": r"\cite{gone}", "refs.bib": BIB})
    it = build(root, "chapters/intro.tex")
    assert it.guessed and not it.unresolved and not it.closed
    assert build(root, "main.tex").closed


def test_main_file_without_bibliography_is_not_taken_for_a_part(tree):
    root = tree({"main.tex": MAIN, "letter.tex": CLASS + r"\cite{a}", "chapters/intro.tex": "", "refs.bib": BIB})
    assert names(root, build(root, "letter.tex").manuscript) == ["letter.tex"]


def test_own_packages_and_classes_declare_bibliographies_and_cite_commands(tree):
    root = tree(
        {
            "main.tex": r"\documentclass[a4paper]{thesis}\usepackage{amsmath, style/mine}\input{one}\seecite{b}",
            "thesis.cls": r"\LoadClass{report}\RequirePackage{biblatex}\input{gone}\newcommand\x[1]{\emph{\cite{a#1}}}",
            "style/mine.sty": r"\addbibresource{refs.bib}\newcommand{\seecite}[1]{(see \cite{#1})}",
            "one.tex": r"\seecite{a, c}",
            "refs.bib": BIB,
        }
    )
    for opened in ("main.tex", "one.tex", "style/mine.sty"):
        it = build(root, opened)
        assert names(root, it.manuscript) == ["main.tex", "thesis.cls", "style/mine.sty", "one.tex"]
        assert it.closed and [c.key for _, c in it.citations()] == ["b", "a", "c"] and it.defines("a")


def test_a_class_may_name_bibliographies_in_a_way_of_its_own(tree):
    loading = r"\newcommand{\load}[2][]{\bibliographystyle{plain}\bibliography{#2}}"
    root = tree(
        {
            "main.tex": r"\documentclass{thesis}\cite{a}\references[large]{refs}\begin{own}\bibitem{b} Mine.\end{own}",
            "thesis.cls": loading + r"\newcommand{\references}{\load}",
            "refs.bib": BIB,
        }
    )
    it = build(root, "main.tex")
    assert names(root, it.bibliographies) == ["refs.bib"] and it.closed and it.defines("a")


@pytest.mark.parametrize(
    ("document", "package", "name"),
    [
        ("", r"\bibliographystyle{unsrt}", "unsrt"),
        (r"\bibliographystyle{plain}", r"\bibliographystyle{unsrt}", "plain"),
        ("", r"\AtBeginDocument{\@ifpackageloaded{natbib}{\bibliographystyle{unsrt}}{}}", ""),
        ("", r"\if@x\bibliographystyle{unsrt}\else\bibliographystyle{plain}\fi", ""),
        (r"\ifx\a\b\bibliographystyle{plain}\fi", r"\bibliographystyle{unsrt}", ""),
    ],
)
def test_a_class_names_the_style_of_documents_that_name_none(tree, document, package, name):
    main = rf"\documentclass{{ours}}\begin{{document}}{document}\bibliography{{refs}}\end{{document}}"
    root = tree({"main.tex": main, "ours.cls": rf"\LoadClass{{article}}{package}", "refs.bib": BIB})
    style = build(root, "main.tex").bibtex_style
    assert (style[0] if style else "") == name


def test_commands_of_multibib_cite_in_every_part(tree):
    main = f"{CLASS}\\newcites{{sec}}{{More}}\\bibliographysec{{refs}}\\include{{part}}\n"
    root = tree({"main.tex": main, "part.tex": r"\citesec{b} \citepsec{c}", "refs.bib": BIB})
    for path in ("main.tex", "part.tex"):
        assert {it.key for _, it in build(root, path).citations()} == {"b", "c"}


def test_command_defined_while_another_part_is_open(tree):
    root = tree({"main.tex": CLASS + r"\input{one}\bibliography{refs}", "one.tex": "", "refs.bib": BIB})
    files = DiskFiles([str(root)], environment={})
    files.open(str(root / "one.tex"), r"\seecite{a}")
    assert not list(include_graph.build(files, str(root / "one.tex"), DEFAULT).citations())
    files.open(str(root / "main.tex"), CLASS + r"\newcommand\seecite[1]{\cite{#1}}\input{one}\bibliography{refs}")
    assert [c.key for _, c in include_graph.build(files, str(root / "one.tex"), DEFAULT).citations()] == ["a"]


def test_paths_may_count_from_the_folder_and_be_fixed_by_subfiles(tree):
    root = tree(
        {
            "paper/main.tex": CLASS + r"\bibliography{refs}\subfile{one/part}",
            "paper/one/part.tex": r"\documentclass[../main]{subfiles}\addbibresource{\subfix{own.bib}}",
            "paper/one/own.bib": "",
            "refs.bib": BIB,
        }
    )
    it = build(root, "paper/one/part.tex")
    assert names(root, it.bibliographies) == ["refs.bib", "paper/one/own.bib"] and it.closed


@pytest.mark.parametrize("loading", ["\\usepackage[{}]{{cleanthesis}}", "\\PassOptionsToPackage{{{}}}{{cleanthesis}}"])
def test_bibliography_that_an_option_of_a_package_names(tree, loading):
    options = "%\n  hyphenation=true,%\n  bibfile=refs, % here\n  bibstyle=numeric"
    root = tree({"main.tex": f"{CLASS}\n{loading.format(options)}\\cite{{a}}", "refs.bib": BIB})
    assert build(root, "main.tex").defines("a")
    assert names(root, build(root, "refs.bib").manuscript) == ["main.tex"]


BARE = "See [@a; @zz].\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"refs.bib": BIB}, ["refs.bib"]),
        ({"refs.bib": BIB, "more.bib": BIB}, []),
        ({"refs.bib": BIB, "main.tex": MAIN}, []),
        ({"refs.bib": BIB, "other.md": "---\nbibliography: refs.bib\n---\n"}, []),
        (
            {"x.bib": BIB, "y.bib": BIB, "Makefile": "a.pdf:\n\tpandoc --bibliography=x.bib -M bibliography=y.bib"},
            ["x", "y"],
        ),
        ({"x.bib": BIB, "y.bib": BIB, "Makefile": "\tpandoc --bibliography $(BIB) --bibliography 'y.bib' a.md"}, ["y"]),
        ({"x.bib": BIB, "y.bib": BIB, "defaults.yaml": "input-file: a.md\nbibliography:\n- x.bib\n"}, ["x"]),
        ({"x.bib": BIB, "y.bib": BIB, "justfile": "pandoc --bibliography ../z.bib"}, []),
    ],
)
def test_markdown_that_names_no_bibliography(tree, files, expected):
    it = build(root := tree({"a.md": BARE, **files}), "a.md")
    assert [name.removesuffix(".bib") for name in names(root, it.bibliographies)] == [
        name.removesuffix(".bib") for name in expected
    ]
    assert not it.closed and it.unnamed == frozenset(it.bibliographies)
    if expected:
        assert names(root, build(root, expected[0].removesuffix(".bib") + ".bib").manuscript) == ["a.md"]


def test_the_nearest_directory_with_a_bibliography_within_the_workspace(tree):
    files = {
        "refs.bib": BIB,
        "docs/parts/a.md": BARE,
        "docs/b.md": "@b",
        "c.md": "@someone",
        "own/d.md": "@a",
        "own/o.bib": "",
    }
    root = tree(files)
    assert names(root, build(root, "docs/parts/a.md").bibliographies) == ["refs.bib"]
    assert names(root, build(root, "own/d.md").bibliographies) == ["own/o.bib"]
    assert sorted(names(root, build(root, "refs.bib").manuscript)) == ["docs/b.md", "docs/parts/a.md"]
    assert build(root, "docs/parts/a.md", folders=[str(root / "docs")]).bibliographies == ()
    assert build(root, "docs/parts/a.md", folders=[]).bibliographies == ()


def test_what_names_a_bibliography_gets_no_other(tree):
    for front in ("bibliography: other.bib", "bibliography: missing.bib", "references:\n- id: q\n  title: Q"):
        root = tree({"a.md": f"---\n{front}\n---\n{BARE}", "refs.bib": BIB, "sub/other.bib": "", "other.bib": BIB})
        (root / "other.bib").unlink()
        assert not build(root, "a.md").unnamed
    settings = Settings(syntax=SyntaxSettings(bibliographies=("sub/other.bib",)))
    root = tree({"a.md": BARE})
    assert not build(root, "a.md", settings).unnamed


def test_a_thesis_of_many_parts(tree):
    parts = {f"part{number}.tex": f"\\cite{{key{number}}}" for number in range(60)}
    inputs = "".join(f"\\input{{part{number}}}" for number in range(60))
    it = build(tree({"main.tex": CLASS + inputs + "\\bibliography{refs}", "refs.bib": BIB, **parts}), "main.tex")
    assert len(it.manuscript) == 61 and it.closed and not it.problems


def test_thousands_of_entries_of_one_key_cost_as_much_as_two_to_ask_whether_it_is_cited(tree):
    """A compiled list of a stranger may have as many, and each asks."""

    def calls(entries):
        items = "\\bibitem{a} D. Knuth. Literate programming. 1984.\n" * entries
        root = tree({f"{entries}.tex": f"\\begin{{thebibliography}}{{9}}\n{items}\\end{{thebibliography}}\n"})
        project = build(root, f"{entries}.tex")
        assert len(list(project.entries())) == entries and not project.cites("a")
        profile = cProfile.Profile()
        profile.runcall(project.cites, "a")
        return pstats.Stats(profile).total_calls

    assert calls(2000) <= calls(2)

"""citelsp demo: on a small manuscript, the candidates, the findings and the BibTeX that an editor would show."""

import argparse
import contextlib
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import citelsp
from citelsp.cli import common, exits, paint

if TYPE_CHECKING:
    from citelsp.bibliography.library.index import Libraries
    from citelsp.corpus.index import Corpus
    from citelsp.knowledge import Candidate
    from citelsp.project import Project
    from citelsp.syntax.nodes import Placeholder

HELP = "show what an editor would show, on a small manuscript"
_SHOWN = 3  # candidates of each placeholder
_NEXT = """
Nothing was written. On your own work:
  citelsp check paper.tex           what is wrong with its citations and references
  citelsp corpus add refs.bib       what `citelsp suggest paper.tex` may offer besides the paper's own entries"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = """\
Indexes the demonstration's corpus and prints, for each placeholder of its
manuscripts, the candidates with their evidence and the BibTeX that accepting
the first would write; then the findings. Works on a copy, in a temporary
folder, without network.
"""


def run(_: argparse.Namespace) -> int:
    source = folder()
    if source is None:
        return common.fail("the demonstration's files are missing from this installation")
    with tempfile.TemporaryDirectory(prefix="citelsp-demo-") as place:
        copy = Path(place).resolve() / "demo"
        shutil.copytree(source, copy)
        with contextlib.chdir(copy):
            _demonstrate(copy, Path(place))
    print(_NEXT)
    return exits.OK


def folder() -> Path | None:
    """The demonstration's files: inside an installed package, or beside it in a checkout."""
    package = Path(citelsp.__file__).parent
    places = (package / "fixtures" / "demo", package.parent / "fixtures" / "demo")
    return next((it for it in places if (it / "corpus.jsonl").exists()), None)


def _demonstrate(copy: Path, scratch: Path) -> None:
    from citelsp import include_graph
    from citelsp.bibliography.library.index import Libraries
    from citelsp.corpus import imports
    from citelsp.corpus.index import Corpus
    from citelsp.files import DiskFiles
    from citelsp.settings import Settings

    began = time.perf_counter()
    files, settings = DiskFiles([str(copy)]), Settings()
    with Corpus(scratch / "corpus", create=True) as corpus:
        added = corpus.add(imports.read(copy / "corpus.jsonl", common.warn))
        _heading(f"Corpus: {added.new} works, indexed in {time.perf_counter() - began:.1f} s")
        for name in ("main.tex", "notes.md"):
            found = include_graph.build(files, str(copy / name), settings)
            for part in found.manuscript:
                for placeholder in found.sources[part].syntax.placeholders:
                    _placeholder(found, part, placeholder, corpus, Libraries())
    for name in ("main.tex", "notes.md"):
        _findings(include_graph.build(files, str(copy / name), settings), name)


def _heading(text: str) -> None:
    print(f"\n{paint.paint(text, 'bold')}")


def _placeholder(
    project: "Project", path: str, placeholder: "Placeholder", corpus: "Corpus", libraries: "Libraries"
) -> None:
    from citelsp.cli.report import named
    from citelsp.investigate import suggest

    document = project.sources[path].document
    line = document.text.count("\n", 0, placeholder.whole.start) + 1
    before, written = document.text[: placeholder.whole.start], placeholder.whole.within(document.text)
    _heading(f"{named(path)}:{line}: {paint.excerpt(before, written)}")
    answer = suggest.suggest(project, path, placeholder, libraries, corpus)
    if answer.abstained:
        print(f"  {paint.reason(answer.reason)}")
        return
    for rank, candidate in enumerate(answer.candidates[:_SHOWN], 1):
        print(paint.candidate(candidate, rank))
    _written(project, path, placeholder, answer.candidates[0])


def _written(project: "Project", path: str, placeholder: "Placeholder", candidate: "Candidate") -> None:
    """What accepting the first candidate changes, in the manuscript and in the bibliography."""
    from citelsp.features import insert_entry
    from citelsp.features.values import Refused

    insertion = insert_entry.edits_for(project, path, placeholder, candidate)
    if isinstance(insertion, Refused):
        print(f"  {insertion.reason}")
        return
    from citelsp.text import Span

    edit = next(it for it in insertion.change.edits if it.path == path)
    text, whole = project.sources[path].document.text, placeholder.whole
    here = Span(whole.start, edit.span.start).within(text) + edit.new_text + text[edit.span.end : whole.end]
    print(f"  Accepting the first writes {paint.paint(here, 'good')}", end="")
    if not insertion.entry:
        print("; the entry is in the bibliography already.")
        return
    print(f" and, in {Path(insertion.bibliography).name}:")
    print(paint.paint("\n".join(f"    {it}" for it in insertion.entry.splitlines()), "good"))


def _findings(project: "Project", name: str) -> None:
    from citelsp import checks
    from citelsp.cli.report import Checked, together
    from citelsp.cli.reports import text
    from citelsp.knowledge import Knowledge

    _heading(f"Findings in {name} and its bibliography")
    knowledge = Knowledge()
    print(text.render([Checked(project, knowledge, checks.run(project, knowledge), ())], paint.width(sys.stdout)))
    for note in together(checks.notes(project)):
        print(f"  note: {note}")

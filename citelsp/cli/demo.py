"""citelsp demo: on a small manuscript, the candidates, the findings and the BibTeX that an editor would show."""

import argparse
import contextlib
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import citelsp
from citelsp.cli import common, exits, paint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citelsp.bibliography.completion_search.libraries import Libraries
    from citelsp.corpus.index import Corpus
    from citelsp.knowledge import Candidate, Suggestion
    from citelsp.syntax.nodes import Placeholder
    from citelsp.workspace.project import Project

HELP = "show what citelsp does, on a small manuscript"
_MOST_SHOWN = 3  # candidates of each placeholder
_COLUMN_OF_VALUES = 19  # the column in which the value of a field begins
_END = "\nNothing was written. `citelsp demo --all` shows the rest and what to do next."
_END_OF_ALL = """
Nothing was written.

In an editor (`citelsp help install`): open main.tex in a copy of
  {folder}

On your own work:
  citelsp check paper.tex       what is wrong with its citations and references
  citelsp corpus add ~/papers   more works that `citelsp suggest` may offer"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = """\
Indexes the demonstration's corpus and prints, for placeholders of its
manuscripts, the candidates with their evidence and the BibTeX that accepting
the first would write; then the findings. Works on a copy, in a temporary
folder, without network.
"""
    parser.add_argument("--all", action="store_true", help="show every placeholder and finding, not one of each")


def run(options: argparse.Namespace) -> int:
    """Show what citelsp does on a copy of the demonstration's files, in a temporary folder; return the exit status."""
    source = folder()
    if source is None:
        return common.fail("the demonstration's files are missing from this installation")
    with tempfile.TemporaryDirectory(prefix="citelsp-demo-") as scratch:
        copy = Path(scratch).resolve() / "demo"
        shutil.copytree(source, copy)
        with contextlib.chdir(copy):  # so that paths are printed relative to the copy
            _show_demonstration(copy, Path(scratch), everything=options.all)
    print(_END_OF_ALL.format(folder=source) if options.all else _END)
    return exits.OK


def folder() -> Path | None:
    """Return the folder with the demonstration's files: in an installed package, or beside it in a checkout."""
    package = Path(citelsp.__file__).parent
    places = (package / "fixtures" / "demo", package.parent / "fixtures" / "demo")
    return next((it for it in places if (it / "corpus.jsonl").exists()), None)


def _show_demonstration(copy: Path, scratch: Path, *, everything: bool) -> None:
    """Print answers for the placeholders of the manuscripts in `copy`, and other findings in all of its documents.

    The corpus is indexed in `scratch`.  Shows one placeholder and one finding, or with `everything` all of them, though
    of each placeholder at most _MOST_SHOWN candidates.
    """
    from citelsp.base.settings import Settings
    from citelsp.bibliography.completion_search.libraries import Libraries
    from citelsp.corpus import imports
    from citelsp.corpus.index import Corpus
    from citelsp.workspace import include_graph
    from citelsp.workspace.files import DiskFiles

    began = time.perf_counter()
    files = DiskFiles([str(copy)])
    libraries = Libraries()

    def build(name: str) -> "Project":
        return include_graph.build(files, str(copy / name), Settings())

    with Corpus(scratch / "corpus", create=True) as corpus:
        added = corpus.add(imports.read(copy / "corpus.jsonl", common.warn))
        print(f"A small manuscript and a corpus of {added.new} papers, indexed in {time.perf_counter() - began:.2f} s.")
        was_shown = False
        for place in _list_places(build("main.tex"), build("notes.md")):
            answer = _find_works(place, corpus, libraries)
            # One answer fits a screen of 24 lines.  The first that would add a new entry shows the most; a candidate
            # with a key has its entry already.  An answer that does not abstain has candidates.
            adds_entry = not answer.abstained and not answer.candidates[0].key
            if everything or (adds_entry and not was_shown):
                _print_answer(place, answer, everything=everything)
                was_shown = True
    _print_findings(build("references.bib"), everything=everything)


@dataclass(frozen=True, slots=True)
class _Place:
    """A placeholder where it stands."""

    project: "Project"
    path: str
    placeholder: "Placeholder"


def _list_places(*projects: "Project") -> "Iterator[_Place]":
    """Yield every placeholder of these manuscripts."""
    for project in projects:
        for path in project.manuscript:
            for placeholder in project.sources[path].syntax.placeholders:
                yield _Place(project, path, placeholder)


def _find_works(place: _Place, corpus: "Corpus", libraries: "Libraries") -> "Suggestion":
    """Find works for a placeholder in the corpus and its project's bibliographies, each with a passage."""
    from citelsp.candidates import candidate_set, gather, quoting
    from citelsp.workspace import question

    asked = question.placeholder_question(place.project, place.path, place.placeholder)
    here = gather.gather_locally(asked, corpus, place.project, libraries)  # what this machine has for it
    return quoting.quote_each(asked, candidate_set.suggest(here), corpus)


def _print_heading(text: str) -> None:
    print(f"\n{paint.wrap(paint.paint(text, 'bold'), paint.width(sys.stdout))}")


def _print_answer(place: _Place, answer: "Suggestion", *, everything: bool) -> None:
    """Print the placeholder's sentence, its first candidates and what accepting the first of them writes.

    Prints why nothing is offered if citelsp abstains.  Improbable candidates behind the first only with `everything`;
    never more than _MOST_SHOWN in all.
    """
    from citelsp.cli.report_parts import show_path

    text = place.project.sources[place.path].document.text
    whole = place.placeholder.whole
    line = text.count("\n", 0, whole.start) + 1
    excerpt = paint.excerpt(text[: whole.start], whole.within(text))
    _print_heading(f"{show_path(place.path)}:{line}: {excerpt}")
    if answer.abstained:
        print(f"  {paint.reason(answer.reason)}")
        return
    for rank, candidate in enumerate(answer.candidates[:_MOST_SHOWN], 1):
        if everything or rank == 1 or not paint.is_improbable(candidate):
            print(paint.candidate(candidate, rank, paint.width(sys.stdout)))
    _print_written(place, answer.candidates[0])


def _print_written(place: _Place, candidate: "Candidate") -> None:
    """Print what accepting the candidate changes, in manuscript and bibliography; or why it cannot be accepted."""
    from citelsp.features import insert_entry
    from citelsp.features.values import Refused

    insertion = insert_entry.edits_for(place.project, place.path, place.placeholder, candidate)
    if isinstance(insertion, Refused):
        print(f"  {insertion.reason}")
        return
    # The placeholder's own edit comes first; one that adds an entry to the same document may follow.
    edit = next(it for it in insertion.change.edits if it.path == place.path)
    text = place.project.sources[place.path].document.text
    whole = place.placeholder.whole
    # The edit may replace only a part of the placeholder: of `\cite<words>` the command stays.
    citation = text[whole.start : edit.span.start] + edit.new_text + text[edit.span.end : whole.end]
    width = paint.width(sys.stdout)
    accepting = f"  Accepting the first writes {paint.paint(citation, 'good')}"
    if not insertion.entry:
        print(paint.wrap(f"{accepting}; its entry is in the bibliography already.", width))
        return
    print(paint.wrap(f"{accepting} and, in {Path(insertion.bibliography).name}:", width))
    entry = [paint.wrap(f"    {line}", width, _COLUMN_OF_VALUES) for line in insertion.entry.splitlines()]
    print(paint.paint("\n".join(entry), "good"))


def _print_findings(project: "Project", *, everything: bool) -> None:
    """Print the findings in the documents of a project; only the first unless `everything`.

    Placeholders are findings too, but were shown with their candidates.
    """
    from citelsp import checks
    from citelsp.checks import open_placeholder
    from citelsp.cli.report_parts import Checked
    from citelsp.cli.reports import text
    from citelsp.knowledge import Knowledge

    # Nothing is known of the works, as no service was asked.
    findings = [it for it in checks.run(project, Knowledge()) if it.code != open_placeholder.CODE]
    shown = findings if everything else findings[:1]
    _print_heading(f"Findings of `citelsp check --offline` ({len(shown)} of {len(findings)}):")
    print(text.render([Checked(project, Knowledge(), findings=shown, places=())], paint.width(sys.stdout)))

r"""How well an author's entries and a corpus are weighed against each other, and how honest the probabilities are.

    python tests/lab entries_and_corpus CORPUS FOLDER... [--each 6]

Each FOLDER holds one manuscript, and places are masked as `lab masking` does, in whole texts and in first drafts.  Each
place is asked with all entries; once more without those of the works that are cited there, as if the author had yet to
write them; and, in the whole text, of the corpus alone.  Printed: how often a right work is first and among ten, with
intervals by manuscript; the mean probability said of first works; their calibration error (ECE), also over both, and
what so many honest answers have by chance; how often something is said to fit, and how often the first is right there.
A work is right if it has a key, a title or an identifier of what stood there.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from citelsp.base.settings import Settings
from citelsp.bibliography import entry_record
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.candidates import candidate_set, gather
from citelsp.corpus.index import Corpus
from citelsp.corpus.words import title_key
from citelsp.evals import metrics
from citelsp.evals.page import Section, Table, markdown
from citelsp.evals.scores import with_interval
from citelsp.knowledge import Candidate, Suggestion
from citelsp.workspace import include_graph
from citelsp.workspace import question as questions
from citelsp.workspace.files import DiskFiles
from citelsp.workspace.project import Place, Project
from lab import masking

FEWEST = 15  # entries of a manuscript
WHOLE, DRAFT = "whole text", "first draft"
THERE, GONE, ALONE = "entry there", "entry gone", "corpus alone"
_LISTED = 10
_HEAD = ("", "n", "right first", "among ten", "said, mean", "ECE", "ECE by chance", "said to fit", "right there")


@dataclass(frozen=True, slots=True)
class RightWorks:
    """What is cited at a place: keys, titles as `title_key` makes them, and ids of the works in the corpus."""

    keys: frozenset[str]
    titles: frozenset[str]
    ids: frozenset[str]

    def has(self, candidate: Candidate) -> bool:
        record = candidate.record
        return candidate.key in self.keys or record.id in self.ids or title_key(record.title) in self.titles

    def is_entry(self, place: Place) -> bool:
        title = title_key(entry_record.from_entry(place.entry).title)
        return place.node.key in self.keys or title in self.titles


@dataclass(frozen=True, slots=True)
class Answer:
    """What is listed at a place."""

    manuscript: str
    text: str  # WHOLE or DRAFT
    works: str  # THERE, GONE or ALONE
    in_corpus: bool  # it has a right work
    probability: float  # said of the first work; 0 if nothing is listed
    rights: tuple[bool, ...]  # whether each listed work is right
    fits: bool  # the first is said to fit

    @property
    def is_right(self) -> bool:
        return self.rights[:1] == (True,)


def ask(manuscript: masking.Manuscript, corpus: Corpus) -> Iterator[Answer]:
    """The answers at each place of a manuscript; places whose entries stand in a masked document are left out."""
    libraries = Libraries()
    for place in manuscript.places:
        project = include_graph.build(manuscript.files, manuscript.main, Settings())
        right = _find_right_works(project, place, corpus)
        without_entries = _remove_entries(project, right)
        for text in (WHOLE, DRAFT):
            masked = masking.masked(project, place, masking.MARK, first_draft=text == DRAFT)
            if masked.keys() & without_entries.keys():
                continue
            ways = [(THERE, masked), (GONE, masked | without_entries)]
            if text == WHOLE:
                ways.append((ALONE, masked))
            for works, texts in ways:
                with _opened(manuscript.files, texts):
                    listed = _suggest(manuscript, place, corpus, None if works == ALONE else libraries)
                if listed:
                    first = listed.candidates[0].probability if listed.candidates else None
                    rights = tuple(map(right.has, listed.candidates))
                    said = (first or 0.0, rights, not listed.abstained)
                    yield Answer(manuscript.folder.name, text, works, bool(right.ids), *said)


def _find_right_works(project: Project, place: masking.MaskedPlace, corpus: Corpus) -> RightWorks:
    titles: set[str] = set()
    numbers: set[int] = set()
    for entry in (it for key in sorted(place.keys) for it in project.find(key)):
        record = entry_record.from_entry(entry.entry)
        identifiers = record.identifiers
        numbers.update(corpus.store.by_identifier(doi=identifiers.doi, arxiv=identifiers.arxiv))
        if title := title_key(record.title):
            titles.add(title)
            numbers.update(corpus.store.by_title(record.title))
    return RightWorks(place.keys, frozenset(titles), frozenset(corpus.store.ids(sorted(numbers))))


def _remove_entries(project: Project, right: RightWorks) -> dict[str, str]:
    """The texts of bibliographies without every entry of a right work, by path; others stay as they are."""
    gone: dict[str, list[Place]] = {}
    for entry in filter(right.is_entry, project.entries()):
        gone.setdefault(entry.source.document.path, []).append(entry)
    texts = {}
    for path, entries in gone.items():
        texts[path] = masking.replaced(project.sources[path].document.text, {it.span: "" for it in entries})
    return texts


@contextmanager
def _opened(files: DiskFiles, texts: Mapping[str, str]) -> Iterator[None]:
    """Have documents open with these texts, by path, as an editor has."""
    for path, text in texts.items():
        files.open(path, text)
    yield
    for path in texts:
        files.close(path)


def _suggest(
    manuscript: masking.Manuscript, place: masking.MaskedPlace, corpus: Corpus, libraries: Libraries | None
) -> Suggestion | None:
    """What an editor lists at a masked place, without entries if there are no `libraries`; None if it asks nothing."""
    project = include_graph.build(manuscript.files, manuscript.main, Settings())
    placeholder = project.placeholder_at(place.path, place.span.start + len(masking.MARK) - 1)
    if placeholder is None:
        return None
    question = questions.placeholder_question(project, place.path, placeholder)
    return candidate_set.suggest(gather.gather_locally(question, corpus, project, libraries))


def section(answers: Sequence[Answer]) -> Section:
    rows = []
    for text in (WHOLE, DRAFT):
        there, gone, alone = (
            [it for it in answers if (it.text, it.works) == (text, works)] for works in (THERE, GONE, ALONE)
        )
        parts = {THERE: there, GONE: gone, "both": there + gone, ALONE: alone}
        rows += [(f"{text}, {name}", *_measure(part)) for name, part in parts.items() if part]
    in_corpus = sum(it.in_corpus for it in answers) / max(1, len(answers))
    note = (
        f"{len({it.manuscript for it in answers})} manuscripts; the corpus has {in_corpus:.1%} of what is cited there"
    )
    return Section("Entries and corpus", notes=(note,), tables=(Table(_HEAD, tuple(rows)),))


def _measure(answers: Sequence[Answer]) -> list[str]:
    """The cells of a row, in percent except for the number of answers."""
    manuscripts = [it.manuscript for it in answers]
    right = [it.is_right for it in answers]
    chances = [it.probability for it in answers]
    by_chance = metrics.error_by_chance(chances)
    fitting = [it.is_right for it in answers if it.fits]
    return [
        str(len(answers)),
        with_interval(metrics.estimate_mean([float(it) for it in right], manuscripts)),
        with_interval(metrics.estimate_mean([float(any(it.rights[:_LISTED])) for it in answers], manuscripts)),
        f"{100 * sum(chances) / len(chances):.1f}",
        f"{100 * metrics.calibration_error(chances, right):.1f}",
        f"{100 * by_chance.low:.1f}..{100 * by_chance.high:.1f}",
        f"{100 * len(fitting) / len(answers):.1f}",
        f"{100 * sum(fitting) / len(fitting):.1f}" if fitting else "–",
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--each", type=int, default=6, help="citations of each manuscript")
    options = parser.parse_args(arguments)
    answers: list[Answer] = []
    with Corpus(options.corpus) as corpus:
        for folder in options.folders:
            manuscript = masking.manuscript(folder.resolve(), options.each, FEWEST)
            if manuscript:
                answers += ask(manuscript, corpus)
    print(markdown("Entries and corpus", [section(answers)]))


if __name__ == "__main__":
    main()

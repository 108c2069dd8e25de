r"""Words typed into placeholders letter by letter: how steady the first row of the list is, and how often right.

    python tests/lab typed_words FOLDER... [--number 70] [--corpus DIR] [--seed 1] [--list]

Each FOLDER holds one manuscript in LaTeX with its bibliographies.  At seeded citations of it, which are replaced by
`\cite<`, the telling words of the cited title are typed, at most six; the list of each letter is the one that an editor
shows, offline, with the rest of the paragraph taken away.  Printed: at how many letters after the third word the first
row changes, how many of those lists are empty, and how often the entry is among the first three at the end: without
words before the full stop and after it, and with words.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from citelsp.base.settings import Settings
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.candidates import candidate_set, gather
from citelsp.corpus.index import Corpus
from citelsp.corpus.words import stems
from citelsp.workspace import include_graph
from citelsp.workspace import question as questions
from lab import masking
from lab.masking import Manuscript, MaskedPlace

_WORDS = 6  # typed
_UNCOUNTED = 3  # words, while which the list may change as it likes
_FEWEST = 4  # words of a title that is typed
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_FIRST = 3  # rows among which the right entry is looked for


@dataclass(frozen=True, slots=True)
class TypedPlace:
    """What the lists of one place came to."""

    letters: int  # after the third word
    changes: int  # of the first row at these letters
    empty: int  # lists
    before: bool  # the right entry is among the first without words, before the full stop
    after: bool  # the same with the full stop typed
    typed: bool  # with all words typed


class PlaceTypist:
    """Writes into a copy of the manuscript and lists what is offered there."""

    def __init__(self, manuscript: Manuscript, corpus: Corpus | None) -> None:
        self._manuscript, self._corpus, self._libraries = manuscript, corpus, Libraries()

    def title(self, place: MaskedPlace) -> str:
        project = include_graph.build(self._manuscript.files, self._manuscript.main, Settings())
        return next((it.entry.title for key in sorted(place.keys) for it in project.find(key)), "")

    def listed(self, place: MaskedPlace, words: str, ending: str) -> list[str]:
        """The keys offered if the author has got so far; keys of works without an entry are empty."""
        files = self._manuscript.files
        project = include_graph.build(files, self._manuscript.main, Settings())
        text = project.sources[place.path].document.text
        rest = text[place.span.end :]
        paragraph = _PARAGRAPH.search(rest)
        written = f"{text[: place.span.start]}\\cite<{words}"
        files.open(place.path, f"{written}>{ending}{rest[paragraph.start() if paragraph else len(rest) :]}")
        project = include_graph.build(files, self._manuscript.main, Settings())
        placeholder = project.placeholder_at(place.path, len(written))
        files.close(place.path)
        if placeholder is None:
            return []
        question = questions.placeholder_question(project, place.path, placeholder)
        found_here = gather.gather_locally(question, self._corpus, project, self._libraries)
        return [it.key or it.record.title for it in candidate_set.suggest(found_here).candidates]


def typed(typist: PlaceTypist, place: MaskedPlace) -> TypedPlace | None:
    """One place; None if the title has too few words to be typed."""
    words = [it for it in re.findall(r"[\w-]+", typist.title(place)) if stems(it)][:_WORDS]
    if len(words) < _FEWEST:
        return None
    hint = " ".join(words).lower()
    start = len(" ".join(words[:_UNCOUNTED]))
    lists = [typist.listed(place, hint[:end], "") for end in range(start, len(hint) + 1)]
    firsts = [it[:1] for it in lists]
    before, after = (typist.listed(place, "", ending) for ending in ("", "."))

    def right(found: Sequence[str]) -> bool:
        return any(key in place.keys for key in found[:_FIRST])

    return TypedPlace(
        letters=len(firsts) - 1,
        changes=sum(one != other for one, other in pairwise(firsts)),
        empty=sum(not it for it in lists),
        before=right(before),
        after=right(after),
        typed=right(lists[-1]),
    )


def places(manuscript: Manuscript, corpus: Corpus | None, number: int) -> Iterator[TypedPlace]:
    typist, left = PlaceTypist(manuscript, corpus), number
    for place in manuscript.places:
        if left and (found := typed(typist, place)):
            left -= 1
            yield found


def report(found: Sequence[TypedPlace]) -> str:
    letters, changes = sum(it.letters for it in found), sum(it.changes for it in found)
    before, after = sum(it.before for it in found), sum(it.after for it in found)
    return "\n".join(
        [
            f"{len(found)} placeholders",
            f"the first row changes at {changes} of {letters} letters after the third word, {changes / letters:.1%}",
            f"empty lists: {sum(it.empty for it in found)}",
            f"right entry among three: {before} before the full stop, {after} after it",
            f"with words: {sum(it.typed for it in found)}",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="words typed into placeholders letter by letter")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--number", type=int, default=70, help="placeholders of each manuscript")
    parser.add_argument("--corpus", type=Path, help="works beside the author's own")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    found: list[TypedPlace] = []
    with ExitStack() as stack:
        corpus = stack.enter_context(Corpus(options.corpus)) if options.corpus else None
        for folder in options.folders:
            # More than are typed: not every title is long enough.
            known = masking.manuscript(folder.resolve(), 3 * options.number, 0, options.seed)
            found += places(known, corpus, options.number) if known else ()
    print(report(found) if found else "no manuscript with entries that it cites")


if __name__ == "__main__":
    main()

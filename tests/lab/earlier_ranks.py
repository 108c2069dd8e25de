"""Where version 0.2.0 ranks the entries that are cited at masked places; `lab nearness --beside` runs it.

    PYTHON tests/lab/earlier_ranks.py < PLACES > RANKS

PYTHON is that of an environment in which the earlier version is installed; its names are imported here, so this file
imports nothing of today's and no check of types reads it.  A line of PLACES is a manuscript: `folder`, `main`, and
`places` with `path`, `start`, `end`, `keys`.  For each a line of RANKS comes: by place, how many entries stand before
the first right one in the whole text, and as a first draft; null where the placeholder is not read or no right entry
is weighed.
"""

import json
import math
import sys

from citelsp.corpus.query import Query

from citelsp.base.settings import Settings
from citelsp.base.text import Span
from citelsp.bibliography.library.libraries import Libraries
from citelsp.candidates import entries
from citelsp.evals import masking
from citelsp.workspace import include_graph
from citelsp.workspace import question as questions
from citelsp.workspace.files import DiskFiles


def main() -> None:
    for line in sys.stdin:
        manuscript = json.loads(line)
        files = DiskFiles([manuscript["folder"]])
        libraries = Libraries()
        ranks = []
        for raw in manuscript["places"]:
            place = masking.MaskedPlace(raw["path"], Span(raw["start"], raw["end"]), frozenset(raw["keys"]))
            ranks.append(
                [
                    rank(files, manuscript["main"], libraries, place, first_draft=first_draft)
                    for first_draft in (False, True)
                ]
            )
        print(json.dumps(ranks), flush=True)


def rank(
    files: DiskFiles, main_file: str, libraries: Libraries, place: masking.MaskedPlace, *, first_draft: bool
) -> int | None:
    whole = include_graph.build(files, main_file, Settings())
    texts = masking._masked(whole, place, masking._MARK, first_draft=first_draft)
    for path, text in texts.items():
        files.open(path, text)
    project = include_graph.build(files, main_file, Settings())
    placeholder = project.placeholder_at(place.path, place.span.start + len(masking._MARK) - 1)
    scores: list[tuple[float, bool]] = []  # of each entry, and whether it is cited there
    if placeholder:
        query = Query(questions.of(project, place.path, placeholder))
        found, rows, _ = entries.weighed(project, project.libraries(libraries), query)
        for entry, row in zip(found, rows, strict=True):
            scores.append((math.fsum(map(float.__mul__, entries.WEIGHTS, row)), entry.node.key in place.keys))
    for path in texts:
        files.close(path)
    best = max((score for score, is_right in scores if is_right), default=None)
    return None if best is None else sum(score > best for score, _ in scores)


if __name__ == "__main__":
    main()

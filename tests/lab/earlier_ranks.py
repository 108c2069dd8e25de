"""Where an earlier version ranks the entries that are cited at masked places; `lab nearness --beside` runs it.

    PYTHON tests/lab/earlier_ranks.py < PLACES > RANKS

PYTHON is that of an environment in which the earlier version is installed, 0.2.0 or a later commit; its names are
imported here, so no check of types reads this file.  A line of PLACES is a manuscript: `folder`, `main`, and
`places` with `path`, `start`, `end`, `keys`.  For each a line of RANKS comes: by place, how many entries stand before
the first right one in the whole text, and as a first draft; null where the placeholder is not read or no right entry
is weighed.
"""

import json
import math
import sys
from pathlib import Path

from citelsp.base.settings import Settings
from citelsp.base.text import Span
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.candidates import entries
from citelsp.workspace import include_graph
from citelsp.workspace import question as questions
from citelsp.workspace.files import DiskFiles

try:
    from citelsp.corpus.query import Query
    from citelsp.evals.masking import _MARK as MARK
    from citelsp.evals.masking import MaskedPlace
    from citelsp.evals.masking import _masked as mask

    ask_question, weigh_entries = questions.of, entries.weighed
except ImportError:  # later than 0.2.0
    from citelsp.corpus.place_query import Query

    sys.path.insert(0, str(Path(__file__).parents[1]))
    from lab.masking import MARK, MaskedPlace
    from lab.masking import masked as mask

    ask_question, weigh_entries = questions.placeholder_question, entries.weigh_entries


def main() -> None:
    for line in sys.stdin:
        manuscript = json.loads(line)
        files = DiskFiles([manuscript["folder"]])
        libraries = Libraries()
        ranks = []
        for raw in manuscript["places"]:
            place = MaskedPlace(raw["path"], Span(raw["start"], raw["end"]), frozenset(raw["keys"]))
            ranks.append(
                [
                    rank(files, manuscript["main"], libraries, place, first_draft=first_draft)
                    for first_draft in (False, True)
                ]
            )
        print(json.dumps(ranks), flush=True)


def rank(
    files: DiskFiles, main_file: str, libraries: Libraries, place: MaskedPlace, *, first_draft: bool
) -> int | None:
    whole = include_graph.build(files, main_file, Settings())
    texts = mask(whole, place, MARK, first_draft=first_draft)
    for path, text in texts.items():
        files.open(path, text)
    project = include_graph.build(files, main_file, Settings())
    placeholder = project.placeholder_at(place.path, place.span.start + len(MARK) - 1)
    scores: list[tuple[float, bool]] = []  # of each entry, and whether it is cited there
    if placeholder:
        query = Query(ask_question(project, place.path, placeholder))
        found, rows, _ = weigh_entries(project, project.libraries(libraries), query)
        for entry, row in zip(found, rows, strict=True):
            scores.append((math.fsum(map(float.__mul__, entries.WEIGHTS, row)), entry.node.key in place.keys))
    for path in texts:
        files.close(path)
    best = max((score for score, is_right in scores if is_right), default=None)
    return None if best is None else sum(score > best for score, _ in scores)


if __name__ == "__main__":
    main()

"""How much CPU and memory the corpus costs: building it, opening it, looking a title up, a context query, PDF files.

    python tests/benchmarks/corpus.py [--works FILE.jsonl[.xz] | --invented N] [--copies N] [--questions FILE.jsonl]
        [--pdfs N] [--keep DIR] [--json]

Without --works they are invented.  `--copies 2` adds every work twice, the second time under another id and title.
QUESTIONS are batch queries; without them places are invented.  Tantivy alone, indexing the same titles and abstracts in
the same minutes, says how fast the machine is just now.  `--keep` leaves the corpus there for a later run to open.
"""

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import tantivy
from papers import invented, paper

from citelsp.corpus import compressed_files, imports, search_place
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.workspace.question import MARKER, Question, read_marked

_OPENINGS, _LOOKUPS, _PLACES = 7, 300, 200
_PAGES = 20
_HEAP = 500_000_000


@dataclass(frozen=True)
class Costs:
    """Seconds and milliseconds of CPU, unless said otherwise; 0 where nothing was measured."""

    works: int
    alone: float  # seconds of tantivy alone
    building: float  # seconds
    building_mb: float  # resident at most
    index_mb: float  # on disk
    opening: float  # milliseconds
    lookup: float  # milliseconds for a title
    lookup_typo: float  # with a letter missing
    query: float  # milliseconds from a place to ranked works, median
    query_p95: float
    pdfs: int
    pdfs_cpu: float  # seconds, of all processes that read
    pdfs_wall: float  # seconds on the clock


def spent(act: Callable[[], object]) -> float:
    """Seconds of CPU, those of ended child processes among them."""
    before = _cpu()
    act()
    return _cpu() - before


def _cpu() -> float:
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


def alone(works: Iterable[Work], folder: Path) -> None:
    """Tantivy with one field, its own tokenizer and stemmer."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="en_stem", index_option="freq")
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(heap_size=_HEAP, num_threads=1)
    for it in works:
        writer.add_document(tantivy.Document(text=f"{it.title} {it.abstract}"))
    writer.commit()
    writer.wait_merging_threads()


def build(source: Path, copies: int, folder: Path) -> None:
    with Corpus(folder, create=True) as corpus:
        corpus.add(_copied(source, copies))


def _copied(source: Path, copies: int) -> Iterator[Work]:
    for work in imports.from_jsonl(compressed_files.lines(source), str(source), sys.exit):
        yield work
        for number in range(1, copies):
            yield replace(work, id=f"{work.id}+{number}", title=f"{work.title} {number}", doi="", arxiv="")


def built_apart(source: Path, copies: int, folder: Path) -> tuple[float, float]:
    """Seconds of CPU and megabytes resident at most of a process that builds the corpus; zeros where it is there."""
    if folder.exists():
        return 0.0, 0.0
    command = [sys.executable, __file__, "--works", str(source), "--copies", str(copies), "--build", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, memory = json.loads(done.stdout)
    return seconds, memory


def opening(folder: Path) -> float:
    return 1000 * statistics.median(spent(lambda: Corpus(folder).close()) for _ in range(_OPENINGS))


def lookups(corpus: Corpus, titles: Sequence[str]) -> float:
    found = [spent(lambda it=it: corpus.lookup(title=it)) for it in titles]  # type: ignore[misc]
    return 1000 * statistics.median(found)


def queries(corpus: Corpus, places: Sequence[tuple[Question, Sequence[str]]]) -> list[float]:
    for place, excluded in places[:3]:
        search_place.rank(corpus.catalogue(), place, exclude=excluded)
    found = []
    for place, excluded in places:
        before = time.process_time()
        search_place.rank(corpus.catalogue(), place, exclude=excluded)
        found.append(1000 * (time.process_time() - before))
    return sorted(found)


def places(corpus: Corpus, questions: Path | None) -> list[tuple[Question, Sequence[str]]]:
    """Of a file, else the words of works' abstracts around a marker."""
    chance = random.Random(4)  # noqa: S311
    if questions:
        asked = [json.loads(it) for it in questions.read_text("utf-8").splitlines()]
        asked = chance.sample(asked, min(_PLACES, len(asked)))
        made = [read_marked(it["text"], title=it.get("title") or "", date=it.get("date") or "") for it in asked]
        return [(place, it.get("exclude") or ()) for place, it in zip(made, asked, strict=True)]
    works = [it.work for it in corpus.rows(corpus.store.all_numbers()[: 20 * _PLACES]) if it.work.abstract]
    chosen = chance.sample(works, min(_PLACES, len(works)))
    return [(read_marked(_around(it), title=other.title), (it.id,)) for it, other in zip(chosen, works, strict=False)]


def _around(work: Work) -> str:
    words = work.abstract.split()
    return " ".join([*words[: len(words) // 2], MARKER, *words[len(words) // 2 :]])


def read_pdfs(count: int, folder: Path) -> tuple[float, float]:
    """Seconds of CPU and on the clock to add so many papers of twenty pages."""
    for number in range(count):
        paper(folder / f"{number}.pdf", number, _PAGES)
    with Corpus(folder / "corpus", create=True) as corpus:
        before = time.monotonic()
        seconds = spent(lambda: corpus.add(imports.read(folder, sys.exit, corpus.store.has_file)))
        if (read := corpus.info().works) != count:
            sys.exit(f"of {count} PDF files {read} were read")
        return seconds, time.monotonic() - before


def measure(source: Path, given: argparse.Namespace, scratch: Path) -> Costs:
    folder = given.keep or scratch / "corpus"
    building, memory = built_apart(source, given.copies, folder)
    (scratch / "alone").mkdir()
    reading = spent(lambda: [None for _ in _copied(source, given.copies)])
    indexing = spent(lambda: alone(_copied(source, given.copies), scratch / "alone")) - reading
    (scratch / "pdfs").mkdir()
    pdfs_cpu, pdfs_wall = read_pdfs(given.pdfs, scratch / "pdfs") if given.pdfs else (0.0, 0.0)
    with Corpus(folder) as corpus:
        info = corpus.info()
        sample = random.Random(3).sample  # noqa: S311
        numbers = sample(corpus.store.all_numbers(), min(_LOOKUPS, info.works))
        titles = [it.work.title for it in corpus.rows(numbers)]
        asked = queries(corpus, places(corpus, given.questions))
        return Costs(
            works=info.works,
            alone=indexing,
            building=building,
            building_mb=memory,
            index_mb=info.bytes / 1e6,
            opening=opening(folder),
            lookup=lookups(corpus, titles),
            lookup_typo=lookups(corpus, [f"{it[: len(it) // 2]}{it[len(it) // 2 + 1 :]}" for it in titles]),
            query=statistics.median(asked),
            query_p95=asked[int(0.95 * len(asked))],
            pdfs=given.pdfs,
            pdfs_cpu=pdfs_cpu,
            pdfs_wall=pdfs_wall,
        )


_ROWS = (
    ("alone", "s of tantivy alone, titles and abstracts of the same works", "{:.1f}"),
    ("building", "s to build the corpus", "{:.1f}"),
    ("building_mb", "MB resident at most while building", "{:.0f}"),
    ("index_mb", "MB on disk", "{:.0f}"),
    ("opening", "ms to open it", "{:.1f}"),
    ("lookup", "ms to look a title up, median", "{:.2f}"),
    ("lookup_typo", "ms with a letter missing, median", "{:.2f}"),
    ("query", "ms from a place to ranked works, median", "{:.1f}"),
    ("query_p95", "ms from a place to ranked works, 95th percentile", "{:.1f}"),
    ("pdfs_cpu", f"s to add {{pdfs}} PDF files of {_PAGES} pages", "{:.1f}"),
    ("pdfs_wall", f"s on the clock to add {{pdfs}} PDF files of {_PAGES} pages", "{:.1f}"),
)


def table(costs: Costs) -> str:
    """A Markdown table; what was not measured is left out."""
    lines = ["| works | CPU | citelsp |", "|--:|---|--:|"]
    for name, label, form in _ROWS:
        if value := getattr(costs, name):
            lines.append(f"| {costs.works:,} | {label.format(pdfs=costs.pdfs)} | {form.format(value)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--works", type=Path, help="JSON lines as `citelsp corpus add` reads them")
    parser.add_argument("--invented", type=int, default=20_000, metavar="N", help="works, where none are given")
    parser.add_argument("--copies", type=int, default=1, metavar="N", help="of each work")
    parser.add_argument("--questions", type=Path, help="batch queries as `citelsp suggest --batch` reads them")
    parser.add_argument("--pdfs", type=int, default=20, metavar="N", help=f"papers of {_PAGES} pages; 0 for none")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="of the corpus; one that is there is not built")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.build:
        seconds = spent(lambda: build(given.works, given.copies, given.build))
        print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000]))  # noqa: T201
        return
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        source = given.works or invented(scratch / "works.jsonl", given.invented)
        costs = measure(source, given, scratch)
    print(json.dumps(asdict(costs)) if given.json else table(costs))  # noqa: T201


if __name__ == "__main__":
    main()

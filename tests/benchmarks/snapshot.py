"""What adding OpenAlex's snapshot costs: an imitation of it is added twice, each time by a process of its own.

    python tests/benchmarks/snapshot.py [--works FILE.jsonl | --invented N] [--lines N] [--to ADDRESS]

The imitation has twelve partitions, abstracts as OpenAlex writes them, works without people, title, year or journal,
people with names of one word, other scripts and several parts, and a list of works that were merged or deleted.  With
`--to` they go to an index `snapshot` on a server at that address, which must not have one; else to a corpus here.
"""

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from papers import invented

_DELETED, _FIRST = "W4285719527", 1000
_PEOPLE = ("OECD", "王 小明", "María-José de la Cruz y Vázquez Jr.")
_ODD: tuple[dict[str, Any], ...] = (  # each of one work in a thousand
    {"authorships": None},
    {"authorships": [{"author": None, "raw_author_name": None}]},
    {"authorships": [{"author": {"display_name": it}} for it in _PEOPLE]},
    {"title": None, "display_name": None},
    {"publication_year": None, "publication_date": None},
    {"primary_location": None},
)
_UNTITLED = 3  # of these, which are not added
_MERGED, _GONE = 100, 200  # of so many works one was merged into the next, one deleted
_ADD = (
    "import resource, sys\n"
    "from citelsp.cli import main\n"
    "status = main(sys.argv[1:])\n"
    "used = resource.getrusage(resource.RUSAGE_SELF)\n"
    "print(used.ru_maxrss / 1000, used.ru_utime + used.ru_stime)\n"
    "sys.exit(status)\n"
)


def address(number: int) -> str:
    return f"https://openalex.org/W{number}"


def line(number: int, work: dict[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    words = (work.get("abstract") or " ".join([work["title"]] * 8)).split()
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        places.setdefault(word, []).append(place)
    year = work.get("year") or 1990 + number % 35
    found = {
        "id": address(number), "doi": f"https://doi.org/{work['doi']}" if work.get("doi") else None,
        "title": work["title"], "display_name": work["title"], "publication_year": year,
        "publication_date": f"{year}-05-01", "language": "en", "type": "article",
        "authorships": [{"author": {"display_name": it}} for it in work.get("authors") or ["A. Nonymous"]],
        "concepts": [{"id": "https://openalex.org/C41008148", "display_name": "Computer science"}],
        "primary_location": {"source": {"display_name": work.get("venue") or "Journal", "type": "journal"}},
        "referenced_works": [address(numbers[it]) for it in work.get("references") or () if it in numbers],
        "abstract_inverted_index": places if number % 4 else None, "cited_by_count": 3,
    }  # fmt: skip
    return found | (_ODD[number % 1000] if number % 1000 < len(_ODD) else {})


def imitate(works: Iterator[dict[str, Any]], folder: Path) -> tuple[int, int]:
    """Write the snapshot; how many lines it has, and how many works of them are to be added."""
    raw = list(works)
    numbers = {it["id"]: _FIRST + place for place, it in enumerate(raw)}
    parts = [folder / "works" / f"updated_date=2024-{month:02}-01" / "part_000.gz" for month in range(1, 13)]
    for place, part in enumerate(parts):
        part.parent.mkdir(parents=True)
        with gzip.open(part, "wt", compresslevel=3, encoding="utf-8") as out:
            for at in range(place, len(raw), len(parts)):
                out.write(json.dumps(line(_FIRST + at, raw[at], numbers)) + "\n")
    merged = {it: it + 1 for it in range(_FIRST + 50, _FIRST + len(raw) - 1, _MERGED)}
    gone = set(range(_FIRST + 60, _FIRST + len(raw), _GONE))
    listed = folder / "merged_ids" / "works" / "2024-06-01.csv.gz"
    listed.parent.mkdir(parents=True)
    with gzip.open(listed, "wt", encoding="utf-8") as out:
        out.write("merge_date,id,merge_into_id\n")
        out.writelines(f"2024-06-01,W{old},W{new}\n" for old, new in merged.items())
        out.writelines(f"2024-06-01,W{old},{_DELETED}\n" for old in gone)
    left = set(numbers.values()) - merged.keys() - gone
    return len(raw), sum(it % 1000 != _UNTITLED for it in left)


def added(folder: Path, into: Sequence[str]) -> tuple[str, float, float]:
    """What adding the snapshot says, megabytes resident at most, and seconds of CPU."""
    command = [sys.executable, "-c", _ADD, "corpus", "add", "--openalex", str(folder), *into]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    *said, costs = done.stdout.splitlines()
    memory, seconds = map(float, costs.split())
    return "\n".join(said), memory, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--works", type=Path, help="JSON lines as `citelsp corpus add` reads them")
    parser.add_argument("--invented", type=int, default=105_000, metavar="N", help="works, where none are given")
    parser.add_argument("--lines", type=int, default=105_000, metavar="N")
    parser.add_argument("--to", metavar="ADDRESS", help="of a server; else a corpus here")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        source = given.works or invented(scratch / "works.jsonl", given.invented)
        with source.open(encoding="utf-8") as lines:
            total, expected = imitate((json.loads(it) for it in islice(lines, given.lines)), scratch / "snapshot")
        into = ["--corpus", str(scratch / "corpus")]
        if given.to:
            config = f'[corpus.servers.lab]\nbase_url = "{given.to}"\nindex = "snapshot"\n'
            (scratch / "config.toml").write_text(config, encoding="utf-8")
            into = ["--to", "lab", "--config", str(scratch / "config.toml")]
        runs = [added(scratch / "snapshot", into) for _ in range(2)]
    first, second = [list(map(int, re.findall(r"(\d+) (?:new|changed|unchanged|removed)", it[0]))) for it in runs]
    costs = {
        "lines": total, "expected": expected, "new": first[0], "new again": second[0], "unchanged": second[2],
        "MB": max(it[1] for it in runs), "seconds": runs[0][2], "seconds again": runs[1][2],
    }  # fmt: skip
    print(json.dumps(costs) if given.json else "\n".join(f"{name}: {it:,.0f}" for name, it in costs.items()))  # noqa: T201


if __name__ == "__main__":
    main()

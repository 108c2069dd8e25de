"""What is said of real references whose works every service lacks: the share of an invented list that would be noticed.

    python tests/lab withheld FILE.bib REPORT=KEYS [REPORT=KEYS ...]

REPORT is what `citelsp check FILE.bib --format json` printed with services that lack the works of KEYS and have the
others; KEYS is a file with a key of FILE.bib on each line.  A work is noticed if it is reported, or unconfirmed with
what a registry knows of its journal.  Of the works that the services have the accusations are counted, of which there
should be none.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citelsp import syntax
from citelsp.base.text import Document
from citelsp.evals.page import Section, Table, markdown, percent

_REPORTED = ("mismatch", "conflict", "not-found", "retracted")
_OF_A_JOURNAL = "no_index_has_all_of_its_venue"
_NAMELESS = "no service is known"  # begins the reason if no registry was asked about the venue
_ROWS = ("reported", "journal named", "unconfirmed", "unchecked", "verified")


@dataclass(frozen=True, slots=True)
class Share:
    """What was said of the withheld works, articles apart, and how many others were accused of how many."""

    articles: Counter[str]
    others: Counter[str]
    accused: int
    held: int

    @property
    def noticed(self) -> float:
        """Of the articles."""
        return (self.articles["reported"] + self.articles["journal named"]) / max(1, self.articles.total())


def outcome(entry: Mapping[str, Any]) -> str:
    """What a report says of an entry, as one of the rows."""
    if entry["verdict"] in _REPORTED:
        return "reported"
    is_of_a_journal = any(it.get("rule") == _OF_A_JOURNAL for it in entry["rules"])
    if entry["verdict"] == "unconfirmed" and is_of_a_journal and not entry["reason"].startswith(_NAMELESS):
        return "journal named"
    return str(entry["verdict"])


def measure(kinds: Mapping[str, str], runs: Iterator[tuple[list[dict[str, Any]], frozenset[str]]]) -> Share:
    """`kinds`: key → type of entry; `runs`: entries of a report, and the keys of the works that were withheld."""
    found = Share(Counter(), Counter(), 0, 0)
    accused = held = 0
    for entries, withheld in runs:
        for entry in entries:
            told = outcome(entry)
            if entry["key"] in withheld:
                (found.articles if kinds.get(entry["key"]) == "article" else found.others)[told] += 1
            else:
                held += 1
                accused += told == "reported"
    return Share(found.articles, found.others, accused, held)


def section(share: Share) -> Section:
    rows = tuple((row, str(share.articles[row]), str(share.others[row])) for row in _ROWS)
    text = (
        f"Of {share.articles.total()} articles {percent(share.noticed)} were noticed (asked: 60 %).  Of {share.held} "
        f"works that the services have {share.accused} were accused."
    )
    table = Table(("said", "articles", "others"), rows)
    return Section("Works that no service has", "python tests/lab withheld …", (text,), (table,))


def _kinds(path: Path) -> dict[str, str]:
    entries = syntax.parse(Document(path.name, path.read_text(encoding="utf-8"), "bibtex")).entries or ()
    nodes = (entries.node(it) for it in range(len(entries)))  # type: ignore[union-attr]  # a bibliography has them
    return {node.key: node.kind for node in nodes}


def _run(written: str) -> tuple[list[dict[str, Any]], frozenset[str]]:
    report, _, keys = written.partition("=")
    entries = json.loads(Path(report).read_text(encoding="utf-8"))["entries"]
    return entries, frozenset(Path(keys).read_text(encoding="utf-8").split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bibliography", type=Path, metavar="FILE.bib")
    parser.add_argument("runs", nargs="+", metavar="REPORT=KEYS")
    options = parser.parse_args()
    share = measure(_kinds(options.bibliography), map(_run, options.runs))
    print(markdown("Withheld works", [section(share)]))

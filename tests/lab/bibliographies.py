"""How often a right entry is accused when another hand's entry for the same work is the record.

    python tests/lab bibliographies DIR [--half 0|1] [--pairs N] [--show N] [--field NAME] [--read FILE]
                                               [--repairs N] [--rules]

DIR holds a folder of .bib files for each hand (an author, a group, an export of DBLP, of a publisher, of the ACL
Anthology).  Entries of one DOI or arXiv id from two hands are paired, each in turn being the record that the services
give for the other's identifier: the strictest case, as one record decides alone.  What is counted is what the rules of
`citelsp.verification` would then accuse.

A DOI leads to what its registrar has.  An arXiv id leads to arXiv's record of the last version, for which an entry of
the preprint can stand, and one of the publication that gives the id as well cannot.  What the earlier versions say no
hand tells, nor what arXiv has under the id that an entry gives beside its DOI: the check goes on as if arXiv had not
answered for these, and `open` is what would be accused if none of them took the entry's side.

Real entries have real mistakes, so that the rate is an upper bound: --show prints accused and open pairs, drawn evenly,
to be judged by eye, as lines of a file in which `?` is to become `false` (both entries are right), `mistake` (one is
wrong) or `unclear`; with --read FILE the false ones alone are counted, and --show leaves out what stands there.  --half
takes the identifiers of one half alone, so that rules fitted to one can be measured on the other.  --repairs prints
every field that `check --fix review` would write into N of these references, of as many works.  --rules counts on how
many pairs each rule of the policy spoke.
"""

import argparse
import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from citelsp import syntax
from citelsp.base.text import Document
from citelsp.bibliography import decode_tex, venues
from citelsp.bibliography.entry import Entry, as_read
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import titles
from citelsp.evals.metrics import estimate_mean
from citelsp.evals.page import Bar, Section, Table, markdown
from citelsp.knowledge import Found, Unavailable, Verdict
from citelsp.verification import policy_wording
from citelsp.verification.decide import verdict
from citelsp.verification.evidence import Answer
from citelsp.verification.question import Question
from citelsp.verification.weighing import judge
from lab import read_pairs, repaired
from lab.read_pairs import Key, key

_FIELDS = ("title", "authors", "year", "venue", "volume", "number", "pages", "publisher")
_TYPES = {
    "article": "article-journal", "inproceedings": "paper-conference", "conference": "paper-conference",
    "incollection": "chapter", "inbook": "chapter", "book": "book", "phdthesis": "thesis", "mastersthesis": "thesis",
    "techreport": "report", "proceedings": "book",
}  # fmt: skip
_PLACES = ("journal", "journaltitle", "booktitle")
# A work that everybody cites would otherwise be most of the pairs.
_HANDS = 4  # of one work, that are paired with each other
_ASKED = 0.003
_ASKED_OF = {"venue": 0.005, "pages": 0.005, "volume": 0.005}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entries for one identifier: the second one is the record."""

    hands: tuple[str, str]
    entry: Entry
    record: Record
    verdict: Verdict
    accused: tuple[str, ...]  # fields, or "identifier" if that would be said to lead elsewhere
    spoken: tuple[str, ...]  # fields of which both say something
    open: tuple[str, ...] = ()  # accused if no version of the preprint that was not heard agrees with the entry

    @property
    def identifier(self) -> str:
        known = self.entry.identifiers
        return known.doi or known.arxiv

    def keys(self, field: str = "") -> dict[str, Key]:
        """Each field that is accused, or open, or the one, by the name under which it is judged."""
        either = (*self.accused, *self.open)
        return {it: key(self.identifier, self.hands, it) for it in either if field in ("", it)}


def read(directory: Path, half: int | None = None) -> dict[tuple[str, str], dict[str, Entry]]:
    """(kind, identifier) → hand → its first entry under that identifier."""
    found: dict[tuple[str, str], dict[str, Entry]] = defaultdict(dict)
    for path in sorted(directory.glob("*/**/*.bib")):
        hand = path.relative_to(directory).parts[0]
        for entry in _entries(path):
            known = entry.identifiers
            name = ("doi", known.doi) if known.doi else ("arxiv", known.arxiv)
            if name[1] and entry.title and (half is None or _half_of(name[1]) == half):
                found[name].setdefault(hand, entry)
    return {name: entries for name, entries in found.items() if len(entries) > 1}


def _entries(path: Path) -> Iterator[Entry]:
    text = path.read_bytes().decode("utf-8", "replace")
    parsed = syntax.parse(Document(path.name, text, "bibtex"))
    for index in range(len(parsed.entries or ())):
        node = parsed.entries.node(index)  # type: ignore[union-attr]  # a bibliography has them
        lowered = node.source.lower()
        if ("doi" in lowered or "arxiv" in lowered) and "crossref" not in lowered:
            yield as_read(Entry(node, parsed.strings))


def _half_of(identifier: str) -> int:
    return hashlib.sha1(identifier.encode(), usedforsecurity=False).digest()[0] % 2


def pairs(found: Mapping[tuple[str, str], Mapping[str, Entry]], limit: int = 0) -> Iterator[Pair]:
    """Every ordered pair of hands, of works in an order that chance gave once and for all."""
    # By a hash: a limit takes the same works on each machine, and none for the hand that it came from.
    names = sorted(found, key=lambda it: hashlib.sha1(it[1].encode(), usedforsecurity=False).digest())
    count = 0
    for name in names:
        hands = sorted(found[name])[:_HANDS]
        for one in hands:
            for other in hands:
                if one == other or _are_copies(found[name][one], found[name][other]):
                    continue
                if name[0] == "arxiv" and not _is_preprint(found[name][other]):
                    continue
                if decode_tex.has_own_command(found[name][other].value("title")):  # no registrar's
                    continue
                yield compared(name, (one, other), found[name][one], found[name][other])
                count += 1
                if count == limit:
                    return


def _are_copies(one: Entry, other: Entry) -> bool:
    """Taken from one export: two hands only if somebody has changed something."""
    return one.node.source.partition(",")[2].split() == other.node.source.partition(",")[2].split()


def compared(name: tuple[str, str], hands: tuple[str, str], entry: Entry, other: Entry) -> Pair:
    record = record_of(other, name)
    question = Question(record.source, *name)  # type: ignore[arg-type]
    answer = judge(entry, question, Found(record.source, (record,)))
    answers = {question: answer}
    alone = judgement = verdict(entry, answers, (record.source,))
    if silent := _silent(entry, question, record):
        judgement = verdict(entry, answers | silent, (record.source,))
        # The year of the last version the record does not tell, as arXiv's own does.
        agreed = tuple(it for it in judgement.differences if it in alone.differences)
        judgement = replace(judgement, differences=agreed)
    accused = _accused(judgement)
    fields = answer.bound[0].comparison.fields if answer.bound else ()
    spoken = tuple(it.field for it in fields if it.outcome != "unknown")
    return Pair(
        hands, entry, record, judgement, accused, spoken, tuple(it for it in _accused(alone) if it not in accused)
    )


def _silent(entry: Entry, question: Question, record: Record) -> dict[Question, Answer]:
    """What arXiv would be asked as well, and no hand tells: the preprint of a print, or its first version of two."""
    if not entry.identifiers.arxiv:
        return {}
    preprint = Question("arxiv", "arxiv", entry.identifiers.arxiv)
    silence = Unavailable("arxiv", "no hand tells")
    if question != preprint:
        return {preprint: judge(entry, preprint, silence)}
    first = replace(preprint, value=f"{preprint.value}v1")
    latest = Found("arxiv", (replace(record, id=f"{preprint.value}v2"),))
    return {preprint: judge(entry, preprint, latest), first: judge(entry, first, silence)}


def _accused(judgement: Verdict) -> tuple[str, ...]:
    return ("identifier",) if judgement.kind == "conflict" else tuple(it.field for it in judgement.differences)


def record_of(entry: Entry, name: tuple[str, str]) -> Record:
    """What a service would give for this identifier whose record says what this entry says."""
    place = next((it for it in map(entry.text, _PLACES) if it), "")
    is_preprint = name[0] == "arxiv" or venues.is_preprint_server(place)
    kind = "preprint" if is_preprint else _TYPES.get(entry.kind, "")
    return Record(
        source="arxiv" if name[0] == "arxiv" else _registry(entry),
        id=entry.key,
        title=entry.title,
        authors=entry.authors,
        authors_complete=not entry.authors_truncated,
        years=(entry.year,) if entry.year else (),
        venue=place,
        type=kind,
        identifiers=entry.identifiers,
        volume=entry.text("volume"),
        issue=entry.text("number") or entry.text("issue"),
        pages=entry.text("pages"),
        publisher=entry.text("publisher"),
    )


def _is_preprint(entry: Entry) -> bool:
    """True if it names a server of preprints, or if nothing but its number says where it came out."""
    return venues.is_preprint_server(entry.venue) or not any(map(entry.text, _PLACES))


def _registry(entry: Entry) -> str:
    source = entry.node.source
    if "dblp" in source.lower():
        return "dblp"
    return "aclanthology" if "aclanthology" in source or "aclweb" in source else "crossref"


def section(found: Sequence[Pair], works: int, command: str, judged: Mapping[Key, str] | None = None) -> Section:
    hands = {it for pair in found for it in pair.hands}
    note = (
        f"{len(found):,} pairs of {works:,} works from {len(hands)} hands; intervals: 95 %, bootstrap over pairs.  "
        "The rate is an upper bound: it also counts what is really wrong in one of the two.  Open is what would be "
        "accused if no version of the preprint that arXiv was not asked for here agreed with the entry."
    )
    table = _rates(found)
    count = max(1, len(found))
    limits = [
        Bar(f"accused of {name}, % of real pairs", 100 * int(accused) / count, 100 * _asked(name), most=True)
        for name, _, accused, *_ in table.rows
        if name in _FIELDS
    ]
    tables = (table,) if judged is None else (table, read_by_eye(found, judged))
    return Section("Real bibliographies", command, (note,), tables, bars=tuple(limits))


def _asked(field: str) -> float:
    return _ASKED_OF.get(field, _ASKED)


def _rates(found: Sequence[Pair]) -> Table:
    rows = []
    for name in (*_FIELDS, "identifier", "any"):
        accused = [it for it in found if (name in it.accused or (name == "any" and it.accused))]
        spoken = sum(name in it.spoken or name in ("identifier", "any") for it in found)
        hits = {id(it) for it in accused}
        mean = estimate_mean([float(id(it) in hits) for it in found], range(len(found)))
        asked = f"{100 * _asked(name):.1f} %"
        rate = f"{100 * mean.mean:.2f} % ({100 * mean.low:.2f}–{100 * mean.high:.2f})"
        doubtful = sum(name in it.open or (name == "any" and bool(it.open)) for it in found)
        rows.append((name, str(spoken), str(len(accused)), rate, asked if name in _FIELDS else "–", str(doubtful)))
    return Table(("field", "both speak", "accused", "of all pairs", "asked", "open"), tuple(rows))


def shown(
    found: Iterable[Pair], field: str, number: int, judged: Mapping[Key, str] = MappingProxyType({}), seed: int = 20
) -> Iterator[str]:
    """Accused pairs drawn evenly, either way round, as lines to be judged by eye."""
    unread = {frozenset(new): it for it in found if (new := set(it.keys(field).values()) - set(judged))}
    drawn = random.Random(seed).sample(list(unread.items()), min(number, len(unread)))  # noqa: S311  # no secret
    for keys, pair in drawn:
        entry, record = pair.entry, pair.record
        mine = (entry.title, _people(entry.authors), entry.year, _place(entry), entry.text("volume"))
        its = (record.title, _people(record.authors), record.year, record.venue, record.volume)
        yield f"# {', '.join((*pair.accused, *(f'{it} (open)' for it in pair.open)))} · {entry.kind}"
        yield f"#   {pair.hands[0]}: {' | '.join(map(str, (*mine, entry.text('number'), entry.text('pages'))))}"
        yield f"#   {pair.hands[1]} ({record.source}): {' | '.join(map(str, (*its, record.issue, record.pages)))}"
        yield f"#   titles {titles.compare(entry.title, record.title)}; {entry.text('publisher')} / {record.publisher}"
        yield from map(read_pairs.line, sorted(keys))


def read_by_eye(found: Sequence[Pair], judged: Mapping[Key, str]) -> Table:
    accused = {name: [it.keys()[name] for it in found if name in it.accused] for name in (*_FIELDS, "identifier")}
    return read_pairs.rates(accused, judged, len(found))


def _people(names: Iterable[object]) -> str:
    return ", ".join(map(str, names))[:300]


def _place(entry: Entry) -> str:
    return next((it for it in map(entry.text, _PLACES) if it), "")


def rules(found: Sequence[Pair]) -> Table:
    """How often each rule spoke, by what it decides on.

    Rules of works that nobody has, of what a search found and of several sources cannot speak here, as an identifier
    leads to one record of each pair.  Any other that never spoke is a candidate to go, with its tests.
    """
    counts = Counter(name for it in found for name in {ruling.rule for ruling in it.verdict.rules})
    counts += Counter(_agreement(it.entry.title, it.record.title) for it in found)
    rows = []
    for heading, groups in policy_wording.sections().items():
        if not heading.startswith("A work that was not found"):
            names = dict.fromkeys(rule.__name__ for listed in groups.values() for rule in listed)
            rows += [(heading, name, f"{counts[name]:,}") for name in names]
    return Table(("about", "rule", "pairs"), tuple(rows))


def _agreement(cited: str, recorded: str) -> str:
    """The rule by which two titles agree; "" if none does."""
    return next((it.__name__ for it in (*titles.SAME, *titles.LOOSER) if it(cited, recorded)), "")


def measured(directory: Path) -> Section:
    works = read(directory)
    return section(list(pairs(works)), len(works), "python tests/lab bibliographies DIR")


def repairs(found: Sequence[Pair], works: int) -> Iterator[str]:
    """What would be written into one reference of each of so many works, as lines to be judged by eye."""
    by_work = {it.identifier: it for it in reversed(found)}
    drawn = list(by_work.values())[::-1][:works]
    written = repaired.changes([(it.entry, it.verdict) for it in drawn])
    for pair, fields in zip(drawn, written, strict=True):
        for change in fields:
            yield f"{' · '.join((*pair.hands, pair.identifier))}\n   {change}"
    yield f"{sum(map(bool, written))} of {len(drawn)} references changed, {sum(map(len, written))} fields"


def main() -> None:
    parser = argparse.ArgumentParser(description="Count how often a right entry is accused by another hand's.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--pairs", type=int, default=0, help="at most; default: all")
    parser.add_argument("--show", type=int, default=0, help="how many accused pairs are printed")
    parser.add_argument("--field", default="", help="with --show: of this field alone")
    parser.add_argument("--read", type=Path, help="a file of judgements, as --show prints them")
    parser.add_argument("--repairs", type=int, default=0, help="of how many works what would be written is printed")
    parser.add_argument("--rules", action="store_true", help="count how often each rule spoke")
    arguments = parser.parse_args()
    works = read(arguments.directory, arguments.half)
    judged = read_pairs.read(arguments.read) if arguments.read else None
    found = list(pairs(works, arguments.pairs))
    for line in shown(found, arguments.field, arguments.show, judged or {}):
        print(line)
    if arguments.repairs:
        print(*repairs(found, arguments.repairs), sep="\n")
    half = "" if arguments.half is None else f" --half {arguments.half}"
    by_eye = " --read FILE" if arguments.read else ""
    command = f"python tests/lab bibliographies DIR{half}{by_eye}"
    sections = [section(found, len(works), command, judged)]
    if arguments.rules:
        sections.append(Section("Rules", f"{command} --rules", (), (rules(found),)))
    print(markdown("Real bibliographies", sections))
    hands = Counter(it.hands[0] for it in found if it.accused)
    print("accused by hand:", hands.most_common(12))


if __name__ == "__main__":
    main()

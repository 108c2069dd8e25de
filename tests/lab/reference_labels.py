"""How well references are read in styles that nothing was fitted on, and fitting the labels of their words.

    python tests/lab reference_labels FOLDER STYLE.csl… [--bst NAME…] [--received FOLDER…] [--out word_labels.json]

Below FOLDER each folder is a manuscript with its .bib files.  Of each manuscript 40 entries are drawn; each style
prints 45 of all, those of CSL by pandoc and BibTeX's by bibtex.  The bibliography tells which words of what is printed
are people, title and the rest.  `--received` adds references of compiled papers, as `lab received_papers` reads them.
A fifth of the styles and an eighth of the manuscripts are kept out of fitting; what both kept out is then read by the
forms alone, and with the labels.  With `--out` the weights are written as `reference_reading.word_labels` reads them.

Needs what `tests/lab/requirements.txt` names beside the project's own packages.
"""

import argparse
import json
import random
import re
import subprocess
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock
from zlib import crc32

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.reference_reading import labelled_parts, printed_fields, word_labels
from citelsp.bibliography.reference_reading.word_labels import ADDRESS, OTHER, PEOPLE, TITLE, VENUE, YEAR, Word
from citelsp.corpus import pdf_processes
from lab.printed_references import Read, entries, fields_read, table
from lab.printed_styles import print_references
from lab.received_papers import listed, matched, papers

_OF_MANUSCRIPT, _OF_STYLE = 40, 45  # entries
_LONGEST_FILE, _LONGEST_ENTRY, _LONGEST_REFERENCE = 3_000_000, 6_000, 900  # characters
_ENTRY = re.compile(r"@(\w+)\s*\{\s*[^,\s]+\s*,")
# Long fields that no style prints, and in which most of what no program reads stands.
_UNPRINTED = re.compile(
    r"^\s*(?:abstract|file|keywords|annote|note|mendeley-\w+)\s*=\s*[{\"].*[}\"]\s*,?\s*$", re.IGNORECASE | re.MULTILINE
)
_INITIALS = re.compile(r"(?:[A-Z]\.?-?)+|[A-Z]{1,3}")
_JOINING = frozenset("and et al others und y e & , . ; - – jr van de von der u a in".split())
_HUNDREDTHS = 100
_SMALLEST = 3  # hundredths: a smaller weight is left out
_FIT = {"c1": 0.5, "c2": 0.01, "max_iterations": 100, "feature.minfreq": 4}
_KEPT_STYLES, _KEPT_MANUSCRIPTS = 5, 8  # one of so many


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed reference, and the entry that it was printed from."""

    style: str
    manuscript: str
    text: str  # as `forms` get it, with signs and without addresses
    whole: str  # as it was printed, in TeX or plain
    markup: str
    entry: Entry
    is_received: bool = False  # read of a compiled paper, and not printed here

    @property
    def is_of_kept_style(self) -> bool:
        return crc32(self.style.encode()) % _KEPT_STYLES == 0

    @property
    def is_of_kept_manuscript(self) -> bool:
        return crc32(self.manuscript.encode()) % _KEPT_MANUSCRIPTS == 0


def draw_entries(folder: Path, drawn: random.Random) -> list[tuple[str, str, str]]:
    """Return manuscript, type and body of at most _OF_MANUSCRIPT entries of each manuscript."""
    every = []
    for manuscript in sorted(folder.iterdir()):
        own = []
        for path in sorted(manuscript.rglob("*.bib")):
            text = path.read_text(encoding="utf-8", errors="replace")
            if len(text) <= _LONGEST_FILE:
                own += [(manuscript.name, kind, body) for kind, body in _split_entries(text)]
        drawn.shuffle(own)
        every += own[:_OF_MANUSCRIPT]
    return every


def _split_entries(text: str) -> Iterator[tuple[str, str]]:
    for found in _ENTRY.finditer(text):
        depth, end = 1, found.end()
        while depth and end < min(len(text), found.start() + _LONGEST_ENTRY):
            depth += (text[end] == "{") - (text[end] == "}")
            end += 1
        if not depth and found[1].lower() not in ("comment", "string", "preamble"):
            yield found[1], _UNPRINTED.sub("", text[found.end() : end])


def print_entries(sample: Sequence[tuple[str, str, str]], style: Path | str) -> Iterator[Printed]:
    """Print entries in a style of CSL (a path) or of BibTeX (its name); yield none if its program refuses them."""
    bib = "\n".join(f"@{kind}{{e{at},{body}" for at, (_, kind, body) in enumerate(sample))
    truth = dict(entries(bib, "bibtex"))
    with tempfile.TemporaryDirectory() as name:
        file = Path(name, "refs.bib")
        file.write_text(bib, encoding="utf-8")
        try:
            printed = list(_print_by_pandoc(file, style) if isinstance(style, Path) else _print_by_bibtex(file, style))
        except (subprocess.SubprocessError, OSError):
            return
    for key, text, markup in printed:
        if entry := truth.get(key):
            manuscript = sample[int(key[1:])][0]
            yield make_printed(style.stem if isinstance(style, Path) else style, manuscript, text, markup, entry)


def _print_by_pandoc(bib: Path, style: Path) -> Iterator[tuple[str, str, str]]:
    for key, text in print_references(bib, style):
        yield key, text, "plain"


def _print_by_bibtex(bib: Path, style: str) -> Iterator[tuple[str, str, str]]:
    lines = ("\\relax", "\\citation{*}", f"\\bibstyle{{{style}}}", "\\bibdata{refs}", "")
    bib.with_suffix(".aux").write_text("\n".join(lines), encoding="utf-8")
    subprocess.run(["bibtex", "refs"], cwd=bib.parent, capture_output=True, timeout=60, check=False)
    compiled = bib.with_suffix(".bbl").read_text(encoding="utf-8", errors="replace")
    for key, entry in entries(compiled, "bbl"):
        yield key, entry.node.text, "tex"


def make_printed(
    style: str, manuscript: str, whole: str, markup: str, entry: Entry, *, is_received: bool = False
) -> Printed:
    text = printed_fields.strip_addresses(printed_fields.mark(whole, markup).text)
    return Printed(style, manuscript, text, whole, markup, entry, is_received)


def receive(folder: Path) -> Iterator[Printed]:
    """The references of the compiled papers below a folder, from their PDF files and their compiled lists."""
    every = {it.pdf: it for it in papers(folder)}
    for path, read in pdf_processes.read_papers(every):
        paper = every[path]
        truth = dict(entries(paper.bib, "bibtex"))
        for key, entry in entries(paper.bbl, "bbl"):
            if key in truth and entry.printed:
                yield make_printed(folder.name, paper.name, entry.printed.plain, "plain", truth[key], is_received=True)
        if isinstance(read, str):
            continue
        true = listed(paper)
        found = matched(true, read.references)
        for one in true:
            if one.entry and one.key in found:
                yield make_printed(folder.name, paper.name, found[one.key].text, "plain", one.entry, is_received=True)


def label(printed: Printed) -> list[str] | None:
    """Return the label of each word of `printed.text`; None if the entry does not tell, or the reference is too long.

    A reference that prints no title has people and a venue; one that prints another title than its entry tells nothing.
    """
    text, entry = printed.text, printed.entry
    title = _find_span(text, entry.title)
    venue = _find_span(text, entry.venue, beside=title)
    is_untitled = title is None and venue is not None and not _shares_words(entry.title, text)
    if len(text) > _LONGEST_REFERENCE or not entry.authors or not (title or is_untitled):
        return None
    words = word_labels.split_words(text)
    labels = [OTHER] * len(words)
    for name, span in ((TITLE, title), (VENUE, venue)):
        for at, word in enumerate(words):
            if span and span[0] <= word.start and word.end <= span[1]:
                labels[at] = name
    if not _label_people(words, labels, entry):
        return None
    for at, word in enumerate(words):
        if labels[at] == OTHER and entry.year and word.text.rstrip("abc") == str(entry.year):
            labels[at] = YEAR
        elif labels[at] == OTHER and word.text.startswith(("http", "10.")):
            labels[at] = ADDRESS
    return labels


def _find_span(text: str, value: str, beside: tuple[int, int] | None = None) -> tuple[int, int] | None:
    """Return where a value stands, by its letters and digits, outside of `beside`; None if it does not stand there."""
    wanted = _fold(value)
    folded, places = [], []
    for at, character in enumerate(text):
        if beside is None or not beside[0] <= at < beside[1]:
            letters = _fold(character)
            folded += letters
            places += [at] * len(letters)
    joined, found = "".join(folded), -1
    while len(wanted) > 1 and (found := joined.find(wanted, found + 1)) >= 0:
        start, end = places[found], places[found + len(wanted) - 1] + 1
        is_glued = (start and text[start - 1].isalnum()) or (end < len(text) and text[end].isalnum())
        if not is_glued and end - start < 2 * len(value) + 20:
            return start, end
    return None


def _fold(text: str) -> str:
    return "".join(it for it in unicodedata.normalize("NFKD", text).lower() if it.isalnum())


def _shares_words(title: str, text: str) -> bool:
    words = set(re.findall(r"\w{4,}", title.lower()))
    return len(words & set(re.findall(r"\w{4,}", text.lower()))) > 0.4 * len(words)


def _label_people(words: Sequence[Word], labels: list[str], entry: Entry) -> bool:
    """Label the run of names around the first author's family name; False if that stands nowhere."""
    names = {_fold(it) for person in entry.authors for it in re.findall(r"\w+", f"{person.family} {person.given}")}
    parts = [[_fold(it) for it in re.findall(r"\w+", word.text)] for word in words]
    first = next((_fold(it) for it in re.findall(r"\w+", entry.authors[0].family)), "")
    here = next((at for at, own in enumerate(parts) if labels[at] == OTHER and first and first in own), None)
    if here is None:
        return False

    def may_be_name(at: int) -> bool:
        text = words[at].text
        is_name = bool(parts[at]) and names.issuperset(parts[at])
        return labels[at] == OTHER and (is_name or bool(_INITIALS.fullmatch(text)) or text.lower() in _JOINING)

    start = here
    while start > 0 and may_be_name(start - 1) and words[start - 1].text.lower() != "in":
        start -= 1
    while start < here and not words[start].text[0].isalnum():
        start += 1
    last = at = here
    while at + 1 < len(words) and may_be_name(at + 1):
        at += 1
        if words[at].text[0].isalnum() and words[at].text.lower() not in ("in", "and", "a"):
            last = at
    labels[start : last + 1] = [PEOPLE] * (last + 1 - start)
    return True


def fit(some: Sequence[tuple[Printed, list[str]]]) -> dict[str, dict[str, dict[str, int]]]:
    """Fit the chain (L-BFGS with both penalties), and return its weights in hundredths."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False, params=_FIT)
    for printed, labels in some:
        trainer.append(word_labels.describe_words(word_labels.split_words(printed.text)), labels)
    with tempfile.TemporaryDirectory() as name:
        file = str(Path(name, "fitted"))
        trainer.train(file)
        tagger = pycrfsuite.Tagger()
        tagger.open(file)
        fitted = tagger.info()
        tagger.close()
    weights: dict[str, dict[str, dict[str, int]]] = {"features": {}, "behind": {}}
    for label_ in word_labels.LABELS:
        own = {name: round(_HUNDREDTHS * it) for (name, to), it in fitted.state_features.items() if to == label_}
        weights["features"][label_] = {name: it for name, it in sorted(own.items()) if abs(it) >= _SMALLEST}
        after = {to: round(_HUNDREDTHS * it) for (before, to), it in fitted.transitions.items() if before == label_}
        weights["behind"][label_] = after
    return weights


def read_each(some: Sequence[Printed]) -> list[Read]:
    """What is read of each reference, beside its entry."""
    reads: list[Read] = []
    for printed in some:
        reading = printed_fields.read(printed.whole, printed.markup)
        reads += fields_read(f"{printed.style} {printed.entry.node.key}", printed.entry, reading, reading.plain)
    return reads


def report(some: Sequence[Printed]) -> str:
    with mock.patch.object(labelled_parts, "complete", lambda parts, _: parts):
        printed_fields.read.cache_clear()
        alone = read_each(some)
    printed_fields.read.cache_clear()
    styles = len({it.style for it in some})
    return (
        f"{len(some)} references in {styles} styles that nothing was fitted on\n"
        f"by forms alone\n{table(alone)}\nwith labels\n{table(read_each(some))}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("styles", type=Path, nargs="*", metavar="STYLE.csl")
    parser.add_argument("--bst", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--received", type=Path, nargs="*", default=[], metavar="FOLDER")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    drawn = random.Random(options.seed)  # noqa: S311  a draw to be repeated
    pool = draw_entries(options.folder, drawn)
    every = [it for folder in options.received for it in receive(folder)]
    for style in (*options.styles, *options.bst):
        every += print_entries(drawn.sample(pool, min(_OF_STYLE, len(pool))), style)
    if options.out:
        some = [it for it in every if not it.is_of_kept_style and not it.is_of_kept_manuscript]
        labelled = [(it, labels) for it in some if (labels := label(it))]
        received = {it.manuscript for it, _ in labelled if it.is_received}
        printed = [it for it, _ in labelled if not it.is_received]
        name = (
            f"{len(printed):,} references printed in {len({it.style for it in printed})} styles "
            f"and {len(labelled) - len(printed):,} of {len(received)} compiled papers"
        )
        whole = {"fitted_on": name, **fit(labelled)}
        options.out.write_text(json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
        print(f"fitted on {name}")
    print(report([it for it in every if it.is_of_kept_style and it.is_of_kept_manuscript]))


if __name__ == "__main__":
    main()

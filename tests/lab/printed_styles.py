"""How well references are read as word processors print them: one bibliography in many styles of CSL.

    python tests/lab printed_styles REFS.bib STYLE.csl… [--show]

pandoc prints REFS.bib in each style, as Zotero and Mendeley do in Word; the bibliography is the truth.  A table for
each style, and one for all.  A field counts only if the reference prints the bibliography's value.  Take styles from
github.com/citation-style-language/styles.
"""

import argparse
import html
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from citelsp.bibliography import reference_reading
from citelsp.bibliography.entry import Entry
from lab.printed_references import Read, entries, fields_read, table

_REFERENCE = re.compile(
    r'<div id="ref-(?P<key>[^"]+)"[^>]*>(?P<text>.*?)\n?</div>\n(?=<div id="ref-|</div>|$)', re.DOTALL
)
_LABEL = re.compile(r'<div class="csl-left-margin">.*?</div>', re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
_NUMBER = re.compile(r"^\[?\d{1,4}[.\])]\s+")  # what a list's own numbering puts before a reference


def print_references(bib: Path, style: Path) -> Iterator[tuple[str, str]]:
    """The key of each entry, and its reference in that style."""
    document = f"---\nbibliography: '{bib.absolute()}'\nnocite: '@*'\n---\n"
    command = ["pandoc", "--from=markdown", "--to=html", "--wrap=none", "--citeproc", f"--csl={style.absolute()}"]
    printed = subprocess.run(command, input=document, capture_output=True, encoding="utf-8", check=True).stdout
    for reference in _REFERENCE.finditer(printed):
        text = html.unescape(_TAG.sub("", _LABEL.sub("", reference["text"])))
        yield reference["key"].lower(), _NUMBER.sub("", " ".join(text.split()))


def read_style(truth: dict[str, Entry], bib: Path, style: Path) -> Iterator[Read]:
    for key, text in print_references(bib, style):
        if key in truth:
            yield from fields_read(
                key, truth[key], reference_reading.read(text, "plain"), text, always=("year", "volume")
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bib", type=Path)
    parser.add_argument("styles", type=Path, nargs="+", metavar="STYLE.csl")
    parser.add_argument("--show", action="store_true", help="list what is wrong")
    options = parser.parse_args()
    truth = dict(entries(options.bib.read_text(encoding="utf-8"), "bibtex"))
    every: list[Read] = []
    for style in options.styles:
        reads = list(read_style(truth, options.bib, style))
        every += reads
        print(f"{style.stem}\n{table(reads)}\n")
        if options.show:
            print("\n".join(f"  {it.field}: {it.key}: {it.found}" for it in reads if not it.is_right))
    print(f"all\n{table(every)}")

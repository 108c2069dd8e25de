"""References as hovers show them, beside pandoc's of the same entries in CSL styles.

    python tests/compile/references.py FILE.bib STYLE.csl...
    python tests/compile/references.py --undeclared FILE.bib apa.csl

The first is for manuscripts that declare a style: each entry as a hover has it printed, and as pandoc prints it from
the file.  Prints those of which one has words that the other lacks.  With --undeclared it is what a hover shows if no
style is declared, or pandoc is not there; prints those of which ours lacks words, initials left out.  Addresses, which
are links in a hover, are not compared.
"""

import html
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent.parent
sys.path[:0] = [str(HERE / "support"), str(HERE.parent)]

from citelsp.bibliography import biblatex_source  # noqa: E402
from citelsp.bibliography.entry import Entry  # noqa: E402
from citelsp.features import popup_reference_line  # noqa: E402
from citelsp.investigate import typeset  # noqa: E402
from citelsp.workspace.csl_styles import CslStyle  # noqa: E402
from fixture_projects import project_of  # noqa: E402

LINKS = re.compile(r"https?://\S+")
MARGIN = re.compile(r'<(div|span) class="csl-left-margin">.*?</\1>', re.DOTALL)


def by_pandoc(bib: str, style: str, key: str) -> str:
    """What pandoc prints of the whole file if nothing else of it is cited; "" if it does not find the entry."""
    command = ["pandoc", "--citeproc", "--csl", style, "--bibliography", bib, "-f", "markdown", "-t", "html"]
    cited = f"---\nnocite: '@{{{key}}}'\n---\n"
    done = subprocess.run([*command, "--wrap=none"], input=cited, capture_output=True, encoding="utf-8", check=True)
    _, found, text = MARGIN.sub("", done.stdout).partition('<div id="ref-')
    return html.unescape(re.sub(r"<[^>]+>", "", text.partition(">")[2])).strip() if found else ""


def words(text: str, shortest: int) -> set[str]:
    return {it for it in re.findall(r"[^\W_]+", LINKS.sub("", text).lower()) if len(it) >= shortest or it.isdigit()}


def undeclared(entry: Entry) -> str:
    identifiers = " ".join(map(entry.text, ("eprint", "archiveprefix", "doi")))
    return f"{entry.title}. {popup_reference_line.line(entry)} {identifiers}"


def compare(bib: str, style: str, *, declared: bool) -> None:
    places = list(project_of({"refs.bib": Path(bib).read_text(encoding="utf-8")}).entries())
    known = [(it.node.key, it.entry, text) for it in places if (text := by_pandoc(bib, style, it.node.key))]
    csl, pandoc = CslStyle(Path(style).read_text(encoding="utf-8"), ""), typeset.program(os.environ, [])
    differ = 0
    for key, entry, theirs in known:
        ours = typeset.reference(pandoc, biblatex_source.write(entry), csl) if declared else undeclared(entry)
        mine, other = (words(it, 1 if declared else 2) for it in (ours, theirs))
        if (lacking := other - mine) or (declared and mine - other):
            differ += 1
            more = f"; has more: {', '.join(sorted(mine - other))}" if declared else ""
            sys.stdout.write(f"{key} lacks {', '.join(sorted(lacking))}{more}\n  {ours}\n  {theirs}\n")
    sys.stdout.write(f"{Path(style).stem}: {len(known)} references, {differ} of which differ from pandoc's\n")


if __name__ == "__main__":
    options = [it for it in sys.argv[1:] if it != "--undeclared"]
    for path in options[1:]:
        compare(options[0], path, declared="--undeclared" not in sys.argv)

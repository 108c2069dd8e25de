"""References as hovers show them, beside pandoc's of the same entries in a CSL style.

    python tests/compile/references.py FILE.bib STYLE.csl

Prints those of which pandoc's reference has words that ours lacks.  Initials, letters behind years that tell
references apart and addresses, which are links in a hover, are not compared.
"""

import html
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent.parent
sys.path[:0] = [str(HERE / "support"), str(HERE.parent)]

from citelsp.bibliography import reference  # noqa: E402
from fixture_projects import project_of  # noqa: E402

LINKS = re.compile(r"https?://\S+|\d{4}[a-z]\b")
ALL = "---\nnocite: '@*'\n---\n"


def by_pandoc(bib: str, style: str) -> dict[str, str]:
    command = ["pandoc", "--citeproc", "--csl", style, "--bibliography", bib, "-f", "markdown", "-t", "html"]
    done = subprocess.run([*command, "--wrap=none"], input=ALL, capture_output=True, encoding="utf-8", check=True)
    found = re.findall(r'<div id="ref-([^"]+)"[^>]*>(.*?)(?=<div id="ref-|\Z)', done.stdout, re.DOTALL)
    return {key: html.unescape(re.sub(r"<[^>]+>", "", text)).strip() for key, text in found}


def words(text: str) -> set[str]:
    return {it for it in re.findall(r"[^\W_]+", LINKS.sub("", text).lower()) if len(it) > 1 or it.isdigit()}


def main(bib: str, style: str) -> None:
    theirs = by_pandoc(bib, style)
    places = list(project_of({"refs.bib": Path(bib).read_text(encoding="utf-8")}).entries())
    known = [(it.node.key, it.entry) for it in places if it.node.key in theirs]
    poorer = 0
    for key, entry in known:
        ours = f"{entry.title}. {reference.line(entry)} {' '.join(map(entry.text, ('eprint', 'archiveprefix', 'doi')))}"
        if lacking := words(theirs[key]) - words(ours):
            poorer += 1
            sys.stdout.write(f"{key} lacks {', '.join(sorted(lacking))}\n  {ours}\n  {theirs[key]}\n")
    sys.stdout.write(f"{len(known)} references, {poorer} of which lack words of pandoc's\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

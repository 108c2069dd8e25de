r"""What BibTeX warns of in manuscripts with the styles that they name, beside what citelsp finds in them.

    python tests/compile/own_styles.py DIRECTORY…

Of each folder in a DIRECTORY the main document with the most citations is taken, if BibTeX reads it, its style is there
and it cites five works or more.  BibTeX runs on what it cites.  A warning about an entry is found if citelsp says
something of the same kind about this entry.  The others are named.
"""

import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent.parent
sys.path[:0] = [str(HERE / "support"), str(HERE.parent)]

from citelsp import checks  # noqa: E402
from citelsp.base.settings import Settings  # noqa: E402
from citelsp.knowledge import Knowledge  # noqa: E402
from citelsp.workspace import bibtex_style  # noqa: E402
from citelsp.workspace.files import DiskFiles  # noqa: E402
from citelsp.workspace.include_graph import build  # noqa: E402
from citelsp.workspace.project import Project  # noqa: E402

_LEAST = 5  # citations of a manuscript
_TRIED = 6  # main documents of a project
_LARGEST = 3_000_000
_WARNING = re.compile(r"^Warning--(.*)$")
_KEY = re.compile(r'(?: in | for )"?([^\s"]+)"?$|"([^"]+)"')
# What a warning says, and the finding of the same kind.
_ALIKE = (
    ("isn't style-file defined", {"not-printed"}),
    ("didn't find a database entry", {"undefined-citation"}),
    ("undefined", {"undefined-string"}),
    ("both", {"not-printed"}),
    ("", {"missing-field", "malformed-entry", "dangling-reference"}),
)


def main(names: list[str]) -> None:
    projects = total = 0
    missed: dict[str, list[str]] = defaultdict(list)
    for folder in (it for name in names for it in sorted(Path(name).iterdir()) if it.is_dir()):
        chosen = manuscript(folder)
        if chosen is None:
            continue
        path, project, style = chosen
        said = warnings(project, style, folder)
        if said is None:
            continue
        projects += 1
        total += len(said)
        found = findings(project)
        for warning in said:
            if not is_found(warning, found):
                missed[f"{style}: {_kind(warning)}"].append(f"{path}: {warning}")
    lost = sum(map(len, missed.values()))
    sys.stdout.write(f"{projects} projects, {total} warnings about entries, {total - lost} of them found\n")
    for kind, lines in sorted(missed.items(), key=lambda it: -len(it[1])):
        sys.stdout.write(f"{len(lines):5} {kind}\n      {lines[0]}\n")


def manuscript(folder: Path) -> tuple[Path, Project, str] | None:
    best = None
    for path in sorted(_mains(folder), key=lambda it: it.stat().st_size, reverse=True)[:_TRIED]:
        project = build(DiskFiles([str(folder)]), str(path), Settings())
        styles = bibtex_style.find_named(project)
        if project.reader != "bibtex" or project.guessed or not project.bibliographies or len(styles) != 1:
            continue
        count = len(project.cited)
        if count >= _LEAST and (best is None or count > len(best[1].cited)):
            best = path, project, styles.pop()
    return best


def _mains(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*.tex"):
        if path.is_file() and path.stat().st_size < _LARGEST:
            text = path.read_text(encoding="utf-8", errors="replace")
            if "\\documentclass" in text and "\\begin{document}" in text:
                yield path


def warnings(project: Project, style: str, folder: Path) -> list[str] | None:
    """None if the style is not there."""
    with TemporaryDirectory() as place:
        bibliographies = [it for it in project.bibliographies if it.endswith(".bib")]
        for number, path in enumerate(bibliographies):
            Path(place, f"b{number}.bib").symlink_to(path)
        data = ",".join(f"b{number}" for number in range(len(bibliographies)))
        keys = [*sorted(project.cited), *(["*"] if project.cites_all else [])]
        cited = "".join(f"\\citation{{{it}}}\n" for it in keys)
        last = f"\\bibstyle{{{Path(style).name}}}\n\\bibdata{{{data}}}\n"
        Path(place, "x.aux").write_text(f"\\relax\n{cited}{last}", encoding="utf-8")
        styles = dict.fromkeys(str(it.parent) for it in folder.rglob("*.bst"))
        environment = {**os.environ, "BSTINPUTS": f"{':'.join(styles)}:", "BIBINPUTS": f"{place}:"}
        done = subprocess.run(["bibtex", "x"], cwd=place, capture_output=True, timeout=60, env=environment)
    printed = done.stdout.decode("utf-8", "replace")
    return None if "couldn't open style file" in printed else list(_about_entries(printed))


def _about_entries(printed: str) -> Iterator[str]:
    lines = [*printed.split("\n"), ""]
    for line, following in pairwise(lines):
        if found := _WARNING.match(line):
            # BibTeX breaks lines at 79 characters, and goes on behind two blanks.
            whole = found[1] + (following if following.startswith(" ") else "")
            if _key_of(whole):
                yield whole


def _key_of(warning: str) -> str:
    found = _KEY.search(warning)
    return (found[1] or found[2]).lower() if found else ""


def _kind(warning: str) -> str:
    return re.sub(r" (?:in|for) \S+$", "", re.sub(r'"[^"]*"', "…", warning))


def findings(project: Project) -> set[tuple[str, str]]:
    """Keys in small letters, each with what is found."""
    found = {((it.key or "").lower(), it.code) for it in checks.run(project, Knowledge())}
    # Of a project that is not read whole, no key is called undefined.
    if not project.closed:
        found |= {(it.lower(), "undefined-citation") for it in project.cited}
    return found


def is_found(warning: str, found: set[tuple[str, str]]) -> bool:
    codes = next(codes for words, codes in _ALIKE if words in warning)
    if codes == {"undefined-string"}:
        return any(code in codes for _, code in found)
    return any((_key_of(warning), code) in found for code in codes)


if __name__ == "__main__":
    main(sys.argv[1:])

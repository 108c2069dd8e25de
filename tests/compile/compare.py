"""What BibTeX and biber report of bibliographies beside what citelsp finds in them.

    python tests/compile/compare.py FILE.bib… DIRECTORY…

Each file, of equal ones the first, is read by both programs as a whole, and by citelsp as the bibliography of a
manuscript for each.  A file is missed if a program reports an error and citelsp finds nothing.  It is accused wrongly
if citelsp finds an error that the program would report, and no line of the program confirms it.  What only TeX reports
is not counted.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent.parent
sys.path[:0] = [str(HERE / "support"), str(HERE.parent)]

from citelsp import checks  # noqa: E402
from citelsp.base.settings import Settings  # noqa: E402
from citelsp.checks.finding import Finding  # noqa: E402
from citelsp.knowledge import Knowledge  # noqa: E402
from citelsp.workspace.files import DiskFiles  # noqa: E402
from citelsp.workspace.include_graph import build  # noqa: E402
from compilers import biber, bibtex  # noqa: E402

TOOLS = {
    "biber": (biber, "\\addbibresource{refs.bib}"),
    "bibtex": (bibtex, "\\bibliographystyle{plain}\\bibliography{refs}"),
}
ERRORS = {
    "biber": re.compile(r"^(?:ERROR|FATAL)"),
    "bibtex": re.compile(r"---line \d+ of file|bad cross reference|Too many commas|comma at the end"),
}
# Where a program stumbles it loses what follows, and says nothing of it.
STUMBLES = {"biber": re.compile(r"^(?:ERROR|FATAL)|ended with"), "bibtex": re.compile(r"---line \d+ of file")}
REPORTED = frozenset(
    "malformed-entry stray-text malformed-name malformed-date undefined-string dangling-reference".split()
)
READABLE = frozenset({"duplicate-entry", "foreign-encoding", "missing-bibliography"})
SILENT = re.compile(r"has no key|BibTeX (?:prints|takes|does not read)|it prints|stands twice")  # true, but never said


def findings(file: Path, tool: str) -> list[Finding]:
    """Errors and warnings in a bibliography that this program reads."""
    with TemporaryDirectory() as place:
        main, bib = Path(place, "main.tex"), Path(place, "refs.bib")
        main.write_text(f"\\documentclass{{article}}{TOOLS[tool][1]}\\begin{{document}}\\nocite{{*}}\\end{{document}}")
        copy(file, bib)
        project = build(DiskFiles([place]), str(main), Settings())
        found = checks.run(project, Knowledge(), paths=(str(main), str(bib)), codes=REPORTED | READABLE)
    return [it for it in found if it.severity in ("error", "warning")]


def judged(file: Path, tool: str, said: list[str]) -> str:
    """ "", "missed" or "false"."""
    found = findings(file, tool)
    if any(map(ERRORS[tool].search, said)) and not found:
        return "missed"
    errors = [it for it in found if it.severity == "error" and it.code in REPORTED and not SILENT.search(it.message)]
    return "" if any(map(STUMBLES[tool].search, said)) or all(_confirmed(it, said) for it in errors) else "false"


def _confirmed(finding: Finding, said: list[str]) -> bool:
    """Whether a line names the entry or what the message quotes."""
    named = [*re.findall(r"“([^”…]+)", finding.message)[:1], *filter(None, [finding.key])]
    return any(name.lower() in line.lower() for line in said for name in named)


def distinct(names: list[str]) -> Iterator[Path]:
    seen = set()
    for name in names:
        path = Path(name)
        for file in sorted(path.rglob("*.bib")) if path.is_dir() else [path]:
            digest = hashlib.sha256(file.read_bytes()).digest()
            if digest not in seen:
                seen.add(digest)
                yield file.resolve()


def main(names: list[str]) -> None:
    files = list(distinct(names))
    for tool, (run, _) in TOOLS.items():
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            reports = dict(zip(files, pool.map(run, files), strict=True))
        with_errors = sum(any(map(ERRORS[tool].search, said)) for said in reports.values())
        verdicts = {file: judged(file, tool, said) for file, said in reports.items()}
        counts = ", ".join(f"{list(verdicts.values()).count(it)} {it}" for it in ("missed", "false"))
        sys.stdout.write(f"{tool} reports errors in {with_errors} of {len(files)} files; {counts}\n")
        sys.stdout.writelines(f"  {verdict}: {file}\n" for file, verdict in verdicts.items() if verdict)


if __name__ == "__main__":
    main(sys.argv[1:])

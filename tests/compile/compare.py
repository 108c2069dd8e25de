"""What BibTeX and biber report of bibliographies beside what citelsp finds in them.

    python tests/compile/compare.py FILE.bib…

Each file is read by both programs as a whole, and by citelsp as the bibliography of a manuscript for each.  A file is
missed if a program reports an error and citelsp finds nothing; it is accused wrongly if citelsp finds an error that the
program would report, and the program says nothing at all.  What only TeX reports is not counted.
"""

import re
import sys
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from citelsp import checks  # noqa: E402
from citelsp.checks.finding import Finding  # noqa: E402
from citelsp.knowledge import Knowledge  # noqa: E402
from citelsp.workspace.disk import decode  # noqa: E402
from compilers import biber, bibtex  # noqa: E402
from fixture_projects import project_of  # noqa: E402

TOOLS = {
    "biber": (biber, "\\addbibresource{refs.bib}"),
    "bibtex": (bibtex, "\\bibliographystyle{plain}\\bibliography{refs}"),
}
ERRORS = {
    "biber": re.compile(r"^(?:ERROR|FATAL)"),
    "bibtex": re.compile(r"---line \d+ of file|bad cross reference|Too many commas|comma at the end"),
}
REPORTED = frozenset(
    "malformed-entry stray-text malformed-name malformed-date undefined-string dangling-reference".split()
)
SILENT = re.compile(r"has no key|BibTeX (?:prints|takes)|it prints|stands twice")  # true, though no program says so


def findings(file: Path, tool: str) -> list[Finding]:
    """Errors and warnings in a bibliography that this program reads."""
    decoded = decode(file.read_bytes())
    if decoded is None:
        return []
    tex = f"\\documentclass{{x}}{TOOLS[tool][1]}\\nocite{{*}}"
    project = project_of({"main.tex": tex, "refs.bib": decoded[0].replace("\r\n", "\n")})
    bib = replace(project.sources["refs.bib"], encoding=decoded[1])
    project = replace(project, sources={**project.sources, "refs.bib": bib})
    codes = REPORTED | {"duplicate-entry", "foreign-encoding"}
    found = checks.run(project, Knowledge(), paths=("refs.bib",), codes=codes)
    return [it for it in found if it.severity in ("error", "warning")]


def judged(file: Path, tool: str, said: list[str]) -> str:
    """ "", "missed" or "false"."""
    found = findings(file, tool)
    if any(map(ERRORS[tool].search, said)):
        return "" if found else "missed"
    grave = [it for it in found if it.severity == "error" and it.code in REPORTED and not SILENT.search(it.message)]
    return "false" if grave and not said else ""


def main(names: list[str]) -> None:
    for tool, (run, _) in TOOLS.items():
        with_errors = 0
        verdicts: dict[str, list[str]] = {"missed": [], "false": []}
        for name in names:
            said = run(Path(name).resolve())
            with_errors += any(map(ERRORS[tool].search, said))
            if verdict := judged(Path(name), tool, said):
                verdicts[verdict].append(name)
        counts = ", ".join(f"{len(found)} {verdict}" for verdict, found in verdicts.items())
        sys.stdout.write(f"{tool} reports errors in {with_errors} of {len(names)} files; {counts}\n")
        sys.stdout.writelines(f"  {verdict}: {name}\n" for verdict, found in verdicts.items() for name in found)


if __name__ == "__main__":
    main(sys.argv[1:])

"""What BibTeX and biber say of a bibliography; `python tests/support/compilers.py FILE.bib…` prints it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HARMLESS = re.compile(r"Warning--(?:empty|can't use both|there's a number but no series|to sort, need) ")


def run(command, place):
    return subprocess.run(command, cwd=place, capture_output=True, encoding="utf-8", errors="replace", check=False)


def bibtex(bib: Path, style: str = "plain") -> list[str]:
    """Errors and warnings of a run over all entries; that a style would like another field is none."""
    with TemporaryDirectory() as place:
        shutil.copy(bib, Path(place, "refs.bib"))
        Path(place, "main.aux").write_text(f"\\relax\n\\citation{{*}}\n\\bibstyle{{{style}}}\n\\bibdata{{refs}}\n")
        done = run(["bibtex", "main"], place)
        lines = [it for it in done.stdout.splitlines() if not HARMLESS.match(it)]
    kept = [it for it in lines if not re.match(r"This is|The top-level|The style file|Database file|\(There w", it)]
    return kept if done.returncode < 2 else [*kept, f"bibtex ended with {done.returncode}"]


def biber(bib: Path) -> list[str]:
    """Errors and warnings of biber reading and writing all entries."""
    with TemporaryDirectory() as place:
        command = ["biber", "--tool", "--nolog", "--output-file", str(Path(place, "out.bib")), str(bib)]
        done = run(command, place)
        lines = [it for it in (done.stdout + done.stderr).splitlines() if not it.startswith("INFO")]
        files = (it for it in (bib, Path(place, "out.bib")) if it.exists())
        before, *rest = (it.read_text("utf-8", errors="replace").count("\n@") for it in files)
    after = rest[0] if rest else 0
    lost = [f"biber kept {after} entries of about {before}"] if after < before * 0.9 else []
    return [*lines, *lost, *([f"biber ended with {done.returncode}"] if done.returncode else [])]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for tool in (bibtex, biber):
            said = tool(Path(name).resolve())
            sys.stdout.write("\n  ".join([f"{name}: {tool.__name__}: {len(said)} complaints", *said[:40]]) + "\n")

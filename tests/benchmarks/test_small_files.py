"""Four times as many small files cost at most five times as much: CPU, the less of two runs."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import resource, subprocess, sys
command = [sys.executable, "-m", "citelsp", "check", sys.argv[1], "--offline"]
done = subprocess.run(command, capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, *(word for word in done.stdout.split() if word.replace(",", "").isdigit()))
"""
PLOT = "\\begin{tikzpicture}\n\\draw (0,0) -- (1,1);\n\\end{tikzpicture}\n"
NOTE = "A note on kites, with a citation.~\\cite{kites}\n"


def written(folder: Path, count: int, part: str) -> Path:
    """A thesis that includes so many files."""
    (folder / "parts").mkdir(parents=True)
    for number in range(count):
        (folder / "parts" / f"p{number}.tex").write_text(part)
    inputs = "".join(f"\\input{{parts/p{number}}}\n" for number in range(count))
    head = "\\documentclass{book}\\begin{document}\n"
    (folder / "main.tex").write_text(
        f"{head}{inputs}\\bibliographystyle{{plain}}\\bibliography{{refs}}\\end{{document}}\n"
    )
    (folder / "refs.bib").write_text(
        "@book{kites, author = {Ann Roe}, title = {Kites}, publisher = {P}, year = 2001}\n"
    )
    return folder


def seconds(folder: Path, count: int) -> float:
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(folder)], capture_output=True, text=True, timeout=300)
    used, *numbers = done.stdout.split()
    assert f"{count + 1:,}" in numbers  # files that were read
    return float(used)


@pytest.mark.benchmarks
@pytest.mark.parametrize("part", [PLOT, NOTE], ids=["plots", "notes"])
def test_many_small_files(part, tmp_path):
    costs = []
    for count in (500, 2000):
        folder = written(tmp_path / f"{count}", count, part)
        costs.append(min(seconds(folder, count) for _ in range(2)))
    sys.stdout.write(f"500 files: {costs[0]:.2f} s, 2,000 files: {costs[1]:.2f} s, {costs[1] / costs[0]:.1f} times\n")
    assert costs[1] <= 5 * costs[0]

"""Folders as an attacker might send them, and what looking at each of them cost: in a process of its own.

`python hostile_workspaces.py FOLDER SEED MINUTES [COUNT]` prints a line of JSON for each that failed, and a last one
with how many there were.  `--keep SEED` writes one to fixtures/failures, from where `--again FOLDER` looks at them all.
"""

import gc
import io
import json
import os
import random
import resource
import shutil
import signal
import sys
import tarfile
import tempfile
import time
import traceback
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

from citelsp.cli import main
from hostile_texts import LANGUAGES, mixed

CPU, MEMORY = 5.0, 300 << 20  # seconds; bytes
WAIT = 120  # seconds on the clock, after which something hangs
ENDINGS = {
    "latex": "tex", "markdown": "md", "bibtex": "bib", "csl-json": "json", "csl-yaml": "yaml", "ris": "ris",
    "endnote": "xml",
}  # fmt: skip
FAILURES = Path(__file__).parents[2] / "fixtures" / "failures"
LENGTHS = (0, 10, 100, 300, 300, 1000, 1000, 3000, 20_000)
PATTERNS = (
    "/**/*", "../../**/*", "**/*", "*", "{a,b}" * 30, "[", "[!", "/dev/zero", "/proc/self/mem", "loop/**/*.bib", "refs",
    "refs.json", "x" * 5000, "a\\0b", "~/x", "//host/x", "../" * 400, "**/" * 200 + "*.bib", "fifo", "a,b,c",
    "\\x", "?*",
)  # fmt: skip
SETTINGS = (
    "[", "x = 1", "[checks]\nseverity = 3", "[syntax]\nbibliographies = {}", "[services.crossref]\nbase_url = 'file:///'",
    "[model]\nbase_url = 'http://127.0.0.1:1'", "[syntax]\ncite_commands = ['a', '.*', '(', '']", "a = " + "[" * 900,
    "offline = 'no'", "[cache]\npath = '/'", "[checks]\nseverity = { unused-entry = 'error', x = [] }",
)  # fmt: skip
NAMES = (
    "main",
    "refs",
    "a b",
    "ü",
    "-",
    "--help",
    "é\n",
    "\x1b[31m",
    "%s",
    "a" * 200,
    ".hidden",
    "CON",
    "{a,b}",
    "[x]",
)
OPTIONS = (
    (),
    ("--format", "json"),
    ("--format", "sarif"),
    ("--fix", "safe"),
    ("--fix", "review", "--diff"),
    ("--verbose",),
)


def make(folder: Path, dice: random.Random) -> None:
    folder.mkdir()
    for _ in range(dice.choice((1, 2, 2, 3, 4, 6))):
        language = dice.choice(LANGUAGES)
        path = folder / f"{dice.choice(NAMES)}.{ENDINGS.get(language, language)}"
        with suppress(OSError, ValueError):
            path.write_bytes(_bytes(_text(language, dice), dice))
    for _ in range(dice.choice((0, 0, 1, 2))):
        with suppress(OSError):
            dice.choice((_link, _pipe, _folder, _deep, _settings))(folder, dice)


def _text(language: str, dice: random.Random) -> str:
    text = mixed(language, dice, dice.choice(LENGTHS))
    pattern = dice.choice(PATTERNS)
    if dice.random() < 0.5 and language == "latex":
        named = f"\\bibliography{{{pattern}}}\\input{{{pattern}}}\\addbibresource[glob]{{{pattern}}}"
        text = f"\\documentclass{{a}}{named}{text}"
    if dice.random() < 0.5 and language == "markdown":
        text = f"---\nbibliography: [refs.bib, {json.dumps(pattern)}]\n---\n{text}"
    return text


def _bytes(text: str, dice: random.Random) -> bytes:
    raw = bytearray(
        text.encode(dice.choice(("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-be")), "replace")
    )
    for _ in range(dice.choice((0, 0, 0, 1, 5))):
        raw[dice.randrange(len(raw) + 1) : 0] = dice.choice(
            (b"\0", b"\xff", b"\r", b"\x1b]0;x\x07", b"\xed\xa0\x80", b"\x0c")
        )
    return bytes(raw)


def _link(folder: Path, dice: random.Random) -> None:
    target = dice.choice((".", "..", "/", "/dev/zero", "/proc/self/fd/0", "gone", "refs.bib"))
    (folder / dice.choice(("loop", "refs.bib", "main.tex", "x.md"))).symlink_to(target)


def _pipe(folder: Path, dice: random.Random) -> None:
    os.mkfifo(folder / dice.choice(("fifo.bib", "main.tex", ".citelsp.toml", "x.md")))


def _folder(folder: Path, dice: random.Random) -> None:
    (folder / dice.choice(("refs.bib", "main.tex", ".citelsp.toml"))).mkdir()


def _deep(folder: Path, dice: random.Random) -> None:
    deep = folder.joinpath(*["d"] * dice.choice((12, 60)))
    deep.mkdir(parents=True)
    (deep / "refs.bib").write_text("@a{b}", encoding="utf-8")


def _settings(folder: Path, dice: random.Random) -> None:
    # Anew: a pipe may stand there, which would wait for a reader.
    with (folder / ".citelsp.toml").open("x", encoding="utf-8") as file:
        file.write(dice.choice(SETTINGS))


def look(folder: Path, options: tuple[str, ...], log: Path) -> None:
    """Check the folder, in a process that ends with it; what it prints goes to `log`."""
    seconds = int(CPU) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
    signal.alarm(WAIT)
    status = 99
    with log.open("w", encoding="utf-8", errors="surrogatepass") as out, redirect_stdout(out), redirect_stderr(out):
        try:
            status = main(["check", "--offline", *options, str(folder)])
        except SystemExit as end:
            status = int(end.code or 0)
        except BaseException:  # noqa: BLE001  whatever it is, it is a failure
            traceback.print_exc()
    os._exit(status)


def cost(folder: Path, options: tuple[str, ...], log: Path, most: int = MEMORY) -> dict[str, object] | None:
    """What is wrong with looking at the folder, for which `most` bytes are due; None if nothing is."""
    child = os.fork()
    if not child:
        look(folder, options, log)
    _, status, used = os.wait4(child, 0)
    seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss << 10
    if os.waitstatus_to_exitcode(status) in (0, 1, 2, 3) and seconds <= CPU and memory <= most:
        return None
    said = log.read_text(encoding="utf-8", errors="replace")[-1500:]
    return {"status": status, "seconds": seconds, "memory": memory, "options": options, "said": said}


def prepare(place: Path) -> None:
    os.environ["PYTHONWARNINGS"] = "ignore"
    (place / "none").mkdir()
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        main(["check", "--offline", "--format", "sarif", str(place / "none")])  # what it imports, all inherit
    gc.freeze()


def keep(seed: int) -> None:
    """As an archive: no other form holds pipes, and names with line breaks, on every system."""
    with tempfile.TemporaryDirectory() as place, tarfile.open(FAILURES / f"{seed}.tar.xz", "x:xz") as archive:
        make(Path(place) / "work", random.Random(seed))  # noqa: S311  nothing secret
        archive.add(Path(place) / "work", "work")


def again(place: Path) -> None:
    """All that once failed, as a person sees them and as JSON."""
    prepare(place)
    archives = sorted(FAILURES.glob("*.tar.xz"))
    for path in archives:
        for options in OPTIONS[:2]:
            with tarfile.open(path) as archive:
                archive.extractall(place, filter="fully_trusted")  # noqa: S202  our own
            if wrong := cost(place / "work", options, place / "log"):
                sys.stdout.write(json.dumps({"path": path.name} | wrong) + "\n")
            shutil.rmtree(place / "work", ignore_errors=True)
    sys.stdout.write(json.dumps({"done": len(archives)}) + "\n")


def run(place: Path, seed: int, minutes: float, count: int) -> None:
    prepare(place)
    ends, done, failed = time.monotonic() + 60 * minutes, 0, 0
    while done < count and time.monotonic() < ends:
        dice = random.Random(seed + done)  # noqa: S311  nothing secret
        folder = place / "work"
        make(folder, dice)
        wrong = cost(folder, dice.choice(OPTIONS), place / "log")
        if wrong:
            failed += 1
            sys.stdout.write(json.dumps({"seed": seed + done} | wrong) + "\n")
        shutil.rmtree(folder, ignore_errors=True)
        done += 1
    sys.stdout.write(json.dumps({"done": done, "failed": failed}) + "\n")


if __name__ == "__main__" and sys.argv[1] == "--keep":
    keep(int(sys.argv[2]))
elif __name__ == "__main__" and sys.argv[1] == "--again":
    again(Path(sys.argv[2]))
elif __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 10**9)

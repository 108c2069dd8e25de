"""Every measurement that the README claims, on one page.

    python -m citelsp.evals.report OUT [--cases DIR --sets SET... --config NAME=FILE...] [--works FILE]
        [--recordings DIR] [--questions FILE --gold FILE --corpus DIR] [--peer COMMAND] [--entries N...]

Writes report.md, report.html and the figures into OUT.  What has no data here is named and left out: verification needs
labelled cases (citelsp.evals.verification) and settings that name the services, insertion also true works
(citelsp.evals.insertion), the services recorded answers (citelsp.evals.aligned), predictions and the agent questions
and a corpus (`citelsp eval positions`, citelsp.evals.overhead), speed a clone with its benchmarks.  What services that
fail do to verification is measured by settings that name such, after the clean ones.
"""

import argparse
import asyncio
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

import citelsp
from citelsp import cli
from citelsp import settings as house
from citelsp.cli import eval as eval_
from citelsp.corpus.index import Corpus
from citelsp.evals import aligned, insertion, overhead, page, verification
from citelsp.evals.page import Section, Table

_LIBRARIES = ("pygls", "lsprotocol", "httpx", "rapidfuzz", "tantivy", "bibtexparser", "diskcache")
_BENCHMARK = Path(citelsp.__file__).parent.parent / "tests" / "benchmarks" / "editor.py"

Measurement = Callable[[argparse.Namespace], Sequence[Section]]  # none where its data was not given


def machine() -> Section:
    """What the figures were taken on."""
    rows = [
        ("system", f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"),
        ("Python", platform.python_version()),
        ("citelsp", " ".join((citelsp.__version__, _revision()))),
        *((it, version(it)) for it in _LIBRARIES),
    ]
    return Section(f"Taken on {time.strftime('%Y-%m-%d')}", tables=(Table(("what", "which"), tuple(rows)),))


def _revision() -> str:
    """Of a clone; empty elsewhere."""
    command = ["git", "-C", str(Path(citelsp.__file__).parent), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return ""


def speed(given: argparse.Namespace) -> Sequence[Section]:
    """The editor's path beside a peer in the same run."""
    if not _BENCHMARK.exists() or not given.entries:
        return ()
    options = ["--peer", given.peer, "--entries", *map(str, given.entries)]
    command = [sys.executable, str(_BENCHMARK), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    note = "CPU time of the server process, in invented bibliographies."
    shown = f'python tests/benchmarks/editor.py --peer "{given.peer}" --entries {" ".join(map(str, given.entries))}'
    return [Section("Speed in the editor", shown, notes=(note,), tables=(page.read_table(done.stdout),))]


def verified(given: argparse.Namespace) -> Sequence[Section]:
    if not (given.cases and given.config):
        return ()
    runs = verification.measure(given.cases, given.sets, verification.configs(given.config), given.every)
    return [verification.section(runs, verification.command(given.sets, given.config, given.every))]


def inserted(given: argparse.Namespace) -> Sequence[Section]:
    """With the first of the configurations."""
    if not (given.works and given.config):
        return ()
    name, path = next(iter(verification.configs(given.config).items()))
    settings, _ = house.merged(house.read_file(path)[0])
    outcomes = asyncio.run(insertion.run(list(insertion.works(given.works)), settings, given.count))
    command = f"python -m citelsp.evals.insertion WORKS --config FILE -n {given.count}  # {name}"
    return [Section("Entries written for works looked up", command, output=insertion.report(outcomes))]


def services(given: argparse.Namespace) -> Sequence[Section]:
    if not given.recordings:
        return ()
    outcomes = aligned.run(list(aligned.cases(given.recordings)), clues=False)
    command = "python -m citelsp.evals.aligned RECORDINGS"
    return [Section("The merged first answer, on recorded answers", command, output=aligned.report(outcomes))]


def predicted(given: argparse.Namespace) -> Sequence[Section]:
    if not (given.questions and given.corpus):
        return ()
    words = ["positions", str(given.questions), "--corpus", str(given.corpus), "--out", str(given.out)]
    words += ["--gold", str(given.gold)] if given.gold else []
    words += ["--versus", str(given.versus)] if given.versus else []
    asked = cli.parser(["eval"]).parse_args(["eval", *words, "--every", str(given.every)])
    shown = f"citelsp eval positions QUESTIONS --gold GOLD --corpus CORPUS --out OUT --every {given.every}"
    return eval_.measured(asked, shown)


def resolved(given: argparse.Namespace) -> Sequence[Section]:
    if not (given.questions and given.corpus):
        return ()
    asked = overhead.places(given.questions, overhead.COUNT)
    with Corpus(given.corpus) as corpus:
        runs = overhead.measure(corpus, asked)
    return [overhead.section(runs, overhead.command(len(asked)))]


MEASUREMENTS: dict[str, Measurement] = {
    "verification": verified,
    "services": services,
    "insertion": inserted,
    "predictions": predicted,
    "agent": resolved,
    "speed": speed,
}


def sections(given: argparse.Namespace) -> list[Section]:
    found = {name: measurement(given) for name, measurement in MEASUREMENTS.items()}
    missing = [name for name, it in found.items() if not it]
    left_out = [Section("Left out", notes=(f"No data was given for: {', '.join(missing)}.",))] if missing else []
    return [machine(), *(section for it in found.values() for section in it), *left_out]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure everything that the README claims, on one page.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--cases", type=Path, help="labelled references")
    parser.add_argument("--sets", nargs="+", default=[], help="of the cases")
    parser.add_argument("--config", action="append", default=[], metavar="NAME=FILE", help="settings, clean ones first")
    parser.add_argument("--every", type=int, default=1, help="of how many cases one is taken")
    parser.add_argument("--works", type=Path, help="true works, to be looked up and written")
    parser.add_argument("--count", type=int, default=300, help="of them, in each way")
    parser.add_argument("--recordings", type=Path, help="recorded answers of services")
    parser.add_argument(
        "--entries", type=int, nargs="*", default=[10_000, 50_000], help="of the bibliographies for speed"
    )
    parser.add_argument("--questions", type=Path, help="places whose works are known")
    parser.add_argument("--gold", type=Path, help="their works, where the questions do not hold them")
    parser.add_argument("--corpus", type=Path, help="where they are looked for")
    parser.add_argument("--versus", type=Path, help="another system's predictions")
    parser.add_argument("--peer", default="badness lsp", help="another server, for speed")
    given = parser.parse_args()
    page.write(given.out, f"citelsp {citelsp.__version__}, measured", sections(given))


if __name__ == "__main__":
    main()

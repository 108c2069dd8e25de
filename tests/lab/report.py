"""Every measurement that the README claims, on one page, with what each is held to.

    python tests/lab report OUT [--cases DIR --sets SET... --config NAME=FILE... [--fault NAME=FILE...]
        [--apart SET=FILE...]] [--bibliographies DIR] [--manuscripts DIR] [--works FILE] [--recordings DIR]
        [--claims FILE] [--papers DIR] [--questions FILE --gold FILE --corpus DIR [--predictions FILE] [--versus FILE]]
        [--collection FILE] [--peer COMMAND...] [--entries N...]
    python tests/lab report OUT @FILE      (FILE holds these words, one a line)

Writes report.md, report.html and the figures into OUT, after each measurement anew.  What has no data is left out and
named there with the options that it needs; data that is named and does not exist ends the command before it begins.
"""

import argparse
import asyncio
import os
import platform
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import citelsp
from citelsp import cli
from citelsp.base import git, programs, read_settings
from citelsp.corpus.index import Corpus
from citelsp.evals import command as eval_command
from citelsp.evals import insertion, page, questions
from citelsp.evals.page import Section, Table
from lab import (
    aligned,
    answering,
    bars,
    bibliographies,
    claims,
    masking,
    overhead,
    prediction_report,
    received_papers,
    seeded_values,
    verification,
)

_LIBRARIES = ("pygls", "lsprotocol", "httpx", "rapidfuzz", "tantivy", "bibtexparser", "diskcache")
_BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
_FAULTY = 20  # of how many cases one is asked about where services fail: that takes its time
_ANSWERED = 2  # of how many questions one is answered thrice; their number decides how far chance moves a share
_PDFS = 500
_LONGEST = 7200.0  # seconds of one benchmark
_MASKED = 40  # citations of each manuscript
_SEEDED = 500  # entries

Measurement = Callable[[argparse.Namespace], Sequence[Section]]  # none if its data was not given


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
    """The revision of a clone; "" elsewhere."""
    try:
        done = git.ask(str(Path(citelsp.__file__).parent), "describe", "--always", "--dirty")
    except OSError:
        return ""
    return done.out.decode().strip() if done.status == 0 else ""


def speed(arguments: argparse.Namespace) -> Sequence[Section]:
    """A start beside Python's own, and the editor's path beside peers in the same run."""
    if not arguments.entries:
        return ()
    start = _benchmark("Start", "The best of several, with compiled modules.", ["start.py"])
    entries = [str(it) for it in arguments.entries]
    note = "CPU time of the server process, in invented bibliographies."
    peers = [word for peer in arguments.peer for word in ("--peer", peer)]
    found = _benchmark("Speed in the editor", note, ["editor.py", *peers, "--entries", *entries])
    return [
        *(replace(it, bars=tuple(bars.started(it.tables[0]))) for it in start),
        *(replace(it, bars=tuple(bars.fast(it.tables[0]))) for it in found),
    ]


def indexed(arguments: argparse.Namespace) -> Sequence[Section]:
    """What a corpus costs to build and to ask, beside tantivy alone in the same run."""
    if not arguments.collection:
        return ()
    asked = ["--questions", str(arguments.questions)] if arguments.questions else []
    note = "CPU time, unless said otherwise."
    words = ["corpus.py", "--works", str(arguments.collection), *asked, "--pdfs", str(_PDFS)]
    return [
        replace(section, bars=tuple(bars.indexed(section.tables[0])))
        for section in _benchmark("What a corpus costs", note, words)
    ]


def _benchmark(title: str, note: str, words: Sequence[str]) -> Sequence[Section]:
    """The table that a benchmark of a clone prints, and its notes."""
    if not (path := _BENCHMARKS / words[0]).exists():
        return ()
    done = programs.run([sys.executable, str(path), *words[1:]], _LONGEST, folder=str(Path.cwd()))
    printed = done.out.decode()
    if done.status != 0:
        raise RuntimeError(done.err.decode(errors="replace"))
    shown = shlex.join(["python", f"tests/benchmarks/{words[0]}", *(Path(it).name for it in words[1:])])
    notes = [it for it in printed.splitlines() if it.strip() and not it.startswith("|")]
    return [Section(title, shown, notes=(note, *notes), tables=(read_table(printed),))]


def read_table(text: str) -> Table:
    """A table as Markdown writes it."""
    lines = [it.strip().strip("|") for it in text.splitlines() if it.strip().startswith("|")]
    head, _, *rows = (tuple(cell.strip() for cell in it.split("|")) for it in lines)
    return Table(head, tuple(rows))


def verified(arguments: argparse.Namespace) -> Sequence[Section]:
    if not (arguments.cases and arguments.config):
        return ()
    runs = verification.measure(
        arguments.cases, arguments.sets, verification.configs(arguments.config), arguments.every
    )
    return [_checks("Verification", runs, verification.command(arguments.sets, arguments.config, arguments.every))]


def apart(arguments: argparse.Namespace) -> Sequence[Section]:
    """Sets that have services of their own."""
    found = []
    for name, path in verification.configs(arguments.apart).items():
        runs = verification.measure(arguments.cases, [name], {name.partition("-")[0]: path}, arguments.every)
        found.append(
            _checks(f"Verification, {name}", runs, verification.command([name], [f"{name}=FILE"], arguments.every))
        )
    return found


def _checks(title: str, runs: Sequence[verification.Run], command: str) -> Section:
    return replace(verification.section(runs, command), title=title, bars=tuple(bars.verified(runs)))


def faulty(arguments: argparse.Namespace) -> Sequence[Section]:
    """What services that fail do to a check."""
    if not (arguments.cases and arguments.config and arguments.fault):
        return ()
    named = [arguments.config[0], *arguments.fault]
    runs = verification.measure(arguments.cases, arguments.sets, verification.configs(named), arguments.every * _FAULTY)
    command = verification.command(arguments.sets, named, arguments.every * _FAULTY)
    section = verification.section(runs, command)
    return [replace(section, title="Verification where services fail", bars=tuple(bars.steady(runs)))]


def real(arguments: argparse.Namespace) -> Sequence[Section]:
    """Right entries of real bibliographies against each other."""
    return [bibliographies.measured(arguments.bibliographies)] if arguments.bibliographies else ()


def seeded(arguments: argparse.Namespace) -> Sequence[Section]:
    """Faults in real entries."""
    if not arguments.bibliographies:
        return ()
    entries = seeded_values.draw(arguments.bibliographies, _SEEDED, 0)
    return [seeded_values.section(entries, seeded_values.findings(entries))] if entries else ()


def masked(arguments: argparse.Namespace) -> Sequence[Section]:
    """Citations of manuscripts masked one at a time, beside the author's own bibliography."""
    if not arguments.manuscripts:
        return ()
    known = [masking.manuscript(it, _MASKED, masking.FEWEST) for it in sorted(arguments.manuscripts.glob("*/"))]
    found = [outcome for it in known if it for outcome in masking.outcomes(it)]
    command = f"python tests/lab masking MANUSCRIPTS/* --each {_MASKED}"
    title = "The author's own bibliography"
    return [Section(title, command, output=masking.report(found), bars=tuple(bars.masked(found)))] if found else ()


def inserted(arguments: argparse.Namespace) -> Sequence[Section]:
    """With the first of the configurations."""
    if not (arguments.works and arguments.config):
        return ()
    name, path = next(iter(verification.configs(arguments.config).items()))
    settings, _ = read_settings.merge(read_settings.read_file(path)[0])
    outcomes = asyncio.run(insertion.run(list(insertion.read_works(arguments.works)), settings, arguments.count))
    command = f"citelsp eval insertion WORKS --config FILE --number {arguments.count}  # {name}"
    return [Section("Entries written for works looked up", command, output=insertion.report(outcomes))]


def services(arguments: argparse.Namespace) -> Sequence[Section]:
    if not arguments.recordings:
        return ()
    outcomes = aligned.run(list(aligned.cases(arguments.recordings)), clues=False)
    command = "python tests/lab aligned RECORDINGS"
    return [Section("The merged first answer, on recorded answers", command, output=aligned.report(outcomes))]


def predicted(arguments: argparse.Namespace) -> Sequence[Section]:
    """What is found for all questions, and how sure it is, for authors who have cited other works already.

    A question takes some 30 ms, so that none is left out: of a quarter of them chance alone moves the shares by more
    than what they are held to.
    """
    if not (arguments.questions and arguments.corpus):
        return ()
    words = ["positions", str(arguments.questions), "--corpus", str(arguments.corpus), "--out", str(arguments.out)]
    words += ["--cites"]
    words += ["--gold", str(arguments.gold)] if arguments.gold else []
    words += ["--versus", str(arguments.versus)] if arguments.versus else []
    words += ["--predictions", str(arguments.predictions)] if arguments.predictions else []
    asked = cli.parser(["eval"]).parse_args(["eval", *words])
    files = "".join(f" --{it} FILE" for it in ("predictions", "versus") if getattr(arguments, it))
    shown = f"citelsp eval positions QUESTIONS --gold GOLD --corpus CORPUS --out OUT --cites{files}"
    return eval_command.score_predictions(asked, shown, prediction_report.sections)


def resolved(arguments: argparse.Namespace) -> Sequence[Section]:
    if not (arguments.questions and arguments.corpus):
        return ()
    asked = overhead.places(arguments.questions, overhead.COUNT)
    with Corpus(arguments.corpus) as corpus:
        runs = overhead.measure(corpus, asked)
    return [replace(overhead.section(runs, overhead.command(len(asked))), bars=tuple(bars.resolved(runs)))]


def answered(arguments: argparse.Namespace) -> Sequence[Section]:
    if not (arguments.questions and arguments.corpus):
        return ()
    with Corpus(arguments.corpus) as corpus:
        found = answering.measure(corpus, questions.read(arguments.questions, arguments.gold)[::_ANSWERED])
    sets = {name: answering.values(places) for name, places in answering.by_set(found)}
    return [replace(answering.section(found, answering.command(_ANSWERED)), bars=tuple(bars.answered(sets)))]


def received(arguments: argparse.Namespace) -> Sequence[Section]:
    """Compiled papers by their sources."""
    if not arguments.papers:
        return ()
    output = received_papers.report(received_papers.read_all(arguments.papers, {}))
    return [Section("Papers as they are received", "python tests/lab received_papers FOLDER", output=output)]


def judged(arguments: argparse.Namespace) -> Sequence[Section]:
    """Claims as they reach a judge, and what becomes of its verdicts."""
    if not arguments.claims:
        return ()
    pairs = claims.read(arguments.claims)[:: arguments.every]
    return [claims.section(pairs, asyncio.run(claims.measure(pairs)), claims.command(arguments.every))]


MEASUREMENTS: dict[str, tuple[Measurement, str]] = {  # with the options that it needs
    "verification": (verified, "--cases, --sets, --config"),
    "sets apart": (apart, "--cases, --apart"),
    "faults": (faulty, "--cases, --sets, --config, --fault"),
    "bibliographies": (real, "--bibliographies"),
    "seeded faults": (seeded, "--bibliographies"),
    "services": (services, "--recordings"),
    "insertion": (inserted, "--works, --config"),
    "own bibliography": (masked, "--manuscripts"),
    "predictions": (predicted, "--questions, --corpus"),
    "agent": (resolved, "--questions, --corpus"),
    "answers": (answered, "--questions, --corpus"),
    "received papers": (received, "--papers"),
    "claims": (judged, "--claims"),
    "corpus": (indexed, "--collection"),
    "speed": (speed, "--entries"),
}


def sections(arguments: argparse.Namespace) -> Iterator[list[Section]]:
    """All that is measured so far, after each measurement."""
    measured: list[Section] = []
    missing: list[tuple[str, ...]] = []
    for name, (measurement, needs) in MEASUREMENTS.items():
        print(f"{time.strftime('%H:%M')} {name}", file=sys.stderr)
        found = measurement(arguments)
        measured += found
        missing += [] if found else [(name, needs)]
        left_out = [Section("Left out, for want of data", tables=(Table(("what", "needs"), tuple(missing)),))]
        yield [machine(), bars.asked(measured), *measured, *(left_out if missing else [])]


def _existing(path: str) -> Path:
    if not Path(path).exists():
        raise argparse.ArgumentTypeError(f"{path} does not exist")
    return Path(path)


def _named(written: str) -> str:
    """NAME=FILE."""
    _existing(written.partition("=")[2])
    return written


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Measure everything that the README claims, on one page.", fromfile_prefix_chars="@"
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--cases", type=_existing, help="labelled references")
    parser.add_argument("--sets", nargs="+", default=[], help="of the cases")
    for option, what in (
        ("--config", "settings, clean ones first"),
        ("--fault", "settings whose services fail"),
        ("--apart", "a set with its own settings"),
    ):
        parser.add_argument(option, action="append", type=_named, default=[], metavar="NAME=FILE", help=what)
    parser.add_argument("--bibliographies", type=_existing, help="a folder of real .bib files for each hand")
    parser.add_argument("--manuscripts", type=_existing, help="a folder for each manuscript, with its bibliographies")
    parser.add_argument("--every", type=int, default=1, help="of how many cases one is taken")
    parser.add_argument("--works", type=_existing, help="true works, to be looked up and written")
    parser.add_argument("--count", type=int, default=300, help="of them, in each way")
    parser.add_argument("--recordings", type=_existing, help="recorded answers of services")
    parser.add_argument(
        "--entries", type=int, nargs="*", default=[1_000, 10_000, 50_000], help="of the bibliographies for speed"
    )
    parser.add_argument("--papers", type=_existing, help="compiled papers with their sources")
    parser.add_argument("--claims", type=_existing, help="sentences with the works that they cite")
    parser.add_argument("--questions", type=_existing, help="places whose works are known")
    parser.add_argument("--gold", type=_existing, help="their works, if the questions do not hold them")
    parser.add_argument("--corpus", type=_existing, help="where they are looked for")
    parser.add_argument(
        "--predictions", type=_existing, help="answers to the questions, to be scored instead of new ones"
    )
    parser.add_argument("--collection", type=_existing, help="works as JSON lines, to build a corpus from")
    parser.add_argument("--versus", type=_existing, help="another system's predictions")
    parser.add_argument("--peer", action="append", default=[], help="another server, for speed; badness lsp if none")
    arguments = parser.parse_args()
    for name in arguments.sets if arguments.cases else ():
        if not (arguments.cases / f"{name}.jsonl").exists():
            parser.error(f"argument --sets: {arguments.cases / name}.jsonl does not exist")
    for found in sections(arguments):
        page.write(arguments.out, f"citelsp {citelsp.__version__}, measured", found)


if __name__ == "__main__":
    main()

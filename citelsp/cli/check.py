"""citelsp check: the findings that an editor shows, in a terminal or a CI job."""

import argparse
import gc
import sys
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citelsp.base.settings import Settings
    from citelsp.cli.check_outcome import CheckOutcome
    from citelsp.cli.fix import Mending
    from citelsp.cli.run_checks import Checking
    from citelsp.cli.targets import Workplace
    from citelsp.sources.ask_services import Sources

_FORMATS = ("text", "json", "sarif", "github", "html", "csv", "md")
_FORMATS_BY_ENDING = {".html": "html", ".md": "md", ".csv": "csv", ".json": "json", ".sarif": "sarif"}  # of --report
_NO_REPORT = "is not a report of citelsp: name another file, or remove it"
_LARGEST_REPORT = 1 << 30  # bytes of an older report that is replaced
_PATHS = (
    "a manuscript (checked with the entries it cites), a bibliography, a folder, a PDF, a .zip of a project, arXiv:ID, "
    "or - for pasted text"
)
HELP = "report mistakes in citations and bibliographies, and fix them"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes, from which `run` gets its options."""
    parser.add_argument("paths", metavar="PATH", nargs="*", type=Path, help=_PATHS)  # none: with --zotero, --list
    parser.add_argument("--format", choices=_FORMATS, default="text", help="default: text; html and md to hand on")
    parser.add_argument(
        "--report",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="also write the report to FILE (.html, .md, .csv, .json, .sarif), or over an older one; may be repeated",
    )
    parser.add_argument("--offline", action="store_true", help="ask no service; use cached answers only")
    _add_claims(parser)
    parser.add_argument(
        "--links", action="store_true", help="also ask the servers of links whether their pages are still there"
    )
    parser.add_argument("--verbose", action="store_true", help="list every finding, and why entries are unchecked")
    parser.add_argument(
        "--fix", choices=("safe", "review"), help="apply safe fixes, or also those that should be reviewed"
    )
    parser.add_argument("--diff", action="store_true", help="with --fix: print the changes and write nothing")
    parser.add_argument(
        "--only",
        choices=("identity",),
        default="",
        help="identity: report only unknown works, wrong identifiers and retractions",
    )
    parser.add_argument(
        "--untrusted",
        action="store_true",
        help="for what others wrote: no comment silences a finding, and no settings of the folder switch checks off",
    )
    parser.add_argument("--explain", metavar="KEY", help="tell how the verdict on this entry came about")
    parser.add_argument("--since", metavar="REV", help="report only what changed since this git revision")
    parser.add_argument("--baseline", metavar="FILE", type=Path, help="report only findings that are not in FILE")
    _add_each(parser)
    _add_zotero(parser)
    parser.add_argument(
        "--write-baseline", action="store_true", help="with --baseline: record the current findings in it"
    )
    common.add_settings(parser)


def _add_claims(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--claims", action="store_true", help="also ask your model whether cited works contradict your sentences"
    )
    parser.add_argument(
        "--tokens",
        metavar="N",
        type=common.amount(int),
        help="with --claims: stop after N tokens (input and output)",
    )
    parser.add_argument("--usd", metavar="N", type=common.amount(float), help="with --claims: stop after N USD")


def _add_each(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--each", action="store_true", help="check every paper of a folder by itself: a line each")
    parser.add_argument(
        "--list", metavar="FILE", type=Path, help="like --each, for the papers that FILE names, one a line"
    )
    parser.add_argument(
        "--jobs", metavar="N", type=common.amount(int), default=4, help="with --each: papers at a time (default: 4)"
    )


def _add_zotero(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--zotero", action="store_true", help="check your Zotero library; with PATH: manuscripts by its keys"
    )
    parser.add_argument("--collection", metavar="NAME", default="", help="with --zotero: only this collection")
    parser.add_argument("--groups", action="store_true", help="with --zotero: your group libraries as well")


def run(options: argparse.Namespace) -> int:
    """Check what the options name, print or write what they ask for, and return the exit status.

    Options that do not go together and a baseline that cannot be read are told as wrong usage.  A file that cannot be
    written leaves the check unfinished before it begins; so does a revision that git does not know or cannot read, as
    the fault may be git's: it is missing, or its clone partial.
    """
    from citelsp.cli.baseline import BaselineError
    from citelsp.cli.since import GitError

    misuse = _read_paper_list(options) or _find_misuse_of_each(options) or _find_misuse(options)
    if misuse:
        common.warn(misuse)
        return exits.USAGE
    why_not = _find_unwritable(options)
    if why_not:
        return common.fail(why_not)
    gc.set_threshold(50_000, 20, 20)  # entries and records come by the ten thousand, and few of them in cycles
    try:
        return _run_check(options)
    except BaselineError as problem:
        common.warn(str(problem))
        return exits.USAGE
    except GitError as problem:
        return common.fail(str(problem))


def _read_paper_list(options: argparse.Namespace) -> str:
    """Set `options.listed` to the papers that the file of --list names, [] without --list.

    Returns why the file cannot be read, or "".
    """
    options.listed = []
    if not options.list:
        return ""
    from citelsp.base.text import quote_name
    from citelsp.cli import desk, named_files

    try:
        options.listed = desk.read_paper_list(options.list)
    except FileNotFoundError:
        return common.say_missing(str(options.list))
    except named_files.FileProblem as problem:
        return f"{quote_name(str(options.list))}: {problem}"
    return ""


def _find_misuse_of_each(options: argparse.Namespace) -> str:
    """Say that nothing to check is named, or what --each and --list do not go together with; "" if nothing is wrong."""
    is_for_each = options.each or options.list
    checks_library = options.zotero and not is_for_each  # --zotero alone checks the user's library, and needs no PATH
    if not (options.paths or options.listed or checks_library):
        return "name a PATH to check"
    if not is_for_each:
        return ""
    from citelsp.cli import desk

    if options.format not in desk.FORMATS:
        return f"--each prints {' or '.join(desk.FORMATS)}, not {options.format}"
    if options.zotero:
        return "--each is for papers: leave out --zotero"
    if options.fix or options.claims or options.links or options.since or options.baseline or options.explain:
        return "--each only reports: leave out --fix, --claims, --links, --since, --baseline and --explain"
    if options.report:
        return "--report is of one check: leave out --each"
    return ""


def _find_misuse(options: argparse.Namespace) -> str:
    """Say what is wrong with the paths, or which options contradict each other; "" if nothing is wrong."""
    from citelsp.cli.targets import unread_kinds, unreadable
    from citelsp.received.inputs import STDIN, arxiv_id, is_received

    for path in options.paths:
        is_no_file = str(path) == STDIN or bool(arxiv_id(str(path)))
        if not is_no_file and not path.exists():
            return common.say_missing(str(path))
    # A PDF or the like has to be there, but is read as a paper: what is wrong with it `problems` of the check tells.
    unread = [path for path in options.paths if not is_received(str(path)) and unreadable(path)]
    if unread:
        return unread_kinds(unread)
    if not options.claims and (options.tokens is not None or options.usd is not None):
        return "--tokens and --usd need --claims"
    if options.only and (options.claims or options.links):
        further = "claims" if options.claims else "links"
        return f"--{further} reports more than --only {options.only} reports"
    if options.links and options.offline:
        return "--links asks the servers of links: leave out --offline"
    if options.diff and not options.fix:
        return "--diff needs --fix safe or --fix review"
    checks_library = options.zotero and not options.paths
    if (options.collection or options.groups) and not checks_library:
        return "--collection and --groups are for --zotero without a PATH"
    if options.baseline == common.PRINT:
        return common.say_missing(str(options.baseline))
    if options.write_baseline and not options.baseline:
        return "--write-baseline needs --baseline FILE"
    # Of several `_check_all` would do one alone, and pass over the others in silence.
    chosen = {"--fix": options.fix, "--explain": options.explain, "--write-baseline": options.write_baseline}
    together = [name for name, value in chosen.items() if value]
    if len(together) > 1:
        return f"{' and '.join(together)} do not go together"
    return _find_misuse_of_report(options)


def _find_misuse_of_report(options: argparse.Namespace) -> str:
    """Say what is wrong with the files of --report, or with what it is combined with; "" if nothing is wrong."""
    if not options.report:
        return ""
    from citelsp.base.text import quote_name
    from citelsp.cli.reports import recognition

    if options.explain or options.diff or options.write_baseline:
        return "--report needs a report: leave out --explain, --diff and --write-baseline"
    for path in options.report:
        if path.suffix not in _FORMATS_BY_ENDING:
            return f"--report writes {', '.join(_FORMATS_BY_ENDING)}: {quote_name(str(path))} has another ending"
        if options.baseline and _are_one_file(path, options.baseline):
            return f"--report would replace the baseline {quote_name(str(options.baseline))}"
        if recognition.is_something_else(path, _FORMATS_BY_ENDING[path.suffix]):
            return f"{quote_name(str(path))} {_NO_REPORT}"
    return ""


def _find_unwritable(options: argparse.Namespace) -> str:
    """Say which file that is to be written cannot be, and why: a report, or the baseline; "" if all can."""
    from citelsp.base.text import quote_name
    from citelsp.cli import named_files

    for path in [*options.report, *([options.baseline] if options.write_baseline else [])]:
        why_not = named_files.refusal(path)
        if why_not:
            return f"{quote_name(str(path))} cannot be written: {why_not}"
    return ""


def _run_check(options: argparse.Namespace) -> int:
    """Run the check, and return the exit status.

    It runs in an event loop only if it may ask somebody: loading asyncio takes longer than a small check.
    """
    from citelsp.cli import verify_online
    from citelsp.cli.targets import Workplace

    workplace = Workplace(options)
    settings = workplace.settings()
    settings = replace(settings, offline=settings.offline or options.offline)
    if options.links and settings.offline:  # by the settings: `_find_misuse` tells of --offline
        return common.fail("--links asks the servers of links: switch off offline")
    checking = _check_all(options, workplace, settings)
    asks_somebody = options.claims or options.links or options.zotero or verify_online.asks(settings)
    if not asks_somebody:
        return common.run_at_once(checking)  # without a loop: nothing in it waits
    import asyncio

    return asyncio.run(checking)


async def _check_all(options: argparse.Namespace, workplace: "Workplace", settings: "Settings") -> int:
    """Check what the options name, print or write what they ask for, and return the exit status.

    `workplace` has what is to be checked; but with --each or --list `desk` does all of that, each paper by itself.
    """
    from citelsp.cli import verify_online

    async with AsyncExitStack() as stack:
        sources = None
        if verify_online.asks(settings):  # only then are the services' modules worth their loading
            sources = await stack.enter_async_context(verify_online.open_sources(settings))
        if options.each or options.list:
            from citelsp.cli import desk

            return await desk.check_each(options, sources)
        await _add_to_workplace(workplace, options, settings, sources)
        checking = _open_checking(options, workplace, sources)
        if options.claims and not await _add_judging(checking, options, settings, stack):
            return common.fail("--claims needs a model: set [model] base_url and name, and switch off offline")
        if options.links:
            await _add_link_asking(checking, settings, stack)
        outcome = await checking.check()
        if options.explain:
            return _print_explanation(outcome, options)
        if options.write_baseline:
            return _write_baseline(outcome, options.baseline)
        if options.fix is None:
            return _report(outcome, checking, options)
        after_fixes, mending = await checking.mend(outcome, options.fix)
        written: list[str] = []
        if not options.diff:
            after_fixes, written = await checking.write(after_fixes, mending)
    # The services are closed, and `stack` has told what claims and links came to; nothing more is asked.
    if options.diff:
        return _print_fixes(outcome, mending, options)
    status = _report(after_fixes, checking, options)
    _tell_fixed(mending, written)
    return _tell_unfixed(mending, status)


async def _add_to_workplace(
    workplace: "Workplace", options: argparse.Namespace, settings: "Settings", sources: "Sources | None"
) -> None:
    """Give the workplace what is read before the check: papers, the Zotero library, bibliographies on the web.

    `sources` is None if no service may be asked; then neither a paper nor a bibliography is fetched.  Papers that lie
    on this machine are read all the same.
    """
    from citelsp.received.inputs import collect_papers

    workplace.received = await collect_papers(list(map(str, options.paths)), sources.client if sources else None)
    if options.zotero:
        await _ask_zotero(options, settings, workplace)
    # Last, as it looks for addresses in all targets, of which the papers may be some.
    if settings.online.bibliographies and sources:
        await _fetch_bibliographies(settings, sources, workplace)


async def _add_judging(
    checking: "Checking", options: argparse.Namespace, settings: "Settings", stack: AsyncExitStack
) -> bool:
    """Make `checking` put claims to the user's model, within --tokens and --usd; False if there is no model.

    When the run ends, also by an error, `stack` tells what the model cost, as it was paid, and closes it.
    """
    from citelsp.cli import judge_claims
    from citelsp.investigate.budget import Budget

    budget = Budget(options.tokens or 0, options.usd or 0.0)  # 0 is no limit
    opening = judge_claims.open_judging(settings, checking.sources, budget)
    checking.judging = judging = await stack.enter_async_context(opening)
    if judging is None:
        return False
    stack.callback(lambda: common.warn(judging.cost()))
    return True


async def _add_link_asking(checking: "Checking", settings: "Settings", stack: AsyncExitStack) -> None:
    """Have the servers of links asked; `stack` closes what that needs, and says what was asked, also after an error."""
    from citelsp.cli import check_links

    opening = check_links.open_asking(settings, checking.sources)
    checking.links = asking = await stack.enter_async_context(opening)
    stack.callback(lambda: common.warn(asking.summary()))


async def _fetch_bibliographies(settings: "Settings", sources: "Sources", workplace: "Workplace") -> None:
    """Give the workplace the bibliographies that manuscripts name by an address at a host of the user's settings."""
    from citelsp.investigate import remote_bibliographies

    addresses: dict[str, None] = {}  # a set that keeps its order
    for target in workplace.targets():
        addresses |= dict.fromkeys(remote_bibliographies.addresses(target.project, settings))
    workplace.fetched |= await remote_bibliographies.fetch_all(sources.client, addresses)


async def _ask_zotero(options: argparse.Namespace, settings: "Settings", workplace: "Workplace") -> None:
    """Read the user's Zotero library into the workplace: to be checked itself, or with a PATH for manuscripts' keys.

    In the second case it stands in for the bibliography of manuscripts that name none (`workplace.lent`).  If Zotero
    does not answer, `workplace.received` gets a problem that says so.
    """
    from citelsp.cli import verify_online
    from citelsp.investigate import zotero_snapshot
    from citelsp.knowledge import Unavailable
    from citelsp.received import zotero_library

    # Zotero runs on this machine, so the option --offline does not hold for it; the setting does.
    of_settings_alone = replace(settings, offline=workplace.settings().offline)
    async with verify_online.open_sources(of_settings_alone) as sources:
        if not options.paths:
            library = await zotero_library.read_library(
                sources.client, collection=options.collection, groups=options.groups
            )
            workplace.received = [library]  # without a PATH there is nothing else
            return
        snapshot = await zotero_snapshot.find_current(sources.client)
    if isinstance(snapshot, Unavailable):
        workplace.received = [*workplace.received, zotero_library.unavailable(snapshot)]
    else:
        workplace.lent = str(snapshot)


def _open_checking(options: argparse.Namespace, workplace: "Workplace", sources: "Sources | None") -> "Checking":
    """Set up the check that the options ask for, which leaves out findings from before --since or in --baseline.

    Nothing is checked yet.  `sources` is None if no service may be asked.  BaselineError if a baseline cannot be read.
    """
    from citelsp.cli import baseline
    from citelsp.cli.run_checks import Checking
    from citelsp.cli.since import Before

    checking = Checking(workplace, sources, only=options.only, untrusted=options.untrusted)
    # Ctrl-C ends the look-ups and reports what is known; not if half of the verdicts would make a wrong fix or
    # baseline, nor with a model, which is paid for.
    checking.stoppable = options.fix is None and not options.claims and not options.write_baseline
    if options.since is not None:
        checking.before = Before(options.since)
    # A baseline to be written gets all findings, also those that are in it now, and need not be there yet.
    if options.write_baseline:
        baseline.read_replaceable(options.baseline)  # what is none is told before services are asked
    elif options.baseline is not None:
        checking.known = baseline.read(options.baseline)
        checking.base = baseline.folder(options.baseline)
    return checking


def _print_explanation(outcome: "CheckOutcome", options: argparse.Namespace) -> int:
    """Tell how the verdict on the entry of --explain came about, instead of the report; return the exit status.

    With --format json it is a part of the report, with any other format it is printed alone, as text.  Findings were
    not asked about, and do not count for the exit status; it is UNFINISHED if no entry that was checked has the key.
    """
    from citelsp.base.text import quote_name, still
    from citelsp.cli import paint
    from citelsp.cli.explain import explain_verdicts
    from citelsp.cli.reports import json_contract

    key = options.explain
    width = paint.width(sys.stdout)
    story = explain_verdicts(outcome.checked, key, width)
    if not story:
        return common.fail(f"no entry that was checked has the key {quote_name(key)}")
    if options.format == "json":
        print(json_contract.render(outcome, story))
    else:
        for line in story.splitlines():
            print(paint.wrap(still(line), width))
    return _choose_status(outcome, if_serious=exits.OK)


def _write_baseline(outcome: "CheckOutcome", path: Path) -> int:
    """Write the findings to the baseline at `path`; return the exit status, for which they do not count any more.

    It is UNFINISHED if the file cannot be written, and also if something could not be checked: then what was found is
    written all the same.  A file that is no baseline is left as it is, and BaselineError is for `run`.
    """
    from citelsp.base.text import quote_name, write_count
    from citelsp.cli import baseline, named_files

    name = quote_name(str(path))
    try:
        print(f"{write_count(baseline.write(path, outcome.checked), 'finding')} in {name}")
    except (FileNotFoundError, named_files.FileProblem) as problem:
        return common.fail(f"{name} is not written: {problem}")
    return _choose_status(outcome, if_serious=exits.OK)


def _print_fixes(outcome: "CheckOutcome", mending: "Mending", options: argparse.Namespace) -> int:
    """Print the changes (--diff) and write nothing; return the exit status, by what was found before: it stays there.

    They are printed as a diff, which is empty if there are none, or with --format json as JSON.
    """
    from citelsp.cli.reports import json_contract

    if options.format == "json":
        print(json_contract.render_fixes(mending))
    else:
        mending.print_diff()
    return _tell_unfixed(mending, _choose_status(outcome))


def _tell_fixed(mending: "Mending", written: "Sequence[str]") -> None:
    from citelsp.base.text import write_count
    from citelsp.cli.report_parts import show_on_one_line

    if written:
        fixes = write_count(mending.count_written(written), "fix", "fixes")
        common.warn(f"{fixes} applied in {', '.join(map(show_on_one_line, written))}")


def _tell_unfixed(mending: "Mending", status: int) -> int:
    """Say what was not fixed and why; return `status`, or that of an unfinished command if a file was left as it is.

    `mending.refused` are files that are not changed at all, `mending.lacking` those of which some fixes are left out.
    """
    from citelsp.cli.report_parts import show_on_one_line

    for path, why in mending.refused.items():
        common.warn(f"{show_on_one_line(path)} is not changed: {why}")
    for path, why in mending.lacking.items():
        common.warn(f"some fixes of {show_on_one_line(path)} left out: {why}")
    return exits.UNFINISHED if mending.refused else status


def _report(outcome: "CheckOutcome", checking: "Checking", options: argparse.Namespace) -> int:
    """Print the report, write it to the files of --report, and return the exit status.

    It is UNFINISHED if one of these files is not written, whatever was found; each of them is tried.
    """
    if options.format == "text":
        _print_text(outcome, checking, options)
    else:
        print(_render(outcome, options.format, verbose=options.verbose), flush=True)
    problems = list(filter(None, (_write_report(outcome, path) for path in options.report)))
    for problem in problems:
        common.warn(problem)
    status = _choose_status(outcome)
    return exits.UNFINISHED if problems else status


def _write_report(outcome: "CheckOutcome", path: Path) -> str:
    """Write the report to a file, in the format of its ending; return why it is not written, "" if it is.

    It replaces an older report, as a job does that writes the same file each time, and nothing else: a manuscript or
    notes in Markdown, or a library in JSON, may have been named by mistake.  Compilers and test runners replace
    whatever their option for output names; but they do not write the formats that their users write by hand.
    """
    from citelsp.base.text import quote_name
    from citelsp.cli import named_files
    from citelsp.cli.reports import recognition

    name = quote_name(str(path))
    report_format = _FORMATS_BY_ENDING[path.suffix]
    # Looked at before the check, too; but somebody may have written the file since.
    if recognition.is_something_else(path, report_format):
        return f"{name} is not written: it {_NO_REPORT}"
    report = _render(outcome, report_format) + "\n"
    try:
        # Read first, as `rewrite` refuses to overwrite what it was not shown.
        before = named_files.read_bytes(path, _LARGEST_REPORT) if path.exists() else None
        # As on stdout, `?` stands for half a surrogate pair, as in the name of a file that is not UTF-8.
        named_files.rewrite(path, before, report.encode(errors="replace"))
    except (FileNotFoundError, named_files.FileProblem) as problem:
        return f"{name} is not written: {problem}"
    return ""


def _are_one_file(path: Path, other: Path | str) -> bool:
    """True if both lead to one file, by whatever name, as `x/../notes.md` or a link; False if either is not there."""
    with suppress(OSError):
        return path.samefile(other)
    return False


def _print_text(outcome: "CheckOutcome", checking: "Checking", options: argparse.Namespace) -> None:
    """Print the findings, then on stderr what was not looked at, then a summary: how much there is of everything.

    `checking` says what could be fixed.
    """
    from citelsp.cli import paint
    from citelsp.cli.reports import summary, text

    width = paint.width(sys.stdout)
    rows = text.render(outcome.checked, width, verbose=options.verbose)
    if rows:
        print(rows, flush=True)
        if width:  # a terminal: an empty line before the summary
            print(flush=True)
    for note in outcome.notes():
        common.warn(note)
    lines = [outcome.unread_sentence() or summary.found(outcome.checked)]
    lines += summary.by_code(outcome.checked)
    lines += summary.fixable(checking.fixable(outcome))
    lines += summary.verdicts(outcome.checked)
    if outcome.targets:  # else nothing was read that could be counted
        lines.append(summary.read(outcome.extent(), outcome.changed()))
    print("\n".join(paint.wrap(line, width) for line in lines), flush=True)


def _render(outcome: "CheckOutcome", report_format: str, *, verbose: bool = False) -> str:
    """Return the report in a format of _FORMATS, which is not text.

    `verbose` matters only to the one for GitHub, which then has every finding by itself.
    """
    from citelsp.cli.reports import github, html, json_contract, sarif, tables

    match report_format:
        case "json":
            return json_contract.render(outcome)
        case "sarif":
            return sarif.render(outcome)
        case "html":
            return html.render(outcome)
        case "csv":
            return tables.as_csv(outcome)
        case "md":
            return tables.as_markdown(outcome)
    return github.render(outcome, verbose=verbose)


def _choose_status(outcome: "CheckOutcome", if_serious: int = exits.FINDINGS) -> int:
    """Say what kept the check from finishing, and choose the exit status.

    It is `if_serious` if the check finished and found errors or warnings (OK where these do not count, as for
    --explain).  If something could not be checked it is UNFINISHED, whatever was found, as nobody knows what else
    there is; INTERRUPTED if somebody stopped the check.
    """
    problems = outcome.problems()
    for problem in problems:
        common.warn(problem)
    serious = if_serious if outcome.is_serious() else exits.OK
    return exits.choose_status(serious, stopped=bool(outcome.stopped), unfinished=bool(problems))

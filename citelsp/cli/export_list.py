"""citelsp export of what was submitted or received: a list of references as a .bib of what services confirm."""

import argparse
import os
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.base.text import quote_name, write_count
from citelsp.cli import common, exits, named_files, verify_online
from citelsp.cli.targets import Target, Workplace
from citelsp.features import turn_into_entries
from citelsp.features.values import fit_title
from citelsp.received.inputs import arxiv_id, collect_papers, is_received
from citelsp.syntax import languages

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.knowledge import Knowledge

_KEY = 60  # characters of a key that a warning shows


def takes(paper: Path) -> bool:
    """Return True for what is a list by its name, whatever is in it."""
    bibliography = languages.language_of_path(paper.name).bibliography
    return is_received(str(paper)) or bool(bibliography and bibliography.derived)


def run(options: argparse.Namespace) -> int:
    """Write or print the entries of the list that services confirm; return the exit status.

    If the settings let no service be asked, those count that an earlier run found confirmed, as its verdicts are
    cached; nothing waits then, and asyncio is not loaded.
    """
    misuse = _find_misuse(options)
    if misuse:
        common.warn(misuse)
        return exits.USAGE
    options.paths = [options.paper]  # as `citelsp check` names what is to be read
    workplace = Workplace(options)
    settings = workplace.settings()
    exporting = _export_list(options, workplace, settings)
    if not verify_online.asks(settings):
        return common.run_at_once(exporting)
    import asyncio

    return asyncio.run(exporting)


def _find_misuse(options: argparse.Namespace) -> str:
    """Say why nothing may be exported; "" if it may.

    Either there is no such paper, or --bib is no .bib or there already, or --by asks for an order: it is for exports of
    a bibliography, and entries of a list keep the list's order.  A paper is a file, standard input (`-`), or on arXiv.
    """
    paper = str(options.paper)
    bib = quote_name(str(options.bib))
    if not (options.paper.is_file() or paper == "-" or arxiv_id(paper)):
        return f"there is no {quote_name(paper)}"
    prints = options.bib == common.PRINT
    is_bib = languages.language_of_path(options.bib.name) is languages.BIBTEX
    if not prints and not is_bib:
        return f"{bib} is not a bibliography: its name should end in .bib"
    if not prints and os.path.lexists(options.bib):  # even if it is a link that leads nowhere
        return f"{bib} is there already: remove it, or name another file"
    is_order_asked_for = options.by != "key"  # the option's default: nobody can tell whether it was typed
    if is_order_asked_for:
        return "the entries of a list keep its order: leave out --by"
    return ""


async def _export_list(options: argparse.Namespace, workplace: Workplace, settings: "Settings") -> int:
    """Check the paper, and write the verified entries of its list of references; return the exit status.

    Writes nothing if it has no such list, or several.  Else verified entries are written even if something kept the
    check from finishing, such as a service that did not answer: the status is UNFINISHED then.
    """
    from citelsp.cli.run_checks import Checking

    async with AsyncExitStack() as stack:
        sources = None
        if verify_online.asks(settings):
            sources = await stack.enter_async_context(verify_online.open_sources(settings))
        workplace.received = await collect_papers([str(options.paper)], sources.client if sources else None)
        checking = Checking(workplace, sources)
        outcome = await checking.check()
    problems = outcome.problems()
    lists = [(target, path) for target in outcome.targets for path in _find_lists(target)]
    status = exits.UNFINISHED  # if nothing is written
    if len(lists) == 1:
        [(target, path)] = lists
        status = _write_list(options, target, path, checking.knowledge)
    elif lists:
        problems.append(f"{quote_name(str(options.paper))} has {len(lists)} lists of references: name one")
    elif not problems:  # else they say why there is none
        problems.append(f"{quote_name(str(options.paper))} has no list of references")
    for problem in problems:
        common.warn(problem)
    return exits.UNFINISHED if problems else status


def _find_lists(target: Target) -> list[str]:
    """Return the paths of its lists of references: the document itself, or those that a manuscript cites from.

    A target that is `whole` is a bibliography or a list; any other is a manuscript.
    """
    sources = [target.project.sources[target.path]] if target.whole else target.project.defining
    return [source.document.path for source in sources if turn_into_entries.is_list(source)]


def _write_list(options: argparse.Namespace, target: Target, path: str, knowledge: "Knowledge") -> int:
    """Write the verified entries of one list where the options say; say how many are left out; return the exit status.

    OK if all references have an entry, FINDINGS if some are left out, or all: then nothing is written.  UNFINISHED if
    the file cannot be written, or is there by now.  `path`: of the document that has the list.  `target`: the paper,
    with its project.
    """
    entries = turn_into_entries.entries_of(target.project, knowledge, path)
    prints = options.bib == common.PRINT
    bib = quote_name(str(options.bib))
    _warn_of_left_out(entries)
    is_whole = not entries.unverified and not entries.unwritable
    if not entries.text:
        common.warn("there is nothing to print" if prints else f"{bib} is not written")
        return exits.FINDINGS
    if prints:
        print(entries.text, end="")
        return exits.OK if is_whole else exits.FINDINGS
    try:
        named_files.rewrite(options.bib, before=None, after=entries.text.encode())
    except (FileNotFoundError, named_files.FileProblem) as problem:
        return common.fail(f"{bib} is not written: {problem}")
    print(f"{write_count(entries.written, 'verified entry', 'verified entries')} in {bib}")
    return exits.OK if is_whole else exits.FINDINGS


def _warn_of_left_out(entries: turn_into_entries.VerifiedEntries) -> None:
    """Say how many references of a list have no entry, and why: not verified, or under a key that no .bib can hold.

    Of such keys the first is named, as an example; nothing is said if no reference is left out.
    """
    unverified = len(entries.unverified)
    if unverified:
        verb = "it is" if unverified == 1 else "they are"
        common.warn(f"left out, because {verb} not verified: {unverified} of its references")
    unwritable = len(entries.unwritable)
    if unwritable:
        key = fit_title(entries.unwritable[0], _KEY)
        common.warn(
            f"left out, though verified: {unwritable} of its references, as no .bib can hold a key such as “{key}”"
        )

r"""The link of an entry leads to no page any more.

Looked at are `url` and what stands in `\url{…}` or `\href{…}` in `howpublished` and `note`.
"""

import re
from collections.abc import Collection, Iterator

from citelsp.base.text import Edit, Span
from citelsp.checks.complaints import fields_of
from citelsp.checks.finding import Check, Finding, Fix, limit_findings
from citelsp.knowledge import DeadLink, Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

CODE = "dead-link"
ARCHIVE = "https://web.archive.org/web/"
_FIELDS = frozenset({"url", "howpublished", "note"})
_COMMAND = re.compile(r"\\(?:url|href)\s*+\{(?P<address>[^{}]*+)\}")
_ESCAPED = re.compile(r"\\([_%&#~$])")
_ADDRESS = re.compile(r"https?://[^\s{}\"\\<>]+", re.IGNORECASE)

Link = tuple[str, str, Span]  # field, address, and where it stands, counted from the entry's start


def find_links(node: BibNode) -> tuple[Link, ...]:
    """The addresses of pages that stand whole in the entry."""
    if "://" not in node.source:
        return ()
    links: list[Link] = []
    for field, value, value_start in fields_of(node, _FIELDS):
        links += _find_in_value(field.name, value, value_start)
    return tuple(links)


def _find_in_value(field: str, value: str, value_start: int) -> Iterator[Link]:
    r"""The addresses of a value: those in \url and \href, else the whole value of a url field."""
    addresses = [(it["address"], it.start("address")) for it in _COMMAND.finditer(value)]
    if not addresses and field == "url":
        addresses = [(value, 0)]
    for written, offset in addresses:
        address = _ESCAPED.sub(r"\1", written.strip())
        if _ADDRESS.fullmatch(address):
            start = value_start + offset + len(written) - len(written.lstrip())
            yield field, address, Span(start, start + len(written.strip()))


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    if not knowledge.links:  # nobody asked for links
        return []
    findings: list[Finding] = []
    for source in project.defining:
        if isinstance(source.syntax.entries, BibEntries):
            findings += limit_findings(
                _find_in_source(source, source.syntax.entries, project.judged(source), knowledge)
            )
    return findings


def _find_in_source(
    source: Source, entries: BibEntries, judged: Collection[int], knowledge: Knowledge
) -> Iterator[Finding]:
    """Report each address that was found dead; entries without a key or an end are another check's.

    `judged` are the indices of the entries that findings are about.
    """
    path = source.document.path
    for index, links in entries.each_value(find_links, judged):
        node = entries.node(index)
        is_whole = bool(node.key) and node.closed
        if not is_whole:
            continue
        for field, address, span in links:
            dead = knowledge.links.get(address)
            if dead:
                place = span.moved(entries.start(index))
                fixes = tuple(_make_fixes(path, place, dead))
                message = _write_message(dead)
                yield Finding(CODE, path, place, message, key=node.key, field=field, cited=address, fixes=fixes)


def _write_message(dead: DeadLink) -> str:
    fault = f"The link leads to no page: its server answers {dead.status}."
    if dead.copy:
        return f"{fault} Link the Internet Archive's copy of {_write_day(dead.copy)}, or find the new address."
    return f"{fault} Find the new address, or cite another place."


def _make_fixes(path: str, place: Span, dead: DeadLink) -> Iterator[Fix]:
    """Yield the fix that puts the archive's address before the old one, which stays as it is; none without a copy."""
    if dead.copy:
        edit = Edit(path, Span(place.start, place.start), f"{ARCHIVE}{dead.copy}/")
        yield Fix(f"Link the Internet Archive's copy of {_write_day(dead.copy)}", "review", (edit,))


def _write_day(moment: str) -> str:
    return f"{moment[:4]}-{moment[4:6]}-{moment[6:8]}"


CHECK = Check(
    CODE,
    "warning",
    "The link of an entry leads to no page: its server answers 404 or 410. citelsp looks for this only with "
    "`citelsp check --links`.",
    check,
    needs="request",
    facts=lambda *_: [find_links],
)

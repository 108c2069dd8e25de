"""Links out of a document: works on the web, in Zotero, PDFs on this machine, the files a manuscript is made of."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from urllib.parse import quote

from citelsp.base.text import Span
from citelsp.bibliography.identifiers import normal_arxiv, normal_doi
from citelsp.features import borrowed_entries, linked_files
from citelsp.features.entry_cache import per_node
from citelsp.features.exports import exporter
from citelsp.features.local_files import attachments
from citelsp.features.popup import web_address
from citelsp.received.inputs import ADDRESS
from citelsp.syntax.nodes import EntryNode, Field
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

_MOST_ENTRIES = 1000  # entries with links: every one has to be parsed for them
_ATTACHMENT_ENDINGS = frozenset({".pdf", ".epub", ".djvu", ".ps"})
_FIELDS_OF_ADDRESSES = frozenset({"url", "howpublished", "ee", "biburl", "adsurl", "link", "bdsk-url-1", "bdsk-url-2"})

_SHOW_IN_ZOTERO = "zotero://select/"  # how such an address begins
_STORED = re.compile(r"[/\\]Zotero[/\\]+storage[/\\]+([A-Z0-9]{8})[/\\]", re.IGNORECASE)

Written = tuple[Span, str, bool]  # where in the entry, the address or the attachments as written, whether the latter


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """What `span` leads to: an http(s) or zotero address or, if `is_file`, the path of a file that exists."""

    span: Span
    target: str
    is_file: bool = False
    tooltip: str = ""

    def moved_by(self, by: int) -> "DocumentLink":
        return replace(self, span=self.span.moved(by))


def find(project: Project, path: str, exists: Callable[[str], bool] = os.path.isfile) -> list[DocumentLink]:
    """Links of the parts and bibliographies named, and of the first 1,000 entries' DOI, arXiv, URL and file fields."""
    source = project.sources.get(path)
    if source is None:
        return []
    return [*_link_named_files(project, source), *_link_entries(source, exists), *_link_citations(project, source)]


def address(name: str, value: str) -> str:
    """Return the web address that the field `name` of an entry leads to with this value; "" if it leads nowhere."""
    match name:
        case "doi":
            doi = normal_doi(value)
            return web_address(f"https://doi.org/{doi}") if doi else ""
        case "eprint" | "arxivid" | "arxiv":
            arxiv = normal_arxiv(value)
            return web_address(f"https://arxiv.org/abs/{arxiv}") if arxiv else ""
        case "pmid":
            number = value.strip()
            return f"https://pubmed.ncbi.nlm.nih.gov/{number}/" if number.isascii() and number.isdecimal() else ""
    return _read_address(value) if name in _FIELDS_OF_ADDRESSES else ""


def _link_named_files(project: Project, source: Source) -> Iterator[DocumentLink]:
    """The first file that each `\\input`, bibliography and the like of a document names; what was not read has none."""
    for link in source.syntax.links:
        for path in linked_files.find_named(project, source, link)[:1]:
            yield DocumentLink(link.span, path, is_file=True)


def _link_citations(project: Project, source: Source) -> Iterator[DocumentLink]:
    """What a manuscript cites from a library that is lent to it shows itself where the library is kept."""
    if not borrowed_entries.borrows(project):
        return
    for citation in source.syntax.citations[:_MOST_ENTRIES]:
        place = project.find_first(citation.key)
        address_in_zotero = place.entry.text(ADDRESS) if place else ""
        if address_in_zotero.startswith(_SHOW_IN_ZOTERO):
            yield DocumentLink(citation.span, address_in_zotero, tooltip="Show in Zotero")


def _link_entries(source: Source, exists: Callable[[str], bool]) -> Iterator[DocumentLink]:
    """Yield the links in the first 1,000 entries: to Zotero, to web pages, and to files that exist."""
    entries = source.syntax.entries
    if entries is None:
        return
    of_zotero = exporter(source) == "Better BibTeX"  # by whose keys Zotero finds items
    for index in range(min(len(entries), _MOST_ENTRIES)):
        node = entries.node(index)
        start = entries.start(index)
        for link in _link_to_zotero(node, by_key=of_zotero):
            yield link.moved_by(start)
        for span, target, is_file in _read_targets(node):
            if not is_file:
                yield DocumentLink(span.moved(start), target, tooltip=target)
                continue
            path = _find_existing(source.document.path, target, exists)
            if path:
                yield DocumentLink(span.moved(start), path, is_file=True, tooltip=PurePath(path).name)


def _link_to_zotero(node: EntryNode, *, by_key: bool) -> Iterator[DocumentLink]:
    """Yield links to Zotero: on the entry's type to its item, on the name of the field `file` to the PDF in the reader.

    The spans count from the entry's start.  `by_key` is true if Zotero knows the item by the entry's key; else the
    type leads there only if the entry itself has Zotero's address.
    """
    source = node.source
    type_span = Span(0, 1 + len(node.kind))  # with the @
    if by_key and node.key and source[1 : 1 + len(node.kind)].lower() == node.kind:
        address_of_key = f"zotero://select/items/@{quote(node.key, safe='')}"
        yield DocumentLink(type_span, address_of_key, tooltip="Show in Zotero")
    if ADDRESS in source:  # else the fields need not be read, which takes longer than this look
        for field in node.fields():
            own_address = _span_inside_quotes(source, field).within(source)
            if field.name == ADDRESS and own_address.startswith(_SHOW_IN_ZOTERO):
                yield DocumentLink(type_span, own_address, tooltip="Show in Zotero")
    if "storage" in source:  # Zotero keeps the file of an item in a folder `storage/ABCD1234`, named by the file's id
        for field in node.fields():
            stored = _STORED.search(source, *field.value_span) if field.name == "file" else None
            if stored:
                target = f"zotero://open-pdf/library/items/{stored[1].upper()}"
                yield DocumentLink(field.name_span, target, tooltip="Open in Zotero")


@per_node
def _read_targets(node: EntryNode) -> list[Written]:
    """Return the addresses and attachments that the fields of an entry name, with spans from the entry's start.

    Each is a span, a text, and whether that names attachments: these come as the whole value of the field `file`, which
    `_find_existing` reads.
    """
    links: list[Written] = []
    for field in node.fields():
        span = _span_inside_quotes(node.source, field)
        value = span.within(node.source)
        if field.name == "file":
            links.append((span, value, True))
            continue
        url = address(field.name, value)
        if url:
            links.append((span, url, False))
    return links


def _read_address(raw: str) -> str:
    return web_address(raw.strip().removeprefix("\\url").strip().strip("{}").replace("\\", ""))


def _find_existing(bibliography: str, value: str, exists: Callable[[str], bool]) -> str:
    """Return the path of the first attachment in the value of a field `file` that exists; "" if none does.

    Only PDFs and the like count (_ATTACHMENT_ENDINGS).  It may be named from the bibliography's folder or from the
    root.  Network paths are not looked at: asking whether one exists would send the user's name to its host.
    """
    folder = Path(bibliography).parent
    for written in attachments(value):
        is_network_path = written.startswith(("//", "\\\\"))
        if PurePath(written).suffix.lower() not in _ATTACHMENT_ENDINGS or is_network_path:
            continue
        for candidate in (folder / written, Path("/", written)):
            path = os.path.normpath(candidate)
            if exists(path):
                return path
    return ""


def _span_inside_quotes(source: str, field: Field) -> Span:
    """The value without its braces or quotes."""
    span = field.value_span
    while span.end - span.start > 2 and source[span.start] + source[span.end - 1] in ("{}", '""'):
        span = Span(span.start + 1, span.end - 1)
    return span

"""Links out of a document: works on the web, in Zotero, PDFs on this machine, the files a manuscript is made of."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import NamedTuple
from urllib.parse import quote

from citelsp.base.text import Span
from citelsp.bibliography.identifiers import normal_arxiv, read_doi_field
from citelsp.features import borrowed_entries, linked_files
from citelsp.features.entry_cache import per_node
from citelsp.features.exports import exporter
from citelsp.features.local_files import attachments
from citelsp.features.popup_markdown import web_address
from citelsp.received.inputs import FIELD_OF_ZOTERO
from citelsp.syntax.nodes import EntryNode, Field
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

_MOST_ENTRIES = 1000  # entries with links: every one has to be parsed for them
_ATTACHMENT_ENDINGS = frozenset({".pdf", ".epub", ".djvu", ".ps"})
_FIELDS_OF_ADDRESSES = frozenset({"url", "howpublished", "ee", "biburl", "adsurl", "link", "bdsk-url-1", "bdsk-url-2"})

_SHOW_IN_ZOTERO = "zotero://select/"  # how such an address begins
_STORED = re.compile(r"[/\\]Zotero[/\\]+storage[/\\]+([A-Z0-9]{8})[/\\]", re.IGNORECASE)


class _Target(NamedTuple):
    """What a field of an entry leads to."""

    span: Span  # from the entry's start
    text: str  # an address on the web; or the whole value of the field `file`, in which attachments are named
    names_files: bool


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
            doi = read_doi_field(value)
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
        address_in_zotero = place.entry.text(FIELD_OF_ZOTERO) if place else ""
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
        for link in (*_link_item(node, by_key=of_zotero), *_link_stored_file(node)):
            yield link.moved_by(start)
        for target in _read_targets(node):
            span = target.span.moved(start)
            if not target.names_files:
                yield DocumentLink(span, target.text, tooltip=target.text)
                continue
            path = _find_existing(source.document.path, target.text, exists)
            if path:
                yield DocumentLink(span, path, is_file=True, tooltip=PurePath(path).name)


def _link_item(node: EntryNode, *, by_key: bool) -> Iterator[DocumentLink]:
    """Yield links from the entry's type to its item in Zotero; the spans count from the entry's start.

    One leads by the entry's key, if Zotero knows the item by that (`by_key`), and one by the entry's field, if Zotero
    lent it with an address.
    """
    source = node.source
    type_span = Span(0, 1 + len(node.kind))  # with the @
    has_no_blanks = source[1 : 1 + len(node.kind)].lower() == node.kind  # between the @ and the type
    if by_key and node.key and has_no_blanks:
        address_of_key = f"zotero://select/items/@{quote(node.key, safe='')}"
        yield DocumentLink(type_span, address_of_key, tooltip="Show in Zotero")
    if FIELD_OF_ZOTERO in source:  # else the fields need not be read, which takes longer than this look
        for field in node.fields():
            own_address = _span_inside_quotes(source, field).within(source)
            # In what Zotero lends, citelsp wrote the type itself: there are no blanks.
            if field.name == FIELD_OF_ZOTERO and own_address.startswith(_SHOW_IN_ZOTERO):
                yield DocumentLink(type_span, own_address, tooltip="Show in Zotero")


def _link_stored_file(node: EntryNode) -> Iterator[DocumentLink]:
    """Yield a link from the name of a field `file` to the PDF in Zotero's reader, if it lies in Zotero's storage.

    Zotero keeps each file in a folder `storage/ABCD1234`, named by the file's id.  The field's value has a link of its
    own, to the file, if this exists (`_link_entries`).
    """
    source = node.source
    if "storage" not in source:
        return
    for field in node.fields():
        stored = _STORED.search(source, *field.value_span) if field.name == "file" else None
        if stored:
            target = f"zotero://open-pdf/library/items/{stored[1].upper()}"
            yield DocumentLink(field.name_span, target, tooltip="Open in Zotero")


@per_node
def _read_targets(node: EntryNode) -> list[_Target]:
    """Return what the fields of an entry lead to; whether the files that one names exist, `_find_existing` says."""
    targets: list[_Target] = []
    for field in node.fields():
        span = _span_inside_quotes(node.source, field)
        value = span.within(node.source)
        if field.name == "file":
            targets.append(_Target(span, value, names_files=True))
            continue
        url = address(field.name, value)
        if url:
            targets.append(_Target(span, url, names_files=False))
    return targets


def _read_address(raw: str) -> str:
    return web_address(raw.strip().removeprefix("\\url").strip().strip("{}").replace("\\", ""))


def _find_existing(bibliography: str, value: str, exists: Callable[[str], bool]) -> str:
    """Return the path of the first attachment in the value of a field `file` that exists; "" if none does.

    Only PDFs and the like count (_ATTACHMENT_ENDINGS).  It may be named from the bibliography's folder or from the
    root, also without the first slash (`:home/me/a.pdf:pdf`).  Network paths are not looked at: asking whether one
    exists would send the user's name to its host.
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

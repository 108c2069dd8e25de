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

_LIMIT = 1000  # entries with links: every one has to be parsed for them
_READABLE = frozenset({".pdf", ".epub", ".djvu", ".ps"})
_ADDRESSES = frozenset({"url", "howpublished", "ee", "biburl", "adsurl", "link", "bdsk-url-1", "bdsk-url-2"})

_SELECT = "zotero://select/"
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
    return [*_named_files(project, source), *_of_entries(source, exists), *_of_citations(project, source)]


def address(name: str, value: str) -> str:
    """The web address that a field with this value leads to; "" if it leads nowhere."""
    match name:
        case "doi":
            doi = normal_doi(value)
            return web_address(f"https://doi.org/{doi}") if doi else ""
        case "eprint" | "arxivid" | "arxiv":
            arxiv = normal_arxiv(value)
            return web_address(f"https://arxiv.org/abs/{arxiv}") if arxiv else ""
        case "pmid":
            return f"https://pubmed.ncbi.nlm.nih.gov/{value}/" if value.isdecimal() else ""
    return _written_address(value) if name in _ADDRESSES else ""


def _named_files(project: Project, source: Source) -> Iterator[DocumentLink]:
    for link in source.syntax.links:
        for path in linked_files.named(project, source, link)[:1]:
            yield DocumentLink(link.span, path, is_file=True)


def _of_citations(project: Project, source: Source) -> Iterator[DocumentLink]:
    """What a manuscript cites from a library that is lent to it shows itself where the library is kept."""
    if not borrowed_entries.borrows(project):
        return
    for citation in source.syntax.citations[:_LIMIT]:
        place = project.find_first(citation.key)
        if place and (shows := place.entry.text(ADDRESS)).startswith(_SELECT):
            yield DocumentLink(citation.span, shows, tooltip="Show in Zotero")


def _of_entries(source: Source, exists: Callable[[str], bool]) -> Iterator[DocumentLink]:
    """The links in the first entries: to Zotero, to web pages, and to files that exist."""
    entries = source.syntax.entries
    if entries is None:
        return
    of_zotero = exporter(source) == "Better BibTeX"  # by whose keys Zotero finds items
    for index in range(min(len(entries), _LIMIT)):
        node = entries.node(index)
        start = entries.start(index)
        for link in _in_zotero(node, by_key=of_zotero):
            yield link.moved_by(start)
        for span, target, is_file in _written(node):
            if not is_file:
                yield DocumentLink(span.moved(start), target, tooltip=target)
                continue
            path = _existing(source.document.path, target, exists)
            if path:
                yield DocumentLink(span.moved(start), path, is_file=True, tooltip=PurePath(path).name)


def _in_zotero(node: EntryNode, *, by_key: bool) -> Iterator[DocumentLink]:
    """On the type the item in Zotero, on the name of the field `file` the PDF in its reader."""
    source = node.source
    if by_key and node.key and source[1 : 1 + len(node.kind)].lower() == node.kind:
        kind = Span(0, 1 + len(node.kind))
        yield DocumentLink(kind, f"zotero://select/items/@{quote(node.key, safe='')}", tooltip="Show in Zotero")
    for field in node.fields() if ADDRESS in source else ():
        shows = _unquoted(source, field).within(source)
        if field.name == ADDRESS and shows.startswith(_SELECT):
            yield DocumentLink(Span(0, 1 + len(node.kind)), shows, tooltip="Show in Zotero")
    if "storage" not in source:
        return
    for field in (it for it in node.fields() if it.name == "file"):
        if stored := _STORED.search(source, *field.value_span):
            target = f"zotero://open-pdf/library/items/{stored[1].upper()}"
            yield DocumentLink(field.name_span, target, tooltip="Open in Zotero")


@per_node
def _written(node: EntryNode) -> list[Written]:
    """The addresses and files that the fields of an entry name."""
    links: list[Written] = []
    for field in node.fields():
        span = _unquoted(node.source, field)
        value = span.within(node.source)
        if field.name == "file":
            links.append((span, value, True))
            continue
        url = address(field.name, value)
        if url:
            links.append((span, url, False))
    return links


def _written_address(raw: str) -> str:
    return web_address(raw.strip().removeprefix("\\url").strip().strip("{}").replace("\\", ""))


def _existing(bibliography: str, value: str, exists: Callable[[str], bool]) -> str:
    """The first attachment that exists.  No network paths: asking for one would send the user's name to its host."""
    folder = Path(bibliography).parent
    for written in attachments(value):
        if PurePath(written).suffix.lower() not in _READABLE or written.startswith(("//", "\\\\")):
            continue
        for candidate in (folder / written, Path("/", written)):
            if exists(path := os.path.normpath(candidate)):
                return path
    return ""


def _unquoted(source: str, field: Field) -> Span:
    """The value without its braces or quotes."""
    span = field.value_span
    while span.end - span.start > 2 and source[span.start] + source[span.end - 1] in ("{}", '""'):
        span = Span(span.start + 1, span.end - 1)
    return span

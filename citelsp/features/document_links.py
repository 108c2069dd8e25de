"""Links out of a document: works on the web, PDFs on this machine, the files a manuscript is made of."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from citelsp.features import linked_files
from citelsp.features.local_files import attachments
from citelsp.features.markup import web_address
from citelsp.project import Place, Project, Source
from citelsp.syntax.nodes import Field
from citelsp.text import Span

_LIMIT = 1000  # entries with links: every one has to be parsed for them
_READABLE = frozenset({".pdf", ".epub", ".djvu", ".ps"})


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """What `span` leads to: an http(s) address or, where `is_file`, the path of a file that exists."""

    span: Span
    target: str
    is_file: bool = False
    tooltip: str = ""


def find(project: Project, path: str, exists: Callable[[str], bool] = os.path.isfile) -> list[DocumentLink]:
    """Links of the parts and bibliographies named, and of the first 1,000 entries' DOI, arXiv, URL and file fields."""
    source = project.sources.get(path)
    if source is None:
        return []
    return [*_named_files(project, source), *_of_entries(project, source, exists)]


def _named_files(project: Project, source: Source) -> Iterator[DocumentLink]:
    for link in source.syntax.links:
        for path in linked_files.named(project, source, link)[:1]:
            yield DocumentLink(link.span, path, is_file=True)


def _of_entries(project: Project, source: Source, exists: Callable[[str], bool]) -> Iterator[DocumentLink]:
    entries = source.syntax.entries
    if entries is None:
        return
    for index in range(min(len(entries), _LIMIT)):
        place = Place(source, index, project)
        for field in place.node.fields():
            span = _inside(place, field)
            if field.name == "file":
                for path in _existing(source.document.path, place.node.raw("file"), exists):
                    yield DocumentLink(span, path, is_file=True, tooltip=PurePath(path).name)
            elif url := address(place, field.name):
                yield DocumentLink(span, url, tooltip=url)


def address(place: Place, name: str) -> str:
    """The web address that the entry's field `name` leads to; "" where it leads nowhere."""
    known = place.entry.identifiers
    match name:
        case "doi" if known.doi:
            return web_address(f"https://doi.org/{known.doi}")
        case "eprint" | "arxivid" | "arxiv" if known.arxiv:
            return web_address(f"https://arxiv.org/abs/{known.arxiv}")
        case "pmid" if known.pmid:
            return web_address(f"https://pubmed.ncbi.nlm.nih.gov/{known.pmid}/")
        case "pmcid" if known.pmcid:
            return web_address(f"https://www.ncbi.nlm.nih.gov/pmc/articles/{known.pmcid}/")
        case "url" | "howpublished" | "ee" | "biburl" | "adsurl" | "bdsk-url-1" | "link":
            return _written_address(place.node.raw(name))
    return ""


def _written_address(raw: str) -> str:
    written = raw.strip().removeprefix("\\url").strip().strip("{}").replace("\\", "")
    return web_address(written)


def _existing(bibliography: str, value: str, exists: Callable[[str], bool]) -> list[str]:
    """Attachments that exist.  No network paths: asking whether they exist would send the user's name to their host."""
    folder = Path(bibliography).parent
    for written in attachments(value):
        if PurePath(written).suffix.lower() not in _READABLE or written.startswith(("//", "\\\\")):
            continue
        for candidate in (folder / written, Path("/", written)):
            if exists(path := os.path.normpath(candidate)):
                return [path]
    return []


def _inside(place: Place, field: Field) -> Span:
    """The value without its braces or quotes."""
    source, span = place.node.source, field.value_span
    while span.end - span.start > 2 and source[span.start] + source[span.end - 1] in ("{}", '""'):
        span = Span(span.start + 1, span.end - 1)
    return span.moved(place.span.start)

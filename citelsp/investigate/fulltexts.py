"""A fetched full text as the corpus takes it: its text, and its reference list item by item."""

import re
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from citelsp.agent import plain_fulltexts
from citelsp.corpus import list_headings, pdf_processes
from citelsp.sources.fulltext import FullText

_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_LONGEST_ITEM = 1500  # characters; the end of a longer item is cut off
_SHORTEST_ITEM = 20  # characters; no item is as short as this, so it is a page number or the like
_MOST_ITEMS = 2000


def read(found: FullText) -> tuple[str, tuple[str, ...]]:
    """Text and items of the reference list; both empty if nothing can be read, the latter if there is no list."""
    match found.kind:
        case "pdf":
            return _read_pdf(found.content)
        case "html":
            text, items = _split_off_list(plain_fulltexts.read_text(found))
            return text, _limit_items(items)
        case "jats":
            return plain_fulltexts.read_text(found), _limit_items(_read_jats_list(found.content))


def _read_pdf(content: bytes) -> tuple[str, tuple[str, ...]]:
    """Text and items, read in a process of its own, which a hostile file can at worst end: then both are empty."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "work.pdf"
        path.write_bytes(content)
        work = next(pdf_processes.read([path], problem=lambda _: None), None)
    return (work.text, work.listed) if work else ("", ())


def _split_off_list(text: str) -> tuple[str, list[str]]:
    """Split a page's text into the text without its reference list, and the paragraphs of that list.

    The list begins at the last heading such as `## References`, and ends at the next heading of any name; all headings
    of the text begin with `## `.  Without such a list the whole text and an empty list are returned.
    """
    headings = [it for it in _HEADING.finditer(text) if list_headings.begins_list(it[1])]
    if not headings:
        return text, []
    heading = headings[-1]
    before = text[: heading.start()].rstrip()
    listed, _, after = text[heading.end() :].partition("\n## ")
    without_list = f"{before}\n\n## {after}" if after else before
    return without_list, listed.split("\n\n")


def _read_jats_list(content: bytes) -> list[str]:
    """The items of the reference list of a JATS document; none if it is no XML that can be read."""
    try:
        root = ElementTree.fromstring(content)  # noqa: S314  entities were refused where it was fetched
    except (ElementTree.ParseError, ValueError, RecursionError):
        return []
    return [_write_item(reference) for reference in root.iter("ref")]


def _write_item(reference: ElementTree.Element) -> str:
    """The words of an item, its title (if marked as such) in quotation marks: by these a title is found in an item."""
    words = " ".join(" ".join(text.split()) for text in reference.itertext() if text.strip())
    marked = next(reference.iter("article-title"), None)
    title = "" if marked is None else " ".join("".join(marked.itertext()).split())
    return words.replace(title, f"“{title}”", 1) if title else words


def _limit_items(items: list[str]) -> tuple[str, ...]:
    """The items on one line each and cut to length, without those too short to be one; the first so many of them."""
    lines = [" ".join(item.split())[:_LONGEST_ITEM] for item in items]
    return tuple(line for line in lines if len(line) > _SHORTEST_ITEM)[:_MOST_ITEMS]

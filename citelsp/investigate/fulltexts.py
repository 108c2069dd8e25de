"""A fetched full text as the corpus takes it: its text, and its reference list item by item."""

import re
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from citelsp.agent import texts
from citelsp.corpus import pdf
from citelsp.sources.fulltext import FullText

_LIST = re.compile(r"^## (?:\d+\.? )?(?:references|bibliography|literature cited)$", re.IGNORECASE | re.MULTILINE)
_LONGEST, _SHORTEST, _MOST = 1500, 20, 2000  # characters of an item, items


def read(found: FullText) -> tuple[str, tuple[str, ...]]:
    """Text and reference list; both empty if nothing can be read."""
    match found.kind:
        case "pdf":
            return _pdf(found.content)
        case "html":
            text, items = _parted(texts.read_text(found))
            return text, _bounded(items)
        case "jats":
            return texts.read_text(found), _bounded(_jats(found.content))


def _pdf(content: bytes) -> tuple[str, tuple[str, ...]]:
    """Read in a process of its own, which a hostile file can at worst end."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "work.pdf"
        path.write_bytes(content)
        work = next(pdf.read([path], lambda _: None), None)
    return (work.text, work.listed) if work else ("", ())


def _parted(text: str) -> tuple[str, list[str]]:
    """A page's text without its reference list, and the paragraphs of that."""
    headings = list(_LIST.finditer(text))
    if not headings:
        return text, []
    listed, _, rest = text[headings[-1].end() :].partition("\n## ")
    return text[: headings[-1].start()].rstrip() + (f"\n\n## {rest}" if rest else ""), listed.split("\n\n")


def _jats(content: bytes) -> list[str]:
    try:
        root = ElementTree.fromstring(content)  # noqa: S314  entities were refused where it was fetched
    except (ElementTree.ParseError, ValueError, RecursionError):
        return []
    return [_item(it) for it in root.iter("ref")]


def _item(reference: ElementTree.Element) -> str:
    """An item with its title in quotation marks, by which a work is found."""
    title = next((" ".join("".join(it.itertext()).split()) for it in reference.iter("article-title")), "")
    words = " ".join(" ".join(it.split()) for it in reference.itertext() if it.strip())
    return words.replace(title, f"“{title}”", 1) if title else words


def _bounded(items: list[str]) -> tuple[str, ...]:
    joined = (" ".join(it.split())[:_LONGEST] for it in items)
    return tuple(it for it in joined if len(it) > _SHORTEST)[:_MOST]

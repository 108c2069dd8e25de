"""Full texts as fetched made plain: paragraphs parted by empty lines, headings marked, no reference list."""

import re
import tempfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from citelsp.corpus import pdf
from citelsp.sources.fulltext import FullText

_LONGEST = 2_000_000  # characters of a text
_LONGEST_PAGE = 4 * _LONGEST  # bytes of a page, most of which may be tags
_HIDING = frozenset({"script", "style", "nav", "header", "footer", "aside", "svg", "math", "template", "noscript"})
_BLOCKS = frozenset({"p", "div", "section", "li", "td", "th", "blockquote", "figcaption", "article", "br", "tr", "dd"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_TAG = re.compile(r"<(?P<slash>/?)(?P<name>[A-Za-z][A-Za-z0-9]{0,20})(?P<attributes>[^<>]{0,4000})>")
_DECLARATION = re.compile(r"<[!?][^<>]{0,4000}>")  # <!DOCTYPE html>, <?xml …?>
_ALTERNATIVE = re.compile(r"alttext=\"([^\"]{1,2000})\"")  # of a formula
_SPACES = re.compile(r"[^\S\n]+")
_BREAKS = re.compile(r"\n\s*\n+")


def read_text(text: FullText) -> str:
    """Read the text of a PDF, an HTML page or JATS XML; "" if it holds none that can be read."""
    match text.kind:
        case "pdf":
            return _read_pdf(text.content)
        case "html":
            return _read_html(text.content)
        case "jats":
            return _read_jats(text.content)


def _read_pdf(content: bytes) -> str:
    """Read the text of a PDF in the corpus' reader process; "" if that fails, since a hostile file may end it."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "work.pdf"
        path.write_bytes(content)
        return "".join(work.text for work in pdf.read([path], problem=lambda _: None))


def _read_html(content: bytes) -> str:
    """Return what a reader of a page sees: headings as `## …`, formulas by their alternative texts, blocks apart.

    Takes time linear in its length, whatever it holds: tags are read one by one, without building a tree.
    """
    pieces: list[str] = []
    hiding_elements = 0  # how many elements of _HIDING are open here: nothing in them is shown
    end_of_tag = 0  # where the tag before this one ends
    page = _DECLARATION.sub("", _remove_comments(content[:_LONGEST_PAGE].decode("utf-8", "replace")))
    for tag in _TAG.finditer(page):
        if not hiding_elements:
            pieces.append(unescape(page[end_of_tag : tag.start()]).replace("\n", " "))
        end_of_tag = tag.end()
        name = tag["name"].lower()
        closes = bool(tag["slash"])
        if name in _HIDING:
            formula = _ALTERNATIVE.search(tag["attributes"]) if name == "math" and not hiding_elements else None
            if formula:
                pieces.append(f" {unescape(formula[1])} ")
            hiding_elements = max(0, hiding_elements - 1 if closes else hiding_elements + 1)
        elif not hiding_elements and name in _HEADINGS:
            pieces.append("\n\n" if closes else "\n\n## ")
        elif not hiding_elements and name in _BLOCKS:
            pieces.append("\n\n")
    if not hiding_elements:
        pieces.append(unescape(page[end_of_tag:]).replace("\n", " "))
    return _tidy_up("".join(pieces))


def _remove_comments(page: str) -> str:
    """Return the page without its comments, `<!-- … -->`; one that is never closed takes all that follows."""
    pieces: list[str] = []
    offset = 0
    start = page.find("<!--")
    while start >= 0:
        pieces.append(page[offset:start])
        end = page.find("-->", start)
        if end < 0:
            return "".join(pieces)
        offset = end + len("-->")
        start = page.find("<!--", offset)
    return "".join([*pieces, page[offset:]])


def _read_jats(content: bytes) -> str:
    """Read the body of a JATS document, headings as `## …`; "" if it has none, or is no XML that can be read."""
    try:
        root = ElementTree.fromstring(content)  # noqa: S314  entities were refused where it was fetched
    except (ElementTree.ParseError, ValueError, RecursionError):
        return ""
    body = root.find(".//body")
    return _tidy_up("\n\n".join(_read_paragraphs(body))) if body is not None else ""


def _read_paragraphs(body: ElementTree.Element) -> Iterator[str]:
    for element in body.iter():
        words = " ".join("".join(element.itertext()).split()) if element.tag in {"title", "p"} else ""
        if words:
            yield f"## {words}" if element.tag == "title" else words


def _tidy_up(text: str) -> str:
    """Leave single spaces, one empty line between paragraphs, and no more characters than are read of a text."""
    lines = _BREAKS.sub("\n\n", _SPACES.sub(" ", text)).strip()
    return lines[:_LONGEST]

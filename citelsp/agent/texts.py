"""Full texts as fetched made plain: paragraphs parted by empty lines, headings marked, no reference list."""

import re
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

from citelsp.corpus import pdf
from citelsp.sources.fulltext import FullText

_LONGEST = 2_000_000
_HIDDEN = frozenset({"script", "style", "nav", "header", "footer", "aside", "svg", "math", "template", "noscript"})
_BLOCKS = frozenset({"p", "div", "section", "li", "td", "th", "blockquote", "figcaption", "article", "br", "tr", "dd"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SPACES = re.compile(r"[^\S\n]+")
_BREAKS = re.compile(r"\n\s*\n+")


def plain(text: FullText) -> str:
    """The text of a PDF, an HTML page or JATS XML; "" where it holds none that can be read."""
    match text.kind:
        case "pdf":
            return _pdf(text.content)
        case "html":
            return _html(text.content)
        case "jats":
            return _jats(text.content)


def _pdf(content: bytes) -> str:
    """Read in the reader process of the corpus, which a hostile file can at worst end."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "work.pdf"
        path.write_bytes(content)
        return "".join(it.text for it in pdf.read([path], lambda _: None))


def _html(content: bytes) -> str:
    page = _Page()
    page.feed(content.decode("utf-8", "replace")[: 4 * _LONGEST])
    page.close()
    return _tidy("".join(page.parts))


class _Page(HTMLParser):
    """Collects what a reader of the page sees, headings as `## …`."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
            alternative = dict(attrs).get("alttext") if tag == "math" else None
            self.parts.append(f" {alternative} " if alternative and self._hidden == 1 else "")
        elif tag in _HEADINGS:
            self.parts.append("\n\n## ")
        elif tag in _BLOCKS:
            self.parts.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in _HEADINGS or tag in _BLOCKS:
            self.parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data.replace("\n", " "))


def _jats(content: bytes) -> str:
    try:
        root = ElementTree.fromstring(content)  # noqa: S314  entities were refused where it was fetched
    except (ElementTree.ParseError, ValueError, RecursionError):
        return ""
    body = root.find(".//body")
    return _tidy("\n\n".join(_paragraphs(body))) if body is not None else ""


def _paragraphs(body: ElementTree.Element) -> Iterator[str]:
    for element in body.iter():
        words = " ".join("".join(element.itertext()).split()) if element.tag in {"title", "p"} else ""
        if words:
            yield f"## {words}" if element.tag == "title" else words


def _tidy(text: str) -> str:
    lines = _BREAKS.sub("\n\n", _SPACES.sub(" ", text)).strip()
    return lines[:_LONGEST]

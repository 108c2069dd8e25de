"""Full texts as fetched made plain: paragraphs parted by empty lines, headings marked.

The reference list of a page stays in its text: `corpus.passages.split` stops at its heading.
"""

import re
import tempfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from citelsp.corpus import pdf_processes
from citelsp.sources.fulltext import FullText

_LONGEST = 2_000_000  # characters of a text
_LONGEST_PAGE = 4 * _LONGEST  # bytes of a page, most of which may be tags
_HIDING = frozenset({"script", "style", "nav", "header", "footer", "aside", "svg", "math", "template", "noscript"})
_OF_OTHER_LANGUAGES = frozenset({"svg", "math"})  # in which, as in XML, `<g />` is a whole element
_RAW = frozenset({"script", "style"})  # hold no elements, whatever their text looks like
_NESTED = 50  # open elements among which the one that a tag closes is looked for: a page may open millions
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
        return "".join(work.text for work in pdf_processes.read([path], problem=lambda _: None))


def _read_html(content: bytes) -> str:
    """Return what a reader of a page sees: headings as `## …`, formulas by their alternative texts, blocks apart.

    Takes time linear in its length, whatever it holds: tags are read one by one, without building a tree.
    """
    pieces: list[str] = []
    open_hiding: list[str] = []  # the elements of _HIDING that are open here, outermost first: nothing in them is shown
    end_of_tag = 0  # where the tag before this one ends
    page = _DECLARATION.sub("", _remove_comments(content[:_LONGEST_PAGE].decode("utf-8", "replace")))
    for tag in _TAG.finditer(page):
        name = tag["name"].lower()
        closes = bool(tag["slash"])
        innermost = open_hiding[-1] if open_hiding else ""
        if innermost in _RAW and not (closes and name == innermost):
            continue  # it is text of the script or the style
        if not open_hiding:
            pieces.append(unescape(page[end_of_tag : tag.start()]).replace("\n", " "))
        end_of_tag = tag.end()
        if name in _HIDING:
            formula = _ALTERNATIVE.search(tag["attributes"]) if name == "math" and not open_hiding else None
            if formula:
                pieces.append(f" {unescape(formula[1])} ")
            if closes and name in open_hiding[-_NESTED:]:
                while open_hiding.pop() != name:
                    pass  # what is open within it ends with it
            elif not closes and not _is_whole_element(tag, innermost):
                open_hiding.append(name)
        elif not open_hiding and name in _HEADINGS:
            pieces.append("\n\n" if closes else "\n\n## ")
        elif not open_hiding and name in _BLOCKS:
            pieces.append("\n\n")
    if not open_hiding:
        pieces.append(unescape(page[end_of_tag:]).replace("\n", " "))
    return _tidy_up("".join(pieces))


def _is_whole_element(tag: re.Match[str], parent: str) -> bool:
    """True if a tag opens an element and closes it, `<svg width="1" />`; HTML allows that of formulas and drawings.

    Of other elements it passes over the slash, as after a value without quotes, which the slash is a part of.  `parent`
    is the name of the innermost hidden element in which the tag stands; "" if it stands in none.
    """
    if _OF_OTHER_LANGUAGES.isdisjoint((tag["name"].lower(), parent)):
        return False
    attributes, slash, behind = tag["attributes"].rpartition("/")
    if not slash or behind:
        return False
    if not attributes or attributes[-1].isspace():
        return True
    last_word = attributes.split()[-1]
    has_bare_value = "=" in last_word and not last_word.endswith(("'", '"'))
    return not has_bare_value


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

"""What is known of documents from before: in this session, or of a large .bib file from the cache."""

from citelsp import syntax
from citelsp.base import parse_cache
from citelsp.base.parse_cache import ParseCache
from citelsp.base.text import Document
from citelsp.syntax import languages
from citelsp.syntax.bibtex import columns, parsing
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.languages.bibliographies import BIBTEX
from citelsp.syntax.nodes import Syntax

LARGE = 1 << 20  # characters: below, reading takes a blink


def parse(document: Document, data: bytes | None, cite_commands: tuple[str, ...], cache: ParseCache | None) -> Syntax:
    """Parse a document as `syntax.parse` does, but take a large .bib file from the cache, and put it there if new.

    `data` are the bytes of the text if it was read from a file.
    """
    if cache is None or len(document.text) < LARGE or languages.language_of(document) is not BIBTEX:
        return syntax.parse(document, cite_commands)
    # The cache's name for it comes from the bytes: to encode the text for that would take as long again.
    name = parse_cache.name_of("entries", data or document.text.encode(errors="surrogatepass"))
    cached = cache.get(name)
    if cached:
        parsed = parsing.syntax_of(document.text, columns.restore(document.text, cached))
    else:
        parsed = syntax.parse(document, cite_commands)
    # Entries of which some were cut off are not cached: on a quieter day all may be read.
    if isinstance(parsed.entries, BibEntries) and not parsed.entries.cut:
        parsed.entries.text_name = name  # under which the search index over these entries is cached
        if not cached:
            cache.put(name, columns.columns(parsed.entries))
    return parsed


def as_known(document: Document, known: Document | None) -> Document:
    """Return the `known` document if it is the same, so that its text is not in memory twice; else `document`."""
    if known is None:
        return document
    is_same = (known.text, known.path, known.language) == (document.text, document.path, document.language)
    return known if is_same else document

"""Citations by identifier, which need no entry: Manubot's `@doi:10.1/x`, `@arxiv:…`, `@pmid:…`, and MyST's DOI links.

Each is an entry of its own that says nothing but its identifier, so it is looked up as every other.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from citelsp.base.text import Span
from citelsp.syntax.formats.items import BibItem, Placed
from citelsp.syntax.languages.latex.cite_arguments import Gathering
from citelsp.syntax.languages.markdown.hidden import Hidden
from citelsp.syntax.nodes import Citation, Field

_NAMES: Mapping[str, str] = {
    "doi": "doi", "arxiv": "eprint", "pmid": "pmid", "pmcid": "pmcid", "pmc": "pmcid", "isbn": "isbn", "url": "url",
}  # fmt: skip
# `doi:10.1000/1`
_KEY = re.compile(rf"(?P<name>{'|'.join(_NAMES)}):(?P<value>\S+)", re.IGNORECASE)
# `https://doi.org/10.1000/1`, or any other address.
_ADDRESS = re.compile(r"https?://(?:(?:dx\.)?doi\.org/(?P<doi>10\.\S+)|\S+)", re.IGNORECASE)
_OTHERS = re.compile(r"(?:wikidata|raw|tag):\S", re.IGNORECASE)  # that Manubot resolves by other means
_LINK = re.compile(r"\[\]\((?P<key>(?:doi:|https?://(?:dx\.)?doi\.org/)10\.[^\s()]+)\)|<(?P<auto>doi:10\.[^\s<>]+)>")


def is_identifier(key: str) -> bool:
    """True if a key says itself which work is meant."""
    return any(it.match(key) for it in (_KEY, _ADDRESS, _OTHERS))


def read_links(text: str, hidden: Hidden, gathering: Gathering) -> None:
    """Add MyST's DOI links, which have no text of their own."""
    for match in _LINK.finditer(text) if "doi" in text else ():
        if not hidden.covers(match.start()):
            span = Span(*match.span(match.lastgroup or 0))
            gathering.citations.append(Citation(span.within(text), span, "doi", Span(*match.span())))


def entries(citations: Iterable[Citation]) -> Iterator[Placed]:
    """Yield an entry for each key that is an identifier, at the place where it is first cited."""
    seen: set[str] = set()
    for citation in citations:
        key = citation.key
        if key not in seen and is_identifier(key):
            seen.add(key)
            yield Placed(citation.span.start, BibItem("misc", key, Span(0, len(key)), key, _list_fields))


def _list_fields(item: BibItem) -> Sequence[tuple[Field, str]]:
    """Return the fields, each with its value, that the key of `item` stands for: `doi:10.1/x` for the field `doi`.

    The key is all that such an entry has, so its spans count in `item.source`, too, which is the same text.
    An address, `https://…`, is the field `url`, but one of doi.org the field `doi`; `arxiv:…` gives `archiveprefix`
    besides `eprint`.  Empty if the key is an identifier for which entries have no field, or if a space is in it.
    """
    whole = Span(0, len(item.source))
    address = _ADDRESS.fullmatch(item.key)
    prefixed = _KEY.fullmatch(item.key)
    if address and address["doi"]:
        name = "doi"
        span = Span(*address.span("doi"))
    elif address:
        name = "url"
        span = whole
    elif prefixed:
        name = _NAMES[prefixed["name"].lower()]
        span = Span(*prefixed.span("value"))
    else:
        return []
    field = Field(name, name_span=Span(0, span.start), value_span=span, span=whole)
    values = [(field, span.within(item.key))]
    if name == "eprint":  # which alone does not say whose it is
        archive = Field("archiveprefix", name_span=whole, value_span=whole, span=whole)
        values.append((archive, "arXiv"))
    return values

"""zbMATH Open: mathematics."""

from collections.abc import Iterator

from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, encode_segment, parameters
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import ReferenceQuery, answer, hits
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import dig, obj, objects, own, strict_objects, strict_text, text, year

SPEC = Spec("zbmath", "https://api.zbmath.org/v1", interval=1.0)

_TYPES = {"j": "article-journal", "a": "chapter", "b": "book", "p": "preprint"}
# Sent in the place of titles and pages whose publisher does not license them.
_WITHHELD = "zbMATH Open Web Interface contents unavailable"


@cached_lookups.lookup("zbmath")
async def lookup(client: Client, number: str) -> Lookup:
    """Look a document up by its number."""
    reply = await client.ask(Ask("zbmath", f"/document/{encode_segment(number)}"))
    return answer("zbmath", reply, lambda data: [read_record(own(obj(data).get("result"), "title"))])


@cached_lookups.searches("zbmath")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    query = parameters({"search_string": f"ti:{question.words}", "page": 0, "results_per_page": question.rows})
    return hits("zbmath", await client.ask(Ask("zbmath", "/document/_search", query)), works)


def works(data: object) -> Iterator[Record]:
    return map(read_record, strict_objects(own(data, "result").get("result")))


def read_record(raw: object) -> Record:
    """Read a document; its journal or series is the first in the list of series.

    What zbMATH withholds for its licence, and says so in the text's place, is left out.  A work without a title is
    no hit, and alone it makes the answer Unavailable (`reference_query.answer`).

    {"id": 7012345, "identifier": "1234.56789", "title": {"title": "…", "subtitle": null}, "contributors": {"authors":
    [{"name": "Roe, Jane"}]}, "source": {"pages": "1-9", "series": [{"title": "…", "short_title": "…", "volume": "9",
    "issue": "2"}]}, "links": [{"type": "doi", "identifier": "10.…"}], "document_type": {"code": "j"}, "year": "2019"}

    FormError if a title, name, venue or pages come in another form: an entry must not be accused by a guess.
    """
    work = obj(raw)
    title = obj(work.get("title"))
    source = obj(work.get("source"))
    series = next(iter(objects(source.get("series"))), {})
    links = objects(work.get("links"))
    doi = next((text(it.get("identifier")) for it in links if text(it.get("type")) == "doi"), "")
    preprint = next((text(it.get("identifier")) for it in links if text(it.get("type")) == "arxiv"), "")
    published = year(work.get("year"))
    people = strict_objects(dig(work, "contributors", "authors"))
    authors, complete = clean.people(clean.display_name(strict_text(it.get("name"))) for it in people)
    return Record(
        source="zbmath",
        id=text(work.get("identifier")) or text(work.get("id")),
        title=clean.join_titles(
            _text_unless_withheld(title.get("title")), _text_unless_withheld(title.get("subtitle"))
        ),
        authors=authors,
        authors_complete=complete,
        years=(published,) if published else (),
        venue=_text_unless_withheld(series.get("title")),
        venue_aliases=tuple(filter(None, [_text_unless_withheld(series.get("short_title"))])),
        type=_TYPES.get(text(dig(work, "document_type", "code")), ""),
        identifiers=make_identifiers(doi_text=doi, arxiv_text=preprint),
        volume=text(series.get("volume")),
        issue=text(series.get("issue")),
        pages=_text_unless_withheld(source.get("pages")),
        url=text(work.get("zbmath_url")),
    )


def _text_unless_withheld(value: object) -> str:
    """The text, unless a licence withholds it."""
    found = clean.plain(strict_text(value))
    return "" if found.startswith(_WITHHELD) else found

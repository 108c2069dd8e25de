"""Unpaywall: where a DOI can be read freely."""

from citelsp.bibliography.identifiers import normal_doi
from citelsp.knowledge import Lookup, Record
from citelsp.sources import clean, ids, kept
from citelsp.sources.http import Ask, Client, encoded
from citelsp.sources.question import answer
from citelsp.sources.shape import obj, objects, own, text, year

_TYPES = {"journal-article": "article-journal", "proceedings-article": "paper-conference", "posted-content": "preprint"}


@kept.lookup("unpaywall")
async def lookup(client: Client, doi: str) -> Lookup:
    return answer(
        "unpaywall",
        await client.ask(Ask("unpaywall", f"/v2/{encoded(doi)}")),
        lambda data: [read_record(own(data, "doi"))],
    )


def read_record(raw: object) -> Record:
    work = obj(raw)
    doi = normal_doi(text(work.get("doi")))
    published = year(work.get("year"))
    places = [obj(work.get("best_oa_location")), *objects(work.get("oa_locations"))]
    links = (text(place.get("url_for_pdf")) or text(place.get("url")) for place in places)
    names = []
    for author in objects(work.get("z_authors")):
        if family := text(author.get("family")):
            names.append(clean.person(text(author.get("given")), family))
        elif name := text(author.get("raw_author_name")):
            names.append(clean.display_name(name))
    return Record(
        source="unpaywall",
        id=doi,
        title=clean.title(text(work.get("title"))),
        authors=tuple(names),
        years=(published,) if published else (),
        date=text(work.get("published_date")),
        venue=clean.plain(text(work.get("journal_name"))),
        type=_TYPES.get(text(work.get("genre")), ""),
        identifiers=ids.identifiers(doi_text=doi),
        publisher=text(work.get("publisher")),
        open_access=tuple(dict.fromkeys(filter(None, links))),
    )

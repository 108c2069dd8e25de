"""One good answer of every service to every kind of question, all of one work, in the shapes that they really have."""

import json
from dataclasses import dataclass
from typing import Any

from citelsp.base.settings import Embeddings
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.sources import (
    aclanthology,
    ads,
    arxiv,
    crossref,
    datacite,
    dblp,
    dblp_sparql,
    doi,
    europepmc,
    fulltext,
    inspire,
    openalex,
    openlibrary,
    openreview,
    pubmed,
    semantic_scholar,
    unpaywall,
    zbmath,
    zotero,
)
from citelsp.sources.model_endpoints import Embedder, Reranker
from citelsp.sources.reference_query import ReferenceQuery

TITLE, YEAR, VENUE, PAGES = "On the Flight of Bees and Other Insects", 2019, "Journal of Insects", "12-34"
DOI, OTHER = "10.1000/bees", "10.1000/wasps"
ARXIV, PMID, ISBN, ACL = "1901.00001", "12345678", "9780262035613", "2019.acl-main.1"
QUESTION = ReferenceQuery(title=TITLE, authors=(Name("Doe", "Jane"),), year=YEAR)

CROSSREF = {
    "DOI": DOI, "type": "journal-article", "title": [TITLE], "subtitle": [], "container-title": [VENUE],
    "short-container-title": ["J. Insects"], "author": [
        {"given": "Jane", "family": "Doe", "sequence": "first", "affiliation": []},
        {"given": "Jan", "family": "Berg", "sequence": "additional", "affiliation": [{"name": "Hive"}]},
    ],
    "published-print": {"date-parts": [[YEAR, 3, 1]]}, "issued": {"date-parts": [[YEAR, 2]]}, "volume": "7",
    "issue": "2", "page": PAGES, "publisher": "Bees & Co", "ISSN": ["1234-5678"], "URL": f"https://doi.org/{DOI}",
    "updated-by": [{"DOI": "10.1000/fix", "type": "correction", "updated": {"date-parts": [[2020, 1, 1]]}}],
    "reference": [{"key": "1", "DOI": OTHER}], "is-referenced-by-count": 3, "relation": {}, "abstract": "<p>Bees</p>",
    "link": [{"URL": "https://example.org/a.pdf", "content-type": "application/pdf"}],
    "license": [{"URL": "https://creativecommons.org/licenses/by/4.0/"}],
}  # fmt: skip
OPENALEX = {
    "id": "https://openalex.org/W1", "doi": f"https://doi.org/{DOI}", "title": TITLE, "display_name": TITLE,
    "publication_year": YEAR, "publication_date": f"{YEAR}-03-01", "type": "article", "authorships": [
        {"author_position": "first", "author": {"display_name": "Jane Doe"}, "raw_author_name": "Jane Doe"},
        {"author_position": "last", "author": {"display_name": "Jan Berg"}, "raw_author_name": "J. Berg"},
    ],
    "primary_location": {"source": {"display_name": VENUE, "type": "journal"}, "landing_page_url": "https://a.org/x"},
    "locations": [], "best_oa_location": None, "open_access": {"oa_url": None}, "ids": {"pmid": None},
    "biblio": {"volume": "7", "issue": "2", "first_page": "12", "last_page": "34"}, "cited_by_count": 3,
    "abstract_inverted_index": {"Bees": [0], "fly": [1]}, "is_retracted": False, "referenced_works": [],
}  # fmt: skip
PAPER = {
    "paperId": "f" * 40, "externalIds": {"DOI": DOI, "ArXiv": ARXIV, "CorpusId": 1}, "title": TITLE, "year": YEAR,
    "venue": VENUE, "publicationVenue": {"name": VENUE, "type": "journal", "alternate_names": ["J. Insects"]},
    "authors": [{"authorId": "1", "name": "Jane Doe"}, {"authorId": None, "name": "Jan Berg"}], "abstract": None,
    "journal": {"name": VENUE, "volume": "7", "pages": PAGES}, "publicationDate": f"{YEAR}-03-01", "citationCount": 3,
    "isOpenAccess": True, "openAccessPdf": {"url": "", "disclaimer": "available at https://arxiv.org/abs/1901.00001,"},
    "publicationTypes": ["JournalArticle"], "url": "https://s2.example/p",
}  # fmt: skip
DATACITE = {
    "id": DOI, "type": "dois", "attributes": {
        "doi": DOI, "titles": [{"title": TITLE}], "publicationYear": YEAR, "publisher": {"name": "Hive"},
        "creators": [{"name": "Doe, Jane", "givenName": "Jane", "familyName": "Doe", "nameType": "Personal"},
                     {"name": "Berg, Jan"}],
        "container": {"title": VENUE, "volume": "7", "firstPage": "12", "lastPage": "34"}, "relatedIdentifiers": [],
        "types": {"resourceTypeGeneral": "JournalArticle"}, "dates": [{"date": "2019-03-01", "dateType": "Issued"}],
        "descriptions": [{"description": "Bees", "descriptionType": "Abstract"}], "citationCount": 3,
    },
}  # fmt: skip
EUROPEPMC = {
    "id": PMID, "source": "MED", "pmid": PMID, "pmcid": "PMC1", "doi": DOI, "title": f"{TITLE}.", "pubYear": str(YEAR),
    "authorList": {"author": [{"firstName": "Jane", "lastName": "Doe"}, {"firstName": "Jan", "lastName": "Berg"}]},
    "journalInfo": {"journal": {"title": VENUE, "isoabbreviation": "J. Insects"}, "volume": "7", "issue": "2"},
    "pageInfo": PAGES, "pubTypeList": {"pubType": ["research-article"]}, "citedByCount": 3, "abstractText": "Bees.",
    "fullTextUrlList": {"fullTextUrl": [{"availability": "Free", "documentStyle": "pdf", "url": "https://a.org/a"}]},
}  # fmt: skip
DBLP = {"info": {
    "authors": {"author": [{"@pid": "1", "text": "Jane Doe"}, {"@pid": "2", "text": "Jan Berg 0001"}]},
    "title": f"{TITLE}.", "venue": VENUE, "volume": "7", "number": "2", "pages": PAGES, "year": str(YEAR),
    "type": "Journal Articles", "key": "journals/ji/DoeB19", "doi": DOI, "ee": f"https://doi.org/{DOI}",
}}  # fmt: skip
FEED = f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/"
 xmlns:arxiv="http://arxiv.org/schemas/atom"><o:totalResults>1</o:totalResults><entry>
<id>http://arxiv.org/abs/{ARXIV}v1</id><title>{TITLE}</title><updated>2019-02-01T00:00:00Z</updated>
<published>2019-01-01T00:00:00Z</published><summary>Bees fly.</summary><author><name>Jane Doe</name></author>
<author><name>Jan Berg</name></author><arxiv:comment>9 pages</arxiv:comment>
<link href="http://arxiv.org/pdf/{ARXIV}v1" title="pdf"/><arxiv:primary_category term="cs.CL"/></entry></feed>"""
BIBTEX = f"""@article{{doe-berg-2019, title = "{TITLE}", author = "Doe, Jane and Berg, Jan", journal = "{VENUE}",
 year = "{YEAR}", pages = "12--34", url = "https://aclanthology.org/{ACL}/", doi = "{DOI}"}}"""
SUMMARY = {
    "uid": PMID, "title": f"{TITLE}.", "pubdate": "2019 Mar 1", "epubdate": "", "fulljournalname": VENUE,
    "source": "J Insects", "volume": "7", "issue": "2", "pages": PAGES, "pubtype": ["Journal Article"],
    "authors": [{"name": "Doe J", "authtype": "Author"}, {"name": "Berg J", "authtype": "Author"}],
    "articleids": [{"idtype": "doi", "value": DOI}],
}  # fmt: skip
INSPIRE = {"metadata": {
    "titles": [{"title": TITLE}], "authors": [{"full_name": "Doe, Jane"}, {"full_name": "Berg, Jan"}],
    "author_count": 2, "dois": [{"value": DOI}], "arxiv_eprints": [{"value": ARXIV, "categories": ["hep-th"]}],
    "publication_info": [{"journal_title": VENUE, "journal_volume": "7", "year": YEAR, "page_start": "12"}],
    "document_type": ["article"], "earliest_date": "2019-01-01", "texkeys": ["Doe:2019abc"], "citation_count": 3,
    "abstracts": [{"value": "Bees."}],
}}  # fmt: skip
ADS = {
    "bibcode": "2019JIns....7...12D", "title": [TITLE], "author": ["Doe, Jane", "Berg, Jan"], "year": str(YEAR),
    "pub": VENUE, "bibstem": ["JIns"], "doi": [DOI], "identifier": [DOI, f"arXiv:{ARXIV}"], "page": ["12"],
    "volume": "7", "pubdate": "2019-03-00", "doctype": "article", "citation_count": 3, "abstract": "Bees.",
}  # fmt: skip
NOTE = {
    "id": "x", "forum": "x", "pdate": 1551398400000, "content": {
        "title": {"value": TITLE}, "authors": {"value": ["Jane Doe", "Jan Berg"]}, "venue": {"value": VENUE},
        "venueid": {"value": "I.cc/2019"}, "abstract": {"value": "Bees."}},
}  # fmt: skip
ZBMATH = {
    "id": 1, "identifier": "1400.00001", "title": {"title": TITLE, "subtitle": None}, "year": str(YEAR),
    "contributors": {"authors": [{"name": "Doe, Jane"}, {"name": "Berg, Jan"}]}, "zbmath_url": "https://zbmath.org/1",
    "source": {"pages": PAGES, "series": [{"title": VENUE, "short_title": "J. Insects", "volume": "7", "issue": "2"}]},
    "links": [{"type": "doi", "identifier": DOI}], "document_type": {"code": "j"},
}  # fmt: skip
UNPAYWALL = {
    "doi": DOI, "title": TITLE, "year": YEAR, "genre": "journal-article", "journal_name": VENUE,
    "published_date": "2019-03-01", "z_authors": [{"given": "Jane", "family": "Doe"}, {"raw_author_name": "Jan Berg"}],
    "best_oa_location": {"url_for_pdf": None, "url": "https://a.org/a"}, "oa_locations": [],
}  # fmt: skip
ZOTERO = {"key": "K", "meta": {"parsedDate": "2019-03-01"}, "data": {
    "key": "K", "itemType": "journalArticle", "title": TITLE, "publicationTitle": VENUE, "DOI": DOI, "pages": PAGES,
    "creators": [{"creatorType": "author", "firstName": "Jane", "lastName": "Doe"}], "extra": f"arXiv: {ARXIV}",
}}  # fmt: skip
BOOK = {"title": TITLE, "authors": [{"name": "Jane Doe"}], "publish_date": "2019", "publishers": [{"name": "Hive"}]}
PAIR = {"results": {"bindings": [{"doi": {"value": f"https://doi.org/{DOI}"}, "pub": {"value": "https://d/rec/k"}}]}}
ROWS = [{"pub": {"value": "https://d/rec/k"}, "title": {"value": TITLE}, "year": {"value": str(YEAR)},
         "doi": {"value": f"https://doi.org/{DOI}"}, "ord": {"value": str(place)}, "name": {"value": name},
         "venue": {"value": VENUE}, "type": {"value": "https://dblp.org/rdf/schema#Article"}}
        for place, name in enumerate(("Jane Doe", "Jan Berg"), 1)]  # fmt: skip


WORK = Record("merged", "x", TITLE, identifiers=Identifiers(pmcid="PMC1"))
JATS = "<article><body><sec><title>Methods</title><p>We caught bees.</p></sec></body></article>"
PAGE = "<html><body><h2>1 Introduction</h2><p>Bees fly.</p></body></html>"
ENDPOINT = Embeddings(base_url="http://127.0.0.1/v1")


@dataclass(frozen=True)
class Asked:
    """A question to a service, and its answer; `later` to further requests, where it takes several."""

    call: Any  # client → lookups, by what was asked, or what else is answered
    body: Any  # JSON, or text
    kind: str = "application/json"
    first: Any = None  # to the request before it
    many: bool = False

    def payload(self):
        return self.body if isinstance(self.body, str) else json.dumps(self.body)


def single(lookup, value, body, **more):
    return Asked(lambda client: lookup(client, value), body, **more)


def several(lookup_many, values, body, **more):
    return Asked(lambda client: lookup_many(client, values), body, many=True, **more)


def searched(search, body, question=QUESTION, **more):
    return Asked(lambda client: search(client, question), body, **more)


XML = "application/atom+xml"
WORDS = ReferenceQuery(text="flight of bees", rows=5)
ASKED = {
    "crossref one": single(crossref.lookup, DOI, {"status": "ok", "message": CROSSREF}),
    "crossref many": several(crossref.lookup_many, [DOI, OTHER], {"message": {
        "items": [CROSSREF, CROSSREF | {"DOI": OTHER}], "total-results": 2}}),
    "crossref search": searched(crossref.search, {"message": {"items": [CROSSREF], "total-results": 9}}),
    "openalex one": single(openalex.lookup, DOI, OPENALEX),
    "openalex many": several(openalex.lookup_many, [DOI, OTHER], {"meta": {"count": 2}, "results": [
        OPENALEX, OPENALEX | {"doi": f"https://doi.org/{OTHER}"}]}),
    "openalex search": searched(openalex.search, {"meta": {"count": 1}, "results": [OPENALEX], "group_by": []}),
    "semantic_scholar one": single(semantic_scholar.lookup, f"DOI:{DOI}", PAPER),
    "semantic_scholar many": several(semantic_scholar.lookup_many, [f"DOI:{DOI}", f"ARXIV:{ARXIV}"], [PAPER, PAPER]),
    "semantic_scholar match": searched(semantic_scholar.search, {"data": [PAPER | {"matchScore": 99.0}]}),
    "semantic_scholar search": searched(semantic_scholar.search, {"total": 1, "offset": 0, "data": [PAPER]}, WORDS),
    "semantic_scholar like": Asked(lambda client: semantic_scholar.recommendations(client, ["f" * 40]),
                                   {"recommendedPapers": [PAPER]}),
    "datacite one": single(datacite.lookup, DOI, {"data": DATACITE}),
    "datacite many": several(datacite.lookup_many, [DOI, OTHER], {"meta": {"total": 2}, "data": [
        DATACITE, DATACITE | {"attributes": DATACITE["attributes"] | {"doi": OTHER}}]}),
    "datacite search": searched(datacite.search, {"meta": {"total": 1}, "data": [DATACITE]}),
    "europepmc one": single(europepmc.lookup, PMID, {"hitCount": 1, "resultList": {"result": [EUROPEPMC]}}),
    "europepmc search": searched(europepmc.search, {"hitCount": 1, "resultList": {"result": [EUROPEPMC]}}),
    "dblp search": searched(dblp.search, {"result": {"hits": {"@total": "1", "@sent": "1", "hit": [DBLP]}}}),
    "dblp pairs": several(dblp_sparql.lookup_many, [DOI], PAIR),
    "dblp many": several(dblp_sparql.lookup_many, [DOI], {"results": {"bindings": ROWS}}, first=PAIR),
    "arxiv one": single(arxiv.lookup, ARXIV, FEED, kind=XML),
    "arxiv search": searched(arxiv.search, FEED, kind=XML),
    "arxiv versions": single(arxiv.versions, ARXIV, FEED, kind=XML),
    "aclanthology one": single(aclanthology.lookup, ACL, BIBTEX, kind="text/plain"),
    "doi one": single(doi.lookup, DOI, CROSSREF | {"title": TITLE, "container-title": VENUE}),
    "doi agencies": several(doi.agencies, [DOI, OTHER], [{"DOI": DOI, "RA": "Crossref"},
                                                         {"DOI": OTHER, "RA": "DataCite"}]),
    "openlibrary many": several(openlibrary.lookup_many, [ISBN], {f"ISBN:{ISBN}": BOOK}),
    "openlibrary search": searched(openlibrary.search, {"numFound": 1, "docs": [
        {"key": "/works/1", "title": TITLE, "author_name": ["Jane Doe"], "first_publish_year": YEAR, "isbn": [ISBN]}]}),
    "pubmed many": several(pubmed.lookup_many, [PMID], {"result": {"uids": [PMID], PMID: SUMMARY}}),
    "pubmed found": searched(pubmed.search, {"esearchresult": {"count": "1", "idlist": [PMID]}}),
    "pubmed search": searched(pubmed.search, {"result": {"uids": [PMID], PMID: SUMMARY}},
                              first={"esearchresult": {"count": "1", "idlist": [PMID]}}),
    "inspire one": single(inspire.lookup, DOI, INSPIRE),
    "inspire search": searched(inspire.search, {"hits": {"total": 1, "hits": [INSPIRE]}}),
    "ads one": single(ads.lookup, DOI, {"response": {"numFound": 1, "docs": [ADS]}}),
    "ads search": searched(ads.search, {"response": {"numFound": 1, "docs": [ADS]}}),
    "openreview one": single(openreview.lookup, "x", {"notes": [NOTE], "count": 1}, first={"token": "t"}),
    "openreview login": single(openreview.lookup, "x", {"token": "t"}),
    "openreview search": searched(openreview.search, {"notes": [NOTE], "count": 1}, first={"token": "t"}),
    "zbmath one": single(zbmath.lookup, "1", {"result": ZBMATH}),
    "zbmath search": searched(zbmath.search, {"result": [ZBMATH]}),
    "unpaywall one": single(unpaywall.lookup, DOI, UNPAYWALL),
    "semantic_scholar cited": Asked(lambda client: semantic_scholar.references(client, "p"), {
        "data": [{"contexts": ["as bees do"], "citedPaper": PAPER}]}),
    "semantic_scholar snippets": Asked(lambda client: semantic_scholar.snippets(client, "bees"), {"data": [
        {"snippet": {"text": "Bees fly.", "snippetKind": "body", "section": "1"},
         "paper": {"corpusId": "1", "title": TITLE}}]}),
    "fulltext jats": Asked(lambda client: fulltext.fetch(client, WORK), JATS, kind="application/xml"),
    "fulltext link": Asked(lambda client: fulltext.download(client, "https://93.184.216.34/a"), PAGE, kind="text/html"),
    "endpoint embeddings": Asked(lambda client: Embedder(ENDPOINT, client.transport).works(["a", "b"]), {
        "data": [{"index": 0, "embedding": [0.5, 1]}, {"index": 1, "embedding": [1.5, 2]}]}),
    "endpoint ranking": Asked(lambda client: Reranker(ENDPOINT, client.transport).scores("q", ["a", "b"]), {
        "results": [{"index": 0, "relevance_score": 0.5}, {"index": 1, "relevance_score": 0.7}]}),
    "zotero library": Asked(zotero.library, [ZOTERO]),
    "zotero attachments": Asked(zotero.attachments, [{"data": {
        "key": "F", "parentItem": "K", "contentType": "application/pdf"}}]),
    "zotero file": Asked(lambda client: zotero.file_of(client, "F"), "file:///home/jane/a.pdf", kind="text/plain"),
    "zotero key": Asked(lambda client: zotero.find_by_citekey(client, "doe19"), {"result": [
        CROSSREF | {"citekey": "doe19", "title": TITLE}]}),
}  # fmt: skip

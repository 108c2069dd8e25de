"""What each service's records are read as: the traps of each, one by one."""

from contextlib import suppress
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Update
from citelsp.sources import (
    aclanthology,
    ads,
    arxiv,
    codec,
    crossref,
    datacite,
    dblp,
    europepmc,
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
from citelsp.sources.answer_cache import found
from citelsp.sources.reference_query import required_words
from citelsp.sources.shape import FormError


def test_crossref_article():
    record = crossref.read_record(
        {
            "DOI": "10.1145/3292500.3330701",
            "type": "proceedings-article",
            "title": ["Optuna"],
            "subtitle": ["A Next-generation Hyperparameter Optimization Framework"],
            "original-title": ["<i>Optuna</i>-san"],
            "author": [{"given": "Takuya", "family": "Akiba", "sequence": "first"}, {"name": "The Optuna Team"}],
            "container-title": ["Lecture Notes in Computer Science", "Proceedings of KDD"],
            "short-container-title": ["KDD"],
            "published-print": {"date-parts": [[2019, 7, 25]]},
            "published-online": {"date-parts": [[2018, 12]]},
            "created": {"date-parts": [[2022, 1, 1]]},
            "page": "2623-2631",
            "abstract": "<jats:title>Abstract</jats:title><jats:p>We <jats:i>propose</jats:i> &amp; show.</jats:p>",
            "reference": [{"key": "1", "DOI": "10.1000/A"}, {"key": "2"}],
        }
    )
    assert record.title == "Optuna: A Next-generation Hyperparameter Optimization Framework"
    assert record.authors == (Name("Akiba", "Takuya"), Name("The Optuna Team", literal=True))
    assert (record.years, record.date) == ((2019, 2018), "2018-12")
    assert (record.venue, record.venue_aliases) == ("Proceedings of KDD", ("Lecture Notes in Computer Science", "KDD"))
    assert (record.type, record.pages, record.other_titles) == ("paper-conference", "2623-2631", ("Optuna-san",))
    assert (record.abstract, record.references) == ("We propose & show.", ("10.1000/a",))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("The <i>E. coli</i> H<sub>2</sub>O &amp;amp; more.", "The E. coli H2O & more"),
        ("SchÃ¶dinger and MÃ¼ller", "Schödinger and Müller"),
        ("Donâ€™t Decay", "Don’t Decay"),
        ("<mml:math><mml:mi>x</mml:mi></mml:math>-ray\n  sources", "x-ray sources"),
        ("p < 0.05 and a > b", "p < 0.05 and a > b"),
        ("RETRACTED: Ileal-lymphoid hyperplasia", "Ileal-lymphoid hyperplasia"),
        ("Thinking …...", "Thinking …..."),
        (r"Decays at $$\sqrt{s}=7\,\text {TeV}$$ s = 7 TeV with $$x$$ x", "Decays at s = 7 TeV with x"),
    ],
)
def test_titles_are_plain(written, read):
    assert crossref.read_record({"title": [written]}).title == read


def test_crossref_retraction_counts_on_the_article_not_on_the_notice():
    article = crossref.read_record(
        {
            "title": ["A"],
            "updated-by": [
                {"DOI": "10.1000/N", "type": "correction", "updated": {"date-parts": [[2004, 3, 6]]}},
                {
                    "DOI": "10.1000/R",
                    "type": "retraction",
                    "source": "retraction-watch",
                    "updated": {"date-parts": [[2010, 2]]},
                },
                {"DOI": "10.1/V", "type": "new_version"},
            ],
        }
    )
    assert article.updates == (
        Update("correction", "crossref", "2004-03-06", "10.1000/n"),
        Update("retraction", "crossref", "2010-02", "10.1000/r", "retraction-watch"),
    )
    assert (
        crossref.read_record({"title": ["Retraction"], "update-to": [{"DOI": "10.1/x", "type": "retraction"}]}).updates
        == ()
    )
    assert [it.kind for it in crossref.read_record({"title": ["RETRACTED ARTICLE: A"]}).updates] == ["retraction"]


def test_crossref_leaves_out_what_is_no_work():
    items = [
        {"title": ["Review"], "type": "peer-review"},
        {"title": ["Figure 1"], "type": "component"},
        {"title": ["A"]},
    ]
    assert [it.title for it in crossref.works({"message": {"items": items}})] == ["A"]


def test_crossref_sorted_deposits_and_dates_of_nothing():
    record = crossref.read_record({"DOI": "10.52202/068431", "title": ["A"], "issued": {"date-parts": [[None]]}})
    assert (record.authors_ordered, record.years, record.date) == (False, (), "")


def test_csl_json_of_any_agency():
    author = {"given": "Jan", "family": "Berg", "non-dropping-particle": "van den"}
    record = crossref.read_record({"title": "A Title", "author": [author, {"literal": "A Team"}], "type": "article"})
    assert record.authors == (Name("van den Berg", "Jan"), Name("A Team", literal=True))
    assert (record.title, record.type) == ("A Title", "preprint")


def test_acl_bibtex():
    (record,) = aclanthology.read(
        """@inproceedings{lee-2020-bert,
    title = "{BERT} for {M}{\\"u}ller",
    author = "Lee, Ann  and
      Guzm{\\'a}n, Francisco",
    booktitle = "Proceedings of ACL",
    month = jul,
    year = "2020",
    url = "https://aclanthology.org/2020.acl-main.1/",
    doi = "10.18653/v1/2020.acl-main.1",
    pages = "1--12"
}"""
    )
    assert (record.id, record.title, record.pages) == ("2020.acl-main.1", "BERT for Müller", "1-12")
    assert record.authors == (Name("Lee", "Ann"), Name("Guzmán", "Francisco"))
    assert (record.years, record.venue, record.type) == ((2020,), "Proceedings of ACL", "paper-conference")


def test_openalex_work():
    record = openalex.read_record(
        {
            "id": "https://openalex.org/W27",
            "doi": "https://doi.org/10.7717/PeerJ.4375",
            "title": None,
            "display_name": "The state of OA",
            "publication_year": 2018,
            "type": "article",
            "authorships": [{"author": {"display_name": None}, "raw_author_name": "Heather Piwowar"}, {"author": None}],
            "primary_location": {"source": None},
            "locations": [
                {
                    "source": {"display_name": "arXiv", "type": "repository"},
                    "landing_page_url": "https://arxiv.org/abs/1801.00001",
                },
                {"source": {"display_name": "PeerJ", "type": "journal"}},
            ],
            "biblio": {"volume": "6", "issue": None, "first_page": "e4375", "last_page": "e4375"},
            "abstract_inverted_index": {"Despite": [0], "access": [2, 5], "growing": [1]},
            "is_retracted": True,
            "open_access": {"oa_url": "https://peerj.com/4375.pdf"},
            "referenced_works": ["https://openalex.org/W1"],
        }
    )
    assert record.title == "The state of OA"
    assert record.authors == (Name("Piwowar", "Heather"),)
    assert record.identifiers.doi == "10.7717/peerj.4375"
    assert (record.identifiers.arxiv, record.identifiers.openalex) == ("1801.00001", "W27")
    assert (record.venue, record.type, record.pages) == ("PeerJ", "article-journal", "e4375")
    assert record.abstract == "Despite growing access access"
    assert record.updates == (Update("retraction", "openalex"),)
    assert (record.open_access, record.references) == (("https://peerj.com/4375.pdf",), ("W1",))


def test_openalex_lists_at_most_a_hundred_authors():
    authors = [{"author": {"display_name": f"A B{place}"}} for place in range(100)]
    assert not openalex.read_record({"title": "A", "authorships": authors}).authors_complete


def test_semantic_scholar_merges_preprint_and_paper():
    record = semantic_scholar.read_record(
        {
            "paperId": "f" * 40,
            "externalIds": {
                "ArXiv": "1706.03762",
                "DOI": "10.48550/arXiv.1706.03762",
                "PubMedCentral": "123",
                "DBLP": "conf/x",
            },
            "title": "Attention is All you Need",
            "venue": "Neural Information Processing Systems",
            "publicationVenue": {
                "name": "Neural Information Processing Systems",
                "type": "conference",
                "alternate_names": ["NIPS"],
            },
            "year": 2018,
            "authors": [{"authorId": None, "name": "Ashish Vaswani"}],
            "journal": {"volume": "abs/1706.03762", "pages": "5998 -  6008"},
            "isOpenAccess": True,
            "openAccessPdf": {
                "url": "",
                "disclaimer": "Notice: available at https://arxiv.org/abs/1706.03762, which is subject to",
            },
        }
    )
    assert record.years == (2018, 2017)
    assert (record.identifiers.doi, record.identifiers.arxiv, record.identifiers.pmcid) == ("", "1706.03762", "PMC123")
    assert (record.type, record.venue_aliases, record.volume, record.pages) == (
        "paper-conference",
        ("NIPS",),
        "",
        "5998-6008",
    )
    assert record.open_access == ("https://arxiv.org/abs/1706.03762",)


def test_semantic_scholar_has_no_data_for_no_hits():
    assert list(semantic_scholar.papers({"total": 0, "offset": 0})) == []


def test_dblp_hit():
    hit = {
        "info": {
            "authors": {"author": {"@pid": "1", "text": "Wei Wang 0001"}},
            "title": "Q&amp;A for Databases.",
            "venue": "CoRR",
            "volume": "abs/2106.15928",
            "year": "2021",
            "type": "Informal and Other Publications",
            "key": "journals/corr/abs-2106-15928",
        }
    }
    record = dblp.read_record(hit)
    assert (record.title, record.authors) == ("Q&A for Databases", (Name("Wang", "Wei"),))
    assert (record.venue, record.type, record.identifiers.arxiv) == ("arXiv", "preprint", "2106.15928")
    assert list(dblp.works({"result": {"hits": {"@total": "0"}}})) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("BERT: Pre-training of Deep Bidirectional Transformers", "BERT Pre training Deep Bidirectional Transformers"),
        ("attention is all you need", "attention all you need"),
        ("to and from", "to and from"),
    ],
)
def test_services_that_want_every_word_met_are_asked_for_no_articles_and_prepositions(text, words):
    assert required_words(text) == words.split()


FEED = """<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"><entry>
<id>{id}</id><title>Attention\n  Is All You Need</title><updated>2023-08-02T00:41:18Z</updated>
<published>2017-06-12T17:57:34Z</published><summary>{summary}</summary>
<author><name>Łukasz Kaiser</name></author><arxiv:primary_category term="cs.CL"/>
<arxiv:comment>{comment}</arxiv:comment>
</entry></feed>"""


def feed(name="http://arxiv.org/abs/1706.03762v7", summary="We propose.", comment="15 pages"):
    return ElementTree.fromstring(FEED.format(id=name, summary=summary, comment=comment))  # noqa: S314


def test_arxiv_entry():
    (record,) = arxiv.entries(feed())
    assert (record.id, record.identifiers.arxiv, record.title) == (
        "1706.03762v7",
        "1706.03762",
        "Attention Is All You Need",
    )
    assert (record.years, record.date, record.primary_class) == ((2017, 2023), "2017-06-12", "cs.CL")
    assert (record.authors, record.updates) == ((Name("Kaiser", "Łukasz"),), ())


@pytest.mark.parametrize(
    ("comment", "withdrawn"),
    [
        ("This paper has been withdrawn by the author due to an error in Lemma 2", True),
        ("Withdrawn: superseded by another paper", True),
        ("This submission has been withdrawn by arXiv administrators", True),
        ("Withdrawn from the workshop, 8 pages", False),
        ("A study of withdrawn papers", False),
    ],
)
def test_arxiv_withdrawals(comment, withdrawn):
    (record,) = arxiv.entries(feed(comment=comment))
    assert [it.kind for it in record.updates] == ["withdrawal"] * withdrawn


def test_arxiv_errors_are_no_entries():
    bad = feed("https://arxiv.org/api/errors#incorrect_id_format_for_abc")
    assert (arxiv.entries(bad), arxiv.find_error(bad)) == ([], "abc")


def test_datacite_preprint():
    record = datacite.read_record(
        {
            "attributes": {
                "doi": "10.48550/ARXIV.1706.03762",
                "titles": [{"title": "Attention"}, {"title": "Aufmerksamkeit", "titleType": "TranslatedTitle"}],
                "creators": [{"name": "Vaswani, Ashish", "givenName": "Ashish", "familyName": "Vaswani"},
                             {"name": "Google Brain", "nameType": "Organizational"}],
                "publicationYear": 2017, "publisher": {"name": "arXiv"}, "types": {"resourceTypeGeneral": "Preprint"},
                "dates": [{"date": "2017-06-12T17:57:34Z", "dateType": "Submitted", "dateInformation": "v1"},
                          {"date": "2023-08-02T00:41:18Z", "dateType": "Updated", "dateInformation": "v7"}],
            }
        }
    )  # fmt: skip
    assert (record.title, record.type, record.venue, record.years) == ("Attention", "preprint", "arXiv", (2017, 2023))
    assert (record.identifiers.doi, record.identifiers.arxiv) == ("", "1706.03762")
    assert record.authors == (Name("Vaswani", "Ashish"), Name("Google Brain", literal=True))


def test_europepmc_core_and_lite():
    core = europepmc.read_record(
        {
            "id": "1", "source": "MED", "pmid": "1", "title": "A <i>study</i>.", "pubYear": "2020",
            "authorList": {"author": [{"firstName": "Jan", "lastName": "van den Berg"}, {"collectiveName": "Group"}]},
            "journalInfo": {"journal": {"title": "Nature", "medlineAbbreviation": "Nat"}, "volume": "3"},
            "pubTypeList": {"pubType": ["research-article", "Retracted Publication"]},
        }
    )  # fmt: skip
    assert (core.title, core.venue, core.volume) == ("A study", "Nature", "3")
    assert core.authors == (Name("van den Berg", "Jan"), Name("Group", literal=True))
    assert [it.kind for it in core.updates] == ["retraction"]
    lite = europepmc.read_record({"title": "A", "authorString": "van den Berg JA, Li X.", "journalTitle": "Nature"})
    assert (lite.authors, lite.venue) == ((Name("van den Berg", "J. A."), Name("Li", "X.")), "Nature")


def test_openreview_wraps_values_and_knows_rejections():
    content = {"title": {"value": "A Paper"}, "authors": {"value": ["Ann Lee"]}, "venue": {"value": "ICLR 2024 oral"}}
    note = {"id": "x", "forum": "x", "pdate": 1706918400000, "content": content}
    record = openreview.read_record(note)
    assert (record.title, record.years, record.venue, record.type) == (
        "A Paper",
        (2024,),
        "ICLR 2024 oral",
        "paper-conference",
    )
    content["venueid"] = "ICLR.cc/2024/Conference/Rejected_Submission"
    assert openreview.read_record(note).type == "preprint"
    plain = openreview.read_record({"content": {"title": "A", "venue": ["odd", "list"]}})
    assert plain.title == "A"


@pytest.mark.parametrize("venue", ["Submitted to Things 2023", "Things 2022 Submitted"])
def test_openreview_s_rejected_papers_appeared_nowhere(venue):
    record = openreview.read_record({"id": "x", "content": {"venue": venue, "venueid": "Things.cc/2022/Conference"}})
    assert (record.venue, record.type) == ("", "preprint")


@pytest.mark.parametrize(
    ("bibtex", "venue", "kind"),
    [
        (
            "@article{\nlee2024a,\njournal={Transactions on {ML} Things},\nissn={1234-5678}\n}",
            "Transactions on ML Things",
            "article-journal",
        ),
        (
            "@inproceedings{lee2024a, booktitle={The 12th Conference on Things}}",
            "The 12th Conference on Things",
            "paper-conference",
        ),
        (
            "@article{lee2018, journal={International Conference on Things}}",
            "International Conference on Things",
            "paper-conference",
        ),
        ("@misc{lee2024a, title={A Paper}}", "Things 2024 oral", "paper-conference"),
        ("", "Things 2024 oral", "paper-conference"),
        ("@article{lee2024a, journal={Submitted to Transactions on Things}}", "", "preprint"),
        ("@article{DBLP:journals/corr/abs-2010-11929, journal={CoRR}, volume={abs/2010.11929}}", "CoRR", "preprint"),
    ],
)
def test_openreview_says_by_its_own_bibtex_where_a_paper_appeared(bibtex, venue, kind):
    content = {"title": "A Paper", "authors": ["Ann Lee"], "venue": "Things 2024 oral", "_bibtex": bibtex}
    record = openreview.read_record({"id": "x", "content": content})
    assert (record.venue, record.type) == (venue, kind)
    assert not venue or "Things 2024 oral" in (record.venue, *record.venue_aliases)


def test_openlibrary_pubmed_inspire_ads_zbmath_unpaywall_zotero():
    book = openlibrary.read_record(
        "9780262035613",
        {"title": "Deep Learning", "authors": [{"name": "Ian Goodfellow"}], "publish_date": "Nov 18, 2016"},
    )
    assert (book.years, book.identifiers.isbn) == ((2016,), "9780262035613")
    summary = pubmed.read_record(
        {"uid": "1", "title": "A.", "pubdate": "2019 Mar 3", "authors": [{"name": "Smith JA"}]}
    )
    assert (summary.years, summary.authors) == ((2019,), (Name("Smith", "J. A."),))
    metadata = {"titles": [{"title": "The Large N limit"}], "arxiv_eprints": [{"value": "hep-th/9711200"}]}
    physics = inspire.read_record({"metadata": metadata | {"texkeys": ["Maldacena:1997re"]}})
    assert (physics.id, physics.years, physics.type) == ("Maldacena:1997re", (1997,), "preprint")
    stars = ads.read_record(
        {"bibcode": "2015A", "title": ["T"], "author": ["Abbott, B. P."], "identifier": ["arXiv:1602.03837"]}
    )
    assert (stars.identifiers.arxiv, stars.identifiers.bibcode) == ("1602.03837", "2015A")
    withheld = "zbMATH Open Web Interface contents unavailable due to conflicting licenses."
    maths = zbmath.read_record({"title": {"title": "Proof", "subtitle": withheld}, "year": "1999"})
    assert (maths.title, maths.years) == ("Proof", (1999,))
    free = unpaywall.read_record(
        {"doi": "10.1/x", "title": "T", "best_oa_location": {"url_for_pdf": None, "url": "https://x"}}
    )
    assert free.open_access == ("https://x",)
    item = {"data": {"key": "K", "title": "T", "extra": "arXiv: 1706.03762",
                     "creators": [{"creatorType": "author", "lastName": "Lee", "firstName": "Ann"},
                                  {"creatorType": "editor", "lastName": "No", "firstName": "One"}]}}  # fmt: skip
    assert zotero.read_record(item).identifiers.arxiv == "1706.03762"
    assert zotero.read_record(item).authors == (Name("Lee", "Ann"),)


@pytest.mark.parametrize(
    ("document", "kind"),
    [("book", "book"), ("thesis", "thesis"), ("proceedings", "book"), ("article", "preprint"), (None, "preprint")],
)
def test_what_inspire_calls_a_book_is_none_the_less_one_for_lack_of_a_journal(document, kind):
    metadata = {"titles": [{"title": "Quantum Fields"}], "document_type": document and [document]}
    assert inspire.read_record({"metadata": metadata}).type == kind


def test_pubmed_tells_preprints_from_articles():
    summary = {"uid": "1", "title": "A.", "pubdate": "2023 Mar 3"}
    assert pubmed.read_record(summary | {"pubtype": ["Preprint"]}).type == "preprint"
    assert pubmed.read_record(summary | {"pubtype": ["Journal Article"]}).type == "article-journal"


READERS = [
    crossref.read_record, openalex.read_record, semantic_scholar.read_record, dblp.read_record, datacite.read_record,
    europepmc.read_record, inspire.read_record, ads.read_record, openreview.read_record, zbmath.read_record,
    unpaywall.read_record, zotero.read_record, pubmed.read_record, lambda raw: openlibrary.read_record("", raw),
]  # fmt: skip
NAMES = st.sampled_from(
    "title subtitle author authors given family name text info year issued date-parts journal venue pages doi DOI ids"
    " externalIds authorships source locations primary_location metadata data attributes creators titles content value"
    " updated-by type abstract_inverted_index updates volume meta extra pdate openAccessPdf disclaimer ISBN".split()
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=6), max_leaves=20
)


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(NAMES, JSON, max_size=8))
def test_no_answer_breaks_a_reader_or_the_cache(raw):
    """Readers may say that it is no answer of the service."""
    for read in READERS:
        with suppress(FormError):
            answer = found("x", (read(raw),))
            assert codec.lookup("x", codec.dumps(answer)) == answer


@pytest.mark.parametrize("records", ['[{"disputed": {"year": [["crossref"]]}}]', "[" * 100_000])
def test_a_cached_answer_that_cannot_be_read_is_none(records):
    assert codec.lookup("x", f'{{"version": {codec.VERSION}, "found": true, "records": {records}}}') is None

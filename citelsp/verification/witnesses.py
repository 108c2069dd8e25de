"""What each source can know of a publication."""

EXACT = frozenset({"crossref", "dblp", "aclanthology"})  # say when and where a work was published, not preprinted
CURATED = frozenset(  # name a publication as it is printed; the others call it by a series that they made up
    {"aclanthology", "ads", "crossref", "datacite", "dblp", "europepmc", "inspire", "openlibrary", "pubmed", "zbmath"}
)
AUTHORED = frozenset({"arxiv", "openreview"})  # where authors list themselves

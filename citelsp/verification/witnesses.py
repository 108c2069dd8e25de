"""What each source can know of a publication, and which of them know it from one another."""

from collections.abc import Iterable

from citelsp.knowledge import AGGREGATORS
from citelsp.verification.evidence import Bound

EXACT = frozenset({"crossref", "dblp", "aclanthology"})  # say when and where a work was published, not preprinted
CURATED = frozenset(  # name a publication as it is printed; the others call it by a series that they made up
    {"aclanthology", "ads", "crossref", "datacite", "dblp", "europepmc", "inspire", "openlibrary", "pubmed", "zbmath"}
)
AUTHORED = frozenset({"arxiv", "openreview"})  # where authors list themselves


def count_independent(bounds: Iterable[Bound]) -> int:
    """Count the independent sources: aggregators that all lead to one DOI have it from its registry, so are one."""
    known = [(it.record.source, it.record.identifiers.doi) for it in bounds]
    sources = {source for source, _ in known}
    dois = {doi for source, doi in known if source in AGGREGATORS}
    are_copies = sources >= AGGREGATORS and len(dois) == 1 and "" not in dois
    return len(sources) - int(are_copies)

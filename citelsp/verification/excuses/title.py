"""The title is wrong."""

from citelsp.verification.rules import FieldRules, View

_VERSIONED = frozenset({"software", "dataset"})
_ARCHIVE = "10.5281/"  # Zenodo's: one DOI leads to all versions


def comes_in_versions(view: View) -> bool:
    """Software and data change with each version: people join, and the title may tell its number."""
    bound = view.bound
    is_archived = bound.record.identifiers.doi.startswith(_ARCHIVE)
    return is_archived or bound.cited_as in _VERSIONED or bound.record.type in _VERSIONED


def lacks_the_versions_of_a_preprint(view: View) -> bool:
    """Of a preprint that is cited as one, title and people may have changed, and arXiv alone knows how."""
    bound = view.bound
    return bound.by == "arxiv" and bound.record.source != "arxiv" and not bound.cited_in


def is_read_in_doubt(view: View) -> bool:
    """Of a printed reference the title may be cut, or joined with what follows it."""
    return "title" in view.bound.unsure


RULES = FieldRules("title", silent=(comes_in_versions, lacks_the_versions_of_a_preprint, is_read_in_doubt))

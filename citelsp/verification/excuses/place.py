"""Volume, number, pages or publisher are wrong."""

from citelsp.verification.rules import FieldRules, View

_BOOKS = frozenset({"book", "mvbook"})


def is_of_another_publication(view: View) -> bool:
    """Another printing vouches for the work, and says nothing of the cited publication."""
    return not view.bound.tells_where


def is_of_another_edition(view: View) -> bool:
    """A book of another year may be by more people, of another house."""
    bound = view.bound
    is_book = bound.cited_as in _BOOKS or bound.record.type == "book"
    return is_book and bound.by == "title" and bound.comparison.outcome("year") in ("looser", "different")


def is_no_place_in_print(view: View) -> bool:
    """A preprint has no place in print: what is called its volume is an identifier."""
    return view.bound.comparison.outcome("venue") == "preprint" or view.bound.is_preprint


_SILENT = (is_of_another_publication, is_of_another_edition, is_no_place_in_print)
VOLUME = FieldRules("volume", _SILENT)
NUMBER = FieldRules("number", _SILENT)
PAGES = FieldRules("pages", _SILENT)
PUBLISHER = FieldRules("publisher", _SILENT)

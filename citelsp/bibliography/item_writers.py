"""Works written into bibliographies that are not BibTeX, by the name of their format."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from citelsp.base.text import Document, Edit, Span, newline_of
from citelsp.bibliography import csl_item, hayagriva_item
from citelsp.bibliography.file_style import Style
from citelsp.bibliography.record import Record
from citelsp.syntax.formats import hayagriva


class ItemWriter(NamedTuple):
    render: Callable[[Record, str, Style], str]
    place: Callable[[str, str, str], tuple[Span, str] | None]  # of a text, a rendered item, and the line break


def takes(document: Document) -> bool:
    """True if a work can be added: the file holds a list of items, or nothing yet."""
    place = WRITERS[document.language].place
    return hayagriva.is_list(document.text) or place(document.text, "- ", newline_of(document.text)) is not None


def insertion(document: Document, text: str) -> Edit:
    """The edit that adds behind the last element; a file without a list gets one.  ValueError if it `takes` none."""
    place = WRITERS[document.language].place(document.text, text, newline_of(document.text))
    if place is None:
        raise ValueError(f"{document.path} has no list of items")
    return Edit(document.path, *place)


def _json(record: Record, key: str, habits: Style) -> str:
    return csl_item.as_json(csl_item.item(record, key), habits)


def _yaml(record: Record, key: str, habits: Style) -> str:
    if habits.mapping:
        return hayagriva_item.render(record, key, habits)
    return csl_item.as_yaml(csl_item.item(record, key), habits)


def _into_yaml(before: str, text: str, newline: str) -> tuple[Span, str] | None:
    """An item of CSL is one of a list."""
    return (csl_item.into_yaml if text.startswith("- ") else hayagriva_item.place)(before, text, newline)


WRITERS: Mapping[str, ItemWriter] = {
    "csl-json": ItemWriter(_json, csl_item.into_json),
    "csl-yaml": ItemWriter(_yaml, _into_yaml),
}

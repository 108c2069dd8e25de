"""What is written further down or up than before: the same values with their spans moved by so many characters."""

from collections.abc import Iterable
from dataclasses import replace

from citelsp.base.text import Span
from citelsp.syntax.nodes import Citation, Heading, KeyArgument, Link, Placeholder, Suppression


def citations(by: int, old: Iterable[Citation]) -> list[Citation]:
    return [
        Citation(key, Span(start + by, end + by), command, Span(first + by, last + by), narrative)
        for key, (start, end), command, (first, last), narrative in old
    ]


def arguments(by: int, old: Iterable[KeyArgument]) -> list[KeyArgument]:
    return [KeyArgument(Span(start + by, end + by), command, opener) for (start, end), command, opener in old]


def placeholders(by: int, old: Iterable[Placeholder]) -> list[Placeholder]:
    return [replace(it, span=it.span.moved(by), whole=it.whole.moved(by)) for it in old]


def links(by: int, old: Iterable[Link]) -> list[Link]:
    return [
        replace(
            link,
            span=link.span.moved(by),
            insert_at=None if link.insert_at is None else link.insert_at + by,
        )
        for link in old
    ]


def headings(by: int, old: Iterable[Heading]) -> list[Heading]:
    return [replace(it, span=it.span.moved(by)) for it in old]


def suppressions(by: int, old: Iterable[Suppression]) -> list[Suppression]:
    return [replace(it, span=it.span.moved(by), covers=it.covers.moved(by)) for it in old]

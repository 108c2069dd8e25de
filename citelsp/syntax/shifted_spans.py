"""What is written further down or up than before: the same values with their spans moved by so many characters."""

from collections.abc import Iterable
from dataclasses import replace

from citelsp.base.text import Span
from citelsp.syntax.nodes import Citation, Heading, KeyArgument, Link, Placeholder, Suppression


def citations(shift: int, old: Iterable[Citation]) -> list[Citation]:
    return [
        Citation(key, Span(start + shift, end + shift), command, Span(first + shift, last + shift), narrative)
        for key, (start, end), command, (first, last), narrative in old
    ]


def arguments(shift: int, old: Iterable[KeyArgument]) -> list[KeyArgument]:
    return [KeyArgument(Span(start + shift, end + shift), command, opener) for (start, end), command, opener in old]


def placeholders(shift: int, old: Iterable[Placeholder]) -> list[Placeholder]:
    return [replace(it, span=it.span.moved(shift), whole=it.whole.moved(shift)) for it in old]


def links(shift: int, old: Iterable[Link]) -> list[Link]:
    moved: list[Link] = []
    for link in old:
        insert_at = None if link.insert_at is None else link.insert_at + shift
        moved.append(replace(link, span=link.span.moved(shift), insert_at=insert_at))
    return moved


def headings(shift: int, old: Iterable[Heading]) -> list[Heading]:
    return [replace(it, span=it.span.moved(shift)) for it in old]


def suppressions(shift: int, old: Iterable[Suppression]) -> list[Suppression]:
    return [replace(it, span=it.span.moved(shift), covers=it.covers.moved(shift)) for it in old]

"""What can be folded: entries and other blocks of a .bib file, long fields, sections of a manuscript."""

from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

_FIELDS_UP_TO = 2000  # entries, beyond which fields are not looked at


def find(project: Project, path: str) -> list[Span]:
    """Return the spans of blocks, fields and sections that reach over more than one line, in order."""
    source = project.sources.get(path)
    if source is None:
        return []
    text = source.document.text
    spans = {*_fold_blocks(source), *_fold_sections(source)}
    return sorted(span for span in spans if "\n" in span.within(text))


def _fold_blocks(source: Source) -> Iterator[Span]:
    """Yield the spans of entries and their fields, then of macros, preambles and comments.

    In a large bibliography fields are left out, as every entry would have to be parsed for them.
    """
    entries = source.syntax.entries
    if entries is None:
        return
    with_fields = len(entries) <= _FIELDS_UP_TO
    for index in range(len(entries)):
        node = entries.node(index)
        start = entries.start(index)
        yield Span(start, start + len(node.source))
        if with_fields:
            for field in node.fields():
                yield field.span.moved(start)
    if isinstance(entries, BibEntries):
        track = entries.specials  # the blocks that are no entries
        for index, start in enumerate(track.starts):
            yield Span(start, track.end(index))


def _fold_sections(source: Source) -> Iterator[Span]:
    """Each section up to the next heading of its own or a higher level, without the blank lines at its end."""
    text = source.document.text
    open_sections: list[tuple[int, int]] = []  # level and start of each, the innermost last
    for heading in source.syntax.headings:
        while open_sections and open_sections[-1][0] >= heading.level:
            _, start = open_sections.pop()
            yield _trim_section(text, start, heading.span.start)
        open_sections.append((heading.level, heading.span.start))
    for _, start in open_sections:
        yield _trim_section(text, start, len(text))


def _trim_section(text: str, start: int, end: int) -> Span:
    return Span(start, start + len(text[start:end].rstrip()))

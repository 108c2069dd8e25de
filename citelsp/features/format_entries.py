"""The layout of .bib entries: one field a line, indented, equals signs under each other; white space, nothing else."""

from collections.abc import Iterator

from citelsp.bibliography.style import detect
from citelsp.project import Project
from citelsp.syntax.bibtex import BibEntries
from citelsp.syntax.bibtex_blocks import BibNode
from citelsp.text import Edit, Span, newline_of

_INDENT = "  "


def edits(project: Project, path: str, within: Span | None = None, indent: str = "") -> list[Edit]:
    """Lay out the entries that `within` touches, or all; an entry that is malformed or holds comments stays as it is.

    `indent` is the file's own where none is given.
    """
    source = project.sources.get(path)
    if source is None or not isinstance(source.syntax.entries, BibEntries):
        return []
    entries, text = source.syntax.entries, source.document.text
    newline = newline_of(text)
    habit = detect(source.document).indent or _INDENT
    found: list[Edit] = []
    for index, node in enumerate(entries):
        start = entries.start(index)
        if within is None or (start <= within.end and within.start <= start + node.length):
            spaces = _layout(node, newline, indent or habit)
            found += [Edit(path, span.moved(start), wanted) for span, wanted in spaces]
    return found


def _layout(node: BibNode, newline: str, indent: str) -> list[tuple[Span, str]]:
    """The gaps of an entry that are not as wanted, with what they should be."""
    fields = node.fields()
    if not fields or not node.closed or any(it.serious for it in node.problems()):
        return []
    source = node.source
    width = max(len(it.name) for it in fields)
    gaps: list[tuple[Span, str]] = []
    end = node.key_span.end
    for field in fields:
        gaps.append((Span(end, field.span.start), f",{newline}{indent}"))
        padding = " " * (width - len(field.name))
        gaps.append((Span(field.name_span.end, field.value_span.start), f"{padding} = "))
        end = field.value_span.end
    last = Span(end, node.length - 1)
    gaps.append((last, ("," if "," in last.within(source) else "") + newline))
    if any(_squeezed(span.within(source)) != _squeezed(wanted) for span, wanted in gaps):
        return []
    return list(_trimmed(source, gaps))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _trimmed(source: str, gaps: list[tuple[Span, str]]) -> Iterator[tuple[Span, str]]:
    return ((span, wanted) for span, wanted in gaps if span.within(source) != wanted)

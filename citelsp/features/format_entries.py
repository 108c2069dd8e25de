"""The layout of a .bib file: one field a line, indented, equals signs under each other; white space, nothing else.

A @string and a @preamble stand on one line, unless their values hold more.
"""

from collections.abc import Iterator

from citelsp.base.text import Edit, Span, newline_of
from citelsp.bibliography.file_style import detect
from citelsp.syntax.bibtex.blocks import BibNode, Track
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project

_USUAL_INDENT = "  "
Gap = tuple[Span, str]  # where white space and signs stand between two things that matter, and what should stand there


def edits(project: Project, path: str, within: Span | None = None, indent: str = "") -> list[Edit]:
    """Return the edits that lay out the blocks that `within` touches, or all blocks if it is None.

    A block that is malformed or has comments stays as it is.  Fields are indented as most of the file's are; if none
    of them is, by `indent`, or by two spaces if that is "".
    """
    source = project.sources.get(path)
    if source is None or not isinstance(source.syntax.entries, BibEntries):
        return []
    entries = source.syntax.entries
    newline = newline_of(source.document.text)
    style = detect(source.document)
    field_indent = (style.indent if style.indented else indent) or _USUAL_INDENT
    changes: list[Edit] = []
    for track in (entries.track, entries.specials):  # the entries; the other blocks, such as @string
        for node, start in _find_touched(track, within):
            gaps = _lay_out(node, newline, field_indent)
            for span, new_text in _select_changing(node.source, gaps):
                changes.append(Edit(path, span.moved(start), new_text))
    return changes


def _find_touched(track: Track, within: Span | None) -> Iterator[tuple[BibNode, int]]:
    for node, start in zip(track.nodes, track.starts, strict=True):
        if within is None or (start <= within.end and within.start <= start + node.length):
            yield node, start


def _lay_out(node: BibNode, newline: str, indent: str) -> list[Gap]:
    """Return the gaps of a block; [] if it stays as it is: a comment, or a block that BibTeX would complain of.

    A problem with which BibTeX and biber read an entry all the same (it is not `serious`) keeps nothing back.  A gap is
    the white space and the signs between two things that matter, with the text that should stand there.  `newline` and
    `indent`: with which each field is put on a line of its own.
    """
    if not node.closed:
        return []
    match node.kind:
        case "preamble" | "string" if node.block_problem():
            return []
        case "preamble":
            end_of_text = len(node.source[:-1].rstrip())  # before the closing brace
            return [*_lay_out_head(node), (Span(end_of_text, node.length - 1), "")]
        case "string":
            return [*_lay_out_head(node), *_lay_out_macro(node)]
        case "comment" | "ignore":
            return []
    if any(problem.serious for problem in node.problems()):
        return []
    return [*_lay_out_head(node), *_lay_out_fields(node, newline, indent)]


def _lay_out_head(node: BibNode) -> Iterator[Gap]:
    """The gaps of `@word{`, which becomes so without white space."""
    source = node.source
    openers = [source.find(sign) for sign in "{("]
    opener = min(offset for offset in openers if offset > 0)
    word = source[1:opener].strip()
    start = source.index(word)
    yield Span(1, start), ""
    yield Span(start + len(word), node.key_start), source[opener]


def _lay_out_macro(node: BibNode) -> Iterator[Gap]:
    """The gaps of `name = value` in a @string, and before its closing brace."""
    field = node.fields()[0]
    yield Span(field.name_span.end, field.value_span.start), " = "
    yield Span(field.value_span.end, node.length - 1), ""


def _lay_out_fields(node: BibNode, newline: str, indent: str) -> Iterator[Gap]:
    """Yield the gaps around the fields of an entry, so that each has a line, with the equals signs below one another.

    A gap is the span between two things that matter, with the text that should stand there.  A comma behind the last
    field stays if there is one.  An entry without fields gets no further line.
    """
    fields = node.fields()
    width = max((len(field.name) for field in fields), default=0)
    end = node.key_span.end
    for field in fields:
        yield Span(end, field.span.start), f",{newline}{indent}"
        yield Span(field.name_span.end, field.value_span.start), f"{' ' * (width - len(field.name))} = "
        end = field.value_span.end
    before_brace = Span(end, node.length - 1)
    comma = "," if "," in before_brace.within(node.source) else ""
    yield before_brace, f"{comma}{newline if fields else ''}"


def _select_changing(source: str, gaps: list[Gap]) -> list[Gap]:
    """Those that are not as wanted; none if more than white space would change, as where a comment stands."""
    if any(_remove_blanks(span.within(source)) != _remove_blanks(new) for span, new in gaps):
        return []
    return [(span, new) for span, new in gaps if span.within(source) != new]


def _remove_blanks(text: str) -> str:
    return "".join(text.split())

r"""What a citation that is still to be filled asks for: the value that suggestions are searched with and known by."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from citelsp.base.text import Document, Span
from citelsp.syntax import languages, prose
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

MARKER = r"\cite<>"
_PERCENTAGE = re.compile(r"(?<=\d)%")
_NEAR_BEFORE = 8  # citations before a place that count as near
_NEAR_AFTER = 4
CITES = 80  # works
_DATE = re.compile(r"\b(?:19|20)\d\d(?:-\d\d)?\b")


@dataclass(frozen=True, slots=True)
class Question:
    """Where a citation is to be filled and what the author says there; all text is prose (syntax.prose)."""

    before: str  # up to some paragraphs
    after: str = ""
    title: str = ""  # of the manuscript
    hint: str = ""  # words that the author left in the placeholder
    heading: str = ""  # of the section
    date: str = ""  # of the manuscript, "YYYY" or "YYYY-MM"; nothing later fits
    beside: frozenset[str] = field(default=frozenset())  # keys and titles of what the sentence cites already
    near: tuple[tuple[str, int], ...] = ()  # keys cited around the place, each so many citations away
    cited_before: int = 0  # how many of the manuscript's citations stand before the place
    cites: tuple[str, ...] = ()  # titles of works that the manuscript cites, the nearest to the place first

    @property
    def sentence_parts(self) -> tuple[str, str]:
        """Return what the sentence says before and after the place."""
        return prose.sentence_around(self.before, self.after)

    @property
    def sentence(self) -> str:
        """Return the sentence for people, without citations."""
        return prose.show_on_one_line(" ".join(self.sentence_parts))

    @property
    def key(self) -> str:
        """The same as long as the author asks the same at the same place of the same sentence.

        What stands around the sentence ranks what is on this machine, but an answer from outside holds while it is
        edited: services and models are not asked again for a comma in the next paragraph.
        """
        asked = (self.title, self.date, self.hint, *self.sentence_parts, *sorted(self.beside))
        return blake2b("\0".join(asked).encode("utf-8", "replace"), digest_size=16).hexdigest()


def placeholder_question(project: Project, path: str, placeholder: Placeholder) -> Question:
    """Make the question that a placeholder asks; its words are the hint."""
    return place_question(project, path, placeholder.whole, placeholder.words.strip())


def place_question(project: Project, path: str, whole: Span, hint: str = "") -> Question:
    """Make the question that the text around the span `whole` asks, whether a placeholder is there or not.

    Of a placeholder only its words count, as `hint`.  Works that its sentence cites already are not to be found again
    (`beside`), unless a hint says what is meant.  `near` are the keys cited around it, with how many citations they are
    away; `cites` titles of works that the manuscript cites.  Keys that the span itself holds count as cited before it.
    The date is the first that a document of the manuscript states.
    """
    source = project.sources[path]
    around = prose.prose_around(source.document, source.syntax, whole, acronyms=acronyms(project))
    headings = [heading.title for heading in source.syntax.headings if heading.span.start < whole.start]
    dates = [match[0] for match in (_DATE.search(part.syntax.date) for part in project.parts) if match]
    return Question(
        before=around.before,
        after=around.after,
        title=title(project),
        hint=hint,
        heading=headings[-1] if headings else "",
        date=dates[0] if dates else "",
        beside=frozenset() if hint else _cited_with(project, path, around),
        near=_nearest_keys(source, whole.start),
        cited_before=_count_citations_before(project, path, whole.end),
        cites=tuple(_list_cited_titles(project, path, whole.start)),
    )


def read_marked(text: str, *, title: str = "", hint: str = "", date: str = "", cites: Iterable[str] = ()) -> Question:
    r"""Make the question at the `\cite<>` of a text that stands alone, LaTeX or plain; else at the text's end."""
    from citelsp import syntax

    text = _PERCENTAGE.sub(r"\%", text)  # of plain text; to LaTeX it would begin a comment
    at = text.find(MARKER)
    place = Span(at, at + len(MARKER)) if at >= 0 else Span(len(text), len(text))
    document = Document("", text, languages.PLAIN.name)
    around = prose.prose_around(document, syntax.parse(document), place, max(prose.REACH, len(text)))
    return Question(around.before, around.after, title, hint, date=date, cites=tuple(cites))


def acronyms(project: Project) -> Mapping[str, str]:
    """Map each acronym of the manuscript, by its key, to what it stands for; any of its documents may define one."""
    meanings: dict[str, str] = {}
    for part in project.parts:
        meanings |= part.syntax.acronyms
    return meanings


def title(project: Project) -> str:
    """Return the manuscript's title: that of its first document that has one; "" if none has."""
    for part in project.parts:
        if part.syntax.title:
            return prose.show_on_one_line(prose.plain(part.syntax.title, part.language))
    return ""


def _nearest_keys(source: Source, offset: int) -> tuple[tuple[str, int], ...]:
    """Return the keys cited around a place, each with how many citations it is away, from 1; first those before it."""
    citations = source.syntax.citations
    index = bisect_left(citations, offset, key=lambda citation: citation.span.start)
    nearest_before = reversed(citations[max(0, index - _NEAR_BEFORE) : index])
    nearest_after = citations[index : index + _NEAR_AFTER]
    before = [(citation.key, distance) for distance, citation in enumerate(nearest_before, start=1)]
    after = [(citation.key, distance) for distance, citation in enumerate(nearest_after, start=1)]
    return (*before, *after)


def _count_citations_before(project: Project, path: str, offset: int) -> int:
    """Count those of `project.citations()` that stand before an offset of a document, or in parts that come before.

    All count if the document is no part of the manuscript.
    """
    number_of_part = {part.document.path: number for number, part in enumerate(project.parts)}
    here = (number_of_part.get(path, len(number_of_part)), offset)
    starts = ((number_of_part[source.document.path], it.span.start) for source, it in project.citations())
    return sum(start < here for start in starts)


def _list_cited_titles(project: Project, path: str, offset: int) -> list[str]:
    """Return titles of cited entries, CITES at most: of the document, the nearest to `offset` first, then of others."""
    here = sorted(project.sources[path].syntax.citations, key=lambda citation: abs(citation.span.start - offset))
    keys = dict.fromkeys(citation.key for citation in here)
    for part in project.parts:
        if part.document.path != path:
            keys |= dict.fromkeys(citation.key for citation in part.syntax.citations)
    titles: list[str] = []
    for key in keys:
        place = project.find_first(key)
        if place and place.entry.title:
            titles.append(place.entry.title)
        if len(titles) == CITES:
            break
    return titles


def _cited_with(project: Project, path: str, around: prose.Prose) -> frozenset[str]:
    """Return the keys, and the titles of their entries, of the works that the sentence around a place cites."""
    start, end = prose.sentence_around(around.before, around.after)
    # Citations are marks in the prose: those of the sentence are the last before the place and the first behind it.
    first = len(around.cited_before) - start.count(prose.CITED)
    in_sentence = {*around.cited_before[first:], *around.cited_after[: end.count(prose.CITED)]}
    citations = project.sources[path].syntax.citations
    keys = {citation.key for citation in citations if citation.whole in in_sentence}
    titles = {place.entry.title for key in keys for place in project.find(key)}
    return frozenset(filter(None, keys | titles))

r"""What a citation that is still to be filled asks for: the value that suggestions are searched with and known by."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice

from citelsp.base.text import Document, Span
from citelsp.syntax import languages, prose
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

MARKER = r"\cite<>"
_PERCENTAGE = re.compile(r"(?<=\d)%")
_BEFORE, _AFTER = 8, 4  # citations around a place
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
    cites: tuple[str, ...] = ()  # titles of works that the manuscript cites, the nearest to the place first

    @property
    def sentence_parts(self) -> tuple[str, str]:
        """What the sentence says before and after the place."""
        return prose.sentence_around(self.before, self.after)

    @property
    def sentence(self) -> str:
        """The sentence for people, without citations."""
        return prose.shown(" ".join(self.sentence_parts))

    @property
    def key(self) -> str:
        """The same as long as the author asks the same at the same place of the same sentence.

        What stands around the sentence ranks what is on this machine, but an answer from outside holds while it is
        edited: services and models are not asked again for a comma in the next paragraph.
        """
        asked = (self.title, self.date, self.hint, *self.sentence_parts, *sorted(self.beside))
        return blake2b("\0".join(asked).encode("utf-8", "replace"), digest_size=16).hexdigest()


def placeholder_question(project: Project, path: str, placeholder: Placeholder) -> Question:
    """What a placeholder asks; its words are the hint."""
    return place_question(project, path, placeholder.whole, placeholder.words.strip())


def place_question(project: Project, path: str, whole: Span, hint: str = "") -> Question:
    """What a place asks, whether a placeholder marks it or not; the place itself says nothing but the hint.

    What its sentence cites already is not asked for, unless a hint says what is.
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
        cites=tuple(_cites(project, path, whole.start)),
    )


def marked(text: str, *, title: str = "", hint: str = "", date: str = "", cites: Iterable[str] = ()) -> Question:
    r"""What `\cite<>` marks in a text that stands alone, LaTeX or plain; the text's end if nothing does."""
    from citelsp import syntax

    text = _PERCENTAGE.sub(r"\%", text)  # of plain text; to LaTeX it would begin a comment
    at = text.find(MARKER)
    place = Span(at, at + len(MARKER)) if at >= 0 else Span(len(text), len(text))
    document = Document("", text, languages.PLAIN.name)
    around = prose.prose_around(document, syntax.parse(document), place, max(prose.REACH, len(text)))
    return Question(around.before, around.after, title, hint, date=date, cites=tuple(cites))


def acronyms(project: Project) -> Mapping[str, str]:
    """What the manuscript's acronyms stand for, by the key that prints each; any of its documents may define one."""
    found: dict[str, str] = {}
    for part in project.parts:
        found |= part.syntax.acronyms
    return found


def title(project: Project) -> str:
    """The manuscript's: of its first document that has one."""
    titles = ((it, it.syntax.title) for it in project.parts if it.syntax.title)
    return next((prose.shown(prose.plain(title, it.language)) for it, title in titles), "")


def _nearest_keys(source: Source, offset: int) -> tuple[tuple[str, int], ...]:
    citations = source.syntax.citations
    at = bisect_left(citations, offset, key=lambda it: it.span.start)
    before = ((it.key, distance) for distance, it in enumerate(reversed(citations[max(0, at - _BEFORE) : at]), 1))
    return (*before, *((it.key, distance) for distance, it in enumerate(citations[at : at + _AFTER], 1)))


def _cites(project: Project, path: str, offset: int) -> Iterator[str]:
    """Titles of the entries cited in the document, the nearest to the place first, then of those cited elsewhere."""
    here = sorted(project.sources[path].syntax.citations, key=lambda it: abs(it.span.start - offset))
    elsewhere = (it for part in project.parts if part.document.path != path for it in part.syntax.citations)
    places = map(project.find_first, dict.fromkeys(it.key for them in (here, elsewhere) for it in them))
    yield from islice((title for place in places if place and (title := place.entry.title)), CITES)


def _cited_with(project: Project, path: str, around: prose.Prose) -> frozenset[str]:
    """The keys, and the titles of their entries, of the works that the sentence cites."""
    start, end = prose.sentence_around(around.before, around.after)
    # Citations are marks in the prose: those of the sentence are the last before the place and the first behind it.
    first = len(around.cited_before) - start.count(prose.CITED)
    in_sentence = {*around.cited_before[first:], *around.cited_after[: end.count(prose.CITED)]}
    citations = project.sources[path].syntax.citations
    keys = {citation.key for citation in citations if citation.whole in in_sentence}
    titles = {place.entry.title for key in keys for place in project.find(key)}
    return frozenset(filter(None, keys | titles))

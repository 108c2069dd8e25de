"""Works for a placeholder from what is on this machine: the project's own entries and the embedded corpus."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.library import reading
from citelsp.bibliography.library.index import Libraries
from citelsp.bibliography.library.segment import Query as LibraryQuery
from citelsp.corpus import evidence, imports
from citelsp.corpus import suggest as corpus_suggest
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Place, Query, of_sentence
from citelsp.corpus.words import title_key
from citelsp.corpus.work import Work
from citelsp.features import completion, duplicates, questions
from citelsp.investigate import relevance
from citelsp.knowledge import Candidate, Suggestion
from citelsp.project import Project
from citelsp.syntax.nodes import Placeholder

_MOST = 10  # candidates
_LOOKED_AT = 60  # entries of each bibliography that are weighed
_REACH = 2000  # characters of text on either side of a placeholder
_RELATED = 0.25  # share of the question's words, by rarity, below which an entry does not answer it
_FAINT = 0.02  # the same where no hint says what is meant: the author's own works are few, and one of them is likely
_PROBABLE = 0.5  # by the corpus, above which a work fits a place without a hint
_TOP = 3  # works of which one should fit
_MARKUP = re.compile(
    r"(?P<citation>\\[A-Za-z]*cite[A-Za-z]*\*?(?:\[[^\]]*\])*\{[^{}]*\}|\[-?@[^\]]*\])"
    r"|(?<!\\)%[^\n]*|<!--.*?-->|\\(?:begin|end|label|ref|section|subsection)\*?\{[^{}]*\}|\\[A-Za-z]+\*?(?:<[^<>\n]*>)?|[{}$~]",
    re.DOTALL,
)
_PREAMBLE = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*$|.*\\begin\{document\}", re.DOTALL | re.MULTILINE)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_DATE = re.compile(r"\b(?:19|20)\d\d(?:-\d\d)?\b")


@dataclass(frozen=True, slots=True)
class _Held:
    """An entry of the author's own, with the share of the question's words that it answers."""

    key: str
    work: Work
    share: float


def suggest(
    project: Project, path: str, placeholder: Placeholder, libraries: Libraries, corpus: Corpus | None
) -> Suggestion:
    """Works for a placeholder from the project's own entries and the corpus, best first, at most ten.

    Abstains where the best one meets neither the hint nor enough of the sentence, or the corpus finds it improbable.
    Takes some ten milliseconds; asks no network.
    """
    began = time.perf_counter()
    query, cited = Query(place(project, path, placeholder)), beside(project, path, placeholder)
    nothing = Suggestion(abstained=True)
    found = corpus_suggest.suggest(corpus, query.place, k=_MOST, exclude=cited) if corpus else nothing
    held = [it for it in _held(project, libraries, query, corpus) if it.key not in cited]
    candidates = _joined(query, held, owned(project, found).candidates, corpus)
    usage = {"seconds": time.perf_counter() - began}
    if not candidates:
        return Suggestion(
            abstained=True, reason="neither your bibliography nor the corpus holds a work on this", usage=usage
        )
    if corpus and found.abstained and not any(it.share >= _RELATED for it in held):
        return Suggestion(candidates, abstained=True, reason=found.reason, usage=usage)
    return judged(Suggestion(candidates, usage=usage), query, corpus)


def judged(found: Suggestion, query: Query, corpus: Corpus | None) -> Suggestion:
    """The same, abstaining where no work near the top meets the hint, or the sentence, in enough of its words."""
    texts = [relevance.text_of(it.record) for it in found.candidates]
    measure = relevance.of(query, texts, corpus)
    if any((it.probability or 0.0) >= _PROBABLE for it in found.candidates[:_TOP] if not query.place.hint.strip()):
        return found
    if any(measure.fits(it) for it in texts[:_TOP]):
        return found
    asked = f"“{query.place.hint.strip()}”" if query.place.hint.strip() else "this sentence"
    return replace(found, abstained=True, reason=f"no work found shares enough words with {asked}")


def owned(project: Project, found: Suggestion) -> Suggestion:
    """The same with the key of its entry for every work that the project's bibliographies hold, and that said."""
    return replace(found, candidates=tuple(_owned(project, it) for it in found.candidates))


def _owned(project: Project, candidate: Candidate) -> Candidate:
    if candidate.key or (held := duplicates.find(project, candidate.record)) is None:
        return candidate
    return replace(candidate, key=held.node.key, origins=tuple(dict.fromkeys(("library", *candidate.origins))))


def place(project: Project, path: str, placeholder: Placeholder) -> Place:
    """The prose around a placeholder, with the manuscript's title and date."""
    text, whole = project.sources[path].document.text, placeholder.whole
    parts = [it.syntax for it in project.parts]
    headings = [it.title for it in project.sources[path].syntax.headings if it.span.start < whole.start]
    preamble = _PREAMBLE.match(text, 0, whole.start)
    start = max(preamble.end() if preamble else 0, whole.start - _REACH)
    return Place(
        before=_prose(text[start : whole.start]),
        after=_prose(text[whole.end : whole.end + _REACH]),
        title=questions.title(project),
        hint=placeholder.words,
        heading=headings[-1] if headings else "",
        date=next((found[0] for it in parts if (found := _DATE.search(it.date))), ""),
    )


def beside(project: Project, path: str, placeholder: Placeholder) -> frozenset[str]:
    """Keys and titles of what the placeholder's sentence cites already; none where its author says what is meant."""
    if placeholder.words.strip():
        return frozenset()
    source, whole = project.sources[path], placeholder.whole
    text = source.document.text
    before = _PARAGRAPH.split(text[max(0, whole.start - _REACH) : whole.start])[-1]
    start, end = of_sentence(before, _PARAGRAPH.split(text[whole.end : whole.end + _REACH])[0])
    sentence = range(whole.start - len(start), whole.end + len(end))
    keys = {it.key for it in source.syntax.citations if it.span.start in sentence}
    return frozenset(filter(None, keys | {it.entry.title for key in keys for it in project.find(key)}))


def _prose(text: str) -> str:
    """The text without markup; citations stay, as a query looks at where they stand."""
    return " ".join(_MARKUP.sub(lambda it: it["citation"] or " ", text).split())


def of_library(project: Project, libraries: Libraries, query: Query, corpus: Corpus | None) -> list[Candidate]:
    """The project's entries that answer a part of the question, best first, as candidates."""
    return [_own(query, it, corpus) for it in _held(project, libraries, query, corpus)]


def _held(project: Project, libraries: Libraries, query: Query, corpus: Corpus | None) -> list[_Held]:
    """The project's entries that answer a part of the question, best first."""
    hint = query.place.hint
    sentence = tuple(dict.fromkeys(reading.words(query.sentence)))
    wordings = [LibraryQuery(hint, sentence)] if hint.strip() else []
    wordings.append(LibraryQuery("", sentence))
    nodes = {
        node.key: (library, node)
        for _, library in completion.of_project(project, libraries)
        for wording in wordings
        for _, node in library.search(wording, _LOOKED_AT)
        if node.key
    }
    works = {
        key: work
        for key, (library, node) in nodes.items()
        if isinstance(work := imports.from_entry(Entry(node, library.strings, project.parent)), Work)
    }
    texts = {
        key: f"{it.title} {' '.join(it.authors)} {' '.join(reading.key_words([key]))}" for key, it in works.items()
    }
    measure = relevance.of(query, [f"{texts[key]} {it.abstract}" for key, it in works.items()], corpus)
    held = [_Held(key, work, measure.share(texts[key], work.abstract)) for key, work in works.items()]
    least = _RELATED if hint.strip() else _FAINT
    return sorted((it for it in held if it.share >= least), key=lambda it: -it.share)[:_MOST]


def _joined(
    query: Query, held: Sequence[_Held], found: Sequence[Candidate], corpus: Corpus | None
) -> tuple[Candidate, ...]:
    """Entries and works of the corpus in one order: by rank in their lists, what is in both first."""
    own = {title_key(it.work.title): it for it in held}
    called = {it.key: name for name, it in own.items()}
    ranks: dict[str, float] = {}
    offered: dict[str, Candidate] = {}
    for rank, it in enumerate(held):
        name = title_key(it.work.title)
        offered[name] = _own(query, it, corpus)
        ranks[name] = 1 / (1 + rank) * it.share
    for rank, candidate in enumerate(found):
        name = called.get(candidate.key) or title_key(candidate.record.title)
        if (entry := own.get(name)) and not candidate.key:
            candidate = replace(candidate, key=entry.key, origins=("library", *candidate.origins))
        offered[name] = candidate
        ranks[name] = ranks.get(name, 0.0) + 1 / (1 + rank) * (candidate.probability or 0.0)
    best = sorted(offered, key=lambda it: -ranks[it])
    return tuple(offered[it] for it in best[:_MOST])


def _own(query: Query, held: _Held, corpus: Corpus | None) -> Candidate:
    quote = evidence.best(held.work, query, lambda it: corpus.engine.rarity("text", it) if corpus else 1.0)
    record = replace(held.work.record(), source="library", id=held.key)
    return Candidate(record, origins=("library",), key=held.key, evidence=(replace(quote, source="library"),))

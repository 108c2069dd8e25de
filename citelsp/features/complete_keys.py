"""Citekeys offered where one is typed, from the author's own bibliographies.  Never asks the network."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from citelsp.base.text import Span, on_one_line
from citelsp.bibliography.completion_search import folded_words
from citelsp.bibliography.completion_search.libraries import Libraries, Library
from citelsp.bibliography.completion_search.ranked_search import LibraryQuery
from citelsp.features.popup_markdown import Block
from citelsp.knowledge import Knowledge
from citelsp.syntax import prose
from citelsp.syntax.nodes import Citation, EntryNode, KeyArgument
from citelsp.workspace import question as questions
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

MOST = 100  # items of one answer, whatever the settings say
_NEARBY = 64  # citations around the cursor
_FIRST = 20  # of them before everything else, where nothing was typed
_TITLE = 120  # characters shown
_SENTENCE = 60  # words of it
_SHORT_WORD = 3  # letters, up to which a word of a sentence says nothing

# The score of a key that is as a whole one error away.  Those of `Library.mistyped` are below 0: the errors so far, and
# behind the point how far what is typed is from the whole key.
_ONE_ERROR = -1.5
_KEY_LIKE = re.compile(r"(?=\S*[\d_:.+/-])(?=\S*[^\W\d_])\S+")  # letters and other signs, without a space
# A key typed beyond its year, as `lewis2020retr`: nobody writes a name, a year and a word without spaces to search.
_BEYOND_YEAR = re.compile(r"(?=\S++\Z)[^\W\d]\S*?\d\d[\W_]{0,3}[^\W\d]{2}\S*")

_FURTHER_WORDS = re.compile(r" (?:[\w'-]+(?: [\w'-]*)*)?")


class CompletionItem(NamedTuple):
    """An entry offered; `new_text` replaces the span of the answer.  `path` is of its bibliography."""

    key: str
    new_text: str
    title: str
    who: str  # "Vaswani et al., 2017"
    path: str


@dataclass(frozen=True, slots=True)
class Completions:
    """Items in their order.  `typed` is what was searched with: clients that filter by it keep every item."""

    items: tuple[CompletionItem, ...]
    span: Span
    typed: str
    incomplete: bool = True  # each further character gives another list


class _Found(NamedTuple):
    path: str
    library: Library
    node: EntryNode


_Scored = tuple[float, int, _Found]  # its score, a number that puts earlier libraries first, and the entry


def complete(
    project: Project,
    libraries: Libraries,
    path: str,
    offset: int,
    likely: Callable[[Span], Sequence[str]] | None = None,
) -> Completions | None:
    """Return the entries that fit what is typed before `offset`, best first; None if no citekey is typed there.

    `libraries` search the entries of the project's bibliographies.  If nothing is typed yet, the keys come first that
    `likely`, if there is such a function, gives for the argument's span, in its order, and behind them those that are
    cited nearby.  Keys that the same citation has already are left out.
    """
    source = project.sources.get(path)
    if source is None:
        return None
    searched = project.libraries(libraries)
    argument = _find_argument(source, offset, searched)
    if argument is None or argument.opener == "<":  # behind “<” stand the words of a placeholder, and no key
        return None
    # A mark behind the key, `@doe: it`, is a part of the argument only once the cursor is behind it: `@doe:` may go on.
    citation = project.citation_at(path, offset)
    if citation and citation.span.start == argument.span.start:
        argument = argument._replace(span=citation.span)
    span = find_replaced(source.document.text, argument, offset)
    typed = source.document.text[span.start : offset]
    near = _find_nearest_keys(project, source, offset)
    first = () if typed.strip() else (*_list_likely_keys(source, argument, likely), *near[:_FIRST])
    # What is typed decides; of entries that fit alike, words of the sentence and what is cited nearby.
    query = LibraryQuery(
        typed,
        sentence=_list_sentence_words(project, source, argument),
        cited=frozenset(near),
        fuzzy=project.settings.completion.fuzzy,
    )
    limit = max(1, min(project.settings.completion.limit, MOST))
    taken = _find_taken(source, offset)
    # Those of `taken` may be found and left out again: so many more are searched.
    ranked = _rank_entries(searched, query, first, limit + len(taken))
    return _make_completions(source, span, typed, list(islice(_skip_repeated(ranked, taken), limit)))


def _list_likely_keys(
    source: Source, argument: KeyArgument, likely: Callable[[Span], Sequence[str]] | None
) -> Sequence[str]:
    """The keys that fit the text around an argument; none in a bibliography, as a `crossref` stands in no text."""
    return likely(argument.span) if likely and not source.language.bibliography else ()


def _make_completions(source: Source, span: Span, typed: str, entries: Sequence[_Found]) -> Completions:
    """Return the items for these entries, all with one span, as an answer to an editor must have it.

    Markdown writes some keys as `@{a key}`, which also replaces the `@` before `span`.  The one span begins where the
    widest of these replacements does; keys that need less of it repeat what stands there.
    """
    text = source.document.text
    key_edits = [source.language.key(text, span, entry.node.key) for entry in entries]
    start = min((edit.span.start for edit in key_edits), default=span.start)
    before = text[start : span.start]
    items = []
    for entry, (replaced_span, new_key) in zip(entries, key_edits, strict=True):
        items.append(_make_item(entry, new_key if replaced_span.start == start else before + new_key))
    return Completions(tuple(items), Span(start, span.end), before + typed)


def find_labelled(project: Project, label: str) -> str:
    """Return the key that a list shows as `label`, which lacks the signs that cannot be seen; `label` if none is so."""
    if project.find_first(label):
        return label
    keys = (key for source in project.defining for key in source.keys)
    return next((key for key in keys if on_one_line(key) == label), label)


def resolve(project: Project, knowledge: Knowledge, key: str) -> list[Block]:
    """All that is known of an item's entry, as a hover shows it."""
    from citelsp.features import hover

    return next((hover.describe(place, knowledge) for place in project.find(key)), [])


def _find_argument(source: Source, offset: int, searched: Sequence[tuple[str, Library]]) -> KeyArgument | None:
    """Where a key is typed: in a manuscript an argument or words that search, in a bibliography a field of keys."""
    if source.language.bibliography:
        from citelsp.features import complete_entry_keys

        return complete_entry_keys.argument_at(source, offset)
    return argument_at(source, offset) or _find_search_words(source, offset, searched)


def argument_at(source: Source, offset: int) -> KeyArgument | None:
    """Where a key is being typed at `offset`, whether finished or not."""
    touching = [it for it in source.syntax.arguments if it.span.start <= offset <= it.span.end]
    return max(touching, key=lambda it: it.span.start, default=None)


def _find_search_words(source: Source, offset: int, searched: Sequence[tuple[str, Library]]) -> KeyArgument | None:
    r"""Return the argument with further search words behind it, as in Markdown's `[@deep learn`; None if there is none.

    They search only in brackets, outside of which they are the sentence's, and behind what is no key: behind a key, as
    in `[@lee20 p. 3]`, they are a locator.
    `searched`: the libraries that know the keys, with their paths.
    """
    text = source.document.text
    started = [
        argument for argument in source.syntax.arguments if argument.opener == "@" and argument.span.end < offset
    ]
    last = max(started, key=lambda argument: argument.span.start, default=None)
    if last is None or not _FURTHER_WORDS.fullmatch(text, last.span.end, offset):
        return None
    is_in_brackets = text.rfind("[", 0, last.span.start) > text.rfind("]", 0, last.span.start)
    key = last.span.within(text).strip()
    if not key or not is_in_brackets or any(library.find(key) for _, library in searched):
        return None
    return last._replace(span=Span(last.span.start, offset))


def find_replaced(text: str, argument: KeyArgument, offset: int) -> Span:
    """Return what a chosen key replaces: what is typed of the argument on the cursor's line, up to the cursor.

    An item of a list may replace text on that line alone (LSP 3.17).  If the cursor is inside a word, the span reaches
    to the end of that word, as the rest would hang on the key; a word that begins at the cursor stays.
    """
    start = max(argument.span.start, text.rfind("\n", 0, offset) + 1)
    while start < offset and text[start].isspace():
        start += 1
    end = offset
    is_inside_word = start < offset and not text[offset - 1].isspace()
    if is_inside_word:
        while end < argument.span.end and not text[end].isspace():
            end += 1
    return Span(start, end)


def _rank_entries(
    searched: Sequence[tuple[str, Library]], query: LibraryQuery, first: Sequence[str], limit: int
) -> Iterator[_Found]:
    """Yield the entries of the keys `first`, then those whose keys may be mistyped, then those found, best first.

    If what is typed can only be a key and begins some, entries that only have its words are left out.  An entry may
    come twice.  `searched`: the libraries, with their paths; each gives at most `limit`.
    """
    for key in first:
        for path, library in searched:
            node = library.find(key)
            if node:
                yield _Found(path, library, node)
    scored = _score_found(searched, lambda library: library.search(query, limit))
    for _, _, near in _find_mistyped(searched, query, limit, scored):
        yield near
    if _BEYOND_YEAR.fullmatch(query.typed):
        scored = [it for it in scored if _begins_key(query.typed, it)] or scored
    if len(searched) > 1:  # a single library gives what it finds in order
        scored.sort(key=itemgetter(0, 1), reverse=True)
    for _, _, entry in scored:
        yield entry


def _find_mistyped(
    searched: Sequence[tuple[str, Library]], query: LibraryQuery, limit: int, scored: Sequence[_Scored]
) -> list[_Scored]:
    """Return the entries whose keys may be meant by one that is typed with errors, the likest first.

    They are looked for only if nothing is found (`scored` is empty), or if what is typed looks like a key and begins
    none of those found; else [].
    """
    if scored and not _is_mistyped(query.typed, scored):
        return []
    near_keys = _score_found(searched, lambda library: library.mistyped(query, limit))
    if scored:
        # Entries found by words say more than a key that is two errors or more away from what is typed.
        near_keys = [near for near in near_keys if near[0] >= _ONE_ERROR]
    return sorted(near_keys, key=itemgetter(0, 1), reverse=True)


def _is_mistyped(typed: str, scored: Sequence[_Scored]) -> bool:
    """True for what has the signs of a key and begins none: words in it say less than a key that it nearly is."""
    if not _KEY_LIKE.fullmatch(typed):
        return False
    return not any(_begins_key(typed, it) for it in scored)


def _begins_key(typed: str, scored: _Scored) -> bool:
    """True if the key of a scored entry begins with what is typed, in any letter case."""
    _, _, entry = scored
    return entry.node.key.lower().startswith(typed.lower())


def _score_found(
    searched: Sequence[tuple[str, Library]], search: Callable[[Library], Iterable[tuple[float, EntryNode]]]
) -> list[_Scored]:
    """What is found in each library, with its score."""
    return [
        (score, -order, _Found(path, library, node))
        for order, (path, library) in enumerate(searched)
        for score, node in search(library)
    ]


def _skip_repeated(entries: Iterator[_Found], taken: frozenset[str]) -> Iterator[_Found]:
    """Each key once, those already in the same citation left out; entries without a key cannot be cited."""
    excluded = {"", *taken}
    for entry in entries:
        if entry.node.key not in excluded:
            excluded.add(entry.node.key)
            yield entry


def _make_item(found: _Found, new_text: str) -> CompletionItem:
    key = found.node.key
    shown = found.library.shown(found.node)
    return CompletionItem(key, new_text, shown.title[:_TITLE], shown.who_and_when, found.path)


def _list_sentence_words(project: Project, source: Source, argument: KeyArgument) -> tuple[str, ...]:
    """The words of the sentence around the citation that say something, each once."""
    text = prose.sentence(source.document, source.syntax, argument.span, questions.acronyms(project))
    return tuple(dict.fromkeys(word for word in folded_words.words(text) if len(word) > _SHORT_WORD))[:_SENTENCE]


def _find_nearest_keys(project: Project, source: Source, offset: int) -> list[str]:
    """Return the keys cited in this document, the nearest first, then those of the manuscript's other parts; each once.

    There are at most _NEARBY.  A citation at the cursor itself is left out, as it is being typed.
    """
    citations = source.syntax.citations  # in the order of the text
    middle = bisect_left(citations, offset, key=lambda citation: citation.span.start)
    around = [it for it in citations[max(0, middle - _NEARBY) : middle + _NEARBY] if not it.span.touches(offset)]
    around.sort(key=lambda citation: abs(citation.span.start - offset))
    keys = dict.fromkeys(citation.key for citation in around)
    for part in project.parts:
        if len(keys) >= _NEARBY:
            break
        if part is not source:
            keys |= dict.fromkeys(citation.key for citation in part.syntax.citations[:_NEARBY])
    return list(keys)[:_NEARBY]


def _find_taken(source: Source, offset: int) -> frozenset[str]:
    """Return the keys that are not to be offered: in a manuscript those that the citation at the cursor has already.

    The key at the cursor itself is not among them, as it is being typed.  In a bibliography it is the key of the entry
    around the cursor, which does not refer to itself.
    """
    entries = source.syntax.entries
    if source.language.bibliography and entries is not None:
        index = entries.entry_at(offset)
        return frozenset() if index is None else frozenset({entries.node(index).key})

    def is_beside(citation: Citation) -> bool:
        return citation.whole.start <= offset <= citation.whole.end and not citation.span.touches(offset)

    return frozenset(citation.key for citation in source.syntax.citations if is_beside(citation))

"""Quotes: whether they stand in a text, character by character, and what a text says nearest to a question."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from citelsp.corpus import passages
from citelsp.corpus.words import stems
from citelsp.knowledge import Evidence
from citelsp.syntax import prose

Rarity = Callable[[str], float]

_WORD = re.compile(r"\w+")
# `a ... b`, `a […] b`
_ELLIPSIS = re.compile(r"\[?(?:\.{3,}|…)\]?")
_FEWEST_WORDS, _MOST_WORDS = 3, 120  # of a quote: fewer say nothing, of more the first are looked for
_SHORTEST, _LONGEST = 15, 500  # characters of a sentence that is quoted
_SMOOTHING = 10  # stems added to the length of a text, so that a very short one does not win


def find_verbatim(quote: str, text: str) -> str:
    """Find the part of `text` that has the words of a quote in the same order; "" if there is none.

    Case, spaces and punctuation between words may differ in the quote; what comes back is a substring of the text.  Of
    a quote with gaps, “a … b”, it is the longest part that is found.  A quote of one or two words counts only if it is
    the whole text.
    """
    quoted = quote.strip()
    if quoted and quoted.casefold() == text.strip().casefold():
        return text.strip()
    if len(_WORD.findall(quoted)) >= _FEWEST_WORDS and quoted in text:
        return quoted
    for part in sorted(map(str.strip, _ELLIPSIS.split(quoted)), key=len, reverse=True):
        words = _WORD.findall(part)[:_MOST_WORDS]
        if len(words) < _FEWEST_WORDS:  # the parts that follow are shorter still
            return ""
        in_order = r"\b" + r"[\W_]+".join(map(re.escape, words)) + r"\b[.!?]?"
        match = re.search(in_order, text, re.IGNORECASE)
        if match:
            return match[0]
    return ""


def find_quote(quote: str, texts: Iterable[Evidence]) -> Evidence | None:
    """Find the text that has a quote; return the quote in the wording of that text, None if none has it."""
    for text in texts:
        verbatim = find_verbatim(quote, text.quote)
        if verbatim:
            return Evidence(verbatim, text.where, text.source)
    return None


def split_sections(text: str, source: str) -> Iterator[Evidence]:
    """The passages of a full text, each with the section it stands in."""
    for passage in passages.split(text):
        yield Evidence(passage.text, passage.section or "full text", source)


def nearest_sentences(
    question: Mapping[str, float], texts: Iterable[Evidence], rarity: Rarity, count: int = 1
) -> list[Evidence]:
    """Find the sentences of texts that share most with a question, best first, at most `count`.

    `question` weighs the stems that are sought, and `rarity` says how much each tells; a sentence with none of them, or
    of less than _SHORTEST characters, is left out.  Each sentence is a substring of its text, of at most _LONGEST
    characters.  One that stands in several texts comes once, as from the last of them.
    """
    scored: list[tuple[float, Evidence]] = []
    for text in texts:
        for sentence in _split_sentences(text.quote):
            score = score_shared(question, sentence, rarity)
            if score > 0:
                scored.append((score, Evidence(sentence, text.where, text.source)))
    scored.sort(key=lambda it: -it[0])
    distinct = {evidence.quote: evidence for _, evidence in scored}
    return list(distinct.values())[:count]


def score_shared(question: Mapping[str, float], text: str, rarity: Rarity) -> float:
    """Score how much of a question a text holds: the weighted rarities of the shared stems, less for longer texts."""
    present = set(stems(text))
    shared = sum(question[it] * rarity(it) for it in present if it in question)
    return float(shared / (_SMOOTHING + len(present)) ** 0.5)


def _split_sentences(text: str) -> Iterator[str]:
    """The sentences of a text that may be quoted; long ones are cut between words."""
    for span in prose.sentences(text):
        sentence = span.within(text)
        if len(sentence) > _LONGEST:
            last_space = sentence.rfind(" ", 0, _LONGEST)
            sentence = sentence[: last_space if last_space > 0 else _LONGEST]
        if len(sentence) >= _SHORTEST:
            yield sentence

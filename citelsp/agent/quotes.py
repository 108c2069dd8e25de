"""Quotes: whether they stand in a text, character by character, and what a text says nearest to a question."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from citelsp.corpus import passages
from citelsp.corpus.words import stems
from citelsp.knowledge import Evidence
from citelsp.syntax import prose

Rarity = Callable[[str], float]

_WORD = re.compile(r"\w+")
_ELLIPSIS = re.compile(r"\[?(?:\.{3,}|…)\]?")
_FEWEST, _MOST = 3, 120  # words
_LONGEST = 500  # characters of one quote


def find_verbatim(quote: str, text: str) -> str:
    """The part of `text` that a quote means: the same words in the same order; "" if it does not stand there.

    Case, spaces and punctuation between words may differ in the quote; what comes back is a substring of the text.
    """
    quoted = quote.strip()
    if quoted and quoted.casefold() == text.strip().casefold():
        return text.strip()
    if len(_WORD.findall(quoted)) >= _FEWEST and quoted in text:
        return quoted
    for part in sorted(map(str.strip, _ELLIPSIS.split(quoted)), key=len, reverse=True):
        found = _WORD.findall(part)[:_MOST]
        if len(found) < _FEWEST:
            return ""
        if match := re.search(r"\b" + r"[\W_]+".join(map(re.escape, found)) + r"\b[.!?]?", text, re.IGNORECASE):
            return match[0]
    return ""


def find_quote(quote: str, texts: Iterable[Evidence]) -> Evidence | None:
    """Where a quote stands among texts, with the wording of the text; None if in none of them."""
    for text in texts:
        if found := find_verbatim(quote, text.quote):
            return Evidence(found, text.where, text.source)
    return None


def split_sections(text: str, source: str) -> Iterator[Evidence]:
    """The passages of a full text, each with the section it stands in."""
    for passage in passages.split(text):
        yield Evidence(passage.text, passage.section or "full text", source)


def nearest_sentences(
    question: Mapping[str, float], texts: Iterable[Evidence], rarity: Rarity, count: int = 1
) -> list[Evidence]:
    """The sentences that share most of a question's weighted stems by rarity, best first; those that share none, never.

    Each is a substring of its text of at most some 500 characters.
    """
    scored = [
        (score_shared(question, sentence, rarity), Evidence(sentence, text.where, text.source))
        for text in texts
        for sentence in _sentences(text.quote)
    ]
    scored.sort(key=lambda it: -it[0])
    distinct = {it.quote: it for score, it in scored if score > 0}
    return list(distinct.values())[:count]


def score_shared(question: Mapping[str, float], text: str, rarity: Rarity) -> float:
    """How much of a question a text holds: rarities of the shared stems, less for longer texts."""
    present = set(stems(text))
    return float(sum(question[it] * rarity(it) for it in present if it in question) / (10 + len(present)) ** 0.5)


def _sentences(text: str) -> Iterator[str]:
    for span in prose.sentences(text):
        sentence = span.within(text)
        if len(sentence) > _LONGEST:
            cut = sentence.rfind(" ", 0, _LONGEST)
            sentence = sentence[: cut if cut > 0 else _LONGEST]
        if len(sentence) >= 15:
            yield sentence

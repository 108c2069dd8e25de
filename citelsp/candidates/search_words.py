"""The words that services are asked with: as people write them, without those that say nothing."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from citelsp.corpus.place_query import Query
from citelsp.corpus.words import STOP, words

_MOST_WORDS = 8  # words of a sentence
_FEWEST_BEFORE = 3  # words right before a place; if there are fewer, those of the sentence are taken
_MOST_TYPED = 16  # words of the author's own

# Of the words that an index leaves out, those that have a meaning of their own.
_MEANT = frozenset("equation figure figures found one section sections table tables two under".split())
_WORD = re.compile(r"[^\W_]+(?:[-\u2010\u2011][^\W_]+)*")  # hyphens belong to it: "off-policy", "COVID-19"

_THING = r"(?:tables?|figures?|figs?|sections?|secs?|equations?|eqs?|eqns?|chapters?|appendix|algorithms?)\b\.?"
_NUMBER = r"\(?(?:\d[\w.]*|[IVX]+|[A-Z])\)?(?![\w-])"
_NUMBERED = re.compile(rf"\b(?i:{_THING})\s*{_NUMBER}(?:\s*(?:and|to|[,–-])\s*{_NUMBER})*")
# Of what had a number by a command the capital is left, which no sentence begins with.
_CAPITALISED = re.compile(rf"(?<=[^\W_] )(?=[A-Z])(?i:{_THING})")


def choose_words(query: Query) -> str:
    """Choose the words to search the services with: the author's hint, else some of the clause or the sentence.

    To a hint, which may be a title, nothing is added, and of its first _MOST_TYPED words none is left out.  The corpus
    does not take part in the choice: lists show an author the words, without a corpus at hand, and a search then has to
    send the same.
    """
    typed = _split_words(query.question.hint)
    if typed:
        return " ".join(typed[:_MOST_TYPED])
    # “Figures 2 and 3” are taken out beforehand, as `Query.clause` would end at this “and”.
    question = query.question
    plain = Query(
        replace(
            question,
            before=_without_references(question.before),
            after=_without_references(question.after),
        )
    )
    near = _take_telling_words(plain.clause)
    if len(near) < _FEWEST_BEFORE:
        near = _take_telling_words(plain.sentence)
    distinct = list(dict.fromkeys(near))
    # Common words are left out first, then the earliest: the citation stands behind most of them.
    by_worth = sorted(range(len(distinct)), key=lambda index: (distinct[index] in common_words(), -index))
    in_order = sorted(by_worth[:_MOST_WORDS])
    return " ".join(distinct[index] for index in in_order)


def _without_references(text: str) -> str:
    """The text without the names of its own figures: “Table 2”, “Sections 3 and 4”, “Figure” of a command."""
    return _CAPITALISED.sub(" ", _NUMBERED.sub(" ", text))


def _take_telling_words(text: str) -> list[str]:
    """The words that carry meaning."""
    return [it for it in _split_words(text) if (len(it) > 1 or it.isdigit()) and (it not in STOP or it in _MEANT)]


def _split_words(text: str) -> list[str]:
    """The words as they are written but for case and accents."""
    return ["-".join(words(it)) for it in _WORD.findall(text)]


@cache
def common_words() -> frozenset[str]:
    """The commonest English words, which tell services least; the file says where they are from."""
    lines = Path(__file__).with_name("common_words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())

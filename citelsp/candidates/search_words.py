"""The words that services are asked with: as people write them, without those that say nothing."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from citelsp.corpus.query import Query
from citelsp.corpus.words import STOP, words

_MOST, _LEAST = 8, 3  # words of a sentence; fewer right before a place are too few
_TYPED = 16  # words of the author's own

# Of the words that an index leaves out, those that have a meaning of their own.
_MEANT = frozenset("equation figure figures found one section sections table tables two under".split())
_WORD = re.compile(r"[^\W_]+(?:[-\u2010\u2011][^\W_]+)*")  # hyphens belong to it: "off-policy", "COVID-19"

_THING = r"(?:tables?|figures?|figs?|sections?|secs?|equations?|eqs?|eqns?|chapters?|appendix|algorithms?)\b\.?"
_NUMBER = r"\(?(?:\d[\w.]*|[IVX]+|[A-Z])\)?(?![\w-])"
_NUMBERED = re.compile(rf"\b(?i:{_THING})\s*{_NUMBER}(?:\s*(?:and|to|[,–-])\s*{_NUMBER})*")
# Of what had a number by a command the capital is left, which no sentence begins with.
_CAPITALISED = re.compile(rf"(?<=[^\W_] )(?=[A-Z])(?i:{_THING})")


def wording(query: Query) -> str:
    """Words to search the services with: those that the author wrote for it, else some that stand before the place.

    Nothing is added to the author's own, which may be a title, and nothing left out.  No corpus has a say: what is
    shown before it is sent is what is sent.
    """
    if typed := _written(query.question.hint):
        return " ".join(typed[:_TYPED])
    # Before a sentence is taken apart, as “and” joins the numbers of figures, too.
    before, after = (_without_references(it) for it in (query.question.before, query.question.after))
    plain = Query(replace(query.question, before=before, after=after))
    near = _telling(plain.clause)
    near = near if len(near) >= _LEAST else _telling(plain.sentence)
    found = list(dict.fromkeys(near))
    # The rarest, of equally rare ones the nearest to the citation, which stands behind them.
    order = sorted(range(len(found)), key=lambda place: (found[place] in common_words(), -place))
    return " ".join(found[place] for place in sorted(order[:_MOST]))


def _without_references(text: str) -> str:
    """The text without the names of its own figures: “Table 2”, “Sections 3 and 4”, “Figure” of a command."""
    return _CAPITALISED.sub(" ", _NUMBERED.sub(" ", text))


def _telling(text: str) -> list[str]:
    """The words that carry meaning."""
    return [it for it in _written(text) if (len(it) > 1 or it.isdigit()) and (it not in STOP or it in _MEANT)]


def _written(text: str) -> list[str]:
    """The words as they are written but for case and accents."""
    return ["-".join(words(it)) for it in _WORD.findall(text)]


@cache
def common_words() -> frozenset[str]:
    """The commonest English words, which tell services least; the file says where they are from."""
    lines = Path(__file__).with_name("common_words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())

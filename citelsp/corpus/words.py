"""Words as the index sees them: folded to plain letters, stemmed, without stop words."""

import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from citelsp.bibliography import fold

_WORD = re.compile(r"[^\W_]+")
# A word with a hyphen and a letter or digit behind it; what is behind is the next match's beginning.
_BEFORE_HYPHEN = re.compile(r"(?<![^\W_])([^\W_]++)[-\u2010\u2011](?=([^\W_]++))")
_LOWER_ASCII = re.compile(r"[a-z0-9]+")
_LONGEST = 100  # letters
_WORDS_THAT_NAME = 3  # words, from which on a title names one work
_SHORTEST_PART = 2  # letters of a part of a compound
STOP = frozenset(
    """a about above across after again all along already also although am among an and another any are around as at
    away be because become been before being below both but by can cannot could did do does doing done down due
    during each either else even ever every find for found from further get give given go had has have having he
    hence her here him his how however i if in indeed instead into is it its itself just less let made make many may
    me might more most much must my neither never no nor not nothing now of off often on once one only onto or other
    others our out over own per perhaps rather say see seem seen several shall she should show shown shows since so
    some still such take than that the their them then there thereby therefore these they this those though three
    throughout thus to together too toward towards two under until up upon us use used uses using very via was way
    we well were what when where whereas whether which while who whom whose why will with within without would yes
    yet you your al et eg ie etc ref refs fig figs figure figures eq eqs equation sec section sections table
    tables""".split()
)


def words(text: str) -> list[str]:
    """Runs of letters and digits, folded."""
    if text.isascii():
        return _LOWER_ASCII.findall(text.lower())
    found: list[str] = []
    # Composed first: a combining accent is no letter, and would part the word.
    for match in _WORD.findall(unicodedata.normalize("NFC", text)):
        found += (match.lower(),) if match.isascii() else fold.words(match)
    return found


def hyphenated_compounds(text: str) -> dict[str, tuple[str, str]]:
    """Return for each pair of words with a hyphen between them their stem as one word, with the stems of the two.

    “semi-supervised” gives “semisupervis”, with “semi” and “supervis”, as others write it in one word.  Parts of one
    letter make no pair: “k-nearest-neighbour” gives only what “nearest-neighbour” does.
    """
    parts_of = {}
    for match in _BEFORE_HYPHEN.finditer(text):
        # `words` folds letters, which may make several words of one: the last and the first stand at the hyphen.
        before = "".join(words(match[1])[-1:])
        behind = "".join(words(match[2])[:1])
        if min(len(before), len(behind)) >= _SHORTEST_PART:
            parts_of[stem(before + behind)] = (stem(before), stem(behind))
    return parts_of


def stems(text: str) -> list[str]:
    """Stems of the words that carry meaning, in order, repetitions kept."""
    found = words(text)
    # What is longer than any word is data, of which the cache could take any amount.
    short = max(map(len, found), default=0) <= _LONGEST
    return list(filter(None, map(_stem_if_telling if short else _stem_if_telling.__wrapped__, found)))


def title_key(title: str) -> str:
    """A title reduced to what two spellings of it share: folded words separated by single spaces."""
    return " ".join(words(title))


def names_one_work(key: str) -> bool:
    """True if a title, given by its key, has enough words to name one work; a shorter one may be that of several."""
    return len(key.split()) >= _WORDS_THAT_NAME


def key_number(key: str) -> int:
    """A title key as a signed 64-bit number, the form in which the store indexes it."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "big", signed=True)


def stem(word: str) -> str:
    """The English stem of a folded word."""
    return str(_make_stemmer().analyze(word)[0])


@lru_cache(maxsize=200_000)  # short words, looked up by the hundred million while a corpus is made
def _stem_if_telling(word: str) -> str:
    """The stem of a word that carries meaning, "" of another."""
    return stem(word) if len(word) > 1 and word not in STOP else ""


@lru_cache(maxsize=1)
def _make_stemmer() -> Any:  # noqa: ANN401 - tantivy has no typed analyser
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    return TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.stemmer("English")).build()

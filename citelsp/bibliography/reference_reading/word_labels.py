"""Which words of a printed reference are its people and which its title, by a conditional random field.

`forms` reads references in the orders and by the signs that somebody has met; this reads the others.  A linear chain
gives each word one of `LABELS`, by what the word and its neighbours are like and by the label before (Lafferty,
McCallum and Pereira 2001; Councill, Giles and Kan 2008 read references so).  `tests/lab reference_labels` fits the
weights, from bibliographies printed in hundreds of styles; they are evaluated here without its library.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, inf, log
from operator import mul
from pathlib import Path
from typing import NamedTuple

# People, title, venue, year, identifier or address, and all else, as the file of weights names them.
LABELS = ("A", "T", "V", "Y", "I", "O")
PEOPLE, TITLE, VENUE, YEAR, ADDRESS, OTHER = LABELS
MOST_WORDS = 400  # of a reference; a longer one is no single one

_FILE = Path(__file__).with_name("word_labels.json")
_WORD = re.compile(r"https?://\S+|10\.\d{4,9}/\S+|\w+(?:[-'’.]\w+)*|[^\w\s]")
_A_YEAR = re.compile(r"(?:1[5-9]|20)\d\d[a-z]?")
_INITIALS = re.compile(r"[^\W\d_a-zß-ÿ](?:[.-][^\W\d_a-zß-ÿ])*")
_CAPITAL, _SMALL, _DIGIT = re.compile(r"[A-ZÀ-ÖØ-Þ]"), re.compile(r"[^\W\d_X]"), re.compile(r"\d")
_REPEATED = re.compile(r"(.)\1{2,}")
_GAP = 2  # words of another label that a title or a list of people may hold: `(`, `/`


class Word(NamedTuple):
    start: int  # in the text
    end: int
    text: str  # a word with its hyphens, a number, an address, or one sign


class Span(NamedTuple):
    """Words that belong together, and how likely exactly these do."""

    text: str
    start: int  # in the reference
    end: int
    chance: float  # 0 to 1


@dataclass(frozen=True, slots=True)
class Labelled:
    """What is read of a reference; None for a part that it does not have."""

    people: Span | None
    title: Span | None


@dataclass(frozen=True, slots=True)
class _Field:
    """The weights of the chain: of a feature for each label, and of a label behind another."""

    features: dict[str, tuple[float, ...]]
    behind: tuple[tuple[float, ...], ...]  # [label before][label]
    factors: tuple[tuple[float, ...], ...]  # e to these


def read_labels(text: str) -> Labelled:
    """Read the people and the title of a reference; both None if it is empty or longer than MOST_WORDS.

    The longest run of words that are the title's is the title, and the first run that are people's are the people.
    """
    words = split_words(text)
    if not 0 < len(words) <= MOST_WORDS:
        return Labelled(None, None)
    scores = _score_words(words)
    labels = _find_likeliest(scores)
    titles = _find_runs(labels, TITLE)
    people = _find_runs(labels, PEOPLE)
    longest = max(titles, key=lambda run: run[1] - run[0], default=None)
    all_chains = _weigh_chains(scores, {})

    def make_span(run: tuple[int, int]) -> Span:
        first, last = words[run[0]], words[run[1]]
        chance = exp(_weigh_chains(scores, _allow_run(labels, run)) - all_chains)
        return Span(text[first.start : last.end], first.start, last.end, chance)

    return Labelled(make_span(people[0]) if people else None, make_span(longest) if longest else None)


def split_words(text: str) -> list[Word]:
    return [Word(found.start(), found.end(), found[0]) for found in _WORD.finditer(text)]


def describe_words(words: Sequence[Word]) -> list[list[str]]:
    """Return the features of each word: what it is, what stands around it, and what stood before it.

    The same features are computed for fitting and for reading: a change here asks for new weights.
    """
    small = [word.text.lower() for word in words]
    kinds = [_kind_of(word.text) for word in words]
    states = _follow_states(words, kinds)
    count = len(words)
    described = []
    for at, word in enumerate(words):
        is_glued = at > 0 and words[at - 1].end == word.start
        # “b” is of every word.  Then the word itself, its shape and kind; its first and last three letters; in which
        # tenth it stands, how many words stand before and behind it; whether a space stands before it; its states.
        features = [
            "b", f"w={small[at]}", f"s={_shape_of(word.text)}", f"k={kinds[at]}", f"p3={small[at][:3]}",
            f"x3={small[at][-3:]}", f"pos={min(9, 10 * at // count)}", f"i={min(at, 4)}",
            f"e={min(count - 1 - at, 3)}", "g" if is_glued else "ng", *states[at],
        ]  # fmt: skip
        for far in (-3, -2, -1, 1, 2, 3):
            there = at + far
            if not 0 <= there < count:
                features.append(f"k{far}=END")
                continue
            features.append(f"k{far}={kinds[there]}")
            if abs(far) < 3:
                features.append(f"w{far}={small[there]}")
        if 0 < at < count - 1:
            features.append(f"kk={kinds[at - 1]}|{kinds[at]}|{kinds[at + 1]}")
        if at > 1:
            features.append(f"kb={kinds[at - 2]}|{kinds[at - 1]}|{kinds[at]}")
        if at < count - 2:
            features.append(f"ka={kinds[at]}|{kinds[at + 1]}|{kinds[at + 2]}")
        if at > 0:
            features.append(f"pk={small[at - 1]}|{kinds[at]}")
        described.append(features)
    return described


def _follow_states(words: Sequence[Word], kinds: Sequence[str]) -> list[tuple[str, ...]]:
    """Say of each word whether it stands in quotes or in brackets, and whether behind a year, or behind quotes.

    The sign that closes quotes counts as behind them, one that closes a bracket as within: the weights were fitted so.
    """
    states: list[tuple[str, ...]] = []
    in_quotes = in_brackets = seen_year = seen_quotes = False
    for word, kind in zip(words, kinds, strict=True):
        sign = word.text
        if sign in "“„«" or (sign == '"' and not in_quotes):
            in_quotes = True
        elif sign in "”»" or sign == '"':
            in_quotes, seen_quotes = False, True
        if sign in "([":
            in_brackets = True
        states.append((f"q{in_quotes:d}", f"d{in_brackets:d}", f"sy{seen_year:d}", f"sq{seen_quotes:d}"))
        if sign in ")]":
            in_brackets = False
        seen_year = seen_year or kind == "year"
    return states


def _kind_of(word: str) -> str:
    """Say what a word is, as features name it: a year, a number, initials, in capitals, large, small, mixed, or a sign.

    A mixed one begins with a digit; a sign, or an underscore, is “p” with itself behind.
    """
    if _A_YEAR.fullmatch(word):
        return "year"
    if word.isdigit():
        return "num"
    if _INITIALS.fullmatch(word):
        return "init"
    if word.isupper() and len(word) > 1:
        return "caps"
    if word[0].isalpha():
        return "Cap" if word[0].isupper() else "low"
    return "mix" if word[0].isalnum() else f"p{word[0]}"


def _shape_of(word: str) -> str:
    """`McKay-2` → `XxXxx-d`: letters and digits by kind, at most two alike in a row, then `+`."""
    shape = _CAPITAL.sub("X", word)
    shape = _SMALL.sub("x", shape)
    return _REPEATED.sub(r"\1\1+", _DIGIT.sub("d", shape))


def _score_words(words: Sequence[Word]) -> list[list[float]]:
    """Add up the weights of each word's features, for each label."""
    known = _read_weights().features
    scores = []
    for features in describe_words(words):
        weights = [known[feature] for feature in features if feature in known]
        scores.append([sum(column) for column in zip(*weights, strict=True)] if weights else [0.0] * len(LABELS))
    return scores


def _find_likeliest(scores: Sequence[Sequence[float]]) -> list[int]:
    """Return the likeliest labels of all words, one at least, together (Viterbi); each is an index into LABELS."""
    behind = _read_weights().behind
    every = range(len(LABELS))
    best = list(scores[0])  # the weight of the best chain that ends in each label
    came_from: list[list[int]] = []  # of each word but the first: the best label before, for each of its own
    for row in scores[1:]:
        ways = [[best[before] + behind[before][label] for before in every] for label in every]
        before = [max(every, key=way.__getitem__) for way in ways]
        best = [ways[label][before[label]] + row[label] for label in every]
        came_from.append(before)
    labels = [max(every, key=best.__getitem__)]
    for best_before in reversed(came_from):
        labels.append(best_before[labels[-1]])
    return labels[::-1]


def _find_runs(labels: Sequence[int], name: str) -> list[tuple[int, int]]:
    """Return the index of the first and last word of each run of a label; between two of its words _GAP others may be.

    `labels` has for each word an index into LABELS.
    """
    label = LABELS.index(name)
    runs: list[tuple[int, int]] = []
    for at, here in enumerate(labels):
        if here != label:
            continue
        if runs and at - runs[-1][1] <= _GAP + 1:
            runs[-1] = (runs[-1][0], at)
        else:
            runs.append((at, at))
    return runs


def _allow_run(labels: Sequence[int], run: tuple[int, int]) -> dict[int, Collection[int]]:
    """Allow the chains in which a run begins, goes on and ends as in `labels`: for its words, and those beside it.

    What these chains weigh of all is how likely exactly these words belong together.
    """
    first, last = run
    label = labels[first]
    others = frozenset(range(len(LABELS))) - {label}
    allowed: dict[int, Collection[int]] = {first - 1: others, last + 1: others}
    return allowed | {at: (label,) for at in range(first, last + 1) if labels[at] == label}


def _weigh_chains(scores: Sequence[Sequence[float]], allowed: Mapping[int, Collection[int]]) -> float:
    """Return the logarithm of the summed weights of all chains of labels (the forward algorithm).

    `allowed` holds the only labels that some words may have; the others may have any.
    """
    factors_into = list(zip(*_read_weights().factors, strict=True))  # [label][label before]
    every = range(len(LABELS))
    before: list[float] = []
    total = 0.0
    for at, row in enumerate(scores):
        highest = max(row)  # taken out, as e to the sum of many weights may be more than a float holds
        here = [exp(row[label] - highest) if label in allowed.get(at, every) else 0.0 for label in every]
        if before:
            # Most labels are not allowed where a run is: nothing leads to them.
            here = [here[to] * sum(map(mul, before, factors_into[to])) if here[to] else 0.0 for to in every]
        scale = sum(here)
        if scale == 0:
            return -inf
        before = [weight / scale for weight in here]
        total += log(scale) + highest
    return total


@cache
def _read_weights() -> _Field:
    """Read the file of weights: hundredths, for each label by feature, and for each label by the one before.

    `fitted_on`, in the file, says what they were fitted on.
    """
    raw = json.loads(_FILE.read_text(encoding="utf-8"))
    features: dict[str, list[float]] = {}
    for at, label in enumerate(LABELS):
        for feature, weight in raw["features"][label].items():
            features.setdefault(feature, [0.0] * len(LABELS))[at] = weight / 100
    behind = tuple(tuple(raw["behind"][before].get(label, 0) / 100 for label in LABELS) for before in LABELS)
    factors = tuple(tuple(exp(weight) for weight in row) for row in behind)
    return _Field({feature: tuple(row) for feature, row in features.items()}, behind, factors)

r"""What a place in a manuscript asks for: its words seen from several distances, names and acronyms beside it."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from citelsp.bibliography.fold import fold
from citelsp.corpus.words import hyphenated_compounds, stems, title_key
from citelsp.syntax.prose import CITED
from citelsp.workspace.question import Question

Kind = Literal["passage", "excerpt", "untitled", "question", "collection"]
VIEWS = ("sentence", "window", "near", "clause", "fading", "context", "manuscript")
_BREAK = re.compile(r"[,;:()\[\]{}—–]|\b(?:and|or|but|while|whereas)\b")  # another citation is one, by its brackets
_BEFORE_PLACE = re.compile(r"(?:[\s(\[{,;:]|\[REF\])+\Z")  # what stands between the words and their citation
_SURNAME = re.compile(r"\b[A-Z][\w'’-]+")
_CITED = re.compile(  # written out: "Lee (2002)", "Lee and Roe, 1999a, 2001", "Lee et al., 2002"
    r"\b([A-Z][\w'’-]{1,40})(?:(?:, (?:and |& )?| (?:and|&) )[A-Z][\w'’-]{1,40}){0,4}(?: et al\b\.?)?,? ?[(\[]?"
    r"((?:1[5-9]|20)\d\d[a-z]?(?:, ?(?:1[5-9]|20)\d\d[a-z]?){0,4})\b"
)
_YEAR = re.compile(r"\d{4}")
_ACRONYM = re.compile(r"\b[A-Z][A-Za-z]*[A-Z][A-Za-z]*\b|\b[A-Z]{2,}\b")
_NAMED = re.compile(r"\b(?:[A-Za-z]+[A-Z0-9]\w*|[A-Z]{2,}\w*)\b")
_FADE = 25.0  # words after which a word counts an e-fold less
_FADE_FAST = 6.0
_FAINTEST = 0.02  # weight of a word that does not count any more
_NEAR = 8  # words before the place that are near
_LAST = 4  # words before the place that are the last ones
_CITES = 20  # titles of cited works that count
_CITES_FADE = 3.0  # titles after which one counts half
_CITES_MOST = 2.0  # what a word of these titles counts at most
_EXCERPT = 500  # characters; the weights of longer texts rank shorter ones badly
_ENDING = " \n.,;:?!)"  # signs that end a sentence, or stand behind its citation
_SENTENCE_LEFT = 300  # characters of the sentence before the place
_SENTENCE_RIGHT = 120  # and behind it
_WINDOW_LEFT = 400  # characters before the place, wherever sentences end
_WINDOW_RIGHT = 200  # and behind it


@dataclass(frozen=True)
class Query:
    """The words of a place, each part computed at first use."""

    question: Question

    @property
    def kind(self) -> Kind:
        """What is known of the place: much text, little text, not the manuscript's title, or nothing but a question."""
        before = self.question.before
        after = self.question.after.strip(_ENDING)
        short = len(before) + len(after) <= _EXCERPT
        if not self.question.title:
            return "question" if short and not after else "untitled"
        return "excerpt" if short else "passage"

    @cached_property
    def before(self) -> str:
        return self.question.before.replace(CITED, " ")

    @cached_property
    def after(self) -> str:
        return self.question.after.replace(CITED, " ")

    @cached_property
    def sentence(self) -> str:
        start, end = (it.replace(CITED, " ") for it in self.question.sentence_parts)
        # Citations stand behind what they support; only if they begin a sentence is it what follows.
        right = _SENTENCE_RIGHT if start.strip() else _SENTENCE_LEFT
        return f"{cut_to_end(start, _SENTENCE_LEFT)} {self.question.hint} {cut_to_beginning(end, right)}"

    @property
    def wording(self) -> str:
        """What a reader would ask: the manuscript's title and the sentence."""
        return " ".join(f"{self.question.title}. {self.sentence}".split())

    @property
    def meant(self) -> str:
        """What vectors of works are compared with: the sentence, or else the manuscript's title."""
        return " ".join(self.sentence.split()) or self.question.title

    @cached_property
    def window(self) -> str:
        before = cut_to_end(self.before, _WINDOW_LEFT)
        after = cut_to_beginning(self.after, _WINDOW_RIGHT)
        return f"{before} {self.question.hint} {after}"

    @cached_property
    def nearest_words(self) -> str:
        return " ".join([*self.before.split()[-_NEAR:], self.question.hint])

    @cached_property
    def clause(self) -> str:
        """Return the words before the citation, back to punctuation, another citation or conjunction, and the hint.

        They are `deep autoencoders` in “We train networks, deep autoencoders \\cite<>.”.  If a sentence begins with
        its citation, they are the words behind it.
        """
        start, end = self.question.sentence_parts
        before = _BEFORE_PLACE.sub("", cut_to_end(start, _SENTENCE_LEFT))
        words = _BREAK.split(before)[-1]
        if not words.strip():
            behind = cut_to_beginning(end, _SENTENCE_LEFT).lstrip(" )]},;:")
            words = _BREAK.split(behind)[0]
        return f"{words} {self.question.hint}"

    @cached_property
    def views(self) -> tuple[Mapping[str, float], ...]:
        """Return the weights of stems, one mapping for each of VIEWS, in its order.

        Stems weigh 1 each, but for “fading”: there a stem weighs less the farther it stands from the citation.
        """
        before, after = self._sequences  # all stems on either side of the citation
        return (
            _weigh_alike(stems(self.sentence)),
            _weigh_alike(stems(self.window)),
            _weigh_alike(stems(self.nearest_words)),  # “near”
            _weigh_alike(stems(self.clause)),
            _weigh_by_distance(before, after, _FADE),  # “fading”
            _weigh_alike([*before, *after, *stems(self.question.heading)]),  # “context”
            _weigh_alike(stems(self.question.title)),  # “manuscript”
        )

    @cached_property
    def compounds(self) -> Mapping[str, tuple[str, str]]:
        """What the text writes with a hyphen, as the stem of one word, each with the stems of its two parts."""
        return hyphenated_compounds(f"{self.before} {self.question.hint} {self.after}")

    @cached_property
    def stems(self) -> frozenset[str]:
        """All that any view holds."""
        return frozenset(stem for view in self.views for stem in view)

    @cached_property
    def close(self) -> Mapping[str, float]:
        """The words around the place, weighted by their distance: a dozen counts."""
        return _weigh_by_distance(*self._sequences, _FADE_FAST)

    @cached_property
    def close_before(self) -> Mapping[str, float]:
        """The same of the words before the place alone, or of those behind it if they begin a sentence with it."""
        start, end = (it.replace(CITED, " ") for it in self.question.sentence_parts)
        return _weigh_by_distance(self._sequences[0], [] if start.strip() else stems(end), _FADE_FAST)

    @cached_property
    def _sequences(self) -> tuple[list[str], list[str]]:
        """The stems before the place, the hint's among them, and behind it."""
        return stems(f"{self.before} {self.question.hint}"), stems(self.after)

    def view(self, name: str) -> Mapping[str, float]:
        """The weighted stems of one of VIEWS, or of `cites`."""
        return self.cites if name == "cites" else self.views[VIEWS.index(name)]

    @cached_property
    def cites(self) -> Mapping[str, float]:
        """Stems of the titles that the manuscript cites nearest to the place, which are on its theme.

        The nearer a title, the more its stems count.  No server is told them.
        """
        weights: dict[str, float] = {}
        for distance, title in enumerate(self.question.cites[:_CITES]):
            for stem in set(stems(title)):
                weights[stem] = min(_CITES_MOST, weights.get(stem, 0.0) + 1 / (1 + distance / _CITES_FADE))
        return weights

    @cached_property
    def plain(self) -> Mapping[str, float]:
        """Title and sentence, every stem once."""
        return {**self.view("manuscript"), **self.view("sentence")}

    @cached_property
    def sentence_first(self) -> Mapping[str, float]:
        """The sentence, the words right before the place once more, and a little of the title."""
        return sum_weighted([(self.view("sentence"), 1.0), (self.view("clause"), 1.0), (self.view("manuscript"), 0.1)])

    @cached_property
    def weighted(self) -> Mapping[str, float]:
        """Title, and everything around the place by its distance."""
        return sum_weighted([(self.view("manuscript"), 1.0), (self.view("fading"), 1.0)])

    @cached_property
    def bigrams(self) -> frozenset[tuple[str, str]]:
        """Pairs of neighbouring stems around the place."""
        before, after = self._sequences
        return frozenset(pairwise(before)) | frozenset(pairwise(after))

    @cached_property
    def close_bigrams(self) -> frozenset[tuple[str, str]]:
        sequence = stems(self.sentence)
        return frozenset(pairwise(sequence))

    @cached_property
    def sentence_phrase(self) -> str:
        return f" {title_key(self.sentence)} "

    @cached_property
    def clause_phrase(self) -> str:
        return f" {title_key(self.clause)} "

    @cached_property
    def last_phrase(self) -> str:
        """The last words before the place."""
        return f" {title_key(' '.join([*self.before.split()[-_LAST:], self.question.hint]))} "

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(fold(it) for it in _SURNAME.findall(self.window))

    @cached_property
    def all_names(self) -> frozenset[str]:
        """The surnames, and other words with a capital, of all that is known of the text."""
        return frozenset(fold(it) for it in _SURNAME.findall(f"{self.before} {self.question.hint} {self.after}"))

    @cached_property
    def cited(self) -> Mapping[tuple[str, int], float]:
        """First author's surname and year of works that the text names: 1 in the place's sentence, half before it."""
        own = _find_author_years(" ; ".join(self.question.sentence_parts))
        return {**dict.fromkeys(_find_author_years(self.before), 0.5), **dict.fromkeys(own, 1.0)}

    @cached_property
    def near_names(self) -> frozenset[str]:
        return frozenset(fold(it) for it in _SURNAME.findall(self.nearest_words))

    @cached_property
    def sentence_names(self) -> frozenset[str]:
        return frozenset(fold(it) for it in _SURNAME.findall(self.sentence))

    @cached_property
    def named(self) -> frozenset[str]:
        """Stems of what the clause writes like a name of a method or data set: BERT, word2vec, ImageNet."""
        return frozenset(stem for it in _NAMED.findall(self.clause) for stem in stems(it))

    @cached_property
    def acronyms(self) -> frozenset[str]:
        return _find_acronyms(self.window)

    @cached_property
    def near_acronyms(self) -> frozenset[str]:
        return _find_acronyms(self.sentence)


def cut_to_end(text: str, most: int) -> str:
    """The end of a text, at most so many characters, cut at a word."""
    return text if len(text) <= most else text[-most:].partition(" ")[2]


def cut_to_beginning(text: str, most: int) -> str:
    """The beginning of a text, at most so many characters, cut at a word."""
    return text if len(text) <= most else text[:most].rpartition(" ")[0]


def sum_weighted(parts: Iterable[tuple[Mapping[str, float], float]]) -> dict[str, float]:
    """The weighted sum of several views."""
    total: dict[str, float] = {}
    for view, weight in parts:
        for stem, value in view.items():
            total[stem] = total.get(stem, 0.0) + weight * value
    return total


def _find_author_years(text: str) -> list[tuple[str, int]]:
    """Folded surname of the first author and year of what a text cites in words; each year of `Lee, 1999, 2001`."""
    found = []
    for citation in _CITED.finditer(text):
        surname, years = citation.groups()
        found += [(fold(surname), int(year)) for year in _YEAR.findall(years)]
    return found


def _find_acronyms(text: str) -> frozenset[str]:
    """Acronyms of three letters or more, in lower case, without the s of a plural."""
    found = (fold(it.removesuffix("s")) for it in _ACRONYM.findall(text))
    return frozenset(it for it in found if len(it) > 2)


def _weigh_alike(sequence: list[str]) -> dict[str, float]:
    return dict.fromkeys(sequence, 1.0)


def _weigh_by_distance(before: list[str], after: list[str], fade: float) -> dict[str, float]:
    """Stems with how near each comes to the place, 1 beside it; those too far to count are left out."""
    weights: dict[str, float] = {}
    for sequence in (before[::-1], after):
        for distance, stem in enumerate(sequence):
            weight = math.exp(-distance / fade)
            if weight <= _FAINTEST:
                break
            weights[stem] = max(weight, weights.get(stem, 0.0))
    return weights

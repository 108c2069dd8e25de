"""What the user's endpoints add: each question answered by words alone, then with vectors, then reranked as well."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from citelsp.base.settings import Settings
from citelsp.corpus import search_place
from citelsp.corpus.dense import Vectors
from citelsp.corpus.index import Corpus
from citelsp.corpus.ranking_endpoints import Careful, Helpers
from citelsp.evals import prediction
from citelsp.evals.page import Section, Table
from citelsp.evals.prediction import Judged, Prediction
from citelsp.evals.questions import LabelledPlace
from citelsp.evals.scores import by_set, difference, with_interval
from citelsp.meaning.local_embedder import AnyEmbedder, LocalEmbedder, embedder
from citelsp.meaning.local_reranker import AnyReranker, LocalReranker, reranker
from citelsp.sources.model_endpoints import Remote

WORDS, VECTORS, RERANKED = "words alone", "+ embeddings", "+ reranking"
_SHOWN = ("R@1", "R@10", "R@100")
_MORE = ("R@1", "R@10")
_IN_A_ROW = 10  # questions without an answer, after which an endpoint is given up

T = TypeVar("T")
R = TypeVar("R", bound=Remote | LocalEmbedder | LocalReranker)


class EndpointsError(Exception):
    """Nothing can be measured; says why."""


class Counted(Careful[R]):
    """An endpoint that never rests, and how often it was asked and did not answer.  EndpointsError if it is away."""

    def __init__(self, remote: R) -> None:
        super().__init__(remote, "the question counts as by words alone", self._write_note, 0.0)
        self.asked = self.failed = self._in_a_row = 0
        self._why = ""

    async def ask(self, question: Callable[[R], Awaitable[T]], seconds: float | None = 20.0) -> T | None:
        """The answer, None if there is none; EndpointsError if none has come yet, or after ten without one in a row."""
        answer = await super().ask(question, seconds)
        self.asked += 1
        self.failed += answer is None
        self._in_a_row = self._in_a_row + 1 if answer is None else 0
        # An endpoint that is away from the first would be measured as one that adds nothing.
        if self._in_a_row and (self.failed == self.asked or self._in_a_row == _IN_A_ROW):
            raise EndpointsError(self._why)
        return answer

    def _write_note(self, why: str) -> None:
        self._why = why


@dataclass(frozen=True, slots=True)
class Arms:
    """The ways of answering that are compared, by name, each with all before it; `aclose` them."""

    embedder: Counted[AnyEmbedder] | None
    reranker: Counted[AnyReranker] | None

    def helpers_by_name(self) -> dict[str, Helpers]:
        """Return by the name of each arm what helps the words there; the names' last words differ."""
        found = {WORDS: Helpers()}
        if self.embedder:
            found[VECTORS] = Helpers(self.embedder)
        if self.reranker:
            found[RERANKED] = Helpers(self.embedder, self.reranker)
        return found

    async def aclose(self) -> None:
        await Helpers(self.embedder, self.reranker).aclose()


def arms(settings: Settings, corpus: Corpus) -> Arms:
    """Open the settings' endpoints; EndpointsError if there is none, or one whose vectors no work of the corpus has."""
    vectors, scores = embedder(settings), reranker(settings)
    if not (vectors or scores):
        raise EndpointsError(
            "no endpoint is set: of [embeddings] or [rerank] a model, or base_url and name and not offline"
        )
    if vectors and not Vectors.open_named(corpus, vectors.vectors).size():
        raise EndpointsError(f"no work has a vector of {vectors.name} yet: `citelsp corpus embed` gives them")
    return Arms(Counted(vectors) if vectors else None, Counted(scores) if scores else None)


async def predicted(
    corpus: Corpus, places: Iterable[LabelledPlace], arms: Arms
) -> AsyncIterator[Mapping[str, Prediction]]:
    """Yield for each question its answers by the name of the arm; EndpointsError if an endpoint stays away.

    An arm is a way of answering: by words alone, with an embedding model, with a reranker, too.
    """
    helpers_of_arms = arms.helpers_by_name()
    for place in places:
        answers: dict[str, Prediction] = {}
        for arm, helpers in helpers_of_arms.items():
            catalogue = corpus.catalogue()
            ranked, _requests = await search_place.rank_helped(corpus, catalogue, place.asked, helpers, place.exclude)
            answers[arm] = prediction.make_prediction(corpus, place.id, ranked)
        yield answers


def section(command: str, judged: Mapping[str, Sequence[Judged]], arms: Arms) -> Section:
    """Return the section with a row for each set of questions and each arm.

    An arm is a way of answering: by words alone, then with one endpoint after the other added.  `judged` has the same
    questions for each arm.  Differences are those to words alone, question by question.  `command` is shown as that by
    which the page was made.
    """
    sets_of_arms = {arm: by_set(answers) for arm, answers in judged.items()}
    rows = []
    for set_name, by_words in sets_of_arms[WORDS].items():
        for arm, sets in sets_of_arms.items():
            means = prediction.means(sets[set_name])
            cells = [with_interval(means[metric]) for metric in _SHOWN]
            if arm == WORDS:  # which has no difference to itself
                cells += [""] * len(_MORE)
            else:
                differences = prediction.differences(sets[set_name], by_words)
                cells += [difference(differences[metric]) for metric in _MORE]
            rows.append((set_name, arm, str(len(sets[set_name])), *cells))
    head = ("set", "by", "n", *_SHOWN, *(f"{it} more" for it in _MORE))
    return Section("What endpoints add", command, tuple(_write_notes(arms)), (Table(head, tuple(rows)),))


def _write_notes(of: Arms) -> Iterable[str]:
    yield "Intervals of 95 %: source papers resampled 1,000 times. More: than by words alone, paired; * excludes zero."
    for helper in (of.embedder, of.reranker):
        if helper:
            failed = f", {helper.failed} of them without an answer, which counts as by words" if helper.failed else ""
            yield f"{helper.remote.name}: {helper.asked} requests{failed}."

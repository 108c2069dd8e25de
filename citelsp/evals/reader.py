"""A scripted reader who knows its field, for measuring what the agent shows and asks without any model.

It reads nothing but what it is sent: it chooses the shown work that it knows to be right, else searches once with the
three rarest words of the sentence, else gives up.  It never types a title.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from citelsp.agent.chat import Chat, Message, Reply, Shape
from citelsp.agent.model import Model
from citelsp.agent.steps import Limits, Usage
from citelsp.base.settings import LanguageModel
from citelsp.corpus.place_query import Query
from citelsp.corpus.words import stem, stems, title_key, words
from citelsp.evals.questions import LabelledPlace
from citelsp.evals.with_model import CHARACTERS, Sent, Setup, json_text

if TYPE_CHECKING:
    from citelsp.corpus.index import Corpus

_RAREST = 3
_WHY = "It is the work that is meant."
_LINE = re.compile(r"^(W\d+) «([^»]*)»", re.MULTILINE)


class ReaderChat(Chat):
    """Answers every question of one conversation; asks nobody."""

    def __init__(self, corpus: "Corpus", place: LabelledPlace, sent: Sent) -> None:
        super().__init__(LanguageModel("http://127.0.0.1", "reader"))
        self._right = {it for gold in place.gold for it in gold.titles}
        self._words = rarest(corpus, place)
        self._sent = sent

    async def ask(self, messages: Sequence[Message], shape: Shape) -> Reply:
        tokens = self._sent.note(messages, shape)
        answer = json_text(self._write_answer(str(messages[-1]["content"])))
        return Reply(answer, Usage(int(tokens), 0, len(answer) // CHARACTERS, calls=1))

    def _write_answer(self, shown: str) -> Mapping[str, str]:
        """To the one question: the right work, else words at the first time, else nothing."""
        if handle := self._find_known(shown):
            return {"choice": handle, "sure": "clear", "why": _WHY}
        words = self._words
        self._words = ""
        return {"choice": "", "words": words, "why": "None of them is it."}

    def _find_known(self, shown: str) -> str:
        """The handle of the right work; "" if it is not shown."""
        return next((handle for handle, title in _LINE.findall(shown) if self._is_right(title)), "")

    def _is_right(self, title: str) -> bool:
        key = title_key(title)
        return key in self._right or (title.endswith("…") and any(it.startswith(key) for it in self._right))


def setup(corpus: "Corpus", limits: Limits, count: Callable[[str], float] = Sent.count) -> Setup:
    """By this reader; `count` counts tokens."""
    sent = Sent(count=count)
    return Setup(corpus, lambda place: Model(ReaderChat(corpus, place, sent)), sent, limits)


def rarest(corpus: "Corpus", place: LabelledPlace) -> str:
    """The three rarest words of the sentence that any work holds, in their order."""
    query = Query(place.asked)
    known = [it for it in dict.fromkeys(words(query.sentence)) if stems(it) and corpus.engine.holds("text", stem(it))]
    chosen = set(sorted(known, key=lambda it: -corpus.engine.rarity("text", stem(it)))[:_RAREST])
    return " ".join(it for it in known if it in chosen)

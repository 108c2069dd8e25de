"""A scripted reader who knows its field, for measuring what the agent shows and asks without any model.

It reads nothing but what it is sent: it chooses the shown work that it knows to be right, else searches once with the
three rarest words of the sentence, else gives up.  It never types a title.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from citelsp.agent.chat import Chat, Message, Reply, Shape
from citelsp.agent.model import Model
from citelsp.agent.steps import Limits, Usage
from citelsp.base.settings import LanguageModel
from citelsp.corpus.query import Query
from citelsp.corpus.words import stem, stems, title_key, words
from citelsp.evals.questions import LabelledPlace
from citelsp.evals.with_model import CHARACTERS, Sent, Setup, json_text

if TYPE_CHECKING:
    from citelsp.corpus.index import Corpus

_RAREST = 3
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
        name, arguments = self._choice(messages)
        call = {"id": f"c{len(messages)}", "function": {"name": name, "arguments": json_text(arguments)}}
        usage = Usage(int(tokens), 0, len(json_text(call)) // CHARACTERS, calls=1)
        return Reply("", {"role": "assistant", "tool_calls": [call]}, (call,), usage)

    def _choice(self, messages: Sequence[Message]) -> tuple[str, Mapping[str, Any]]:
        shown = "\n".join(str(it["content"]) for it in messages[1:] if it["role"] != "assistant")
        for handle, title in _LINE.findall(shown):
            if title_key(title) in self._right:
                return "select", {"id": handle, "quote": title, "sure": "clear", "why": "It is the work that is meant."}
        if any(it["role"] == "assistant" for it in messages):
            return "give_up", {"reason": "none of them is it"}
        return "search", {"query": self._words}


def setup(corpus: "Corpus", limits: Limits) -> Setup:
    """By this reader."""
    sent = Sent()
    return Setup(corpus, lambda place: Model(ReaderChat(corpus, place, sent)), sent, limits)


def rarest(corpus: "Corpus", place: LabelledPlace) -> str:
    """The three rarest words of the sentence that any work holds, in their order."""
    query = Query(place.asked)
    known = [it for it in dict.fromkeys(words(query.sentence)) if stems(it) and corpus.engine.holds("text", stem(it))]
    chosen = set(sorted(known, key=lambda it: -corpus.engine.rarity("text", stem(it)))[:_RAREST])
    return " ".join(it for it in known if it in chosen)

"""A model's verdicts, cached between runs by the sentence, the work, its text and the model.

The cache has the verdict, the quote and the reason; of what was asked it has only a digest.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b

from citelsp.agent.wording import describe_work, read_prompt
from citelsp.base.settings import LanguageModel
from citelsp.bibliography.record import Record
from citelsp.knowledge import Evidence
from citelsp.sources.answer_cache import Cache
from citelsp.sources.shape import obj
from citelsp.workspace.question import Question

_SERVICE = "judgement"
_SECONDS = 180 * 86400.0


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a model answered, as it wrote it."""

    verdict: str
    quote: str
    reasoning: str


@dataclass(frozen=True, slots=True)
class Judgements:
    """The verdicts of one model at one endpoint."""

    cache: Cache
    model: LanguageModel

    async def get(self, key: str) -> Ruling | None:
        """The cached ruling; None if there is none that can be read."""
        text = await self.cache.get_text(_SERVICE, key)
        try:
            raw = obj(json.loads(text or "{}"))
            return Ruling(str(raw["verdict"]), str(raw["quote"]), str(raw["reasoning"]))
        except (ValueError, KeyError, RecursionError):
            return None

    async def put(self, key: str, ruling: Ruling) -> None:
        await self.cache.put_text(_SERVICE, key, json.dumps(asdict(ruling)), _SECONDS)

    def key(self, question: Question, record: Record, text: Sequence[Evidence]) -> str:
        """Return a digest of what a ruling is about: if any of it changes, the model is asked again.

        That is the model and its instructions, the sentence of the question, what is told of the work, and its `text`.
        The model also sees what stands around the sentence, but it is not asked again for an edit there alone.
        """
        passages = (f"{it.where}\t{it.quote}" for it in text)
        parts = (
            self.model.base_url,
            self.model.name,
            read_prompt("judge"),
            *question.sentence_parts,
            describe_work(record),
            *passages,
        )
        return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()

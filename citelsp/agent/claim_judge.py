"""Whether a work supports the sentence that cites it: its nearest passages, and, with a model, a verdict with a quote.

A verdict without a quote that stands in the passages is `uncertain`; so is the silence of the passages.  Without a
model there is no verdict, only what the work says nearest to the sentence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from citelsp.agent import actions, quotes
from citelsp.agent.ask import Asked, Unanswered, ask, shape
from citelsp.agent.claim_verdict_cache import Judgements, Ruling
from citelsp.agent.environment import Environment
from citelsp.agent.plain import make_plain
from citelsp.agent.repair import UnreadableError, value
from citelsp.agent.steps import Usage
from citelsp.agent.wording import describe_claim, describe_work, fence, read_prompt
from citelsp.bibliography.record import Record
from citelsp.corpus.words import title_key
from citelsp.knowledge import Candidate, Evidence, Support

PASSAGES = 6
# Why nothing is quoted.
NO_TEXT = "no text of this work could be read, not even an abstract"
NO_PASSAGE = "none of the available text of this work discusses this sentence"
_LONGEST = 2000  # characters of one
VERDICTS: Mapping[str, Support] = {
    "supported": "supported", "supports": "supported", "support": "supported",
    "partially": "partially", "partially supported": "partially", "partial": "partially",
    "unsupported": "unsupported", "contradicted": "unsupported", "not supported": "unsupported",
    "uncertain": "uncertain", "unknown": "uncertain", "neutral": "uncertain",
}  # fmt: skip
_SHAPE = shape(
    "judgement",
    reasoning={"type": "string"},
    verdict={"type": "string", "enum": ["supported", "partially", "unsupported", "uncertain"]},
    quote={"type": "string"},
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Evidence, the deciding passage first; only that one carries a verdict."""

    evidence: tuple[Evidence, ...] = ()
    reasoning: str = ""
    notes: tuple[str, ...] = ()  # why text or verdict is missing, the last one first of all
    usage: Usage = field(default_factory=Usage)

    @property
    def verdict(self) -> Support | None:
        return self.evidence[0].verdict if self.evidence else None


async def judge_claims(
    environment: Environment, record: Record, chat: Asked | None = None, known: Judgements | None = None
) -> Judgement:
    """How a cited work speaks to the place that cites it.  Raises nothing but cancellation.

    The model is not asked for what is `known`; its answer is kept there.
    """
    whole = await actions.read_text(environment, Candidate(record))
    if not whole.passages:
        return Judgement(notes=(*whole.notes, NO_TEXT))
    passages = environment.nearest(whole.passages, PASSAGES)
    if not passages:
        return Judgement(notes=(*whole.notes, NO_PASSAGE))
    nearest = tuple(passages[:3])
    if chat is None:
        return Judgement(nearest, notes=whole.notes)
    key = ""
    if known:
        key = known.key(environment.question, record, whole.passages)
        earlier = await _read_earlier(known, key)
        if earlier:
            verdict, quote, reasoning = earlier
            return Judgement(_weigh(verdict, quote, reasoning, passages, whole.passages), reasoning, whole.notes)
    question = _write_question(environment, record, whole.passages)
    answer = await ask(chat, read_prompt("judge"), question, _SHAPE, _read_answer)
    if isinstance(answer, Unanswered):
        return Judgement(nearest, notes=(*whole.notes, answer.why), usage=answer.usage)
    (verdict, quote, reasoning), usage = answer
    if known:
        await known.put(key, Ruling(verdict, quote, reasoning))
    return Judgement(_weigh(verdict, quote, reasoning, passages, whole.passages), reasoning, whole.notes, usage)


async def _read_earlier(known: Judgements, key: str) -> tuple[Support, str, str] | None:
    ruling = await known.get(key)
    return (VERDICTS[ruling.verdict], ruling.quote, ruling.reasoning) if ruling and ruling.verdict in VERDICTS else None


def _write_question(environment: Environment, record: Record, whole: Sequence[Evidence]) -> str:
    """The abstract as it reads, and of the further text the sentences nearest to the claim, in its order.

    Full texts begin with their abstract: what it says already is not said twice.
    """
    abstract = [it for it in whole if it.where == "abstract"][:1]
    further = [it for it in whole if it not in abstract]
    in_abstract = f" {title_key(abstract[0].quote)} " if abstract else ""
    near = [it for it in environment.nearest(further, 2 * PASSAGES) if f" {title_key(it.quote)} " not in in_abstract]
    near = near[: PASSAGES - len(abstract)]
    near.sort(key=lambda it: _find_position(it, further))
    passages = [f"{fence(it.where, 60)}: {fence(it.quote, _LONGEST)}" for it in (*abstract, *near)]
    listed = "\n".join(f"{number}. {it}" for number, it in enumerate(passages, 1))
    return f"{describe_claim(environment)}\n\nThe cited work: {describe_work(record)}\nIts passages:\n{listed}"


def _find_position(sentence: Evidence, texts: Sequence[Evidence]) -> tuple[int, int]:
    """Where a sentence stands: in which text, and from which character on."""
    places = ((n, it.quote.find(sentence.quote)) for n, it in enumerate(texts) if it.where == sentence.where)
    return next((it for it in places if it[1] >= 0), (len(texts), 0))


def _read_answer(written: str) -> tuple[Support, str, str]:
    answer = value(written)
    verdict_word = str(answer.get("verdict") or "").strip().casefold().replace("_", " ")
    if verdict_word not in VERDICTS:
        raise UnreadableError("verdict must be supported, partially, unsupported or uncertain")
    quote = answer.get("quote")
    reasoning = answer.get("reasoning")
    return VERDICTS[verdict_word], quote if isinstance(quote, str) else "", make_plain(str(reasoning or ""), 500)


def _weigh(
    verdict: Support, quote: str, reasoning: str, passages: Sequence[Evidence], whole: Sequence[Evidence]
) -> tuple[Evidence, ...]:
    """The quoted passage with the verdict and its reason; `uncertain` if the quote is not in the work."""
    found = quotes.find_quote(quote, [*passages, *whole])
    if found is None:
        return (replace(passages[0], verdict="uncertain"), *passages[1:3])
    return (replace(found, verdict=verdict, why=reasoning), *(it for it in passages[:2] if it.quote != found.quote))

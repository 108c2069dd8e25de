"""Whether a work supports the sentence that cites it: its nearest passages, and, with a model, a verdict with a quote.

A verdict without a quote that stands in the passages is `uncertain`.  Without a model there is no verdict, only what
the work says nearest to the sentence; where it says nothing of that, there is neither.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from citelsp.agent import actions, quotes
from citelsp.agent.ask import Asked, Unanswered, ask, shape
from citelsp.agent.claim_verdict_cache import Judgements, Ruling
from citelsp.agent.environment import Environment
from citelsp.agent.harmless_text import make_plain
from citelsp.agent.repair_json import UnreadableError, value
from citelsp.agent.steps import Usage
from citelsp.agent.wording import describe_claim, describe_work, fence, read_prompt
from citelsp.bibliography.record import Record
from citelsp.corpus.words import title_key
from citelsp.knowledge import Candidate, Evidence, Support

PASSAGES = 6  # that a model is shown
_MOST_SHOWN = 3  # passages that people are shown
_LONGEST_PASSAGE = 2000  # characters of a passage
_LONGEST_HEADING = 60  # characters of what says where a passage stands
_LONGEST_REASONING = 500  # characters
# Why nothing is quoted.
NO_TEXT = "no text of this work could be read, not even an abstract"
NO_PASSAGE = "none of the available text of this work discusses this sentence"
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
    notes: tuple[str, ...] = ()  # why text or verdict is missing; the last one tells it best
    usage: Usage = field(default_factory=Usage)

    @property
    def verdict(self) -> Support | None:
        return self.evidence[0].verdict if self.evidence else None


async def judge_claims(
    environment: Environment, record: Record, chat: Asked | None = None, known: Judgements | None = None
) -> Judgement:
    """Judge whether a cited work supports the place that cites it, by the passages of the work nearest to the place.

    Without a `chat`, or without an answer of the model, the judgement has passages and no verdict; if no text of the
    work can be read, or none speaks of the sentence, it has neither, and its notes say so.  `known` holds earlier
    answers of the chat's model: they are not asked for again, and a new one is stored there.  Raises nothing but
    cancellation.
    """
    whole = await actions.read_text(environment, Candidate(record))
    if not whole.passages:
        return Judgement(notes=(*whole.notes, NO_TEXT))
    passages = environment.nearest(whole.passages, PASSAGES)
    if not passages:
        return Judgement(notes=(*whole.notes, NO_PASSAGE))
    without_verdict = Judgement(tuple(passages[:_MOST_SHOWN]), notes=whole.notes)
    if chat is None:
        return without_verdict
    key = known.key(environment.question, record, whole.passages) if known else ""
    ruling = await _read_earlier(known, key) if known else None  # verdict, reason, and the quote that shows it
    usage = Usage()
    if ruling is None:
        question = _write_question(environment, record, whole.passages)
        answer = await ask(chat, read_prompt("judge"), question, _SHAPE, _read_answer)
        if isinstance(answer, Unanswered):
            return replace(without_verdict, notes=(*whole.notes, answer.why), usage=answer.usage)
        ruling, usage = answer
        if known:
            await known.put(key, ruling)
    evidence = _attach_verdict(ruling, passages, whole.passages)  # the passage that the model quotes comes first
    return Judgement(evidence, ruling.reasoning, notes=whole.notes, usage=usage)


async def _read_earlier(known: Judgements, key: str) -> Ruling | None:
    """Return the stored ruling of this key; None if there is none, or if its verdict is no word of VERDICTS."""
    ruling = await known.get(key)
    return ruling if ruling and ruling.verdict in VERDICTS else None


def _write_question(environment: Environment, record: Record, whole: Sequence[Evidence]) -> str:
    """Write what the model is asked: the claim, the work, and at most PASSAGES of its texts, numbered.

    `whole` are the work's texts, in passages.  Those shown are the abstract as it reads and, of the further text, the
    sentences nearest to the claim, in the order of the text.
    """
    abstract = [it for it in whole if it.where == "abstract"][:1]
    further = [it for it in whole if it not in abstract]
    # `title_key` leaves plain words with spaces between; spaces at the ends make only whole words match.
    abstract_words = f" {title_key(abstract[0].quote)} " if abstract else ""

    def is_in_abstract(sentence: Evidence) -> bool:
        return f" {title_key(sentence.quote)} " in abstract_words

    # Twice as many as are shown, since full texts begin with their abstract, which need not be shown again.
    near = [it for it in environment.nearest(further, 2 * PASSAGES) if not is_in_abstract(it)]
    near = near[: PASSAGES - len(abstract)]
    near.sort(key=lambda sentence: _find_position(sentence, further))
    passages = [
        f"{fence(passage.where, _LONGEST_HEADING)}: {fence(passage.quote, _LONGEST_PASSAGE)}"
        for passage in (*abstract, *near)
    ]
    listed = "\n".join(f"{number}. {line}" for number, line in enumerate(passages, 1))
    return f"{describe_claim(environment)}\n\nThe cited work: {describe_work(record)}\nIts passages:\n{listed}"


def _find_position(sentence: Evidence, texts: Sequence[Evidence]) -> tuple[int, int]:
    """Return in which of the texts a sentence stands, and from which character on; behind all if in none."""
    for number, text in enumerate(texts):
        start = text.quote.find(sentence.quote) if text.where == sentence.where else -1
        if start >= 0:
            return number, start
    return len(texts), 0


def _read_answer(written: str) -> Ruling:
    """Read a model's answer, with a verdict by VERDICTS; UnreadableError if it has no such verdict."""
    answer = value(written)
    verdict = str(answer.get("verdict") or "").strip().casefold().replace("_", " ")
    if verdict not in VERDICTS:
        raise UnreadableError("verdict must be supported, partially, unsupported or uncertain")
    quote = answer.get("quote")
    reasoning = make_plain(str(answer.get("reasoning") or ""), _LONGEST_REASONING)
    return Ruling(VERDICTS[verdict], quote if isinstance(quote, str) else "", reasoning)


def _attach_verdict(ruling: Ruling, passages: Sequence[Evidence], whole: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the quoted passage with the verdict and its reason, then the two nearest ones, less the quoted one.

    `passages`: at least one, the sentences nearest to the claim, best first; `whole`: all texts of the work.  If the
    quote is in none of them, the three nearest passages come back, the first with `uncertain` for a verdict: what
    nobody can look up in the text proves nothing.
    """
    quoted = quotes.find_quote(ruling.quote, [*passages, *whole])
    if quoted is None:
        return (replace(passages[0], verdict="uncertain"), *passages[1:_MOST_SHOWN])
    others = [it for it in passages[: _MOST_SHOWN - 1] if it.quote != quoted.quote]
    return (replace(quoted, verdict=VERDICTS[ruling.verdict], why=ruling.reasoning), *others)

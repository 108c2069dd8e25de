"""What an endpoint says if it does not answer a question: why, for how long, and how it wants to be asked."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from citelsp.agent.habits import LEAST, Habits
from citelsp.agent.harmless_text import make_plain
from citelsp.sources.retry_after import read_retry_after
from citelsp.sources.shape import dig, obj, objects

_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_LONGEST_WAIT = 20.0  # seconds
_UNFIT = frozenset({400, 404, 413, 422, 500, 501})  # statuses of a question put wrongly
# `System role not supported`
_NO_SYSTEM_MESSAGE = re.compile(r"system.{0,30}(?:role|message|prompt)|role.{0,30}system", re.IGNORECASE)
_FORMAT = re.compile(r"response_format|json_schema|json_object|grammar|structured|guided|schema", re.IGNORECASE)
# `This model's maximum context length is 4096 tokens`
_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|window|size)|maximum context|too (?:long|many tokens)|request too large"
    r"|token count.{0,30}exceeds|reduce the length",
    re.IGNORECASE,
)
# `max_tokens: must be at most 512`, of the answer, not of the question
_ANSWER_TOO_LONG = re.compile(
    r"max(?:_completion|_output)?_tokens\W.{0,40}(?:too large|at most|less than|exceed|maximum|range)", re.IGNORECASE
)
# `Please try again in 6m0s.`
_WAIT_IN_SENTENCE = re.compile(r"(?:try again|retry)[^.\d]{0,20}?\s(?P<wait>[\dhms.]+)", re.IGNORECASE)
# `7`, `7.5s`, `6m0s`, `120ms`
_DURATION = re.compile(r"(?:(\d{1,6})h)?(?:(\d{1,6})m(?!s))?(?:(\d{1,9}(?:\.\d*)?)(ms|s)?)?")
_SECRET = re.compile(r"\b(?:sk|gsk|key|pk)[-_][\w-]{6,}|\bAIza[\w-]{8,}|Bearer \S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Failure:
    status: int  # 0: no answer at all
    message: str
    code: str = ""
    failed: str = ""  # a generation that the endpoint itself could not read
    wait: float | None = None  # seconds until it may be asked again
    final: bool = False  # another try would end in the same way

    @property
    def again(self) -> bool:
        """True if the same question may be answered when it is asked again soon."""
        final = self.final or self.failed or self.code == "insufficient_quota" or (self.wait or 0.0) > _LONGEST_WAIT
        return not final and (not self.status or self.status in _AGAIN)

    @property
    def closed(self) -> bool:
        """True if other questions would not be answered now either."""
        lasting = self.final or self.code == "insufficient_quota" or (self.wait or 0.0) > _LONGEST_WAIT
        return lasting or self.status in (0, 401, 403)

    @property
    def unfit(self) -> bool:
        """True if the question was put in a way that the endpoint does not take."""
        return self.status in _UNFIT

    @property
    def too_long(self) -> bool:
        return self.status == 413 or self.code == "context_length_exceeded" or bool(_TOO_LONG.search(self.message))

    @property
    def refuses_form(self) -> bool:
        """True if the endpoint takes no schema, or no JSON."""
        return bool(_FORMAT.search(self.message))

    def explained(self, key: str) -> str:
        """Say for people what the endpoint said; keys that it repeats are left out."""
        known = self.message[:4000].replace(key, "…") if len(key) > 3 else self.message[:4000]
        text = make_plain(_SECRET.sub("…", known), 160)
        return f"the model's endpoint{f' says: {self.status}' if self.status else ':'} {text}"


def adapt_habits(habits: Habits, failure: Failure) -> Habits | None:
    """Return the habits changed as an endpoint asks in its message.

    None if it complains of something else, or if what it complains of is changed already.  What may change: shorter
    answers, another field for their length, no temperature, no system message.  The field alone may change to and fro:
    the caller ends that.
    """
    message = failure.message
    # A question and its answer share the model's context, so shorter answers also leave room for a long question.
    if habits.length > LEAST and (failure.too_long or _ANSWER_TOO_LONG.search(message)):
        return replace(habits, length=max(LEAST, habits.length // 2))
    if failure.too_long:
        return None
    if "max_completion_tokens" in message:  # wanted or refused: in either case the other field is tried
        other = "max_tokens" if habits.length_field != "max_tokens" else "max_completion_tokens"
        return replace(habits, length_field=other)
    if "temperature" in message and habits.temperature:
        return replace(habits, temperature=False)
    if _NO_SYSTEM_MESSAGE.search(message) and habits.system:
        return replace(habits, system=False)
    return None


def read_failure(status: int, text: str, headers: Mapping[str, str]) -> Failure:
    """Read what the body (`text`) and the headers of a refusal say, as far as they can be read.

    {"error": {"message": "…", "code": "context_length_exceeded", "type": "…"}}, a list of one such object (Google),
    {"error": "…"} (Ollama), {"detail": "…"} (vLLM), with "metadata": {"raw": "…"} (OpenRouter) or "failed_generation"
    (Groq) in the error.  `status`: of HTTP, 0 if there is none.
    """
    try:
        raw = next(iter(objects(json.loads(text))), {})  # `objects` takes a single object for a list of it
    except (ValueError, RecursionError):
        raw = {}
    error = raw.get("error") or raw
    if isinstance(error, str):
        return Failure(status, error, wait=_read_wait(headers, error, details=None))
    fields = obj(error)
    parts = (fields.get("message"), dig(fields, "metadata", "raw"), raw.get("detail"))
    message = " ".join(str(part or "") for part in parts).strip()
    generation = fields.get("failed_generation")
    return Failure(
        status,
        message or "no reason given",
        code=str(fields.get("code") or fields.get("type") or ""),
        failed=generation if isinstance(generation, str) else "",
        wait=_read_wait(headers, message, fields.get("details")),
    )


def _read_wait(headers: Mapping[str, str], message: str, details: object) -> float | None:
    """Return the seconds until one may ask again: by the headers, else by the error's `details`, else by its message.

    {"details": [{"retryDelay": "7s"}]} (Google), “Please try again in 6m0s.” (OpenAI, Groq).  None if none says.
    """
    milliseconds = headers.get("retry-after-ms", "")
    if milliseconds:
        seconds = _read_seconds(f"{milliseconds}ms")
        if seconds is not None:
            return seconds
    seconds = read_retry_after(headers)
    if seconds is not None:
        return seconds
    # `retry_after` reads seconds and dates; “retry-after: 6m0s” is neither.
    delays = [headers.get("retry-after", ""), *(it.get("retryDelay") for it in objects(details))]
    in_sentence = _WAIT_IN_SENTENCE.search(message)
    if in_sentence:
        delays.append(in_sentence["wait"].rstrip("."))
    return next((seconds for seconds in map(_read_seconds, delays) if seconds is not None), None)


def _read_seconds(written: object) -> float | None:
    """Return the seconds of "7", "7.5s", "6m0s" or "120ms"; None if it is no duration."""
    match = _DURATION.fullmatch(written.strip()) if isinstance(written, str) and written.strip() else None
    if match is None:
        return None
    hours, minutes, last, unit = match.groups()
    seconds = float(last or 0) / (1000 if unit == "ms" else 1)
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + seconds

"""One model at one OpenAI-compatible endpoint: asked, retried, its refusals understood, its tokens counted."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from citelsp.agent.habits import DIALECTS, Dialect, Habits, Memory
from citelsp.agent.steps import Usage
from citelsp.settings import LanguageModel
from citelsp.sources import keys
from citelsp.sources.shape import dig, number, obj, objects

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Message = Mapping[str, Any]

_ATTEMPTS = 3
_LONGEST_WAIT = 20.0  # seconds
_ANSWER = 2000  # tokens
_ADAPTATIONS = 6  # in a row, of how one question is asked
_CHARACTERS = 4  # of a token, where an endpoint does not count
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_NEWER = re.compile(r"(?:^|/)(?:o\d|gpt-5)")
_UNFIT = frozenset({400, 404, 422, 500, 501})  # statuses of a question put wrongly
_SYSTEM = re.compile(r"system.{0,30}(?:role|message|prompt)|role.{0,30}system", re.IGNORECASE)
_TOOLS = re.compile(r"tool|function.?call", re.IGNORECASE)
_FORMAT = re.compile(r"response_format|json_schema|json_object|grammar|structured|guided|schema", re.IGNORECASE)
_TOO_LONG = re.compile(r"context.{0,20}(?:length|window|size)|too (?:long|many tokens)|maximum context", re.IGNORECASE)
_RAW = {"X-Stainless-Raw-Response": "true"}  # openai's sign for an answer as it came; its typed calls cost 20 ms each
_SECRET = re.compile(r"\b(?:sk|gsk|key|pk)[-_][\w-]{6,}|Bearer \S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shape:
    """What an answer should look like: tools to call, or a JSON object."""

    name: str
    schema: Mapping[str, Any]
    tools: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    message: Message  # as it came, to be shown to the model again
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    usage: Usage = field(default_factory=Usage)
    problem: str = ""  # cut off, refused


@dataclass(frozen=True, slots=True)
class Refused:
    """The endpoint did not answer this question."""

    why: str
    dialect: bool = False  # it may answer when asked in another way: ask again
    too_long: bool = False
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class _Error:
    status: int  # 0: no answer at all
    message: str
    code: str = ""
    failed: str = ""  # a generation that the endpoint itself could not read
    wait: float | None = None


class Chat:
    """Bound to one event loop; `aclose` it."""

    def __init__(self, endpoint: LanguageModel, memory: Memory | None = None, *, patience: float = 0.5) -> None:
        """`patience`: seconds before the second try of a question."""
        self.endpoint = endpoint
        self._memory = memory or Memory()
        self._patience = patience
        self._client: AsyncOpenAI | None = None
        first: Dialect = {"json": "schema", "plain": "plain"}.get(endpoint.answers, "tools")  # type: ignore[assignment]  # the two names are dialects
        newer = "max_completion_tokens" if _NEWER.search(endpoint.name) else "max_tokens"
        known = self._memory.get(endpoint.base_url, endpoint.name) if endpoint.answers == "auto" else None
        form: Dialect = "plain" if endpoint.answers == "plain" else "schema"
        self.habits = known or Habits(first, form, newer, temperature=newer == "max_tokens")

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def ask(self, messages: Sequence[Message], shape: Shape) -> Reply | Refused:
        """One answer in the current dialect.  Raises nothing but cancellation.

        After `Refused(dialect=True)` the dialect is another one: word the messages for it and ask again.
        """
        for _ in range(_ADAPTATIONS):
            answer = await self._insist(self._body(messages, shape))
            if not isinstance(answer, _Error):
                return self._reply(answer, messages)
            if answer.failed:
                return Reply(answer.failed, {"role": "assistant", "content": answer.failed}, usage=Usage(calls=1))
            if (refused := self._adapt(answer, shape)) is not None:
                return refused
        return Refused("the model's endpoint refuses every way of asking", usage=Usage(calls=1))

    def dialect(self, shape: Shape) -> Dialect:
        """How answers of this shape are asked for."""
        return self.habits.dialect if shape.tools else self.habits.form

    def unusable(self, shape: Shape) -> None:
        """Answers in this dialect cannot be read: use the next one, where there is one."""
        following = DIALECTS[min(DIALECTS.index(self.dialect(shape)) + 1, len(DIALECTS) - 1)]
        changed = replace(self.habits, dialect=following) if shape.tools else replace(self.habits, form=following)
        self.habits = changed

    def usable(self) -> None:
        """An answer could be read: remember how it was asked for."""
        self._memory.put(self.endpoint.base_url, self.endpoint.name, self.habits)

    def _body(self, messages: Sequence[Message], shape: Shape) -> dict[str, Any]:
        habits = self.habits
        body: dict[str, Any] = {"model": self.endpoint.name, "messages": list(messages), habits.length_field: _ANSWER}
        if not habits.system and messages and messages[0].get("role") == "system":
            first = {"role": "user", "content": f"{messages[0]['content']}\n\n{messages[1]['content']}"}
            body["messages"] = [first, *messages[2:]]
        if habits.temperature:
            body["temperature"] = 0
        match self.dialect(shape):
            case "tools":
                body |= {"tools": list(shape.tools), "tool_choice": "auto"}
            case "schema":
                schema = {"name": shape.name, "schema": shape.schema, "strict": True}
                body["response_format"] = {"type": "json_schema", "json_schema": schema}
            case "object":
                body["response_format"] = {"type": "json_object"}
            case "plain":
                body |= {}
        return {**body, "messages": _sendable(body["messages"])}

    async def _insist(self, body: Mapping[str, Any]) -> Mapping[str, Any] | _Error:
        answer: Mapping[str, Any] | _Error = _Error(0, "not asked")
        for attempt in range(_ATTEMPTS):
            answer = await self._once(body)
            if not isinstance(answer, _Error) or answer.code == "insufficient_quota" or answer.failed:
                return answer
            wait = answer.wait if answer.wait is not None else self._patience * 2**attempt
            if (answer.status and answer.status not in _AGAIN) or wait > _LONGEST_WAIT or attempt + 1 == _ATTEMPTS:
                return answer
            await asyncio.sleep(wait)
        return answer

    async def _once(self, body: Mapping[str, Any]) -> Mapping[str, Any] | _Error:
        """The JSON of an answer, or what went wrong."""
        import openai

        client = self._client or await self._open()
        try:
            raw: Any = await client.post("/chat/completions", cast_to=object, body=body, options={"headers": _RAW})
            text = raw.http_response.text
        except openai.APIStatusError as error:
            return _status_error(error.status_code, error.response.text, error.response.headers)
        except openai.APITimeoutError:
            return _Error(0, f"no answer within {self.endpoint.seconds:g} s")
        except openai.OpenAIError as error:
            return _Error(0, f"no connection ({type(error).__name__})")
        try:
            answer = obj(json.loads(text))
        except (ValueError, RecursionError):
            return _Error(0, "the answer is no JSON")
        if answer.get("error"):
            status = number(dig(answer, "error", "code")) or 0
            return _status_error(status, text, raw.headers)
        return answer

    async def _open(self) -> "AsyncOpenAI":
        """A client that follows no redirects: what is sent goes to the address in the settings and nowhere else."""
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        encrypted = not self.endpoint.base_url.startswith("http:")  # reading the certificates takes its time
        http = DefaultAsyncHttpxClient(follow_redirects=False, timeout=self.endpoint.seconds, verify=encrypted)
        self._client = AsyncOpenAI(
            base_url=self.endpoint.base_url,
            api_key=await keys.read(self.endpoint) or "none",
            timeout=self.endpoint.seconds,
            max_retries=0,
            http_client=http,
        )
        return self._client

    def _adapt(self, error: _Error, shape: Shape) -> Refused | None:
        """None where the same question can be asked at once in another way."""
        cost = Usage(calls=1)
        if error.status not in _UNFIT:
            return Refused(self._said(error), usage=cost)
        if (habits := _adapted(self.habits, error.message)) is not None:
            self.habits = habits
            return None
        if _TOO_LONG.search(error.message) or error.code == "context_length_exceeded":
            return Refused("the question is longer than the model's context", too_long=True, usage=cost)
        dialect = self.dialect(shape)
        unfit = _FORMAT.search(error.message) or (dialect == "tools" and _TOOLS.search(error.message))
        if dialect != "plain" and unfit:
            self.unusable(shape)
            return Refused(self._said(error), dialect=True, usage=cost)
        return Refused(self._said(error), usage=cost)

    def _said(self, error: _Error) -> str:
        """For people; keys that an endpoint repeats are left out."""
        status = f"{error.status} " if error.status else ""
        return f"the model's endpoint says: {status}{_SECRET.sub('…', ' '.join(error.message.split())[:160])}"

    def _reply(self, answer: Mapping[str, Any], messages: Sequence[Message]) -> Reply:
        choice = next(iter(objects(answer.get("choices"))), {})
        message = obj(choice.get("message"))
        text = _content(message.get("content"))
        usage = self._usage(answer, messages, text)
        problem = ""
        if message.get("refusal"):
            problem = "the model refused"
        elif choice.get("finish_reason") == "length":
            problem = "it was cut off; be brief"
        elif not message:
            problem = "it was empty"
        return Reply(text, message, tuple(objects(message.get("tool_calls"))), usage, problem)

    def _usage(self, answer: Mapping[str, Any], messages: Sequence[Message], text: str) -> Usage:
        """Tokens as the endpoint counted them, else estimated; money as it says, else by the prices in the settings."""
        said = obj(answer.get("usage"))
        read, written = number(said.get("prompt_tokens")), number(said.get("completion_tokens"))
        estimated = read is None or written is None
        read = sum(len(str(it)) for it in messages) // _CHARACTERS if read is None else read
        written = len(text) // _CHARACTERS if written is None else written
        cached = number(dig(said, "prompt_tokens_details", "cached_tokens")) or number(
            said.get("prompt_cache_hit_tokens")
        )
        cached = min(cached or 0, read)
        cost, prices = said.get("cost"), self.endpoint
        usd = float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else (
            (read - cached) * prices.price_in
            + cached * (prices.price_cached or prices.price_in)
            + written * prices.price_out
        ) / 1e6  # fmt: skip
        return Usage(read, cached, written, usd, 1, 0, estimated)


def _adapted(habits: Habits, message: str) -> Habits | None:
    """The habits that an endpoint asks for; None where it complains of something else."""
    if "max_completion_tokens" in message and habits.length_field == "max_tokens":
        return replace(habits, length_field="max_completion_tokens")
    if "max_completion_tokens" in message and habits.length_field != "max_tokens":
        return replace(habits, length_field="max_tokens")
    if "temperature" in message and habits.temperature:
        return replace(habits, temperature=False)
    return replace(habits, system=False) if _SYSTEM.search(message) and habits.system else None


def _sendable(value: Any) -> Any:  # noqa: ANN401  a JSON value
    """The same without lone surrogates, which no encoding can carry."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {key: _sendable(it) for key, it in value.items()}
    return [_sendable(it) for it in value] if isinstance(value, list | tuple) else value


def _content(content: object) -> str:
    """The text of a message; of parts, their texts."""
    if isinstance(content, str):
        return content
    return "".join(it for part in objects(content) if isinstance(it := part.get("text"), str))


def _status_error(status: int, text: str, headers: Mapping[str, str]) -> _Error:
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        raw = {}
    error = obj(raw).get("error") or obj(raw)
    if isinstance(error, str):
        return _Error(status, error, wait=_wait(headers))
    said = obj(error)
    detail = f"{said.get('message') or ''} {dig(said, 'metadata', 'raw') or ''} {obj(raw).get('detail') or ''}".strip()
    failed = said.get("failed_generation")
    return _Error(
        status,
        detail or "no reason given",
        str(said.get("code") or said.get("type") or ""),
        failed if isinstance(failed, str) else "",
        _wait(headers),
    )


def _wait(headers: Mapping[str, str]) -> float | None:
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        said = headers.get(name, "")
        if said.replace(".", "", 1).isdigit() and said.isascii():
            return float(said) / unit
    return None

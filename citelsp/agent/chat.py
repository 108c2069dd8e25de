"""One model at one OpenAI-compatible endpoint: asked, retried, its refusals understood, its tokens counted."""

import asyncio
import json
import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from citelsp.agent import failure
from citelsp.agent.failure import Failure
from citelsp.agent.habits import Form, Habits, Memory
from citelsp.agent.pace import Pace
from citelsp.agent.repair_json import is_unfinished, shallow
from citelsp.agent.steps import Usage
from citelsp.base import extras
from citelsp.base.settings import LanguageModel
from citelsp.sources import read_api_key
from citelsp.sources.shape import dig, number, obj, objects

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Message = Mapping[str, Any]

_MOST_TRIES = 3  # of one request, without those that an endpoint refuses as it is asked too much
_MOST_ATTEMPTS = 6  # of one request, with those
_TOO_MANY_REQUESTS = 429  # HTTP's “too many requests”
_SECONDS_CLOSED = 5.0  # seconds in which nobody is asked again if nobody was there
_MOST_ADAPTATIONS = 8  # in a row, of how one question is asked
_CHARACTERS_PER_TOKEN = 4  # if an endpoint does not count
_MOST = 10**9  # tokens, USD: whatever an endpoint says
# Models that want `max_completion_tokens`: `o3`, `openai/gpt-5-mini`
_TAKES_NEWER_FIELD = re.compile(r"(?:^|/)(?:o\d|gpt-5)")
_RAW = {"X-Stainless-Raw-Response": "true"}  # openai's sign for an answer as it came; its typed calls cost 20 ms each


@dataclass(frozen=True, slots=True)
class Shape:
    """What the JSON object of an answer should look like."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    usage: Usage = field(default_factory=Usage)
    problem: str = ""  # cut off, refused
    cut: bool = False
    habits: Habits = field(default_factory=Habits)  # as it was asked for


@dataclass(frozen=True, slots=True)
class Refused:
    """The endpoint did not answer this question."""

    why: str
    too_long: bool = False
    usage: Usage = field(default_factory=Usage)


class Chat:
    """Bound to one event loop; `aclose` it."""

    def __init__(self, endpoint: LanguageModel, memory: Memory | None = None, *, patience: float = 0.5) -> None:
        """`memory`: how endpoints took questions in earlier runs, None for what the user's own file says of that.

        `patience`: seconds before a failed request is sent again; they double with each further try.
        """
        self.endpoint = endpoint
        self._memory = memory or Memory()
        self._patience = patience
        self._client: AsyncOpenAI | None = None
        self._opening = asyncio.Lock()  # many ask at once, and the command that prints the key must run only once
        self._pace = Pace()
        self._key = ""
        self._closed: tuple[float, Failure] | None = None  # until when nobody is asked, and why
        length_field = "max_completion_tokens" if _TAKES_NEWER_FIELD.search(endpoint.name) else "max_tokens"
        # "auto": as it worked before.  With "json" (by a schema) or "plain" the user says how to begin.
        known = self._memory.get(endpoint.base_url, endpoint.name) if endpoint.answers == "auto" else None
        form: Form = "plain" if endpoint.answers == "plain" else "schema"
        # The models that take the newer field refuse a temperature.
        self._habits = known or Habits(form, length_field, temperature=length_field == "max_tokens")

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def ask(self, messages: Sequence[Message], shape: Shape) -> Reply | Refused:
        """Ask for one answer, in whatever way the endpoint takes; that way is remembered for later questions.

        `shape`: the JSON that the answer should be.  After a failure that other questions would meet, too, such as a
        wrong key, all are refused at once for some seconds, without asking the endpoint.  Raises nothing but
        cancellation.
        """
        if self._closed:
            until, failure = self._closed
            if time.monotonic() < until:
                return Refused(failure.explained(self._key))
        for _ in range(_MOST_ADAPTATIONS):
            habits = self._habits
            answer = await self._ask_repeatedly(_make_body(self.endpoint.name, messages, shape, habits))
            if not isinstance(answer, Failure):
                return self._read_reply(answer, messages, habits)
            if answer.failed:
                # A generation that the endpoint itself could not read; our reader of JSON may be able to.
                return Reply(answer.failed, self._read_usage({}, messages, answer.failed), habits=habits)
            refused = self._adapt_or_refuse(answer, habits)
            if refused is not None:
                return refused
        return Refused("the model's endpoint refuses every way of asking", usage=Usage(calls=1))

    @property
    def asking(self) -> int:
        """Return how many questions the endpoint is answering now."""
        return self._pace.asking

    def lengthen(self, reply: Reply) -> None:
        """Ask for longer answers, as this one was cut off.

        Of many who share the chat and ask at the same time, the first one changes how is asked.
        """
        if reply.habits == self._habits:
            self._habits = self._habits.longer()

    def usable(self, reply: Reply) -> None:
        """Remember how this answer was asked for, as it could be read."""
        self._memory.put(self.endpoint.base_url, self.endpoint.name, reply.habits)

    async def _ask_repeatedly(self, body: Mapping[str, Any]) -> Mapping[str, Any] | Failure:
        """Send a request until it is answered; return the JSON of the answer, or what went wrong at the last attempt.

        At most _MOST_ATTEMPTS are made, and _MOST_TRIES that fail otherwise than by too many requests.  Each waits for
        its turn.  Between attempts it waits as long as the endpoint says, or else twice as long each time; a failure
        that would come again ends the attempts.  `body`: of the request, as JSON.
        """
        tries = 0  # without those that were refused since the endpoint is asked too much
        for attempt in range(_MOST_ATTEMPTS):
            async with self._pace.place():
                began = time.monotonic()
                answer = await self._ask_once(body)
            if not isinstance(answer, Failure):
                self._pace.answered(time.monotonic() - began)
                return answer
            is_crowded = answer.status == _TOO_MANY_REQUESTS
            if not is_crowded:
                tries += 1
            if not answer.again or tries == _MOST_TRIES or attempt + 1 == _MOST_ATTEMPTS:
                break
            wait = answer.wait if answer.wait is not None else self._patience * 2**attempt
            if is_crowded:
                self._pace.slower(wait)  # for all who share the chat: the next `place` waits so long
            else:
                await asyncio.sleep(wait)
        return answer

    async def _ask_once(self, body: Mapping[str, Any]) -> Mapping[str, Any] | Failure:
        """Send a request once; return the JSON of the answer, or what went wrong (`final`: it would go wrong again).

        A Failure has the status of HTTP, or 0 if there was no answer or none that could be read: these are tried again
        by the caller, unless they are final.  `body`: of the request, as JSON.
        """
        try:
            import openai
        except ImportError:
            return Failure(0, f"the package openai is missing: run {extras.command('model')}", final=True)
        try:
            async with self._opening:
                client = self._client = self._client or await self._open_client()
            raw: Any = await client.post("/chat/completions", cast_to=object, body=body, options={"headers": _RAW})
            text = raw.http_response.text
        except openai.APIStatusError as error:
            return failure.read_failure(error.status_code, error.response.text, error.response.headers)
        except openai.APITimeoutError:
            # Final, as the same question would take as long again.
            return Failure(0, f"no answer within {self.endpoint.seconds:g} s", final=True)
        except openai.OpenAIError as error:
            return Failure(0, f"no connection ({type(error).__name__})")
        except UnicodeEncodeError:
            return Failure(0, "the key in the settings holds characters that no header can carry", final=True)
        try:
            answer = obj(json.loads(text))
        except (ValueError, RecursionError):
            return Failure(0, "the answer is not JSON")
        if not shallow(answer):
            return Failure(0, "the answer is nested too deep")
        # Some endpoints answer 200 with an error in the JSON, which may have the true status as its code.
        if answer.get("error"):
            return failure.read_failure(number(dig(answer, "error", "code")) or 0, text, raw.headers)
        return answer

    async def _open_client(self) -> "AsyncOpenAI":
        """Read the key, and return a client for the endpoint.

        It follows no redirects: what is sent goes to the address in the settings and nowhere else.
        """
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        self._key = await read_api_key.read_key(self.endpoint)
        # Reading the certificates takes its time, and without encryption nothing needs them.
        verifies = not self.endpoint.base_url.startswith("http:")
        http = DefaultAsyncHttpxClient(follow_redirects=False, timeout=self.endpoint.seconds, verify=verifies)
        client = AsyncOpenAI(
            base_url=self.endpoint.base_url,
            api_key=self._key or "none",  # without one it would take OpenAI's from the environment
            timeout=self.endpoint.seconds,
            max_retries=0,
            http_client=http,
        )
        # The client took these two from OpenAI's environment variables; other endpoints must not learn them.
        client.organization = None
        client.project = None
        return client

    def _adapt_or_refuse(self, why: Failure, habits: Habits) -> Refused | None:
        """Change how questions are asked, by what an endpoint said to one that was asked with these habits.

        None if the question can be asked again at once, with the new `self._habits`; else why it was refused.  If the
        way of asking is not to blame, it is refused, and a failure that others would meet too closes the endpoint to
        all questions for _SECONDS_CLOSED seconds.  Else the change is made that the endpoint's message asks for; if it
        asks for none and names the form of the answer, a simpler one is tried, such as any JSON instead of a schema.
        """
        cost = Usage(calls=1)
        if not why.unfit:  # the status says that the way of asking is not to blame
            self._closed = (time.monotonic() + _SECONDS_CLOSED, why) if why.closed else None
            return Refused(why.explained(self._key), usage=cost)
        if habits != self._habits:
            return None  # another question was refused at the same time, and changed them already
        changed = failure.adapt_habits(habits, why)
        if changed is not None:
            self._habits = changed
            return None
        if why.too_long:
            return Refused("the question is longer than the model's context", too_long=True, usage=cost)
        if habits.form != "plain" and why.refuses_form:
            self._habits = habits.simpler()
            return None
        return Refused(why.explained(self._key), usage=cost)

    def _read_reply(self, answer: Mapping[str, Any], messages: Sequence[Message], habits: Habits) -> Reply:
        """Read what a model wrote to `messages`, and what is wrong with it.

        {"choices": [{"message": {"content": "…", "refusal": null}, "finish_reason": "stop"}], "usage": {…}}

        `habits`: how it was asked, which the reply remembers.  Its `problem` is told to the model if the text cannot be
        used.  A message whose text is empty has none here: whoever reads the text says what is missing in it.
        """
        choice = next(iter(objects(answer.get("choices"))), {})
        message = obj(choice.get("message"))
        text = _read_content(message.get("content"))
        was_cut = choice.get("finish_reason") == "length"
        if was_cut and is_unfinished(text):
            text = ""  # it was cut off while the model was still thinking aloud: no answer follows the thought
        problem = ""
        if message.get("refusal"):
            problem = "the model refused"
        elif was_cut:
            problem = "it was cut off; be brief"
        elif not message:
            problem = "it was empty"  # the endpoint sent no message at all
        usage = self._read_usage(answer, messages, text)
        return Reply(text, usage, problem=problem, cut=was_cut, habits=habits)

    def _read_usage(self, answer: Mapping[str, Any], messages: Sequence[Message], text: str) -> Usage:
        """Compute what one answer cost, in tokens and in USD; `text` is what the model wrote to `messages`.

        Tokens are as the endpoint counted them, {"usage": {"prompt_tokens": 812, "completion_tokens": 40}}, or else
        estimated by length; money is as the endpoint says, {"usage": {"cost": 0.002}}, or else by the prices in the
        settings, 0 if nobody set them.
        """
        usage = obj(answer.get("usage"))
        tokens_read = _read_count(usage.get("prompt_tokens"))
        tokens_written = _read_count(usage.get("completion_tokens"))
        is_estimated = tokens_read is None or tokens_written is None
        if tokens_read is None:
            tokens_read = sum(len(str(it)) for it in messages) // _CHARACTERS_PER_TOKEN
        if tokens_written is None:
            tokens_written = len(text) // _CHARACTERS_PER_TOKEN
        cached = min(_read_cached_tokens(usage), tokens_read)  # a part of those read, whatever the endpoint says
        usd = _read_usd(usage.get("cost"))
        if usd is None:
            usd = self._compute_price(tokens_read - cached, cached, tokens_written)
        return Usage(
            tokens_in=tokens_read,
            cached=cached,
            tokens_out=tokens_written,
            usd=usd,
            calls=1,
            estimated=is_estimated,
        )

    def _compute_price(self, uncached: int, cached: int, written: int) -> float:
        """Compute the USD for so many tokens by the prices in the settings, which are for a million tokens."""
        prices = self.endpoint
        # 0 is a price that nobody has set: cached tokens are then counted like any others.
        price_cached = prices.price_cached or prices.price_in
        millionths = uncached * prices.price_in + cached * price_cached + written * prices.price_out
        return millionths / 1e6


def _make_body(name: str, messages: Sequence[Message], shape: Shape, habits: Habits) -> dict[str, Any]:
    """Return the body of a request to the model called `name`, as these habits want it asked.

    The answer is asked for by a JSON schema, `shape`, as any JSON object, or in no form at all (`habits.form` is
    "schema", "object" or "plain"), of at most `habits.length` tokens; with `habits.temperature` as the likeliest one
    (temperature 0).  If the endpoint takes no system message, its text goes before that of the user's message.
    """
    sent = list(messages)
    if not habits.system and sent and sent[0].get("role") == "system":
        sent[:2] = [{"role": "user", "content": f"{sent[0]['content']}\n\n{sent[1]['content']}"}]
    body: dict[str, Any] = {"model": name, "messages": _replace_surrogates(sent), habits.length_field: habits.length}
    if habits.temperature:
        body["temperature"] = 0
    match habits.form:
        case "schema":
            schema = {"name": shape.name, "schema": shape.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        case "object":
            body["response_format"] = {"type": "json_object"}
    return body


def _read_count(value: object) -> int | None:
    """Return a number of tokens; None if the value is no plausible one."""
    found = number(value)
    return found if found is not None and 0 <= found < _MOST else None


def _read_cached_tokens(usage: Mapping[str, Any]) -> int:
    """Return how many of the tokens read came from the endpoint's cache; 0 if it does not say."""
    as_openai = _read_count(dig(usage, "prompt_tokens_details", "cached_tokens"))
    as_deepseek = _read_count(usage.get("prompt_cache_hit_tokens"))
    return as_openai or as_deepseek or 0


def _read_usd(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MOST:
        return None
    return float(value) if math.isfinite(value) else None


def _replace_surrogates(value: Any) -> Any:  # noqa: ANN401  a JSON value
    """Return the same JSON value without lone surrogates, which no encoding can carry."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {key: _replace_surrogates(it) for key, it in value.items()}
    return [_replace_surrogates(it) for it in value] if isinstance(value, list | tuple) else value


def _read_content(content: object) -> str:
    """Return the text of a message, whether it is one text or a list of parts."""
    if isinstance(content, str):
        return content
    return "".join(text for part in objects(content) if isinstance(text := part.get("text"), str))

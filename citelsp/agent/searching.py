"""The policy with a language model: native tool calls if the endpoint has them, JSON by schema or by request else.

What cannot be read goes back to the model with the reason; when the model cannot be asked, the rules go on.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat
from typing import Any

from citelsp.agent import rules, wording
from citelsp.agent.calls import BY_RULES, OFFERED, SIGNATURES
from citelsp.agent.certainty import MEANT
from citelsp.agent.chat import Chat, Message, Refused, Reply, Shape
from citelsp.agent.environment import Environment
from citelsp.agent.repair import UnreadableError, arguments, values, visible
from citelsp.agent.run import Run
from citelsp.agent.steps import Action, Step, Turn, Usage

_MOST = 8  # actions of one turn
_SKIPPED = "skipped: too many actions"
_UNNAMED = re.compile(r"[^A-Za-z0-9_-]")  # what no tool's name may hold
_RULES_OWN = frozenset({"probability", BY_RULES})  # arguments
_LOST = 2  # answers that could not be read or carried out, after which rules decide
_FIRST_LOOK = 20  # works of the corpus, if nobody looked before
_ECHOED = ("extra_content", "thought_signature", "reasoning_details", "reasoning_content")
_FIELDS = ("query", "sort", "id", "part", "quote", "sure", "why", "paragraphs", "reason")
_KINDS: Mapping[str, Mapping[str, Any]] = {
    "sort": {"enum": ["relevance", "citations"]},
    "paragraphs": {"type": "integer"},
    "sure": {"enum": list(MEANT)},
}
_NAMES = ("action", "name", "tool", "tool_name", "function", "command")
_INSIDE = ("arguments", "args", "parameters", "input", "action_input", "tool_input")
_NAMED = "|".join(SIGNATURES)
_CALLS = re.compile(
    rf"^\s*(?P<a>{_NAMED})\((?P<x>[^()\n]*)\)\s*$"
    rf"|<function=(?P<b>{_NAMED})>\s*(?P<y>\{{.*?\}})\s*</function>"
    rf"|^Action:\s*(?P<c>{_NAMED})\s*\n+Action Input:\s*(?P<z>[^\n]*)",
    re.MULTILINE | re.DOTALL,
)
_KEYWORD = re.compile(r"(\w+)\s*=\s*[\"']([^\"']*)[\"']")
_LISTS = ("actions", "tool_calls", "calls", "steps", "tools")


class Searching:
    """One run's policy; the chat may be shared by many.  It goes on from what earlier steps found."""

    name = "model"

    def __init__(self, chat: Chat, *, shown: Iterable[str] = (), demonstration: bool = True) -> None:
        """`shown`: handles that the model has seen, and did not choose."""
        self._chat = chat
        self._demonstration = demonstration
        self._first = 0  # the step from which on the model was asked here; known at the first turn
        self._messages: dict[int, Message] = {}  # by step: the model's message that led to it
        self._rules = rules.Rules()
        self._seen: list[list[str]] = []  # by step: its observations as the model was shown them
        self._before = frozenset(shown)
        self._shown: set[str] = set(shown)
        self._tight = False
        self._lost = ""  # why the model cannot be asked any more

    async def propose(self, run: Run) -> Turn:
        if not run.steps:
            return Turn(rules.first_look(run.environment, _FIRST_LOOK))
        self._first = self._first or len(run.steps)
        if len(lost := [it for it in run.steps[self._first :] if _is_lost(it)]) >= _LOST:
            return Turn(failed=_trouble(lost[-1]))
        if self._lost:
            return await self._by_rules(run)
        spent = Usage()
        for _ in range(6):
            reply = await self._chat.ask(self.messages(run), _shape(offered(run.environment)))
            spent = spent.plus(reply.usage)
            if isinstance(reply, Reply):
                return self._turn(run, reply, spent)
            if reply.too_long and not self._tight:
                self._tight, self._seen, self._shown = True, [], set(self._before)
            elif not reply.dialect:
                return await self._by_rules(run, reply, spent)
        return await self._by_rules(run, Refused("the model's endpoint refuses every way of asking"), spent)

    async def _by_rules(self, run: Run, refused: Refused | None = None, spent: Usage = Usage()) -> Turn:  # noqa: B008  a frozen value
        self._lost = self._lost or (refused.why if refused else "")
        turn = await self._rules.propose(run)
        return Turn(turn.actions, f"{self._lost}; rules go on: {turn.rationale}", usage=spent, notice=self._lost)

    def _turn(self, run: Run, reply: Reply, spent: Usage) -> Turn:
        step = len(run.steps)
        self._messages[step] = _echo(reply, step)
        try:
            actions, thought = read(reply)
        except UnreadableError as error:
            problem = reply.problem or str(error)
            self._chat.unusable(SHAPE, reply)
            return Turn(rationale=visible(reply.text)[:500], problem=problem, usage=spent)
        self._chat.usable(reply)
        return Turn(tuple(actions[:_MOST]), thought[:500], usage=spent)

    def messages(self, run: Run) -> list[Message]:
        """The conversation so far; it only ever grows at its end, so that endpoints can cache what came before."""
        if not self._seen:
            self._seen.append([wording.opening(run, self._shown, tight=self._tight)])
        for done in run.steps[self._first + len(self._seen) - 1 :]:
            self._seen.append(wording.step(run, done, self._shown, tight=self._tight))
        run.desk.shown = self._shown
        dialect = self._chat.dialect(SHAPE)
        system = wording.prompt("system")
        if self._demonstration and not self._tight:
            system += "\n\n" + wording.prompt("demonstration")
        if dialect != "tools":
            system += "\n\n" + wording.prompt("answer") + "\n" + _listed(offered(run.environment))
        first = f"{wording.place(run.environment)}\n\n"
        first += f"You were shown {len(self._before)} titles and chose none.\n" if self._before else ""
        first += "Found so far:\n"
        first += self._seen[0][0]
        messages: list[Message] = [{"role": "system", "content": system}, {"role": "user", "content": first}]
        for number, done in enumerate(run.steps[self._first :], self._first):
            messages += self._exchange(number, done)
        return _announced(messages) if run.turns_left == 1 else messages

    def _exchange(self, number: int, done: Step) -> Iterator[Message]:
        message = self._messages.get(number, {"role": "assistant", "content": done.turn.rationale or "…"})
        seen = self._seen[number - self._first + 1]
        if self._chat.dialect(SHAPE) == "tools" and message.get("tool_calls"):
            yield message
            for call, text in zip(message["tool_calls"], chain(seen, repeat(_SKIPPED)), strict=False):
                yield {"role": "tool", "tool_call_id": call["id"], "content": text}
            return
        yield {"role": "assistant", "content": str(message.get("content") or "") or _as_json(done.turn.actions)}
        if done.turn.problem:
            yield {"role": "user", "content": wording.prompt("unreadable").format(problem=done.turn.problem)}
        else:
            named = (f"{it.name}: {text}" for it, text in zip(done.turn.actions, seen, strict=True))
            yield {"role": "user", "content": "\n\n".join(named)}


def _is_lost(done: Step) -> bool:
    """The model's answer led to nothing: it could not be read, or nothing that it asked for could be done."""
    return bool(done.turn.problem) or (bool(done.observations) and all(it.refused for it in done.observations))


def _trouble(done: Step) -> str:
    if done.turn.problem:
        return f"the model's answers could not be read: {done.turn.problem}"
    return f"the model's answers could not be used: {done.observations[0].problem}"


def read(reply: Reply) -> tuple[list[Action], str]:
    """The actions in an answer and the thought behind them; UnreadableError if it names none."""
    if found := _calls(reply):
        return found, visible(reply.text)
    if spoken := _spoken(visible(reply.text)):
        return spoken, ""
    actions: list[Action] = []
    thought = ""
    for value in values(reply.text):
        actions += _actions(value)
        if isinstance(value, dict):
            thoughts = (value.get(it) for it in ("thought", "reasoning", "rationale", "reason"))
            thought = thought or next((it for it in thoughts if isinstance(it, str)), "")
    if not actions:
        raise UnreadableError("it names no action")
    return actions, thought


def _spoken(text: str) -> list[Action]:
    """Actions written as calls: search("…"), <function=search>{…}</function>, Action: search / Action Input: …."""
    found = [(it["a"] or it["b"] or it["c"], it["x"] or it["y"] or it["z"] or "") for it in _CALLS.finditer(text)]
    actions = []
    for name, inside in found if len(found) <= _MOST else []:
        named = dict(_KEYWORD.findall(inside)) if not inside.startswith("{") else {}
        actions.append(Action(name, named or arguments(inside) or {"query": inside.strip("\"' \n")}))
    return actions


def _called(call: Mapping[str, Any]) -> Action:
    function = call.get("function")
    function = function if isinstance(function, dict) else call
    written = function.get("arguments", function.get("parameters"))
    return _action(str(function.get("name") or "").strip(), arguments(written), str(call.get("id") or ""))


def _calls(reply: Reply) -> list[Action]:
    """The native calls of an answer; none if no call has a name."""
    found = [_called(it) for it in reply.tool_calls]
    return found if any(it.name for it in found) else []


def _action(name: str, inputs: Mapping[str, Any], call: str = "") -> Action:
    """An action as a model may write it: what only rules say of works, it cannot."""
    return Action(name, {key: it for key, it in inputs.items() if key not in _RULES_OWN}, call)


def _actions(value: object) -> list[Action]:
    """Actions in whatever shape they were written."""
    if isinstance(value, list):
        return [it for item in value for it in _actions(item)]
    if not isinstance(value, dict):
        return []
    for name in _LISTS:
        if isinstance(value.get(name), list | dict):
            return _actions(value[name])
    for name in _NAMES:
        named = value.get(name)
        if isinstance(named, dict):
            return _actions(named)
        if isinstance(named, str) and named.strip():
            inside = next((value[it] for it in _INSIDE if value.get(it) not in (None, "", {})), None)
            inner = arguments(inside) if inside is not None else {}
            if isinstance(inside, str) and not inner:
                inner = {"query": inside}
            plain = {key: it for key, it in value.items() if key in _FIELDS and it not in (None, "")}
            return [_action(named.strip(), {**plain, **inner})]
    known = [_action(name, arguments(it) or _single(it)) for name, it in value.items() if name in SIGNATURES]
    return known or ([_action("select", value)] if {"id", "quote"} <= value.keys() else [])


def _single(value: object) -> dict[str, object]:
    return {"query": value} if isinstance(value, str) else {}


def _announced(messages: list[Message]) -> list[Message]:
    """With the word that this is the last turn, within the user's last message: some models take no two in a row."""
    *rest, last = messages
    prompt = wording.prompt("last")
    if last["role"] != "user":
        return [*messages, {"role": "user", "content": prompt}]
    return [*rest, {"role": "user", "content": f"{last['content']}\n\n{prompt}"}]


def _echo(reply: Reply, step: int) -> Message:
    """The model's message as the endpoint wants it back: calls with ids and plain arguments, signatures untouched."""
    text = visible(reply.text)[:2000]
    if not _calls(reply):
        return {"role": "assistant", "content": text}
    echoed: dict[str, Any] = {"role": "assistant", "content": text or None}
    echoed |= {name: reply.message[name] for name in _ECHOED if reply.message.get(name)}
    calls = [_whole(it) for it in reply.tool_calls[: _MOST + 1]]
    used = Counter(it["id"] for it in calls)
    for number, call in enumerate(calls):
        if not call["id"] or used[call["id"]] > 1:
            call["id"] = f"call{step:02d}{number:03d}"  # nine letters and digits, as Mistral's models want them
    return {**echoed, "tool_calls": calls}


def _whole(call: Mapping[str, Any]) -> dict[str, Any]:
    action = _called(call)
    name = _UNNAMED.sub("_", action.name)[:64] or "unknown"
    function = {"name": name, "arguments": json.dumps(action.arguments, ensure_ascii=False)}
    extra = {key: it for key, it in call.items() if key in ("extra_content", "thought_signature")}
    return {"id": action.id, "type": "function", "function": function, **extra}


def _as_json(actions: Sequence[Action]) -> str:
    listed = [{"action": it.name, **it.arguments} for it in actions]
    return json.dumps({"thought": "", "actions": listed}, ensure_ascii=False)


def offered(environment: Environment) -> tuple[str, ...]:
    """The actions that can bring something here; the same for all places of a manuscript, so that they stay cached."""
    absent = {"search_library"} if environment.library is None else set()
    if environment.services is None and not environment.has_corpus:
        absent.add("search")
    if not environment.before and not environment.after:
        absent.add("ask_for_more_context")
    return tuple(it for it in OFFERED if it not in absent)


def _listed(names: Iterable[str]) -> str:
    lines = []
    for name in names:
        signature = SIGNATURES[name]
        fields = ", ".join((*signature.needs, *(f"{extra} (optional)" for extra in signature.may)))
        lines.append(f"- {name}: {fields}. {signature.meaning}")
    return "\n".join(lines)


def _tool(name: str) -> dict[str, Any]:
    signature = SIGNATURES[name]
    properties = {it: _KINDS.get(it, {"type": "string"}) for it in (*signature.needs, *signature.may)}
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": list(signature.needs)}
    return {"type": "function", "function": {"name": name, "description": signature.meaning, "parameters": schema}}


def _schema(names: Sequence[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {"action": {"type": "string", "enum": list(names)}}
    fields |= {it: {"type": "string"} for it in _FIELDS}
    item = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    properties = {"thought": {"type": "string"}, "actions": {"type": "array", "items": item}}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


@lru_cache(maxsize=16)
def _shape(names: tuple[str, ...]) -> Shape:
    return Shape("actions", _schema(names), tuple(map(_tool, names)))


SHAPE = _shape(OFFERED)

"""From an action as a policy wrote it to an observation: checked leniently, troubles put into words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from citelsp.agent import actions, certainty, quotes
from citelsp.agent.environment import Answer, Desk, Environment
from citelsp.agent.plain import plain
from citelsp.agent.steps import Action, Observation
from citelsp.corpus.words import title_key
from citelsp.knowledge import Candidate
from citelsp.sources.shape import number

_HANDLE = re.compile(r"w?\s*#?(\d{1,4})", re.IGNORECASE)
_LONGEST_QUERY, _WHY = 400, 200  # characters
_LARGEST = 10**9  # number


@dataclass(frozen=True, slots=True)
class Signature:
    """What an action takes; arguments beyond `needs` are optional."""

    needs: tuple[str, ...]
    may: tuple[str, ...]
    meaning: str


SIGNATURES: Mapping[str, Signature] = {
    "search_library": Signature(("query",), (), "The author's own bibliography."),
    "search": Signature(("query",), ("sort",), "Works by words; sort: relevance or citations."),
    "search_text_snippet": Signature(("query",), (), "Works by a passage of their text."),
    "read": Signature(("id",), ("part",), "A work's text; part: abstract, a section or a page."),
    "find_in_text": Signature(("id", "query"), (), "Sentences of a work nearest to the words."),
    "ask_for_more_context": Signature((), ("paragraphs",), "The manuscript around the place."),
    "expand_references": Signature(("id",), (), "What a work cites."),
    "expand_citations": Signature(("id",), (), "What cites a work."),
    "select": Signature(
        ("id", "sure", "why"), ("quote",), "The answer: a handle, or the title of a work not shown, to be looked up."
    ),
    "give_up": Signature(("reason",), (), "No work fits."),
}
# Further actions are the rules' own: in 103 recorded places no model gained by one of them.
OFFERED = ("search_library", "search", "read", "ask_for_more_context", "select", "give_up")
_WITHOUT_ARGUMENTS = frozenset({"match_place", "recall"})  # what no model needs to ask for
BY_RULES = "by_rules"  # argument of rules, which search by words alone and look up no work by its title
ABOUT_ONE = frozenset(actions.READING)
ENDING = frozenset({"select", "give_up"})
_ALIASES = {
    "paper_id": "id", "work_id": "id", "paper": "id", "work": "id", "number": "id", "handle": "id", "doc_id": "id",
    "q": "query", "text": "query", "keywords": "query", "words": "query", "search_query": "query",
    "evidence": "quote", "passage": "quote", "why": "reason", "section": "part", "page": "part",
    "certainty": "sure", "confidence": "sure",
}  # fmt: skip


class UnfitError(Exception):
    """Arguments that an action cannot take; says what it needs."""


async def perform(environment: Environment, desk: Desk, action: Action) -> Observation:
    """Carry out one action.  Never raises but when cancelled: what is wrong stands in the observation."""
    try:
        name, arguments = checked(action)
        if name == "select" and not handle_in(title := arguments["id"]) and not _titled(desk, title):
            return _looked_up(action, title, await actions.look_up(environment, title))
        if name in ENDING:
            return _ended(desk, action, name, arguments)
        if name == "ask_for_more_context":
            text = await actions.ask_for_more_context(environment, number(arguments.get("paragraphs")) or 3)
            return Observation(action, text=text)
        by_rules = BY_RULES in action.arguments
        if name == "match_place" and (limit := number(action.arguments.get("limit"))):
            return _seen(action, await actions.match_place(environment, limit))
        if name in actions.FINDING:
            if not by_rules:
                _note(desk, name, arguments)
            find: actions.Finder = actions.search_words if name == "search" and by_rules else actions.FINDING[name]
            return _seen(action, await find(environment, **arguments))
        handle = handle_of(desk, arguments.pop("id"))
        work = desk.works[handle]
        known = Answer() if by_rules else await actions.identified(environment, work)
        answer = await actions.READING[name](environment, next(iter(known.works), work), **arguments)
        works = answer.works or (known.works if name in actions.TEXTS else ())
        notes, requests = (*known.notes, *answer.notes), known.requests + answer.requests
        return _seen(action, replace(answer, works=works, notes=notes, requests=requests), handle)
    except UnfitError as unfit:
        return Observation(action, problem=str(unfit), refused=True)


def _note(desk: Desk, name: str, arguments: Mapping[str, str]) -> None:
    """Note a search; UnfitError if it was made before, since it would bring the same."""
    words = f"{name} {title_key(arguments.get('query', ''))} {arguments.get('sort', '')}"
    if name not in _WITHOUT_ARGUMENTS and words in desk.asked:
        raise UnfitError("this was asked before and brings nothing new: select a work, or give_up")
    desk.asked.add(words)


def checked(action: Action) -> tuple[str, dict[str, str]]:
    """The action's name and its arguments as texts; UnfitError if one is missing or there is no such action."""
    name = action.name.strip().rpartition(".")[2]
    if name in _WITHOUT_ARGUMENTS:
        return name, {}
    if name not in SIGNATURES:
        raise UnfitError(f"there is no action {name[:40]!r}; there are {', '.join(OFFERED)}")
    signature = SIGNATURES[name]
    known = (*signature.needs, *signature.may)
    values = {_ALIASES.get(key, key) if key not in known else key: _text(it) for key, it in action.arguments.items()}
    missing = [it for it in signature.needs if not values.get(it)]
    spare = [it for key, it in values.items() if key not in known and it]
    if name in ENDING:
        missing = [it for it in missing if it == "id"]
    if len(missing) == 1 and len(spare) == 1:
        values[missing[0]], missing = spare[0], []
    if missing:
        raise UnfitError(f"{name} needs {' and '.join(signature.needs)}; {' and '.join(missing)} is missing")
    arguments = {key: values[key] for key in known if values.get(key)}
    if "query" in arguments:
        arguments["query"] = " ".join(arguments["query"].split())[:_LONGEST_QUERY]
    return name, arguments


def _text(value: object) -> str:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode().replace("\0", " ").strip()
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return f"{value:g}" if -_LARGEST < value < _LARGEST else ""
    if isinstance(value, list | tuple):
        return " ".join(filter(None, map(_text, value)))
    return ""


def handle_in(written: str) -> str:
    """The handle that was meant by "W3", "w3", "3" or "[W3]"; "" if it is none."""
    match = _HANDLE.fullmatch(written.strip().strip("[]()<>\"'`. "))
    return f"W{int(match[1])}" if match else ""


def handle_of(desk: Desk, written: str) -> str:
    """The handle that was meant, or that of the work with this title.  UnfitError if no work has it.

    What a model was not shown does not exist for it, whatever lies on the desk.
    """
    handle = handle_in(written) or _titled(desk, written)
    if handle in desk.works and (desk.shown is None or handle in desk.shown):
        return handle
    last = "choose one that was shown" if desk.works else "no work was found yet: search first"
    raise UnfitError(f"there is no work {written.strip()[:40]!r}; {last}")


def _titled(desk: Desk, written: str) -> str:
    """The handle of the only work on the desk with this title; "" if there is none."""
    key = title_key(written)
    shown = desk.works if desk.shown is None else desk.shown
    same = [it for it in shown if it in desk.works and title_key(desk.works[it].record.title) == key]
    return same[0] if key and len(same) == 1 else ""


def _looked_up(action: Action, title: str, answer: Answer) -> Observation:
    """The work that a title names; if there is none, what was found instead, which may not be chosen unseen."""
    named = [it for it in answer.works if actions.is_titled(it.record, title)]
    if named:
        return Observation(action, (named[0],), notes=answer.notes, requests=answer.requests)
    problem = f"no work is titled {plain(title, 80)}"
    return Observation(
        action, answer.works, problem=problem, refused=True, notes=answer.notes, requests=answer.requests
    )


def _seen(action: Action, answer: Answer, handle: str = "") -> Observation:
    problem = ""
    if action.name in actions.TEXTS and not answer.passages:
        problem = "its text says nothing of these words" if answer.silent else "only its title is known"
    elif not answer.works and not answer.passages:
        problem = "no links of it are known" if handle else "nothing was found"
    return Observation(
        action, answer.works, (), handle, answer.passages, problem=problem, notes=answer.notes, requests=answer.requests
    )


def _ended(desk: Desk, action: Action, name: str, arguments: Mapping[str, str]) -> Observation:
    if name == "give_up":
        return Observation(action, text=plain(arguments.get("reason", ""), 500) or "nothing fits")
    handle = handle_of(desk, arguments["id"])
    found = quotes.checked(arguments.get("quote", ""), desk.quotable(handle))
    if found is None and arguments.get("quote"):
        problem = f"the quote is not in {handle}; copy one sentence from it word for word"
        return Observation(action, about=handle, problem=problem, refused=True)
    return Observation(action, about=handle, passages=(found,) if found else ())


def chosen(desk: Desk, observation: Observation) -> Candidate:
    """The work that a select meant, its checked quote first; with a quote that stands nowhere it is but a guess."""
    work = desk.works[observation.about]
    inputs = observation.action.arguments
    probability = inputs.get("probability")
    odds = float(probability) if isinstance(probability, int | float) else certainty.chance(inputs.get("sure"))
    if observation.problem and odds is not None:
        odds = min(odds, certainty.CHANCES["guess"])
    why = plain(_text(inputs.get("why") or inputs.get("reason")), _WHY)
    return Candidate(work.record, odds, work.origins, work.key, observation.passages, why)

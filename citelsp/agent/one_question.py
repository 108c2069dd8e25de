"""The one question: which of many titles belongs at a place, or what is the title of the work that is meant.

One request shows fifty titles and no tools, so that a small model with 4,096 tokens of context can answer it too.  A
model may answer with a handle, with a title, with words to search for, or with nothing; JSON is asked for, and prose
that names one work is understood.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from citelsp.agent import calls, repair_json
from citelsp.agent.ask import Asked, Unanswered, ask, shape
from citelsp.agent.certainty import MEANT
from citelsp.agent.environment import Desk, Environment
from citelsp.agent.harmless_text import make_plain
from citelsp.agent.program import Program, standard
from citelsp.agent.repair_json import UnreadableError
from citelsp.agent.steps import Usage
from citelsp.agent.wording import list_titles
from citelsp.corpus.words import names_one_work, title_key
from citelsp.sources.shape import items, text

TITLES = 50  # of the first question; the ranking has three of five right works among so many
FURTHER = 60  # of the second, which is asked if none of the first fits
_MOST_OTHERS = 4  # runners-up at most
_LONGEST_TITLE, _LONGEST_WORDS, _LONGEST_WHY = 300, 120, 200  # characters
EXAMPLE = "one short sentence"  # the reason in the example of prompts/choose.md, which the smallest models copy whole
_HANDLE = re.compile(r"(?<![\w-])W(\d{1,4})\b")
_SHAPE = shape(
    "choice",
    choice={"type": "string"},
    title={"type": "string"},
    words={"type": "string"},
    sure={"type": "string", "enum": list(MEANT)},
    why={"type": "string"},
    others={"type": "array", "items": {"type": "string"}},
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a model answered.  `handle`, or else `title`, is its choice; both are "" if none fits.

    If no usable answer came, `problem` says why.
    """

    handle: str = ""
    title: str = ""  # of a work that was not shown
    words: str = ""  # to search for
    sure: str = ""  # the model's word, as certainty.read_chance takes it
    why: str = ""
    others: tuple[str, ...] = ()  # handles of runners-up, or of what is to be cited there too; best first
    usage: Usage = field(default_factory=Usage)
    problem: str = ""
    too_long: bool = False  # the question is longer than the model's context


@dataclass(frozen=True, slots=True)
class Shown:
    """What a question shows: a place, and works on a desk, best first; `remark`: what came of earlier questions."""

    environment: Environment
    desk: Desk
    handles: Sequence[str]
    remark: str = ""


async def choose(chat: Asked, shown: Shown, program: Program | None = None) -> Choice:
    """Ask for the model's choice among the works that are shown; if none came, its `problem` says why.

    `program`: the instructions, None for the usual ones.  Raises nothing but cancellation.
    """
    titles = {handle: shown.desk.works[handle].record.title for handle in shown.handles}

    def read(written: str) -> Choice:
        return read_choice(written, titles)

    answered = await ask(chat, (program or standard()).text, write_question(shown), _SHAPE, read)
    if isinstance(answered, Unanswered):
        return Choice(usage=answered.usage, problem=answered.why, too_long=answered.too_long)
    choice, usage = answered
    return replace(choice, usage=usage)


def write_question(shown: Shown) -> str:
    """The question as a model is asked it."""
    return list_titles(shown.environment, shown.desk, shown.handles, shown.remark)


def read_choice(written: str, shown: Mapping[str, str]) -> Choice:
    """Read a model's answer; `shown` maps handles to titles.

    `written`: the whole answer, which should be JSON.  UnreadableError if that is no answer, and for prose unless it
    names just one work: that none fits is understood in JSON alone.
    """
    try:
        answer = repair_json.value(written)
    except UnreadableError as unreadable:
        # Prose is understood if it names one work, by its handle or else by its title.
        prose = repair_json.visible(written)  # without the model's thoughts
        by_handle = {f"W{int(match[1])}" for match in _HANDLE.finditer(prose)} & shown.keys()
        handles = by_handle or _find_titles(prose, shown)
        if len(handles) != 1:
            raise UnreadableError(f"{unreadable}; name one handle, such as W3") from unreadable
        return Choice(handles.pop(), why=make_plain(prose, _LONGEST_WHY))
    return _read_object(answer, shown)


def _find_titles(prose: str, shown: Mapping[str, str]) -> set[str]:
    """Find the works whose whole title stands in a text; return their handles.

    Of titles within each other, “Deep Learning for Text” and “Learning for Text”, only the longest counts.  Titles of
    one or two words are passed over, since sentences hold them without meaning a work.  `shown` has the titles by
    handle.
    """
    # `title_key` gives words with single spaces between; with spaces at the ends only whole words match.
    prose_words = f" {title_key(prose)} "
    key_of = {handle: title_key(title) for handle, title in shown.items()}
    long_enough = {handle: key for handle, key in key_of.items() if names_one_work(key)}
    named = {handle for handle, key in long_enough.items() if f" {key} " in prose_words}

    def is_within_another(handle: str) -> bool:
        return any(f" {key_of[handle]} " in f" {key_of[other]} " for other in named - {handle})

    return {handle for handle in named if not is_within_another(handle)}


def _read_object(answer: Mapping[str, Any], shown: Mapping[str, str]) -> Choice:
    """Read a model's answer from its JSON; UnreadableError if it is no answer.  `shown` has the titles by handle.

    {"choice": "W3" or "W0" for none, "title": "…", "words": "…", "sure": "likely", "why": "…", "others": ["W7"]}
    """
    if not {"choice", "title"} & answer.keys():
        raise UnreadableError("choice is missing")
    # The smallest models copy the example from the question whole.
    if text(answer.get("why")).strip().rstrip(".").casefold() == EXAMPLE:
        raise UnreadableError("that is the example and no answer: say why of this place")
    handle = _find_handle(answer.get("choice"), shown)
    title = make_plain(text(answer.get("title")), _LONGEST_TITLE)
    if handle:
        title = ""  # a shown work surely exists; a title that the model writes may not
    elif not title:
        title = _read_title_for_handle(answer.get("choice"))  # some models write the title there
    others = dict.fromkeys(calls.read_handle(str(it)) for it in items(answer.get("others")))
    shown_others = [it for it in others if it in shown and it != handle]
    return Choice(
        handle,
        title,
        words=make_plain(text(answer.get("words")), _LONGEST_WORDS),
        sure=text(answer.get("sure")),
        why=make_plain(text(answer.get("why") or answer.get("reasoning")), _LONGEST_WHY),
        others=tuple(shown_others[:_MOST_OTHERS]),
    )


def _find_handle(written: object, shown: Mapping[str, str]) -> str:
    """Return the handle of the shown work that "choice" names, by handle or by title; "" if it names none.

    UnreadableError if it names a handle that was not shown.  `written`: the value of "choice" in the model's answer;
    `shown` has the titles by handle.
    """
    if isinstance(written, bool) or not isinstance(written, int | str):
        return ""
    handle = calls.read_handle(str(written))
    if handle == "W0":  # none
        return ""
    if handle and handle not in shown:
        raise UnreadableError(f"{handle} was not shown; choose a handle that was, or give a title")
    if handle:
        return handle
    # A shown work may be chosen by its title, too; of several with the title the one that was shown first.
    key = title_key(str(written))
    return next((it for it, title in shown.items() if title_key(title) == key), "")


def _read_title_for_handle(written: object) -> str:
    """Return a title that was given in the place of a handle; "" for what is too short to be one, such as “none”."""
    title = make_plain(written, _LONGEST_TITLE) if isinstance(written, str) else ""
    return title if names_one_work(title_key(title)) else ""

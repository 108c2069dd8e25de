"""What a policy with a model is shown: prompts from files, observations in few words, strangers' text fenced."""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from citelsp.agent.environment import Desk, Environment
from citelsp.agent.harmless_text import make_plain
from citelsp.agent.run import Run
from citelsp.bibliography.record import Record
from citelsp.candidates.admitted_works import earliest_date
from citelsp.corpus.place_query import cut_to_beginning, cut_to_end

# In characters.
_LONGEST_TITLE = 160
_LONGEST_NEIGHBOUR = 60  # title of a work that is cited nearby
_LONGEST_BEFORE = 300
_LONGEST_AFTER = 120
_LONGEST_HEADING = 80
_LONGEST_HINT = 120
_LONGEST_SENTENCE = 600  # of a sentence before its citation, and behind it
_LONGEST_BRIEF = 140  # of a title among many
_MOST_NEIGHBOURS = 3  # works that the manuscript cites nearest to the place


@lru_cache(maxsize=32)
def read_prompt(name: str) -> str:
    """Read a prompt by its file's name in prompts/."""
    return files("citelsp.agent").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8").strip()


def fence(text: str, limit: int) -> str:
    """Put a stranger's text between « and », on one line, so that it cannot pass for anything else."""
    return f"«{make_plain(text, limit)}»"


def describe_place(environment: Environment) -> str:
    """Describe for a model the place where a citation is missing: manuscript, section, hint, sentence, works nearby.

    There is a line for each thing that is known; text of the manuscript is fenced by « ».
    """
    place = environment.question
    lines = []
    about = " ".join(fence(text, _LONGEST_TITLE) for text in (place.title, place.date) if text)
    if about:
        lines.append(f"Manuscript: {about}")
    if place.heading:
        lines.append(f"Section: {fence(place.heading, _LONGEST_HEADING)}")
    if place.hint:
        lines.append(f"The author's hint: {fence(place.hint, _LONGEST_HINT)}")
    lines.append(f"Place: «{_quote_before(environment)} [CITE] {_quote_behind(environment)}»")
    if place.cites:
        titles = " ".join(fence(title, _LONGEST_NEIGHBOUR) for title in place.cites[:_MOST_NEIGHBOURS])
        lines.append(f"Cited nearby, perhaps meant again: {titles}")
    if environment.chosen:
        titles = " ".join(fence(record.title, _LONGEST_TITLE) for record in environment.chosen)
        lines.append(f"Cited there already: {titles}")
        lines.append("Another work for the same claim is sought; perhaps none fits.")
    return "\n".join(lines)


def _quote_before(environment: Environment) -> str:
    """Quote the sentence up to the place; if it is short, _LONGEST_BEFORE characters with what precedes it."""
    where = environment.question
    start, _ = where.sentence_parts
    length = max(_LONGEST_BEFORE, min(len(start), _LONGEST_SENTENCE))
    return make_plain(cut_to_end(where.before, length), length)


def _quote_behind(environment: Environment) -> str:
    where = environment.question
    _, end = where.sentence_parts
    length = max(_LONGEST_AFTER, min(len(end), _LONGEST_SENTENCE))
    return make_plain(cut_to_beginning(where.after, length), length)


def describe_claim(environment: Environment) -> str:
    """Describe a claim for a model: the sentence that cites a work, marked where it does, and what stands around it."""
    place = environment.question
    start, end = place.sentence_parts  # before and behind the citation
    text_before = place.before.removesuffix(start)
    text_after = place.after.removeprefix(end)
    lines = []
    if place.title:
        lines.append(f"Manuscript: {fence(place.title, _LONGEST_TITLE)}")
    if place.heading:
        lines.append(f"Section: {fence(place.heading, _LONGEST_HEADING)}")
    if text_before.strip():
        lines.append(f"Before it: {fence(cut_to_end(text_before, _LONGEST_BEFORE), _LONGEST_BEFORE)}")
    # The words right before the citation are the claim, so a sentence that is too long loses its beginning.
    claim = make_plain(cut_to_end(start, _LONGEST_SENTENCE), _LONGEST_SENTENCE)
    lines.append(f"The sentence: «{claim} [CITE] {make_plain(end, _LONGEST_SENTENCE)}»")
    if text_after.strip():
        lines.append(f"After it: {fence(cut_to_beginning(text_after, _LONGEST_AFTER), _LONGEST_AFTER)}")
    return "\n".join(lines)


def rank_found(run: Run) -> list[str]:
    """Order what was found before a model was asked: first what is far up in most searches."""
    found = dict.fromkeys(handle for step in run.steps for seen in step.observations for handle in seen.handles)
    return sorted(found, key=lambda it: -run.desk.seen[it])


def list_titles(environment: Environment, desk: Desk, handles: Sequence[str], remark: str = "") -> str:
    """Write the question for a model: the place, a remark, and for each work a line of title, first author and year.

    If there are no works, it asks for a title or for words instead.  `remark`: what came of earlier questions, or "".
    `handles`: of the works, by which `desk` has them.
    """
    place = describe_place(environment)
    if environment.most > 1:
        place += f"\nUp to {environment.most} works are to be cited there together: name the others in others."
    lines = [_describe_briefly(desk, it) for it in handles]
    nothing = f"No {'other ' if remark else ''}work was found for it: give the title of the work, or words."
    listed = "\n".join(lines) or nothing
    return "\n\n".join(filter(None, [place, remark, listed]))


def _describe_briefly(desk: Desk, handle: str) -> str:
    """Write a line such as “W3 «Title» «Roe 2019» in the author's library”."""
    record = desk.works[handle].record
    family = next((it.family for it in record.authors if it.family), "")
    about = " ".join(filter(None, (make_plain(family, 30), earliest_date(record)[:4])))
    line = f"{handle} {fence(record.title, _LONGEST_BRIEF)}"
    if about:
        line += f" {fence(about, 40)}"
    if desk.works[handle].key:
        line += " in the author's library"
    return line


def describe_work(record: Record) -> str:
    """Write title, and first authors with the year, on one line; all of it is strangers' text."""
    families = [it.family for it in record.authors if it.family]
    by = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
    about = " ".join(filter(None, (make_plain(by, 60), earliest_date(record)[:4])))
    return fence(record.title, _LONGEST_TITLE) + (f" {fence(about, 70)}" if about else "")

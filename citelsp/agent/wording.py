"""What a policy with a model is shown: prompts from files, observations in few words, strangers' text fenced."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files

from citelsp.agent.environment import Desk, Environment
from citelsp.agent.plain import plain
from citelsp.agent.run import Run
from citelsp.agent.steps import Observation, Step
from citelsp.bibliography.record import Record
from citelsp.candidates.rule import published
from citelsp.corpus.query import cut_to_beginning, cut_to_end
from citelsp.corpus.words import stems
from citelsp.knowledge import Candidate, Evidence

_TITLE, _EXCERPT, _NAMED, _READ, _BEFORE, _AFTER = 160, 120, 60, 3600, 300, 120  # characters
_BRIEF = 140  # characters of a title among many
_SENTENCE = 600  # characters of a sentence before its citation, and behind it
_FOUND = 7  # works of a search
_NEIGHBOURS = 3  # works that the manuscript cites nearest to the place


@lru_cache(maxsize=32)
def prompt(name: str) -> str:
    """A prompt by its file's name in prompts/."""
    return files("citelsp.agent").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8").strip()


def fenced(text: str, limit: int) -> str:
    """A stranger's text between « and », on one line, so that it cannot pass for anything else."""
    return f"«{plain(text, limit)}»"


def place(environment: Environment) -> str:
    """The manuscript's title and the text around the place: its whole sentence, and what stands beside that."""
    where = environment.question
    about = " ".join(fenced(it, _TITLE) for it in (where.title, where.date) if it)
    parts = [f"Manuscript: {about}"] if about else []
    parts += [f"Section: {fenced(where.heading, 80)}"] if where.heading else []
    parts += [f"The author's hint: {fenced(where.hint, 120)}"] if where.hint else []
    parts += [f"Place: «{_before(environment)} [CITE] {_after(environment)}»"]
    if where.cites:
        parts += [
            "Cited nearby, perhaps meant again: " + " ".join(fenced(it, _NAMED) for it in where.cites[:_NEIGHBOURS])
        ]
    if environment.chosen:
        titles = " ".join(fenced(it.title, _TITLE) for it in environment.chosen)
        parts += [f"Cited there already: {titles}", "Another work for the same claim is sought; perhaps none fits."]
    return "\n".join(parts)


def _before(environment: Environment) -> str:
    """The sentence up to the place, and of what precedes it so much that some text stands there in any case."""
    where = environment.question
    start, _ = where.sentence_parts
    length = max(_BEFORE, min(len(start), _SENTENCE))
    return plain(cut_to_end(where.before, length), length)


def _after(environment: Environment) -> str:
    where = environment.question
    _, end = where.sentence_parts
    length = max(_AFTER, min(len(end), _SENTENCE))
    return plain(cut_to_beginning(where.after, length), length)


def claim(environment: Environment) -> str:
    """The sentence that cites a work, marked where it does, and what stands around it."""
    where = environment.question
    start, end = where.sentence_parts
    before, after = where.before.removesuffix(start), where.after.removeprefix(end)
    parts = [f"Manuscript: {fenced(where.title, _TITLE)}"] if where.title else []
    parts += [f"Section: {fenced(where.heading, 80)}"] if where.heading else []
    parts += [f"Before it: {fenced(cut_to_end(before, _BEFORE), _BEFORE)}"] if before.strip() else []
    parts += [f"The sentence: «{plain(start, _SENTENCE)} [CITE] {plain(end, _SENTENCE)}»"]
    parts += [f"After it: {fenced(cut_to_beginning(after, _AFTER), _AFTER)}"] if after.strip() else []
    return "\n".join(parts)


def step(run: Run, done: Step, shown: set[str], *, tight: bool = False) -> list[str]:
    """Each observation of a step in words; `shown` holds what was shown before, which is named only, and grows."""
    return [observation(run, it, shown, tight=tight) for it in done.observations]


def ranked(run: Run) -> list[str]:
    """What was found before a model was asked: first what is far up in most searches."""
    found = dict.fromkeys(handle for step in run.steps for seen in step.observations for handle in seen.handles)
    return sorted(found, key=lambda it: -run.desk.seen[it])


def titles(environment: Environment, desk: Desk, handles: Sequence[str]) -> str:
    """The place, and works with a title, a first author and a year, a line each."""
    lines = [_titled(desk, it) for it in handles]
    listed = "\n".join(lines) if lines else "No work was found for it: give the title of the work, or words."
    several = f"\nUp to {environment.most} works are to be cited there together: name the others in others."
    return f"{place(environment)}{several if environment.most > 1 else ''}\n\n{listed}"


def _titled(desk: Desk, handle: str) -> str:
    record = desk.works[handle].record
    family = next((it.family for it in record.authors if it.family), "")
    about = " ".join(filter(None, (plain(family, 30), published(record)[:4])))
    line = f"{handle} {fenced(record.title, _BRIEF)}" + (f" {fenced(about, 40)}" if about else "")
    return line + (" in the author's library" if desk.works[handle].key else "")


def opening(run: Run, shown: set[str], *, tight: bool = False) -> str:
    """What the steps before a conversation came to: what was shown and not chosen, and what was found since."""
    seen = [it for step in run.steps for it in step.observations]
    last = dict.fromkeys(handle for it in run.steps[-1].observations for handle in it.handles)
    order = [it for it in dict.fromkeys((*last, *ranked(run))) if it not in shown]
    lines = _works(run, order, shown, 4 if tight else _FOUND, 0)
    troubles = [it.problem for it in seen if it.problem and it.action.name == "select"]
    notes = _noted(note for it in seen for note in it.notes)
    return "\n".join([*lines, *troubles, *notes]) or "nothing else"


def observation(run: Run, seen: Observation, shown: set[str], *, tight: bool = False) -> str:
    handles = [it for it in seen.handles if it != seen.about]  # of a work that is read, its text is shown
    passages = seen.action.name == "search_text_snippet"  # what was found in them is what was asked for
    lines = _works(run, handles, shown, 4 if tight else _FOUND, _FOUND if passages and not tight else 0)
    lines += _passages(seen, shown)
    lines += [fenced(seen.text, _READ)] if seen.text else []
    lines += ["no title holds all of these words"] if _is_untitled(seen) else []
    lines += [seen.problem] if seen.problem else []
    return "\n".join([*lines, *_noted(seen.notes)]) or "nothing"


def _is_untitled(seen: Observation) -> bool:
    """Whether a search found works, and none that is called as it asked: who searched for a title need not look on."""
    asked = set(stems(str(seen.action.arguments.get("query") or "")))
    titled = (asked <= set(stems(it.record.title)) for it in seen.works)
    return seen.action.name == "search" and bool(seen.works) and not any(titled)


def named(record: Record) -> str:
    """Title, and first authors with the year, on one line; all of it is strangers' text."""
    families = [it.family for it in record.authors if it.family]
    by = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
    about = " ".join(filter(None, (plain(by, 60), published(record)[:4])))
    return fenced(record.title, _TITLE) + (f" {fenced(about, 70)}" if about else "")


def _works(run: Run, handles: Sequence[str], shown: set[str], lines: int, quoted: int) -> list[str]:
    """At most so many new works with a line each, some of them with a sentence; known ones by their handles."""
    new = [it for it in dict.fromkeys(handles) if it not in shown]
    again = [it for it in handles[:lines] if it not in new]
    shown.update(new[:lines])
    found = []
    for handle in new[:lines]:
        line = _work(run, handle)
        excerpt = _excerpt(run.environment, run.desk.works[handle]) if quoted else ""
        quoted -= bool(excerpt)
        found.append(line + excerpt)
    return [*found, *([f"shown above: {' '.join(again)}"] if again else [])]


def _work(run: Run, handle: str) -> str:
    work = run.desk.works[handle]
    line = f"{handle} {named(work.record)}"
    line += f" cited {work.record.citation_count}×" if work.record.citation_count else ""
    line += " †" if not work.record.abstract and all(it.where == "title" for it in work.evidence) else ""
    return line + (" in the author's library" if work.key else "")


def _excerpt(environment: Environment, work: Candidate) -> str:
    """The sentence of its abstract nearest to the place."""
    record = work.record
    passages = list(work.evidence) or [Evidence(record.abstract, "abstract", record.source)]
    best = environment.nearest([it for it in passages if it.where != "title"])
    return f" {fenced(best[0].quote, _EXCERPT)}" if best else ""


def _passages(seen: Observation, shown: set[str]) -> list[str]:
    """Passages of one work, in full while they fit; those shown before, by their first words."""
    lines, left = [], _READ
    for passage in seen.passages:
        known = f"{seen.about} {passage.quote}"
        limit = _NAMED if known in shown else left
        if limit > 0:
            lines.append(f"{seen.about} {fenced(passage.where, 60)}: {fenced(passage.quote, limit)}")
            left -= min(limit, len(passage.quote))
            shown.add(known)
    return lines


def _noted(notes: Iterable[str]) -> list[str]:
    return [f"note: {fenced(it, 100)}" for it in list(dict.fromkeys(notes))[:3]]

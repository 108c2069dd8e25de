"""How works were found, as a story for the author: what was searched, read and chosen, why, and what it cost.

Nothing in it is markup or moves the cursor.
"""

from collections.abc import Iterator, Mapping, Sequence

from citelsp.agent import calls
from citelsp.agent.environment import Desk
from citelsp.agent.harmless_text import make_plain
from citelsp.agent.steps import Observation, Step
from citelsp.agent.trajectory import Trajectory
from citelsp.base.text import write_count
from citelsp.corpus.place_query import cut_to_beginning, cut_to_end
from citelsp.knowledge import Evidence, spent
from citelsp.syntax import prose
from citelsp.workspace.question import Question

# In characters.
_LONGEST_LINE = 160
_LONGEST_QUERY = 80
_LONGEST_TITLE = 100
_LONGEST_NAME = 40  # of an action, or of what a model wrote in the place of a handle
_LONGEST_CERTAINTY = 20  # of a word such as “likely”
_MOST_WORKS, _MOST_PASSAGES = 5, 2  # shown of each search, of each text
_CHOSE, _RUNNER_UP, _NEAREST = "Chose", "Runner-up:", "Nearest:"  # what stands before a selected work
_ABOUT_ONE = ("find_in_text", "expand_references", "expand_citations")


def explain(runs: Sequence[Trajectory]) -> str:
    """Tell the runs one after another; if there are several, at the end what they took together."""
    stories = "\n".join(map(_tell_run, runs))
    if len(runs) < 2:
        return stories
    together: dict[str, float] = {}
    for run in runs:
        together |= {name: together.get(name, 0) + it for name, it in run.usage.items()}
    cost = spent(together)
    return stories + (f"\nAltogether it took {cost}.\n" if cost else "")


def _tell_run(run: Trajectory) -> str:
    """Tell a recorded search for works to cite as numbered steps, from the sentence that cites to choice and cost."""
    who = "The model" if run.policy == "model" else "The built-in rules"
    desk = Desk()  # gives works their handles, such as W3
    shown: set[str] = set()  # handles of works that earlier actions found
    lines = [f"{who} looked for a work to cite in: {_mark_place(run.question)}"]
    for number, step in enumerate(run.steps, 1):
        desk.name([it.works for it in step.observations])  # the same handles as in the run
        first, *further = list(_tell_step(desk, step, shown)) or ["nothing was done"]
        lines.append(f"{number}. {first}")
        lines += [f"   {line}" for line in further]
    lines.append(_tell_end(run))
    cost = spent(run.usage)
    if cost:
        lines.append(f"It took {cost}.")
    return "\n".join(lines) + "\n"


def _mark_place(question: Question) -> str:
    """Return the sentence with its place marked; of a long one only what stands around the place."""
    before, after = (prose.show_on_one_line(it) for it in question.sentence_parts)
    if len(before) + len(after) > _LONGEST_LINE:
        before = f"… {cut_to_end(before, _LONGEST_LINE // 2)}" if len(before) > _LONGEST_LINE // 2 else before
        after = f"{cut_to_beginning(after, _LONGEST_LINE // 2)} …" if len(after) > _LONGEST_LINE // 2 else after
    return make_plain(f"{before} [here] {after}", 2 * _LONGEST_LINE)


def _tell_step(desk: Desk, step: Step, shown: set[str]) -> Iterator[str]:
    """Tell what was thought, done and found in a step: of each action at most _MOST_WORKS titles of works.

    `shown` has the handles of works that earlier actions found: their titles are not told again, even if they were too
    many to be told then; those that this step found are added.  At most _MOST_WORKS selections are told.  `desk` has
    the works by their handles (W3), and gets those that the step found.
    """
    turn = step.turn
    if turn.rationale:
        yield make_plain(turn.rationale[:1].upper() + turn.rationale[1:], _LONGEST_LINE)
    if turn.problem:
        yield f"This answer could not be read: {make_plain(turn.problem, _LONGEST_LINE)}"
    gave_up = any(it.action.name == "give_up" for it in step.observations)
    first_label = _NEAREST if gave_up else _CHOSE  # rules select all works beside giving up
    further_label = _NEAREST if gave_up else _RUNNER_UP
    selections = 0  # so far
    for observation in step.observations:
        desk.lay(observation.works)
        if observation.action.name != "select":
            yield from _tell_observation(desk, observation)
        else:
            selections += 1
            if selections <= _MOST_WORKS:
                yield from _tell_selection(desk, observation, first_label if selections == 1 else further_label)
        new = [it for it in dict.fromkeys(observation.handles) if it in desk.works and it not in shown]
        shown.update(new)
        for handle in new[:_MOST_WORKS]:
            yield f"  {handle} {_show_title(desk, handle)}"


def _tell_observation(desk: Desk, seen: Observation) -> Iterator[str]:
    """Tell what an action did and found, on a line, and below it what was wrong, and the first passages.

    `seen` is what came of the action, which is no selection; `desk` has the works by their handles (W3).
    """
    if seen.action.name == "give_up":
        yield f"Gave up: {make_plain(seen.text, _LONGEST_LINE)}"
    else:
        yield f"{_tell_action(seen.action.name, seen.action.arguments)}{_name_work(desk, seen)}{_count_works(seen)}"
    yield from _tell_problems(seen)
    for passage in seen.passages[:_MOST_PASSAGES]:
        yield f"  “{make_plain(passage.quote, _LONGEST_LINE)}” ({_show_place(passage)})"


def _tell_selection(desk: Desk, seen: Observation, label: str) -> Iterator[str]:
    """Tell which work was selected, on a line that begins with `label`, and below it what was wrong."""
    yield _tell_choice(desk, seen, label)
    yield from _tell_problems(seen)


def _tell_problems(seen: Observation) -> Iterator[str]:
    for problem in filter(None, (seen.problem, *seen.notes)):
        yield f"  {make_plain(problem, _LONGEST_LINE)}"


def _tell_choice(desk: Desk, seen: Observation, label: str) -> str:
    """Tell which work was selected, how sure that is, in the model's word or per cent, and why: “Chose W3 … (80%): …”.

    `seen` is what came of selecting it: with a problem the choice was not accepted, and the line begins with “Tried to
    choose” instead of `label`.  If no such work was found, it has only what was to be chosen.
    """
    if seen.about not in desk.works:
        return f"Tried to choose {make_plain(str(seen.action.arguments.get('id') or 'nothing'), _LONGEST_NAME)}"
    work = calls.read_choice(desk, seen)
    certainty = make_plain(str(seen.action.arguments.get("sure") or ""), _LONGEST_CERTAINTY)
    if not certainty and work.probability is not None:
        certainty = f"{work.probability:.0%}"
    beginning = "Tried to choose" if seen.problem else label
    line = f"{beginning} {seen.about} {_show_title(desk, seen.about)}"
    if certainty:
        line += f" ({certainty})"
    return f"{line}: {work.why}" if work.why else line


def _tell_action(name: str, inputs: Mapping[str, object]) -> str:
    """Tell what an action did: “Searched for “deep nets””; “Followed the references of ”, if a work's name follows.

    `inputs`: the arguments of the action.  To select a work and to give up are not told here.
    """
    query = f" “{make_plain(str(inputs.get('query') or ''), _LONGEST_QUERY)}”"
    match name:
        case "recall":
            return "Went on from what was found before"
        case "match_place":
            return "Matched the sentence with the corpus"
        case "search_library":
            return f"Searched your bibliography for{query}"
        case "search" | "search_words":
            return f"Searched for{query}"
        case "search_text_snippet":
            return f"Searched full texts for{query}"
        case "find_in_text":
            return f"Looked for{query} in "
        case "expand_references":
            return "Followed the references of "
        case "expand_citations":
            return "Looked at what cites "
        case _:
            return f"Asked for {make_plain(name, _LONGEST_NAME) or 'nothing'}, which does not exist"


def _name_work(desk: Desk, seen: Observation) -> str:
    if seen.about in desk.works:
        return f"{seen.about} {_show_title(desk, seen.about)}"
    return make_plain(str(seen.action.arguments.get("id") or ""), 40) if seen.action.name in _ABOUT_ONE else ""


def _count_works(seen: Observation) -> str:
    works = len(dict.fromkeys(it for it in seen.handles if it != seen.about))
    return f": {write_count(works, 'work')}" if works else ""


def _show_title(desk: Desk, handle: str) -> str:
    return make_plain(desk.works[handle].record.title, _LONGEST_TITLE)


def _show_place(passage: Evidence) -> str:
    return make_plain(passage.where, 40)


def _tell_end(run: Trajectory) -> str:
    if run.stopped is None:
        return "It was cancelled."
    if run.stopped:
        return f"It ended because {make_plain(run.stopped, _LONGEST_LINE)}."
    return "It ended by its own decision."

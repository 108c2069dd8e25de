"""What was found for one placeholder: its works for an editor's own picker, those picked cited, the search told."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.base.text import break_links, on_one_line
from citelsp.features import code_actions, complete_placeholder
from citelsp.features.values import Refused, likelihood, name_of
from citelsp.server.answers import (
    apply_edits,
    background_search,
    complete_accepted,
    doubtful_export,
    placeholder_candidates,
)
from citelsp.server.state import snapshot
from citelsp.server.wire import arguments as args
from citelsp.server.wire import refusal
from citelsp.workspace import question as questions

if TYPE_CHECKING:
    from citelsp.features.complete_placeholder import Offer
    from citelsp.knowledge import Suggestion
    from citelsp.server.server import Server
    from citelsp.server.state.projects import Moment
    from citelsp.syntax.nodes import Placeholder

_Json = dict[str, object]


async def search_further(ls: "Server", arguments: Sequence[object]) -> int:
    """Search more works to be cited beside those found for a placeholder, {"uri", "position"}.

    The search goes on from the list made before; it ends when nothing else fits, or at the limits of a search, and the
    author is told what came of it.  Services and model may be asked as for a first search.  Returns how many works are
    to be cited together.  Raises a refusal if there is no list for which somebody outside was asked, if nothing in it
    fits, or if its search ended because nothing else fits.
    """
    moment, placeholder = await _find_placeholder(ls, "citelsp.searchFurther", arguments)
    known = moment.lists.get(questions.placeholder_question(moment.project, moment.path, placeholder).key)
    if known is None or not placeholder_candidates.extendable(known):
        raise refusal.make_refusal("run a search here first")
    outside = placeholder_candidates.may_ask(moment)
    suggestion = await background_search.one(ls, moment, placeholder, outside=outside, known=known)
    # `further`: the search met a limit, which the reason names.  If it ended because nothing else fits, the reason is
    # still that of the first works, which the author was told.
    reason = suggestion.reason if suggestion.further else ""
    if suggestion.together > known.together:
        message = f"{suggestion.together} works fit together. Trigger completion at the placeholder to see them"
        if reason:
            message = f"{message}; {reason}"
    else:
        message = reason or "no other work fits here"
    ls.inform(f"citelsp: {message}.")
    return suggestion.together


async def works(ls: "Server", arguments: Sequence[object]) -> _Json:
    """Return the works found for a placeholder, {"uri", "position"}: {"works": [...], "reason": why none fits}.

    A work is {"work": its name, "title", "who", "key", "adds", "quote", "found", "why", "against", "fits"}, as `work`
    tells.  "fits" is true if the editor is to mark the work as picked beforehand: the works that fit together, else the
    first; none if nothing fits (the search abstained), and none that should not be cited as it is.
    """
    moment, placeholder = await _find_placeholder(ls, "citelsp.works", arguments)
    question = questions.placeholder_question(moment.project, moment.path, placeholder)
    suggestion = await placeholder_candidates.suggest(ls, moment, question)
    suggestion = await placeholder_candidates.add_quotes(ls, moment, question, suggestion)
    offers = await ls.projects.work(
        lambda _: complete_placeholder.offers(
            moment.project, moment.path, placeholder, moment.offset, suggestion, ls.knowledge
        )
    )
    # What a picker marks beforehand is what one would cite by accepting the first item of the list.
    fitting = 1
    if suggestion.abstained:
        fitting = 0
    elif offers.joint:
        fitting = len(offers.joint.works)
    answer = [work(it) | {"fits": rank < fitting and not it.against} for rank, it in enumerate(offers.items)]
    return {"works": answer, "reason": break_links(offers.reason)}


def work(offered: "Offer") -> _Json:
    """Return a work as an editor's own list shows it.

    "adds" is true if an entry is to be added under "key"; "found" says how likely the work is meant, and who knows it
    ("87%, your corpus"); "quote" is a passage that speaks for it, "" if none but the title does, which is shown anyway;
    "against" is why it should not be cited as it is, "" for most works.
    """
    candidate = offered.candidate
    probability = "" if candidate.probability is None else likelihood(candidate.probability)
    quotes = [passage.quote for passage in candidate.evidence if passage.where != "title"]
    return {
        "work": name_of(candidate.record),
        "title": on_one_line(offered.title),
        "who": on_one_line(offered.who),
        "key": offered.key,
        "adds": offered.adds,
        "quote": on_one_line(quotes[0]) if quotes else "",
        "found": ", ".join(filter(None, (probability, offered.found_in))),
        "why": on_one_line(candidate.why),
        "against": on_one_line(offered.against),
    }


async def cite(ls: "Server", arguments: Sequence[object]) -> str:
    """Cite works at a placeholder, {"uri", "position", "works": [names]}, and add their entries, in one edit.

    Services may be asked what the corpus lacks of a work, and the author which bibliography is meant; the author is
    warned of a work that was retracted or the like.  Returns the keys, with commas between.  Raises a refusal if no
    placeholder or no works are given, if its list lacks one of them, or if the citation or an entry cannot be written.
    """
    moment, placeholder = await _find_placeholder(ls, "citelsp.cite", arguments)
    argument = arguments[0]
    works_argument = argument.get("works") if isinstance(argument, dict) else None
    if not isinstance(works_argument, list) or not works_argument:
        raise refusal.make_refusal("citelsp.cite needs the works to cite")
    names = list(map(str, works_argument))
    completed = await complete_accepted.lists(ls, moment, placeholder, names)
    # Looking up took seconds, in which the author wrote on: the change is made for the text as it is now.
    moment, placeholder = await _find_placeholder(ls, "citelsp.cite", arguments)
    insertion = code_actions.cite_together(moment.project, completed, moment.path, placeholder, names)
    adds_entries = not isinstance(insertion, Refused) and bool(insertion.additions)
    if adds_entries:
        moment, placeholder = await _ask_for_bibliography(ls, moment, arguments)
        insertion = code_actions.cite_together(moment.project, completed, moment.path, placeholder, names)
    if isinstance(insertion, Refused):
        raise refusal.make_refusal(insertion.reason)
    await apply_edits.apply(ls, moment, insertion.change, insertion.message)
    apply_edits.announce(ls, moment, insertion.additions, insertion.key.split(","))
    # The list is there: without it `cite_together` would have refused.
    suggestion = completed[questions.placeholder_question(moment.project, moment.path, placeholder).key]
    for candidate in suggestion.candidates:
        if name_of(candidate.record) in names:
            apply_edits.caution(ls, candidate.record)
    return insertion.key


async def _ask_for_bibliography(
    ls: "Server", moment: "Moment", arguments: Sequence[object]
) -> "tuple[Moment, Placeholder]":
    """Ask the author which bibliography is meant, if that is in doubt; return the moment with his answer in it.

    Moment and placeholder are taken anew, as he may have changed the text before he answered; a refusal if the
    placeholder is gone.
    """
    await doubtful_export.ask_author(ls, moment)
    moment, placeholder = await _find_placeholder(ls, "citelsp.cite", arguments)
    return await doubtful_export.use_answer(ls, moment), placeholder


async def explain(ls: "Server", arguments: Sequence[object]) -> str:
    """How the works for a placeholder, {"uri", "position"}, were found, in plain lines."""
    moment, placeholder = await _find_placeholder(ls, "citelsp.explain", arguments)
    suggestion = moment.lists.get(questions.placeholder_question(moment.project, moment.path, placeholder).key)
    if suggestion is None or not suggestion.trajectory:
        raise refusal.make_refusal("no search has been recorded for this placeholder yet")
    return await ls.projects.work(lambda _: _tell_story(suggestion))


def _tell_story(suggestion: "Suggestion") -> str:
    """The recorded search in words; a refusal if its file cannot be read."""
    from citelsp.agent import story, trajectory

    try:
        return story.explain(trajectory.read(Path(suggestion.trajectory)))
    except trajectory.UnreadableTrajectoryError as problem:
        raise refusal.make_refusal(str(problem)) from problem


async def _find_placeholder(ls: "Server", command: str, arguments: Sequence[object]) -> "tuple[Moment, Placeholder]":
    """The moment, and the placeholder at {"uri", "position"}; a refusal if there is none."""
    moment = await snapshot.take(ls, *args.place(command, arguments))
    placeholder = moment.project.placeholder_at(moment.path, moment.offset)
    if placeholder is None:
        raise refusal.make_refusal("there is no placeholder here")
    return moment, placeholder

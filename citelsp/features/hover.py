"""What is known of the key or placeholder under the cursor."""

from dataclasses import dataclass
from types import MappingProxyType

from citelsp.base.text import Span
from citelsp.features import explain_entry, key_mentions, neighbours, popup_of_work
from citelsp.features.popup_markdown import Block
from citelsp.features.values import file_name, shorten
from citelsp.knowledge import Candidate, Knowledge, Lists, Suggestion
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace import cited_claims
from citelsp.workspace import question as questions
from citelsp.workspace.project import Place, Project

_SHOWN = 3  # candidates
_QUESTION = 300  # characters


@dataclass(frozen=True, slots=True)
class Hover:
    """Blocks about what stands in `span`."""

    span: Span
    blocks: tuple[Block, ...]


def find(
    project: Project, knowledge: Knowledge, path: str, offset: int, lists: Lists = MappingProxyType({})
) -> Hover | None:
    """Return what is known of the thing at `offset`; None if nothing is.

    If another program tells of entries already (`neighbours`), only what that cannot know is shown.  Else it is, of a
    key, the first entry with this key and its verdict, from `knowledge`, or that there is none; on an entry's own key
    that entry; of a placeholder what was found for it, from `lists`.  In a bibliography macros, types and names of
    fields are explained, too.
    """
    source = project.sources.get(path)
    if source and neighbours.offer(project.settings, "hover", source.language):
        return _show_beside(project, knowledge, lists, path, offset)
    mention = key_mentions.mention_at(project, path, offset)
    if mention:
        return Hover(mention.span, tuple(_show_key(project, knowledge, mention)))
    placeholder = project.placeholder_at(path, offset)
    if placeholder:
        return Hover(placeholder.span, tuple(_show_placeholder(project, knowledge, lists, path, placeholder)))
    explained = explain_entry.find(project, path, offset)
    if explained:
        return Hover(explained.span, tuple(it for it in explained.blocks if it.text))
    return None


def _show_beside(project: Project, knowledge: Knowledge, lists: Lists, path: str, offset: int) -> Hover | None:
    """What another program cannot know: the state of a placeholder, the verdict on an entry and its evidence."""
    placeholder = project.placeholder_at(path, offset)
    if placeholder:
        return Hover(placeholder.span, tuple(_show_placeholder(project, knowledge, lists, path, placeholder)))
    mention = key_mentions.mention_at(project, path, offset)
    places = project.find(mention.key) if mention else []
    if mention is None or not places:
        return None
    blocks = (*_show_knowledge(places[0], knowledge), *_show_support(project, knowledge, mention))
    return Hover(mention.span, blocks) if blocks else None


def _show_knowledge(place: Place, knowledge: Knowledge) -> list[Block]:
    """The verdict on an entry and the evidence about it, as far as they are known."""
    verdict = knowledge.verdicts.get(place.content)
    blocks = popup_of_work.verdict(verdict, place.entry) if verdict else []
    return [*blocks, *popup_of_work.evidence(knowledge.evidence.get(place.content, ()))]


def describe(place: Place, knowledge: Knowledge) -> list[Block]:
    """All that is known of one entry; completion shows the same as the documentation of an item."""
    # The reference as the manuscript's own style prints it, if it was printed.
    styled = knowledge.references.get(place.content, "") if knowledge.references else ""
    blocks = [*popup_of_work.entry(place.entry, styled), *_show_knowledge(place, knowledge)]
    shown = [block for block in blocks if block.text or block.links]
    return [*shown, Block(f"{place.node.kind} in {file_name(place.source.document.path)}", "note")]


def entry_at(project: Project, path: str, offset: int) -> Place | None:
    """The entry that `find` describes there, if it describes one as a whole."""
    source = project.sources.get(path)
    if source is None or neighbours.offer(project.settings, "hover", source.language):
        return None
    mention = key_mentions.mention_at(project, path, offset)
    places = _find_places(project, mention) if mention else []
    return places[0] if places else None


def _find_places(project: Project, mention: key_mentions.Mention) -> list[Place]:
    """The entries of a mentioned key; on an entry's own key that entry alone."""
    return [place for place in project.find(mention.key) if mention.role != "entry" or _is_at(place, mention)]


def _show_key(project: Project, knowledge: Knowledge, mention: key_mentions.Mention) -> list[Block]:
    """The first entry of a mentioned key and what it says of the sentence; that there is none, or that more are."""
    places = _find_places(project, mention)
    if not places:
        return [Block(f"No entry with the key {mention.key} was found in {_name_bibliographies(project)}.")]
    blocks = [*describe(places[0], knowledge), *_show_support(project, knowledge, mention)]
    if len(places) > 1:
        blocks.append(Block(f"{len(places)} entries have this key; this is the first.", "note"))
    return blocks


def _show_support(project: Project, knowledge: Knowledge, mention: key_mentions.Mention) -> list[Block]:
    """What the work says of the sentence that cites it, or that it says nothing; none if that was not looked for."""
    if mention.role != "citation" or not knowledge.evidence:
        return []
    claim = next(cited_claims.find_claims(project, mention.path, mention.span.start), None)
    passages = knowledge.evidence.get(claim.content) if claim else None
    if passages is None:
        return []
    if not passages:
        return [Block("None of the available text of this work discusses this sentence.", "note")]
    return popup_of_work.evidence(passages)


def _is_at(place: Place, mention: key_mentions.Mention) -> bool:
    return place.source.document.path == mention.path and place.key_span == mention.span


def _name_bibliographies(project: Project) -> str:
    return ", ".join(map(file_name, project.bibliographies)) or "this document, which declares no bibliography"


def _show_placeholder(
    project: Project, knowledge: Knowledge, lists: Lists, path: str, placeholder: Placeholder
) -> list[Block]:
    """Tell what is searched with, what was found, how much the search took, and how to look at an agent's steps.

    `lists` has what was found so far, by the question that a placeholder asks; `knowledge` the verdicts by which a work
    should not be cited.
    """
    question = questions.placeholder_question(project, path, placeholder)
    words = "\n".join(filter(None, (question.title, question.sentence, question.hint)))
    blocks = [Block(f"A citation to be chosen. Searched with: {shorten(words, _QUESTION)}")]
    suggestion = lists.get(question.key)
    blocks += _show_state(project, knowledge, suggestion)
    if suggestion and suggestion.cost:
        blocks.append(Block(f"The search took {suggestion.cost}.", "note"))
    if suggestion and suggestion.trajectory:  # the file with the steps of an agent's search
        command = f"citelsp suggest --explain --replay {suggestion.trajectory}"
        blocks.append(Block(f"How they were found: {command}", "note"))
    return blocks


def _show_state(project: Project, knowledge: Knowledge, suggestion: Suggestion | None) -> list[Block]:
    """Show the first works of a list, and tell whether nothing fits, something went wrong, or the search goes on.

    `suggestion` is None if nothing was searched yet.  Its `reason` says why nothing fits, if it abstained, and is told
    before the works; else it says what went wrong on the way, and is told behind them.
    """
    if suggestion is None:
        return [Block("Not searched yet.", "note")]
    blocks: list[Block] = []
    for candidate in suggestion.candidates[:_SHOWN]:
        blocks += popup_of_work.candidate(candidate, _tell_against(project, knowledge, candidate))
    if suggestion.abstained:
        reason = suggestion.reason.removeprefix("nothing fits, as ")  # as the usual one of `decision.py` begins
        verdict = f"Nothing fits: {reason}." if reason else "Nothing fits."
        blocks.insert(0, Block(verdict, "note"))
    elif not suggestion.candidates:  # the list before a search; `decision.py` abstains from one without works
        if suggestion.complete:
            blocks.append(Block("Nothing was found.", "note"))
    elif suggestion.reason:
        blocks.append(Block(f"{suggestion.reason[:1].upper()}{suggestion.reason[1:]}.", "note"))
    if not suggestion.complete:
        blocks.append(Block("Still searching.", "note"))
    return [it for it in blocks if it.text or it.links]


def _tell_against(project: Project, knowledge: Knowledge, candidate: Candidate) -> str:
    """Why a work should not be cited, as the list at the placeholder says it; "" if nothing is known against it."""
    from citelsp.features import insert_entry, settled_verdicts  # at first use: few hovers are of placeholders

    own_key = insert_entry.own_key(project, candidate)
    place = project.find_first(own_key) if own_key else None
    return settled_verdicts.tell_against(candidate, place, knowledge)

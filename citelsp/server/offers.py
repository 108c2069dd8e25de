"""Works offered for a placeholder, and what an accepted one adds."""

from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.features import complete_placeholder, printed, questions
from citelsp.features.complete_placeholder import Offers
from citelsp.knowledge import Candidate
from citelsp.server import moment, suggestions, to_lsp
from citelsp.syntax.nodes import Placeholder

_PAUSE = 0.7  # seconds without another question, before services are searched unasked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citelsp.features.markup import Block
    from citelsp.server.server import Server


async def complete(ls: "Server", uri: str, at: moment.Moment, placeholder: Placeholder) -> types.CompletionList | None:
    question = questions.of(at.project, at.path, placeholder)
    suggestion = await suggestions.of(ls, at, placeholder)
    unasked = suggestions.allowed(at) and not suggestions.asked(suggestion)
    if unasked and at.project.settings.online.suggest == "auto":
        ls.jobs.later("search", _PAUSE, lambda: _search(ls, at, placeholder))
    offers = await ls.projects.work(
        lambda _: complete_placeholder.complete(at.project, ls.libraries, at.path, at.offset, suggestion)
    )
    if offers is None:
        return None
    found = _offers(ls, uri, at, offers, question)
    words = suggestions.wording(at, placeholder) if unasked else ""
    if words and at.project.settings.online.suggest == "command":
        found.items = [*found.items, _search_item(uri, at, offers, words)]
    return found


async def _search(ls: "Server", at: moment.Moment, placeholder: Placeholder) -> None:
    await suggestions.search_online(ls, at, placeholder)


def candidate_of(ls: "Server", question: str, work: str) -> Candidate | None:
    """The work offered for a question; items name it by its source and its id there."""
    suggestion = ls.knowledge.suggestions.get(question)
    return next((it for it in suggestion.candidates if _name(it) == work), None) if suggestion else None


def describe(ls: "Server", question: str, work: str) -> "Sequence[Block]":
    candidate = candidate_of(ls, question, work)
    return printed.candidate(candidate) if candidate else ()


def _offers(ls: "Server", uri: str, at: moment.Moment, offers: Offers, question: str) -> types.CompletionList:
    range_ = at.places.range(at.path, offers.span)
    items = [
        types.CompletionItem(
            label=f"{it.who}: {it.title}" if it.who else it.title,
            label_details=to_lsp.label_details(ls.client, "", it.found_in),
            kind=types.CompletionItemKind.Reference,
            detail=f"{it.key}, to be added" if it.adds else it.key,
            sort_text=f"{rank:04}",
            filter_text=offers.typed or None,
            text_edit=types.TextEdit(range_, it.new_text),
            command=_insertion(uri, question, it.candidate, it.key) if it.adds else None,
            data={"question": question, "work": _name(it.candidate)},
        )
        for rank, it in enumerate(offers.items)
    ]
    if not items and offers.reason:
        items.append(_apology(offers, range_))
    return types.CompletionList(is_incomplete=offers.incomplete, items=items)


def _apology(offers: Offers, range_: types.Range) -> types.CompletionItem:
    """An item that says why there is none, and leaves the text as it is."""
    return types.CompletionItem(
        label=offers.reason,
        kind=types.CompletionItemKind.Text,
        filter_text=offers.typed or None,
        text_edit=types.TextEdit(range_, offers.typed),
    )


def _search_item(uri: str, at: moment.Moment, offers: Offers, words: str) -> types.CompletionItem:
    """The last item: leaves the text as it is and has the services searched, in the words that it shows."""
    range_ = at.places.range(at.path, offers.span)
    position = {"line": range_.start.line, "character": range_.start.character}
    return types.CompletionItem(
        label=f"Search online for “{words}”",
        kind=types.CompletionItemKind.Event,
        sort_text="9999",
        filter_text=offers.typed or None,
        text_edit=types.TextEdit(range_, offers.typed),
        command=types.Command(
            title="Search online", command="citelsp.searchOnline", arguments=[{"uri": uri, "position": position}]
        ),
    )


def _insertion(uri: str, question: str, candidate: Candidate, key: str) -> types.Command:
    arguments = [{"uri": uri, "question": question, "work": _name(candidate), "key": key}]
    return types.Command(title="Add the entry to the bibliography", command="citelsp.insertEntry", arguments=arguments)


def _name(candidate: Candidate) -> str:
    return f"{candidate.record.source}:{candidate.record.id}"

"""Completion: citekeys from the author's bibliographies, works for a placeholder, and what an accepted work adds."""

from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.features import complete_fields, complete_placeholder, completion, markup, printed, questions
from citelsp.features.complete_placeholder import Offers
from citelsp.features.completion import Completions
from citelsp.knowledge import Candidate
from citelsp.server import moment, suggestions, to_lsp
from citelsp.syntax.nodes import Placeholder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citelsp.features.markup import Block
    from citelsp.server.server import Server


async def complete(ls: "Server", params: types.CompletionParams) -> types.CompletionList | None:
    at = await moment.at(ls, params.text_document.uri, params.position)
    uri = params.text_document.uri
    if placeholder := at.project.placeholder_at(at.path, at.offset):
        return await _works(ls, uri, at, placeholder)
    if fields := complete_fields.complete(at.project, at.path, at.offset):
        return _fields(at, fields)
    found = await ls.projects.work(lambda _: completion.complete(at.project, ls.libraries, at.path, at.offset))
    return _keys(ls, uri, at, found) if found else None


async def resolve(ls: "Server", item: types.CompletionItem) -> types.CompletionItem:
    """The item with its documentation."""
    if blocks := await _described(ls, item.data):
        allowed = ls.client.markdown_completions
        item.documentation = to_lsp.markdown(blocks, allowed=True) if allowed else markup.to_plain(blocks)
    return item


async def _described(ls: "Server", data: object) -> "Sequence[Block]":
    match data:
        case {"uri": str(uri), "key": str(key)}:
            at = await moment.at(ls, uri)
            return completion.resolve(at.project, at.knowledge, key)
        case {"question": str(question), "work": str(work)}:
            candidate = candidate_of(ls, question, work)
            return printed.candidate(candidate) if candidate else ()
    return ()


def candidate_of(ls: "Server", question: str, work: str) -> Candidate | None:
    """The work offered for a question; items name it by its source and its id there."""
    suggestion = ls.knowledge.suggestions.get(question)
    return next((it for it in suggestion.candidates if _name(it) == work), None) if suggestion else None


async def _works(ls: "Server", uri: str, at: moment.Moment, placeholder: Placeholder) -> types.CompletionList | None:
    question = questions.of(at.project, at.path, placeholder)
    suggestion = await suggestions.of(ls, at, placeholder)
    offers = await ls.projects.work(
        lambda _: complete_placeholder.complete(at.project, ls.libraries, at.path, at.offset, suggestion)
    )
    return _offers(ls, uri, at, offers, question) if offers else None


def _fields(at: moment.Moment, found: "Sequence[complete_fields.Item]") -> types.CompletionList:
    ranges = at.places.ranges(at.path, (it.span for it in found))
    kinds = {
        "type": types.CompletionItemKind.Class,
        "field": types.CompletionItemKind.Field,
        "macro": types.CompletionItemKind.Constant,
    }
    items = [
        types.CompletionItem(
            label=it.text,
            kind=kinds[it.kind],
            detail=it.detail or None,
            sort_text=f"{rank:04}",
            text_edit=types.TextEdit(ranges[it.span], it.text),
        )
        for rank, it in enumerate(found)
    ]
    return types.CompletionList(is_incomplete=False, items=items)


def _keys(ls: "Server", uri: str, at: moment.Moment, found: Completions) -> types.CompletionList:
    range_ = at.places.range(at.path, found.span)
    items = [
        types.CompletionItem(
            label=it.key,
            label_details=_details(ls, it.who, it.venue),
            kind=types.CompletionItemKind.Reference,
            detail=it.title or None,
            sort_text=f"{rank:04}",
            filter_text=found.typed or None,
            text_edit=types.TextEdit(range_, it.new_text),
            data={"uri": uri, "key": it.key},
        )
        for rank, it in enumerate(found.items)
    ]
    return types.CompletionList(is_incomplete=found.incomplete, items=items)


def _offers(ls: "Server", uri: str, at: moment.Moment, offers: Offers, question: str) -> types.CompletionList:
    range_ = at.places.range(at.path, offers.span)
    items = [
        types.CompletionItem(
            label=f"{it.who}: {it.title}" if it.who else it.title,
            label_details=_details(ls, "", it.found_in),
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


def _insertion(uri: str, question: str, candidate: Candidate, key: str) -> types.Command:
    arguments = [{"uri": uri, "question": question, "work": _name(candidate), "key": key}]
    return types.Command(title="Add the entry to the bibliography", command="citelsp.insertEntry", arguments=arguments)


def _details(ls: "Server", who: str, where: str) -> types.CompletionItemLabelDetails | None:
    if not ls.client.label_details:
        return None
    return types.CompletionItemLabelDetails(detail=f" {who}" if who else None, description=where or None)


def _name(candidate: Candidate) -> str:
    return f"{candidate.record.source}:{candidate.record.id}"

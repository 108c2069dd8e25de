"""Completion: citekeys from the author's bibliographies.

What else may be completed is imported when it is, as the first list of keys should not wait for it.
"""

from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.features import completion, markup
from citelsp.features.completion import Completions, Item
from citelsp.server import moment, to_lsp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citelsp.features.markup import Block
    from citelsp.server.server import Server


Json = dict[str, object]
_REFERENCE = types.CompletionItemKind.Reference.value


async def complete(ls: "Server", params: types.CompletionParams) -> types.CompletionList | Json | None:
    with ls.jobs.awaited():
        return await _complete(ls, params)


async def _complete(ls: "Server", params: types.CompletionParams) -> types.CompletionList | Json | None:
    uri = params.text_document.uri

    def search(at: moment.Moment) -> tuple[moment.Moment, Completions | None]:
        keys = at.language != "bibtex" and not at.project.placeholder_at(at.path, at.offset)
        return at, completion.complete(at.project, ls.libraries, at.path, at.offset) if keys else None

    at, found = await moment.ask(ls, uri, params.position, search)
    if found:
        return _keys(ls, uri, at, found)
    if placeholder := at.project.placeholder_at(at.path, at.offset):
        from citelsp.server import offers

        return await offers.complete(ls, uri, at, placeholder)
    return _fields(at) if at.language == "bibtex" else None


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
            from citelsp.server import offers

            return offers.describe(ls, question, work)
    return ()


def _fields(at: moment.Moment) -> types.CompletionList | None:
    from citelsp.features import complete_fields

    found = complete_fields.complete(at.project, at.path, at.offset)
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
    return types.CompletionList(is_incomplete=False, items=items) if items else None


def _keys(ls: "Server", uri: str, at: moment.Moment, found: Completions) -> Json:
    """A CompletionList as JSON: objects of the protocol's types would be half of what a keystroke costs."""
    range_ = to_lsp.written(at.places.range(at.path, found.span))
    labelled = ls.client.label_details
    items = [_key(it, f"{rank:04}", found.typed, uri, range_, labelled) for rank, it in enumerate(found.items)]
    return {"isIncomplete": found.incomplete, "items": items}


def _key(it: Item, order: str, typed: str, uri: str, range_: object, labelled: bool) -> Json:
    written: Json = {
        "label": it.key,
        "kind": _REFERENCE,
        "sortText": order,
        "textEdit": {"range": range_, "newText": it.new_text},
        "data": {"uri": uri, "key": it.key},
    }
    if it.title:
        written["detail"] = it.title
    if typed:
        written["filterText"] = typed
    if labelled:
        details = {"detail": it.who and f" {it.who}", "description": it.venue}
        written["labelDetails"] = {name: text for name, text in details.items() if text}
    return written

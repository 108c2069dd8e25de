"""Completion: citekeys from the author's bibliographies.

What else may be completed is imported when it is, as the first list of keys should not wait for it.
"""

import json
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from citelsp.base.footprint import MB, remember
from citelsp.base.text import on_one_line
from citelsp.features import complete_keys, completion_row_width, neighbours, popup_markdown
from citelsp.features.complete_keys import CompletionItem, Completions
from citelsp.server.protocol import WrittenResult
from citelsp.server.state import snapshot
from citelsp.server.state.projects import Moment
from citelsp.server.wire import to_lsp

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from citelsp.base.text import Span
    from citelsp.features.popup_markdown import Block
    from citelsp.server.server import Server
    from citelsp.workspace.files import DiskFiles


_REFERENCE = types.CompletionItemKind.Reference.value


async def complete(ls: "Server", params: types.CompletionParams) -> types.CompletionList | WrittenResult | None:
    """The list at a place, while all other work rests; None if nothing is completed there."""
    # Checks and diagnostics run in threads that take turns with this one: they rest until the list is out.
    with ls.jobs.awaited():
        return await _complete_at(ls, params)


async def _complete_at(ls: "Server", params: types.CompletionParams) -> types.CompletionList | WrittenResult | None:
    """Return the list of the first kind that fits: keys, works for a placeholder, fields of a bibliography, file names.

    If keys may stand there, their list is returned though it is empty; at a placeholder none may.  Where the author
    runs another language server beside citelsp that completes, too, fields and file names are left to that, and keys
    unless the setting `completion.keys` says otherwise.  None if nothing is completed there.
    """
    uri = params.text_document.uri

    def search_keys(moment: Moment) -> tuple[Moment, Completions | None]:
        # Searched in the thread that has just read the project: one change of threads a keystroke, not two.
        if moment.project.placeholder_at(moment.path, moment.offset) or not _completes_keys(moment):
            return moment, None
        # Only once the entries' words were read ahead: reading them now would take longer than a keystroke may.
        likely = _choose_likely_keys(ls, moment) if uri in ls.prepared else None
        return moment, complete_keys.complete(moment.project, ls.libraries, moment.path, moment.offset, likely)

    moment, completions = await snapshot.ask(ls, uri, params.position, search_keys)
    if completions is not None:
        return _complete_keys(ls, uri, moment, completions)
    placeholder = moment.project.placeholder_at(moment.path, moment.offset)
    if placeholder:
        from citelsp.server.answers import placeholder_completion

        return await placeholder_completion.complete(ls, uri, moment, placeholder)
    if _is_left_to_others(moment):
        return None
    return _complete_fields(moment) if moment.language.bibliography else await _complete_files(ls, moment)


def _choose_likely_keys(ls: "Server", moment: Moment) -> "Callable[[Span], Sequence[str]]":
    """Return a function from a place to the keys of the entries that fit the text around it, as at a placeholder."""

    def likely_keys(place: "Span") -> "Sequence[str]":
        from citelsp.candidates import entries
        from citelsp.corpus.place_query import Query
        from citelsp.workspace import question

        query = Query(question.place_question(moment.project, moment.path, place))
        return [own.key for own in entries.find_answering(moment.project, ls.libraries, query)]

    return likely_keys


def _completes_keys(moment: Moment) -> bool:
    """True if the author wants keys from citelsp; if he did not say, unless another program completes them."""
    choice = moment.project.settings.completion.keys
    return not _is_left_to_others(moment) if choice is None else choice


def _is_left_to_others(moment: Moment) -> bool:
    """True if another program, which the author runs beside citelsp, completes here."""
    return neighbours.offer(moment.project.settings, "completion", moment.language)


async def resolve(ls: "Server", item: types.CompletionItem) -> types.CompletionItem:
    """The item with its documentation, if it has any."""
    blocks = await _describe_item(ls, item)
    if blocks:
        allowed = ls.client.markdown_completions
        item.documentation = to_lsp.markdown(blocks, allowed=True) if allowed else popup_markdown.to_plain(blocks)
    return item


async def _describe_item(ls: "Server", item: types.CompletionItem) -> "Sequence[Block]":
    """Return what the pop-up of an item says, by its `data`: the entry of a key, or a work found for a placeholder.

    Of such a work the data says for which `question` it was found, which `work` it is, and what speaks `against`
    citing it.  Empty if the data is of neither.
    """
    match item.data:
        case {"uri": str(uri)}:
            moment = await snapshot.take(ls, uri)
            from citelsp.server.answers import styled

            key = complete_keys.find_labelled(moment.project, item.label)
            known = await styled.knowledge(ls, moment, moment.project.find_first(key))
            return complete_keys.resolve(moment.project, known, key)
        case {"question": str(question), "work": str(work), "against": str(against)}:
            from citelsp.server.answers import placeholder_completion

            return await placeholder_completion.describe(ls, question, work, against)
    return ()


async def _complete_files(ls: "Server", moment: Moment) -> types.CompletionList | None:
    """List the files that may be named there, such as bibliographies; None if no name is due there, or no file fits."""
    from citelsp.features import complete_files

    place = complete_files.place(moment.project, moment.path, moment.offset)
    if place is None:
        return None

    def list_names(files: "DiskFiles") -> list[str]:
        return complete_files.complete(place, lambda pattern: files.glob(pattern).paths)

    names = await ls.projects.work(list_names)
    range_ = moment.places.range(moment.path, place.span)
    items = [
        types.CompletionItem(
            label=name,
            kind=types.CompletionItemKind.File,
            filter_text=name,
            sort_text=f"{rank:04}",
            text_edit=types.TextEdit(range_, name),
        )
        for rank, name in enumerate(names)
    ]
    # Typing on may enter another directory, whose files were not listed.
    return types.CompletionList(is_incomplete=True, items=items) if items else None


def _complete_fields(moment: Moment) -> types.CompletionList | None:
    """List the types, fields or macros of a bibliography that may stand there; None if there are none."""
    from citelsp.features import complete_fields

    fields = complete_fields.complete(moment.project, moment.path, moment.offset)
    ranges = moment.places.ranges(moment.path, (it.span for it in fields))
    kinds = {
        "type": types.CompletionItemKind.Class,
        "field": types.CompletionItemKind.Field,
        "macro": types.CompletionItemKind.Constant,
    }
    items = [
        types.CompletionItem(
            label=on_one_line(item.text),
            kind=kinds[item.kind],
            detail=on_one_line(item.detail) or None,
            filter_text=item.text,  # Neovim narrows a list with edits by this alone
            sort_text=f"{rank:04}",
            text_edit=types.TextEdit(ranges[item.span], item.text),
        )
        for rank, item in enumerate(fields)
    ]
    # All that may stand there is listed, so that typing on only narrows the list.
    return types.CompletionList(is_incomplete=False, items=items) if items else None


def _complete_keys(ls: "Server", uri: str, moment: Moment, completions: Completions) -> WrittenResult:
    """Write a CompletionList of keys as JSON.

    An item is put together from three texts: its `sortText`; what it says of its entry, which `_describe_entry` writes
    once for all keystrokes; and its end, which is the same for all items of a list.
    """
    # Written by hand, as objects of the protocol's types take several times as long to make and to write.
    range_ = to_lsp.write_range(moment.places.range(moment.path, completions.span))
    shared: dict[str, object] = {"data": {"uri": uri}}
    if completions.typed:
        shared["filterText"] = completions.typed  # for the editor to drop none: the items are chosen already
    # `_describe_entry` ends within the edit, at the value of "range": the end begins with that value.
    shared_members = json.dumps(shared).removeprefix("{")
    end = f"{json.dumps(range_)}}}, {shared_members}"
    row = _Row(moment.project.settings.completion.width, ls.client.rows_have_width, ls.client.label_details)
    entries = [_describe_entry(item, row, _choose_mark(ls, moment, item)) for item in completions.items]
    items = [f'{{"sortText": "{rank:04}", {entry}{end}' for rank, entry in enumerate(entries)]
    return WrittenResult(f'{{"isIncomplete": {json.dumps(completions.incomplete)}, "items": [{", ".join(items)}]}}')


def _choose_mark(ls: "Server", moment: Moment, item: CompletionItem) -> str:
    """Return the sign of a work that should not be cited, such as one retracted; "" for any other.

    Also "" if the author has silenced the findings that say so.
    """
    verdicts_known = ls.knowledge.verdicts
    place = moment.project.find_first(item.key) if verdicts_known else None  # without verdicts it costs no time
    verdict = verdicts_known.get(place.content) if place else None
    if place is None or verdict is None or verdict.kind == "verified":
        return ""
    from citelsp.features import settled_verdicts

    return f"{completion_row_width.BAD} " if settled_verdicts.tell_unsettled(place, verdict) else ""


class _Row(NamedTuple):
    """How an editor draws one: in a given width or in columns, and whether it shows details of a label."""

    width: int
    has_width: bool
    details: bool


@remember(4 * MB)
def _describe_entry(item: CompletionItem, row: _Row, mark: str) -> str:
    """Write the members of a CompletionItem that no keystroke changes, as JSON up to the range of its edit.

    `row`: how the editor draws it; `mark`: the sign of a work that should not be cited, or "".
    """
    key = on_one_line(item.key)
    members: dict[str, object] = {"label": key, "kind": _REFERENCE}
    who = mark + on_one_line(item.who)
    title, who = completion_row_width.lay_out_behind_key(
        key, on_one_line(item.title), who, row.width, fitted=row.has_width
    )
    if row.details:
        # Spaces on both sides, as nvim-cmp shows the two without any between them.
        details = {"detail": title and f" {title} ", "description": who}
        members["labelDetails"] = {name: text for name, text in details.items() if text}
    elif title or who:
        members["detail"] = " · ".join(filter(None, (title, who)))
    without_braces = json.dumps(members)[1:-1]
    return f'{without_braces}, "textEdit": {{"newText": {json.dumps(item.new_text)}, "range": '

"""Works offered for a placeholder, and what an accepted one adds."""

import re
from typing import TYPE_CHECKING, TypedDict
from urllib.parse import urlsplit

from lsprotocol import types

from citelsp.base.text import Span, break_links, on_one_line
from citelsp.features import complete_placeholder, completion_row_width, popup_of_work
from citelsp.features.complete_placeholder import Joint, Offer, Offers
from citelsp.features.completion_row_width import Row
from citelsp.features.values import fit_title, name_of, shorten
from citelsp.knowledge import Candidate, Suggestion, Unavailable
from citelsp.server.answers import complete_accepted, placeholder_candidates
from citelsp.server.state.projects import Moment
from citelsp.server.wire import client, to_lsp
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace import question as questions
from citelsp.workspace.question import Question

_SPECIAL_IN_SNIPPET = re.compile(r"[\\$}]")
_TITLE = 60  # characters of a title in a command
_LOOKED_UP = "new entry, looked up first"  # in place of the key, which is made of what the look-up brings
_WORKS_ABOVE = 10  # how many works stand before the line on what was found: VS Code shows twelve rows at once
_PAUSE = 0.7  # seconds without another question, before services are searched unasked


class _RowMembers(TypedDict):
    label: str
    label_details: types.CompletionItemLabelDetails | None
    detail: str


if TYPE_CHECKING:
    from collections.abc import Sequence

    from citelsp.features.popup_markdown import Block
    from citelsp.server.server import Server


async def complete(ls: "Server", uri: str, moment: Moment, placeholder: Placeholder) -> types.CompletionList:
    """Return a list of what is known at once; services and models are asked in the background, for the next list.

    It has the works, a line on what was found, and below what else the author may do, such as searching online.  The
    line stands before the works if none of them surely fits or a service did not answer, else behind the first ten;
    there is none if there is nothing to say.
    """
    question = questions.placeholder_question(moment.project, moment.path, placeholder)
    suggestion = await placeholder_candidates.suggest(ls, moment, question)
    _ask_after_pause(ls, moment, placeholder, question, suggestion)
    offers = await ls.projects.work(
        lambda _: complete_placeholder.offers(
            moment.project, moment.path, placeholder, moment.offset, suggestion, ls.knowledge
        )
    )
    list_ = _make_list(ls, uri, moment, offers, question.key)
    items = list(list_.items)
    if offers.searched or offers.reason:
        whole = ". ".join(filter(None, (offers.searched, _begin_with_capital(offers.reason))))
        verdict = _make_idle_item(ls, moment, offers, label=_begin_with_capital(offers.verdict), whole=whole)
        # First if no work surely fits or somebody did not answer, as the author should know before choosing.
        is_doubtful = bool(offers.reason or suggestion.silent)
        items.insert(0 if is_doubtful else _WORKS_ABOVE, verdict)
    below = commands(ls, moment, uri, placeholder, question, several=len(offers.items) > 1)
    items += [_make_idle_item(ls, moment, offers, command.title, command.tooltip or "", command) for command in below]
    for rank, item in enumerate(items):
        item.sort_text = f"{rank:04}"  # by which editors sort; without it, by the label
    list_.items = items
    # Neovim forgets the command of an item if a key is typed before it was resolved, and the entry would be missing.
    if ls.client.neovim:
        _run_commands_at_once(list_)
    return list_


def _ask_after_pause(
    ls: "Server", moment: Moment, placeholder: Placeholder, question: Question, suggestion: Suggestion
) -> None:
    """Start a search in the background once the author pauses, if it may bring more than the `suggestion` has.

    Services and a model are asked if the setting online.suggest is "auto" and they were not asked for this list yet;
    helpers, which are the models that rank and corpora on servers, if nothing was learnt of the question so far, as a
    list does not tell whether these were asked.
    """
    settings = moment.project.settings
    is_unasked = not placeholder_candidates.was_asked(suggestion)
    asks_outside = settings.online.suggest == "auto" and placeholder_candidates.may_ask(moment) and is_unasked
    nothing_is_learnt = ls.knowledge.answers.get(question.key) is None
    asks_helpers = _has_helpers(moment) and nothing_is_learnt
    # Each letter typed in a placeholder makes another question, and services count each that they get: only the last
    # one is asked, after a pause.
    if asks_outside or asks_helpers:
        ls.jobs.later("resolve", _PAUSE, lambda: _search_in_background(ls, moment, placeholder, outside=asks_outside))


def _run_commands_at_once(list_: types.CompletionList) -> None:
    """Add an edit that changes nothing to each item with a command: Neovim does not resolve it then, but runs it."""
    for item in list_.items:
        if item.command and isinstance(item.text_edit, types.TextEdit):
            start = item.text_edit.range.start
            item.additional_text_edits = [types.TextEdit(types.Range(start, start), "")]


def _has_helpers(moment: Moment) -> bool:
    settings = moment.project.settings
    return bool(settings.embeddings.is_set or settings.rerank.is_set or settings.corpus.servers)


async def _search_in_background(ls: "Server", moment: Moment, placeholder: Placeholder, *, outside: bool) -> None:
    from citelsp.server.answers import background_search

    await background_search.one(ls, moment, placeholder, outside=outside)


def candidate_of(ls: "Server", question: str, work: str) -> Candidate | None:
    """The work of this name in the list for a question, given by its key; None if it is no longer there."""
    suggestion = ls.lists.shown.get(question)
    if suggestion is None:
        return None
    return next((it for it in suggestion.candidates if name_of(it.record) == work), None)


async def describe(ls: "Server", question: str, work: str, against: str) -> "Sequence[Block]":
    """The pop-up of a work in the list for a question, with a passage that speaks for it; empty if it is gone.

    `against`: why it should not be cited, as the list knew it; "" if nothing is known against it.
    """
    candidate = candidate_of(ls, question, work)
    asked = ls.lists.asked.get(question)
    if candidate is None or asked is None:
        return ()
    question_asked, settings = asked
    quoted = await placeholder_candidates.add_quote(ls, settings, question_asked, candidate)
    return popup_of_work.candidate(quoted, against)


def _make_list(ls: "Server", uri: str, moment: Moment, offers: Offers, question: str) -> types.CompletionList:
    """Return the works as items; behind those that fit together stands an item that cites them all.

    `question`: the key of the placeholder's question, by which the works are found again.
    """
    range_ = moment.places.range(moment.path, offers.span)
    layout = (
        completion_row_width.lay_out_in_one_width
        if ls.client.rows_have_width
        else completion_row_width.lay_out_in_columns
    )
    width = moment.project.settings.completion.width
    rows = layout([offer.shown for offer in offers.items], width)
    items = []
    for offer, row in zip(offers.items, rows, strict=True):
        item = types.CompletionItem(
            **_make_row(ls, offer, row),
            kind=types.CompletionItemKind.Reference,
            filter_text=offers.typed or None,  # what stands there: no editor drops an item
            text_edit=types.TextEdit(range_, offer.new_text),
            data={"question": question, "work": name_of(offer.candidate.record), "against": offer.against},
        )
        if offer.adds:
            item.command = insertion(uri, question, [offer])
            _look_up_first(ls, uri, moment, offers, item, [offer])
        items.append(item)
    if offers.joint:
        works = offers.joint.works
        item = _make_joint_item(uri, question, offers, offers.joint, range_, width)
        _look_up_first(ls, uri, moment, offers, item, works)
        items.insert(len(works), item)
    return types.CompletionList(is_incomplete=offers.incomplete, items=items)


def _make_row(ls: "Server", offer: Offer, row: Row) -> "_RowMembers":
    """Return what an item's row shows: the title, and beside it who wrote it and when.

    The item's detail, shown in a panel, is the key.  In an editor that shows nothing beside the title (it has no
    `label_details`) the detail is the author and year instead.
    """
    label = on_one_line(row.title)
    beside = on_one_line(row.beside)
    if not ls.client.label_details:
        return {"label": label, "label_details": None, "detail": beside}
    return {
        "label": label,
        "label_details": types.CompletionItemLabelDetails(description=beside or None),
        "detail": f"{offer.key} (new entry)" if offer.adds else offer.key,
    }


def _begin_with_capital(reason: str) -> str:
    """The reason with a capital letter."""
    return reason[:1].upper() + reason[1:]


def _make_idle_item(
    ls: "Server", moment: Moment, offers: Offers, label: str, whole: str, command: types.Command | None = None
) -> types.CompletionItem:
    """Return an item that says something, or runs a `command`, and leaves the text as it is.

    `label` is its row, cut to the width of a title in editors whose columns are as wide as their widest text; `whole`
    is the uncut text for its panel.
    """
    if ls.client.columns:
        label = fit_title(label, moment.project.settings.completion.width)
    item = types.CompletionItem(
        label=on_one_line(label),
        documentation=break_links(whole) or None,
        kind=_choose_kind(ls),
        filter_text=offers.typed or None,
    )
    _leave_text(ls, moment, offers, item)
    if command:
        item.command = command
        item.kind = types.CompletionItemKind.Event
    return item


def _look_up_first(
    ls: "Server", uri: str, moment: Moment, offers: Offers, item: types.CompletionItem, works: "Sequence[Offer]"
) -> None:
    """Have an item cite its `works` by a command that looks them up first, if a new one has no people or no year yet.

    Its key is made of what is learnt then.  A work that nobody may be asked about is cited by the item itself, as are
    all others: what they lack beside people and year is looked up afterwards, for their entries alone.
    """
    added = [offer.candidate.record for offer in works if offer.adds]
    if not any(complete_accepted.is_keyed_later(moment, record) for record in added):
        return
    _leave_text(ls, moment, offers, item)
    [place] = _write_place(uri, moment, offers.span)
    names: list[types.LSPAny] = [name_of(offer.candidate.record) for offer in works]
    item.command = types.Command("Look up and cite", "citelsp.cite", arguments=[{**place, "works": names}])
    # The detail names keys, which may come out otherwise; but of one work without label details it names the people.
    if ls.client.label_details or len(works) > 1:
        item.detail = _LOOKED_UP


def _leave_text(ls: "Server", moment: Moment, offers: Offers, item: types.CompletionItem) -> None:
    """Have an accepted item leave the text as it is: editors always write something, so it writes what stands there."""
    # The text behind the cursor is left out, as it may change until then; but some editors, such as Emacs, want all
    # items of a list to replace the same text.
    span = Span(offers.span.start, moment.offset) if ls.client.edits_of_their_own else offers.span
    text = span.within(moment.project.sources[moment.path].document.text)
    if ls.client.cuts_at_space:
        # Neovim 0.11 writes no more of an edit than up to its first space, but snippets whole.
        text = _SPECIAL_IN_SNIPPET.sub(r"\\\g<0>", text)
        item.insert_text_format = types.InsertTextFormat.Snippet
    item.text_edit = types.TextEdit(moment.places.range(moment.path, span), text)


def _choose_kind(ls: "Server") -> types.CompletionItemKind:
    """nvim-cmp orders items by their kinds first, and puts texts behind all others: there it is as works are."""
    return types.CompletionItemKind.Reference if ls.client.neovim else types.CompletionItemKind.Text


def _make_joint_item(
    uri: str, question: str, offers: Offers, joint: Joint, range_: types.Range, width: int
) -> types.CompletionItem:
    """Return an item that cites together the works that fit (`joint`), and adds the entries of those that have none.

    Its row says "Both together: Vaswani+ 2017; Devlin+ 2019", cut to `width` characters.  `question`: the key of the
    placeholder's question; `range_`: what the item replaces.
    """
    works = joint.works
    count = "Both" if len(works) == 2 else f"All {len(works)}"
    label = f"{count} together: {'; '.join(offer.brief for offer in works)}"
    keys = [f"{offer.key} (new entry)" if offer.adds else offer.key for offer in works]
    item = types.CompletionItem(
        label=on_one_line(fit_title(label, width)),
        kind=types.CompletionItemKind.Reference,
        detail=", ".join(keys),
        filter_text=offers.typed or None,
        text_edit=types.TextEdit(range_, joint.new_text),
    )
    without_entry = [offer for offer in works if offer.adds]
    if without_entry:
        item.command = insertion(uri, question, without_entry)
    return item


def commands(
    ls: "Server", moment: Moment, uri: str, placeholder: Placeholder, question: Question, *, several: bool = True
) -> list[types.Command]:
    """Return the commands for what an author may do beside citing one work, in the order of the list.

    Ask services and model, if that is allowed, was not done, and is not done without a command.  If a model chose
    nothing: look up the title that it named, if it did, and ask again; if a service did not answer, ask again, too.
    Last, if there are `several` works: pick some, if the editor has a command for that, and search for more.
    """
    shown = ls.lists.shown.get(question.key)  # the list as it was made last; None before
    place = _write_place(uri, moment, placeholder.span)
    beside_one: list[types.Command] = []
    if several and ls.client.picks:
        beside_one.append(types.Command("Pick works to cite together…", client.PICK, arguments=place))
    if several and placeholder_candidates.extendable(shown):
        beside_one.append(types.Command("Find more works to cite here", "citelsp.searchFurther", arguments=place))
    if not placeholder_candidates.may_ask(moment):  # nobody outside may be asked
        return beside_one
    # A model searched and said that nothing fits, or did not come to a choice; `meant` is a title that it named.
    if shown and (shown.is_refused or shown.undecided):
        look_up = _offer_look_up(uri, moment, placeholder, shown.meant) if shown.meant else []
        return [*look_up, *_offer_search(uri, moment, placeholder, question, again=True), *beside_one]
    answers = ls.knowledge.answers.get(question.key)
    if answers and any(isinstance(lookup, Unavailable) for lookup in answers.lookups):
        return [*_offer_search(uri, moment, placeholder, question, again=True), *beside_one]
    searches_unasked = moment.project.settings.online.suggest == "auto"  # in the background, without a command
    if searches_unasked or placeholder_candidates.was_asked(shown):
        return beside_one
    return [*_offer_search(uri, moment, placeholder, question), *beside_one]


def _write_place(uri: str, moment: Moment, placeholder_span: Span) -> list[dict[str, types.LSPAny]]:
    """The arguments of a command about the placeholder: one, {"uri", "position"}."""
    position = to_lsp.write_range(moment.places.range(moment.path, placeholder_span))["start"]
    return [{"uri": uri, "position": position}]


def _offer_look_up(uri: str, moment: Moment, placeholder: Placeholder, title: str) -> list[types.Command]:
    """The command that asks the services for the title that a model named; none if they may not be asked."""
    if not placeholder_candidates.services_allowed(moment):
        return []
    [place] = _write_place(uri, moment, placeholder.span)
    label = on_one_line(f"Look up “{shorten(title, _TITLE)}” online")
    tooltip = on_one_line(f"Look up “{title}” online. Nothing but this title is sent.")
    return [types.Command(label, "citelsp.searchOnline", tooltip, [place | {"title": title}])]


def _offer_search(
    uri: str, moment: Moment, placeholder: Placeholder, question: Question, *, again: bool = False
) -> list[types.Command]:
    """Return the command that asks services or model for a placeholder, in a list; empty if there are no words to send.

    Its title shows words of the place.  Services get these if no model is set; a model reads the place itself, and has
    services asked in its own words.  `again`: services or model were asked before, and the title says so.  The tooltip
    says who would get what.
    """
    words = placeholder_candidates.choose_words(question)
    if not words:
        return []
    model = moment.project.settings.model
    host = urlsplit(model.base_url).hostname if model.base_url and model.name else None  # None: no model is set
    asks_services = placeholder_candidates.services_allowed(moment)
    if host:
        action = f"{'Try again: ask' if again else 'Ask'} {model.name}"
        services = "no service is asked"
        if asks_services:
            action += " and search online"
            services = "the services get the words that it searches with"
        sent = f"{model.name} at {host} gets the text around this place and titles of works; {services}."
    else:
        action = f"{'Try again: search' if again else 'Search'} online"
        sent = "Nothing but the words of this search is sent."
    title = on_one_line(f"{action} for “{words}”")
    [place] = _write_place(uri, moment, placeholder.span)  # a list of one argument
    # With the placeholder's words as they are now: what is sent is what is shown, whatever is typed meanwhile.
    argument = place | {"words": placeholder.words}
    # Who gets what stands before the words, which the title has too: panels show the beginning of a tooltip.
    return [types.Command(title, "citelsp.searchOnline", f"{sent} {title}.", [argument])]


def insertion(uri: str, question: str, added: "Sequence[Offer]") -> types.Command:
    """The command that adds the entries of works that were accepted, after the editor has written the citation."""
    arguments = [
        {"uri": uri, "question": question, "work": name_of(offer.candidate.record), "key": offer.key} for offer in added
    ]
    return types.Command(title="Add to the bibliography", command="citelsp.insertEntry", arguments=list(arguments))

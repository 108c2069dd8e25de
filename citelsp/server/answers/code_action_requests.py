"""Code actions: offered light if the editor asks for the edit later, whole if it does not."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base.text import Span, on_one_line
from citelsp.features import borrowed_entries, code_actions, key_mentions, turn_into_entries
from citelsp.features.code_actions import CodeAction
from citelsp.features.values import Change, Refused
from citelsp.server.answers import (
    adding_to_zotero,
    complete_accepted,
    doubtful_export,
    insert_works,
    placeholder_candidates,
    placeholder_completion,
    verify_entries,
)
from citelsp.server.state import snapshot
from citelsp.server.state.projects import Moment
from citelsp.server.wire import refusal, to_lsp
from citelsp.workspace import question as questions

if TYPE_CHECKING:
    from citelsp.server.server import Server


# By which an action is known when its change is asked for. Made only then: a list may have hundreds of works.
_WRITE_BORROWED = '["write borrowed entries"]'
_TURN_INTO_ENTRIES = '["turn into entries"]'


async def offer(ls: "Server", params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return all actions of the kinds asked for: fixes of findings first; looking works up and searching come last.

    Those that cite works are commands if citing may ask the author or services something.
    """
    uri = params.text_document.uri
    only = params.context.only
    moment = await snapshot.take(ls, uri, params.range)
    if _is_asked_for("quickfix", only):
        moment = await _add_list(ls, moment)  # the works for the placeholder at the cursor
    findings = await ls.findings.findings_of(moment.project, moment.knowledge)
    actions_at = partial(code_actions.actions, moment.project, moment.lists, findings, moment.path, moment.span)
    actions = actions_at(lazy=ls.client.resolves_actions)
    # If the bibliography may be an export of another program, the author is asked where an entry is to go.
    asks_author = any(map(code_actions.read_citing_action, actions)) and await doubtful_export.is_doubtful(ls, moment)
    if asks_author:
        # Without changes, so that their titles do not say yet which bibliography an entry goes to.
        actions = actions_at(lazy=True)
    actions += [*_offer_turning(moment), *_offer_own_bib(moment)]
    offered = []
    for action in actions:
        if _is_asked_for(action.kind, only):
            command = _make_citing_command(moment, action, every=asks_author)
            offered.append(_make_action(ls, moment, action, params.context) if command is None else command)
    if _is_asked_for("quickfix", only):
        offered += insert_works.offer(moment, uri, params.context, resolves=ls.client.resolves_actions)
        offered += _offer_commands(ls, moment, uri)
    return offered


async def _add_list(ls: "Server", moment: Moment) -> Moment:
    """Return the moment with the list of works for the placeholder here, made now if nobody has asked for it yet."""
    placeholder = moment.project.placeholder_at(moment.path, moment.offset)
    if placeholder is None:
        return moment
    question = questions.placeholder_question(moment.project, moment.path, placeholder)
    await placeholder_candidates.suggest(ls, moment, question)
    return replace(moment, lists=ls.lists.shown)


async def resolve(ls: "Server", item: types.CodeAction) -> types.CodeAction:
    """Give the action its edit; it stays without if it was offered too long ago, or its edit is for an older text.

    An edit that is made only now is made for the documents as they are now: an editor that applies several actions on
    saving asks for each after it has applied the one before.  Raises a refusal if the edit cannot be made.
    """
    # `data` holds the arguments of an action that looks a work up, and the number of every other action.
    if isinstance(item.data, dict):
        item.edit = await insert_works.resolve(ls, item.data)
        return item
    offered = ls.offered.action_of(item.data)
    if offered is None:
        return item
    action = offered.action
    moment = await snapshot.take(ls, offered.uri)
    if action.change is None or not offered.is_outdated(moment):
        # With the lists of works as they were offered: the action names works of these.
        change = _make_change(replace(moment, lists=offered.lists), action)
        item.edit = to_lsp.workspace_edit(moment.places, change, ls.client, _choose_confirmation(action))
    return item


def _make_action(
    ls: "Server", moment: Moment, action: CodeAction, context: types.CodeActionContext
) -> types.CodeAction:
    """Return an action in the protocol's form, with its edit, or with a number if the editor asks for edits later.

    `context` has the diagnostics that the editor shows there: those of the kinds that the action ends are named in it.
    """
    codes = {finding.code for finding in action.findings}
    item = types.CodeAction(
        title=on_one_line(action.title),
        kind=action.kind,
        diagnostics=[it for it in context.diagnostics if it.code in codes] or None,
        is_preferred=action.preferred or None,
    )
    if ls.client.resolves_actions:
        item.data = ls.offered.keep(moment, action)
    else:
        item.edit = to_lsp.workspace_edit(
            moment.places, _make_change(moment, action), ls.client, _choose_confirmation(action)
        )
    return item


def _make_citing_command(moment: Moment, action: CodeAction, *, every: bool) -> types.CodeAction | None:
    """Turn an action that cites works into a command, which may ask the author or services; None for other actions.

    An edit cannot ask: editors have it made before it is chosen, to show it.  `every`: all actions that cite become
    commands; else only those with a work that services would be asked about, and None for the rest.
    """
    citing = code_actions.read_citing_action(action)
    if citing is None:
        return None
    start, works = citing
    if not every and not complete_accepted.asks_services(moment, works):
        return None
    position = to_lsp.write_range(moment.places.range(moment.path, Span(start, start)))["start"]
    argument = {"uri": moment.places.uri(moment.path), "position": position, "works": list(works)}
    title = on_one_line(action.title)
    command = types.Command(title=title, command="citelsp.cite", arguments=[argument])
    return types.CodeAction(title=title, kind=action.kind, command=command)


def _offer_turning(moment: Moment) -> list[CodeAction]:
    """A .bib of the list at hand, once anything in it is verified; to be looked at first, as it makes a file."""
    counts = turn_into_entries.count_verified(moment.project, moment.knowledge, moment.path, moment.span)
    if counts is None:  # no reference list stands there
        return []
    verified, total = counts
    if not verified:
        return []
    title = f"Turn this list into entries ({verified} of {total} verified)"
    return [CodeAction(title, "quickfix", "review", change=None, token=_TURN_INTO_ENTRIES)]


def _offer_own_bib(moment: Moment) -> list[CodeAction]:
    """On a citation of a manuscript that borrows a library: a .bib of its own of what it cites.

    Empty elsewhere, if nothing that it cites is in that library, or if no file can be written.
    """
    mention = key_mentions.mention_at(moment.project, moment.path, moment.offset)
    if mention is None or mention.role != "citation":
        return []
    title = borrowed_entries.title(moment.project, moment.path)  # "" if there is nothing to offer
    return [CodeAction(title, "quickfix", "review", change=None, token=_WRITE_BORROWED)] if title else []


def _offer_commands(ls: "Server", moment: Moment, uri: str) -> list[types.CodeAction]:
    """What an author may do beside edits: at a placeholder, at a reference that is not checked yet, and with Zotero."""
    placeholder = moment.project.placeholder_at(moment.path, moment.offset)
    commands: list[types.Command] = []
    if placeholder:
        question = questions.placeholder_question(moment.project, moment.path, placeholder)
        commands = placeholder_completion.commands(ls, moment, uri, placeholder, question)
    if not moment.project.settings.offline and (_is_unanswered(moment) or _is_unasked(moment)):
        commands.append(types.Command(verify_entries.AGAIN, "citelsp.verify", arguments=[uri]))
    commands += adding_to_zotero.offer(ls, moment, uri)
    return [types.CodeAction(it.title, types.CodeActionKind.QuickFix, command=it) for it in commands]


def _is_unanswered(moment: Moment) -> bool:
    """True for a reference that is unchecked because services did not answer."""
    mention = key_mentions.mention_at(moment.project, moment.path, moment.offset)
    place = moment.project.find_first(mention.key) if mention else None
    verdict = moment.knowledge.verdicts.get(place.content) if place else None
    return bool(verdict and verdict.kind == "unchecked" and verdict.unavailable)


def _is_unasked(moment: Moment) -> bool:
    """True in a list of which nothing is verified yet: saving asks about what a manuscript cites, not about a list."""
    counts = turn_into_entries.count_verified(moment.project, moment.knowledge, moment.path, moment.span)
    # None: no reference list stands there.
    if counts is None or moment.project.settings.online.verify == "off":
        return False
    verified, _ = counts
    return not verified


def _make_change(moment: Moment, action: CodeAction) -> Change:
    """Return the change of an action, made now if it was not made with the offer; raise a refusal if it cannot be.

    An action without a change has a `token`, which says what is to be made.
    """
    if action.change is not None:
        return action.change
    if action.token == _TURN_INTO_ENTRIES:
        change = turn_into_entries.change_for(moment.project, moment.knowledge, moment.path)
    elif action.token == _WRITE_BORROWED:
        change = borrowed_entries.change_for(moment.project, moment.path)
    else:
        change = code_actions.resolve(moment.project, moment.lists, moment.path, action.token)
    if isinstance(change, Refused):
        raise refusal.make_refusal(change.reason)
    return change


def _choose_confirmation(action: CodeAction) -> str:
    """Why the author should look at the action's change first; "" if it needs no look."""
    return action.title if action.safety == "review" else ""


def _is_asked_for(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """True if the kind is one of those asked for or below one, as "source.fixAll" is below "source".

    The empty kind stands above all; without `only` every kind is asked for.
    """
    asked = [it.value if isinstance(it, types.CodeActionKind) else it for it in only or ()]
    if not asked:
        return True
    return any(above in ("", kind) or kind.startswith(f"{above}.") for above in asked)

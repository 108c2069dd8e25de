"""The best work for a placeholder as text that the editor shows before it is accepted."""

from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.features import complete_placeholder
from citelsp.server.answers import complete_accepted, placeholder_candidates, placeholder_completion
from citelsp.server.state import snapshot
from citelsp.workspace import question as questions

if TYPE_CHECKING:
    from citelsp.server.server import Server


async def complete(ls: "Server", params: types.InlineCompletionParams) -> list[types.InlineCompletionItem]:
    """Return the first work of the list for the placeholder at the cursor, as text that the editor shows in grey.

    Empty outside of placeholders, if there is no work, if the list has a `reason` to doubt its works, such as that
    nothing fits, if the list marks the work as one not to be cited, and if its key is made only after a look-up.
    Nobody outside is asked, as this comes at every keystroke.  Neovim would take None for no answer, and leave on the
    screen what it drew before.
    """
    moment = await snapshot.take(ls, params.text_document.uri, params.position)
    placeholder = moment.project.placeholder_at(moment.path, moment.offset)
    if placeholder is None:
        return []
    question = questions.placeholder_question(moment.project, moment.path, placeholder)
    suggestion = await placeholder_candidates.suggest(ls, moment, question)
    offers = await ls.projects.work(
        lambda _: complete_placeholder.offers(
            moment.project, moment.path, placeholder, moment.offset, suggestion, ls.knowledge
        )
    )
    best = offers.ghost
    if best is None or (best.adds and complete_accepted.is_keyed_later(moment, best.candidate.record)):
        return []
    # A work without an entry gets one by a command, once the text is accepted.
    command = placeholder_completion.insertion(params.text_document.uri, question.key, [best]) if best.adds else None
    return [
        types.InlineCompletionItem(best.new_text, range=moment.places.range(moment.path, offers.span), command=command)
    ]

"""Insert Citation…: works by words from every origin, and those chosen written in one edit with their entries."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from citelsp import decision
from citelsp.base.text import break_links, on_one_line
from citelsp.bibliography.fold import bare_letters, words
from citelsp.checks.verdicts import name_services
from citelsp.features import complete_placeholder, write_citation
from citelsp.features.values import Refused
from citelsp.knowledge import Candidate, Suggestion, Unavailable
from citelsp.server.answers import (
    apply_edits,
    background_search,
    complete_accepted,
    doubtful_export,
    pick_candidates,
    placeholder_candidates,
)
from citelsp.server.jobs import progress
from citelsp.server.state import snapshot
from citelsp.server.wire import arguments as args
from citelsp.server.wire import refusal
from citelsp.syntax.languages.language import Form
from citelsp.workspace import present_works
from citelsp.workspace import question as questions
from citelsp.workspace.question import Question

if TYPE_CHECKING:
    from citelsp.features.insert_entry import Insertion
    from citelsp.server.server import Server
    from citelsp.server.state.projects import Moment
    from citelsp.syntax.nodes import Placeholder

_Json = dict[str, object]
_LONGEST = 500  # characters of what is typed
_LEAST = 3  # letters, fewer of which name nothing in a library


@dataclass(frozen=True, slots=True)
class _Request:
    """What an editor's dialog asks: words for a place, and for what is chosen there the form."""

    moment: "Moment"
    placeholder: "Placeholder"
    words: str
    outside: bool  # services are to be asked
    works: tuple[str, ...]  # names of those chosen
    form: Form

    @property
    def question(self) -> Question:
        return questions.placeholder_question(self.moment.project, self.moment.path, self.placeholder)


async def find(ls: "Server", arguments: Sequence[object]) -> _Json:
    """Find works for {"uri", "position", "words", "outside"}; if "words" is "", those that fit the sentence.

    If "outside" is true, services are asked first.  Returns {"works": as `citelsp.works` answers them, each with its
    "origin", "reason": why there are none, "outside": a row that would ask the services, {"title", "words"}, or null}.
    """
    request = await _read_request(ls, "citelsp.findWorks", arguments)
    if request.outside:
        await _ask_outside(ls, request)
    moment = request.moment
    suggestion, of_zotero = await asyncio.gather(
        placeholder_candidates.suggest(ls, moment, request.question), _search_zotero(ls, request)
    )
    suggestion = await placeholder_candidates.add_quotes(ls, moment, request.question, suggestion)
    with_identifier = await ls.projects.work(lambda _: _find_identified(request))
    # The author's own entries with the identifier typed, and what was looked up under it.
    identified = [*with_identifier, *ls.shown_works.looked_up(request.words)]
    candidates = [*suggestion.candidates, *of_zotero]
    ordered = replace(suggestion, candidates=_order_candidates(request, candidates, identified))
    offers = await ls.projects.work(
        lambda _: complete_placeholder.offers(
            moment.project, moment.path, request.placeholder, moment.offset, ordered, ls.knowledge
        )
    )
    ls.shown_works.show(offer.candidate for offer in offers.items)  # by whose names `preview` and `write` find them
    reason = ""
    if not offers.items:
        reason = _say_why_none(ls, request, ordered) or offers.reason
    return {
        "works": [pick_candidates.work(offer) | {"origin": offer.found_in} for offer in offers.items],
        "outside": None if request.outside else _offer_services(request, suggestion),
        "reason": break_links(reason),
    }


async def preview(ls: "Server", arguments: Sequence[object]) -> _Json:
    """Show what citing the works of {"uri", "position", "works", "locator"} would write; nothing is changed.

    Returns {"forms": [{"textual", "text"}], "adds": a sentence on their entries, "entries": their text, as it would be
    written}.  Raises a refusal if `find` did not list the works, or if they cannot be cited there.
    """
    request = await _read_request(ls, "citelsp.previewCitation", arguments)
    moment = request.moment
    works = _find_chosen(ls, request)
    shown = write_citation.preview(moment.project, moment.path, request.placeholder, works, request.form.locator)
    if isinstance(shown, Refused):
        raise refusal.make_refusal(shown.reason)
    forms = [{"textual": it.form.textual, "text": it.text.strip()} for it in shown.forms]
    return {"forms": forms, "adds": on_one_line(shown.adds), "entries": shown.entries}


async def write(ls: "Server", arguments: Sequence[object]) -> str:
    """Cite the works of {"uri", "position", "works", "locator", "textual"} and add their entries, in one edit.

    Services may be asked what is lacking of a work, and the author which bibliography is meant; the author is warned of
    a work that was retracted or the like.  Returns the keys, with commas between.  Raises a refusal if `find` did not
    list the works, if they cannot be cited there, or if the editor does not make the edit.
    """
    request = await _read_request(ls, "citelsp.writeCitation", arguments)
    works = await complete_accepted.candidates(ls, request.moment, _find_chosen(ls, request))
    # Looking up took seconds, in which the author wrote on: the change is made for the text as it is now.
    request = await _read_request(ls, "citelsp.writeCitation", arguments)
    insertion = _make_insertion(request, works)
    adds_entries = not isinstance(insertion, Refused) and bool(insertion.additions)
    if adds_entries:
        request = await _ask_for_bibliography(ls, request, arguments)
        insertion = _make_insertion(request, works)
    if isinstance(insertion, Refused):
        raise refusal.make_refusal(insertion.reason)
    await apply_edits.apply(ls, request.moment, insertion.change, insertion.message)
    apply_edits.announce(ls, request.moment, insertion.additions, insertion.key.split(","))
    for candidate in works:
        apply_edits.caution(ls, candidate.record)
    return insertion.key


async def _ask_for_bibliography(ls: "Server", request: _Request, arguments: Sequence[object]) -> _Request:
    """Ask the author which bibliography is meant, if that is in doubt; return the request with his answer in it.

    It is read anew, as he may have changed the text before he answered.
    """
    await doubtful_export.ask_author(ls, request.moment)
    read_anew = await _read_request(ls, "citelsp.writeCitation", arguments)
    return replace(read_anew, moment=await doubtful_export.use_answer(ls, read_anew.moment))


def _make_insertion(request: _Request, works: "Sequence[Candidate]") -> "Insertion | Refused":
    return write_citation.edits_for(
        request.moment.project, request.moment.path, request.placeholder, works, request.form
    )


async def _read_request(ls: "Server", command: str, arguments: Sequence[object]) -> _Request:
    """Read what an editor sent with `command`; members that are missing or of another type count as empty.

    Without "words", or if they are no text, those of the placeholder at the place count.  If none stands there, an
    empty one does for it, at the cursor or behind the citation there.  Raises a refusal without "uri" and "position".
    """
    moment = await snapshot.take(ls, *args.place(command, arguments))
    members = arguments[0] if isinstance(arguments[0], dict) else {}
    placeholder = write_citation.place(moment.project, moment.path, moment.offset)
    words = members.get("words")
    words = words.strip()[:_LONGEST] if isinstance(words, str) else placeholder.words
    if "works" not in members:
        # A search is for the words typed.  With "works" a citation is written in place of the placeholder, which is
        # found again by the words that stand in the text.
        placeholder = replace(placeholder, words=words)
    works = members.get("works")
    locator = members.get("locator")
    return _Request(
        moment,
        placeholder,
        words,
        outside=members.get("outside") is True,
        works=tuple(map(str, works)) if isinstance(works, list) else (),
        form=Form(textual=members.get("textual") is True, locator=locator.strip() if isinstance(locator, str) else ""),
    )


def _find_chosen(ls: "Server", request: _Request) -> list[Candidate]:
    """Return the works that the request names, of those that `find` listed; a refusal if it names none or others."""
    candidates = ls.shown_works.named(request.works)
    if not candidates:
        raise refusal.make_refusal("the list of works has changed; search again")
    return candidates


async def _search_zotero(ls: "Server", request: _Request) -> Sequence[Candidate]:
    """What the author's Zotero has, if it is running; nothing is sent beyond this machine.

    Empty for fewer than _LEAST characters, if the settings forbid to ask Zotero, or if it does not answer.
    """
    from citelsp.sources import service_specs, zotero

    settings = request.moment.project.settings
    if len(request.words) < _LEAST or service_specs.refusal(settings, "zotero"):
        return ()
    sources = await ls.online.sources(settings)
    answer = await zotero.search(sources.client, request.words)
    return () if isinstance(answer, Unavailable) else answer


def _find_identified(request: _Request) -> list[Candidate]:
    """Return the own entries that have the identifier typed; none if no identifier was typed, or no entry has it."""
    from citelsp.bibliography import entry_record
    from citelsp.investigate import insert

    identifiers = insert.read_identifiers(request.words)
    if not identifiers:
        return []
    candidates: list[Candidate] = []
    for place in present_works.find_identified(request.moment.project, identifiers):
        record = replace(entry_record.from_entry(place.entry), source="library", id=place.node.key)
        candidates.append(Candidate(record, origins=("library",), key=place.node.key))
    return candidates


def _order_candidates(
    request: _Request, candidates: Sequence[Candidate], identified: Sequence[Candidate]
) -> tuple[Candidate, ...]:
    """Return `identified`, then works that hold every word typed, then the others; each work once.

    `identified`: works that have the identifier typed; none if no identifier was typed.
    Works with the same title and first author are one.  If words were typed, a work that holds none of them and is not
    likely is left out.
    """
    typed = words(request.words)
    fitting: list[Candidate] = []
    for candidate in candidates:
        is_likely = (candidate.probability or 0.0) >= decision.FITS
        if not typed or is_likely or _measure_share(candidate, typed) > 0:
            fitting.append(candidate)
    # The share of the words typed that a work holds: those with less than all come behind, each part in its order.
    # Without words typed every share is 0, and the order stays.
    with_all_words_first = sorted(fitting, key=lambda candidate: _measure_share(candidate, typed) < 1)
    by_name: dict[object, Candidate] = {}
    for candidate in [*identified, *with_all_words_first]:
        first_author = tuple(name.family.casefold() for name in candidate.record.authors[:1])
        name = (bare_letters(candidate.record.title), first_author)
        by_name[name] = _unite(by_name[name], candidate) if name in by_name else candidate
    return tuple(by_name.values())


def _unite(first: Candidate, again: Candidate) -> Candidate:
    """One work that two origins have, as the first has it; but as Zotero has it, if `first` is no entry of the project.

    So a new entry gets the key under which Zotero has the work.  The result names the origins of both; "library" is
    that of the project's own entries.
    """
    origins = tuple(dict.fromkeys((*first.origins, *again.origins)))
    if again.record.source != "zotero" or "library" in first.origins:
        return replace(first, origins=origins)
    return replace(first, record=again.record, key=again.key, origins=origins)


def _measure_share(candidate: Candidate, typed: Sequence[str]) -> float:
    """The share of the words typed, which may be half written, that title, people, year or key hold."""
    record = candidate.record
    people = " ".join(name.family for name in record.authors)
    words_of_work = words(f"{record.title} {people} {record.year or ''} {candidate.key}")
    matching = sum(any(word.startswith(beginning) for word in words_of_work) for beginning in typed)
    return matching / max(1, len(typed))


def _say_why_none(ls: "Server", request: _Request, suggestion: Suggestion) -> str:
    """Why no work has the words typed; "" if some have, or if none were typed."""
    if suggestion.candidates or not request.words:
        return ""
    # Services that were silent in an earlier request are not named: this one asked nobody.
    silent = placeholder_candidates.silent(ls, request.question) if request.outside else []
    return f"No answer from {name_services(tuple(silent))}" if silent else "No work with these words was found"


def _offer_services(request: _Request, suggestion: Suggestion) -> dict[str, str] | None:
    """Return title and words of the row that asks the services; None if offline is set, or if nobody is to be asked.

    An identifier may be looked up at any other time.  Words may be searched if the settings allow that, if services
    were not asked for this list, `suggestion`, yet, and if there are any.
    """
    from citelsp.investigate import insert

    if request.moment.project.settings.offline:
        return None
    if insert.read_identifiers(request.words):  # may be looked up even if searches by words are switched off
        return {"title": "Look up", "words": on_one_line(request.words)}
    if not placeholder_candidates.services_allowed(request.moment) or placeholder_candidates.was_asked(suggestion):
        return None
    wording = placeholder_candidates.choose_words(request.question)
    return {"title": "Search online", "words": on_one_line(wording)} if wording else None


async def _ask_outside(ls: "Server", request: _Request) -> None:
    """Look the identifier up, or search the services for the words; the answers are kept, for `find` to list them.

    Raises a refusal if the settings do not allow it, if there are no words to send, or if no service that answers has
    the identifier.
    """
    from citelsp.investigate import insert

    if not _offer_services(request, Suggestion()):  # an empty list, as if nobody had been asked yet
        if placeholder_candidates.services_allowed(request.moment):
            raise refusal.make_refusal("there are no words here to search with; type some")
        raise refusal.make_refusal("online search is disabled by the settings online.suggest or offline")
    ls.online.wake()  # services that did not answer are asked again
    if not insert.read_identifiers(request.words):
        await background_search.one(ls, request.moment, request.placeholder, outside=True, model=False)
        return
    sources = await ls.online.sources(request.moment.project.settings)
    ls.online.tell("insert", insert.list_services(sources))
    async with progress(ls.work_done_progress, f"Looking up {request.words}", shown=ls.client.progress):
        [answer] = await insert.find_all([request.words], sources)
    if not answer.candidates:
        raise refusal.make_refusal(answer.reason)
    ls.shown_works.learn(request.words, answer.candidates)

"""Works offered at a placeholder: the candidates of its suggestion, each with what accepting it writes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from citelsp.base.text import Span
from citelsp.features import complete_keys, insert_entry, popup_of_work, settled_verdicts
from citelsp.features.completion_row_width import BAD, Shown
from citelsp.features.values import author_year, likelihood, percent, places, short_people, shorten
from citelsp.knowledge import Candidate, Knowledge, Suggestion
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

_TITLE = 120  # characters
_NOBODY = "title only"  # in place of people, if there is no year either
_LEAST_PERCENTAGE = 0.01  # a probability, below which no percentage is told


@dataclass(frozen=True, slots=True)
class Offer:
    """A work offered under `key`; `new_text` replaces the placeholder.  `adds`: its entry is still to be added."""

    key: str
    new_text: str
    title: str
    who: str  # "Vaswani et al. 2017"
    found_in: str  # "your .bib", "your corpus, OpenAlex"
    shown: Shown
    candidate: Candidate
    adds: bool
    against: str  # why it should not be cited as it is: "This work was retracted or withdrawn"; "" for most

    @property
    def brief(self) -> str:
        """`Vaswani+ 2017`, or else the title."""
        if not self.candidate.record.authors and not self.candidate.record.year:
            return self.title
        return " ".join(filter(None, (self.shown.people, self.shown.year)))


@dataclass(frozen=True, slots=True)
class Joint:
    """Works offered to be cited together."""

    works: tuple[Offer, ...]
    new_text: str


@dataclass(frozen=True, slots=True)
class Offers:
    """Offers in their order, none if nothing fits and `reason` says why; `searched`: what a search online came to.

    `typed`: what stands of the placeholder before the cursor; clients that filter by it keep every item in its place.
    """

    items: tuple[Offer, ...]
    span: Span
    typed: str
    reason: str = ""
    searched: str = ""
    incomplete: bool = True
    joint: Joint | None = None

    @property
    def verdict(self) -> str:
        """`reason` in a few words; how probable the nearest work is, or else what a search came to."""
        if self.searched:
            return self.searched
        best = max((offer.candidate.probability or 0.0 for offer in self.items), default=0.0)
        if not best:
            return self.reason
        best_known = f" (best: {likelihood(best)})" if best >= _LEAST_PERCENTAGE else ""
        return f"Nothing fits well{best_known}"

    @property
    def ghost(self) -> Offer | None:
        """The first work, which may be accepted without a look at the list; None if there is a reason to doubt it."""
        if self.reason or not self.items or self.items[0].against:
            return None
        return self.items[0]


def offers(
    project: Project,
    path: str,
    placeholder: Placeholder,
    offset: int,
    suggestion: Suggestion | None,
    knowledge: Knowledge = Knowledge(),  # noqa: B008  a frozen value
) -> Offers:
    """Return what `suggestion` offers for a placeholder, with the cursor at `offset`; nothing if there is none yet.

    Beside single works one offer (`joint`) may cite several: the first `suggestion.together`, which are meant to be
    cited together.  If no entry can be added for this document, only works that have one are offered; if others are
    left out for that, `reason` says so instead of what a search came to.  `knowledge` has the verdicts by which a work
    is marked as one that should not be cited.
    """
    source = project.sources[path]
    typed = source.document.text[placeholder.span.start : offset]
    if suggestion is None:
        return Offers((), placeholder.span, typed, _say_why_none(suggestion))
    candidates: Sequence[Candidate] = suggestion.candidates
    hindrance = insert_entry.hindrance(project, path)  # why no entry can be added; "" if one can
    if hindrance:
        candidates = [candidate for candidate in candidates if insert_entry.own_key(project, candidate)]
    is_hindered = len(candidates) < len(suggestion.candidates)
    items = _list_offers(project, path, placeholder, candidates, suggestion, knowledge)
    # By their candidates, as some of the first may be left out, or share a key.
    meant = suggestion.candidates[: suggestion.together]
    joint = _join(source, placeholder, [offer for offer in items if offer.candidate in meant])
    reason = hindrance if is_hindered else _say_why_none(suggestion)
    searched = "" if is_hindered else _tell_search(suggestion)
    return Offers(items, placeholder.span, typed, reason, searched, joint=joint)


def _list_offers(
    project: Project,
    path: str,
    placeholder: Placeholder,
    candidates: Iterable[Candidate],
    suggestion: Suggestion,
    knowledge: Knowledge,
) -> tuple[Offer, ...]:
    """Return the offers of these candidates of the suggestion, of two with one key the first.

    A candidate that has an entry already is offered under that entry's key, and adds nothing; only so can two have one
    key, as new keys are all different.  There are at most complete_keys.MOST.
    """
    source = project.sources[path]
    by_key: dict[str, Offer] = {}
    for candidate in candidates:
        own_key = insert_entry.own_key(project, candidate)
        key = own_key or insert_entry.new_key(project, candidate, by_key)
        new_text = insert_entry.fill_placeholder(source, placeholder, [key])
        chance = _write_chance(candidate, suggestion)
        against = settled_verdicts.tell_against(candidate, project.find_first(own_key) if own_key else None, knowledge)
        by_key.setdefault(key, _make_offer(candidate, key, new_text, chance, against, adds=not own_key))
    return tuple(by_key.values())[: complete_keys.MOST]


def _join(source: Source, placeholder: Placeholder, together: Sequence[Offer]) -> Joint | None:
    """Return the offer that cites all of these works; None for a single one, or if one should not be cited as it is."""
    if len(together) < 2 or any(offer.against for offer in together):
        return None
    return Joint(tuple(together), insert_entry.fill_placeholder(source, placeholder, [offer.key for offer in together]))


def _tell_search(suggestion: Suggestion) -> str:
    """What a search online came to; "" if nobody was asked.

    Also if a model chose or refused, which says more than how many works were found.
    """
    was_asked = bool(suggestion.usage.get("requests"))
    model_says_more = suggestion.chosen or suggestion.is_refused
    return popup_of_work.outcome(suggestion) if was_asked and not model_says_more else ""


def _write_chance(candidate: Candidate, suggestion: Suggestion) -> str:
    """`✓7%`: that a model chose a work, and how likely it is, as far as these are known."""
    chosen = "✓" if candidate in suggestion.candidates[: suggestion.chosen] else ""
    return chosen + (percent(candidate.probability) if candidate.probability is not None else "")


def _make_offer(candidate: Candidate, key: str, new_text: str, chance: str, against: str, *, adds: bool) -> Offer:
    """Return the offer of a work; `adds` is true if it has no entry yet, so that accepting it adds one.

    `chance` says how likely it is, `✓7%`; `against` why it should not be cited, in a sentence.  Each may be "".
    """
    record = candidate.record
    origins = candidate.origins or (record.source,)
    if not adds:
        origins = ("library", *origins)  # told as “your .bib”
    title = shorten(record.title, _TITLE)
    year = str(record.year or "")
    people = short_people(record.authors) or ("" if year else _NOBODY)
    mark = BAD if against else ""
    return Offer(
        key=key,
        new_text=new_text,
        title=title,
        who=author_year(record.authors, record.year) or "only the title is known",
        found_in=places(origins),
        shown=Shown(title, people, year, chance, mark, new=adds),
        candidate=candidate,
        adds=adds,
        against=against,
    )


def _say_why_none(suggestion: Suggestion | None) -> str:
    """Why nothing is offered, or nothing fits; "" if something does."""
    if suggestion is None:
        return "Not searched yet"
    if suggestion.abstained or not suggestion.candidates:
        return suggestion.reason or ("Nothing fits" if suggestion.complete else "Still searching")
    return ""

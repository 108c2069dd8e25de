"""Works offered at a placeholder: the candidates of its suggestion, each with what accepting it writes."""

from dataclasses import dataclass

from citelsp.base.text import Span
from citelsp.bibliography.record import WITHDRAWN
from citelsp.checks import verdicts
from citelsp.features import complete_keys, insert_entry, reference_popup
from citelsp.features.list_rows import BAD, Shown
from citelsp.features.values import author_year, likelihood, percent, places, short_people, shortened
from citelsp.knowledge import Candidate, Knowledge, Suggestion
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace.project import Place, Project

_TITLE = 120  # characters
_UNKNOWN = "title only"  # in place of people, if there is no year either
_TELLING = 0.01  # probability, below which no percentage is told


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
        best = max((it.candidate.probability or 0.0 for it in self.items), default=0.0)
        best_known = f" (best: {likelihood(best)})" if best >= _TELLING else ""
        return f"Nothing fits well{best_known}" if best else self.reason


def offers(
    project: Project,
    path: str,
    placeholder: Placeholder,
    offset: int,
    suggestion: Suggestion | None,
    knowledge: Knowledge = Knowledge(),  # noqa: B008  a frozen value
) -> Offers:
    """What `suggestion` has for a placeholder, which need not be written yet.

    A candidate that an entry stands for already is offered under that entry's key, and adds nothing.
    """
    typed = project.sources[path].document.text[placeholder.span.start : offset]
    hindrance = insert_entry.hindrance(project, path)
    reason = _reason(suggestion)
    keys: dict[str, Offer] = {}
    for candidate in suggestion.candidates if suggestion else ():
        key = insert_entry.own_key(project, candidate)
        if hindrance and not key:
            reason = hindrance
            continue
        name = key or insert_entry.new_key(project, candidate, keys)
        new_text = insert_entry.filling(project.sources[path], placeholder, [name])
        chance = _chance(candidate, suggestion) if suggestion else ""
        mark = _mark(candidate, project.find_first(key) if key else None, knowledge)
        keys.setdefault(name, _offer(candidate, name, new_text, (chance, mark), adds=not key))
    items = tuple(keys.values())[: complete_keys.MOST]
    first = items[: suggestion.together] if suggestion else ()
    joint = None
    if len(first) > 1:
        joint = Joint(first, insert_entry.filling(project.sources[path], placeholder, [it.key for it in first]))
    # What a model chose or refused says more than how many works were found.
    has_counts = suggestion and suggestion.usage.get("requests") and not (suggestion.chosen or suggestion.is_refused)
    is_hindered = bool(hindrance) and reason == hindrance
    searched = reference_popup.outcome(suggestion) if suggestion and has_counts and not is_hindered else ""
    return Offers(items, placeholder.span, typed, reason, searched, joint=joint)


def _chance(candidate: Candidate, suggestion: Suggestion) -> str:
    """How likely a work is, if that is known, and that a model chose it."""
    chosen = "✓" if candidate in suggestion.candidates[: suggestion.chosen] else ""
    return chosen + (percent(candidate.probability) if candidate.probability is not None else "")


def _mark(candidate: Candidate, place: Place | None, knowledge: Knowledge) -> str:
    """Of a work that was retracted, or that nobody has."""
    verdict = knowledge.verdicts.get(place.content) if place and knowledge.verdicts else None
    is_withdrawn = any(it.kind in WITHDRAWN for it in candidate.record.updates)
    return BAD if is_withdrawn or (verdict and verdicts.gravest(verdict)) else ""


def _offer(candidate: Candidate, key: str, new_text: str, telling: tuple[str, str], *, adds: bool) -> Offer:
    """`telling` is how likely the work is, and the mark of one that was retracted; `adds`: it has no entry yet."""
    record = candidate.record
    origins = candidate.origins or (record.source,)
    if not adds:
        origins = ("library", *origins)
    title = shortened(record.title, _TITLE)
    year = str(record.year or "")
    people = short_people(record.authors) or ("" if year else _UNKNOWN)
    return Offer(
        key=key,
        new_text=new_text,
        title=title,
        who=author_year(record.authors, record.year) or "only the title is known",
        found_in=places(origins),
        shown=Shown(title, people, year, *telling, new=adds),
        candidate=candidate,
        adds=adds,
    )


def _reason(suggestion: Suggestion | None) -> str:
    if suggestion is None:
        return "Not searched yet"
    if suggestion.abstained or not suggestion.candidates:
        return suggestion.reason or ("Nothing fits" if suggestion.complete else "Still searching")
    return ""

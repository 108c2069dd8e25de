"""What the light bulb offers: mending findings, filling placeholders, merging and tidying entries."""

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from citelsp.base.text import Edit, Span
from citelsp.bibliography.record import Record
from citelsp.checks import duplicate_entry, open_placeholder, stale_suppression
from citelsp.checks.finding import Finding, Safety
from citelsp.features import format_entries, ignore_finding, insert_entry, merge_duplicates, sort_entries
from citelsp.features.action_kinds import Kind
from citelsp.features.values import Change, Refused, author_year, file_name, name_of, overlap, shorten
from citelsp.knowledge import Candidate, Lists, Suggestion
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace import question as questions
from citelsp.workspace.project import Place, Project

_OFFERED = 5  # candidates
_TITLE = 60  # characters of a work's title
_SHORT_TITLE = 20  # of one of several works
# A placeholder is to be filled, and a comment that silences nothing would be silenced by another such comment.
_NEVER_IGNORED = (open_placeholder.CODE, stale_suppression.CODE)
_MOST_TIDIED = 1000  # entries: what is not lazy is made at each request, and may be thrown away
_TIDYING: tuple[tuple[str, Kind, str], ...] = (  # title, kind and token
    ("Format entries", "source.citelsp.format", '["format"]'),
    ("Sort entries by key", "source.citelsp.sort", '["sort"]'),
)


@dataclass(frozen=True, slots=True)
class CodeAction:
    """A change under a title.  `review`: shown before it is applied, as it may change which work is cited.

    If `change` is None, `resolve` makes it from `token`.
    """

    title: str
    kind: Kind
    safety: Safety
    change: Change | None
    findings: tuple[Finding, ...] = ()
    preferred: bool = False
    token: str = ""


def actions(
    project: Project, lists: Lists, findings: Iterable[Finding], path: str, span: Span, *, lazy: bool = False
) -> list[CodeAction]:
    """Return all actions at `span` of the document, fixes of findings first; `findings` may be those of all documents.

    `lists` has the works found for each placeholder.  All safe fixes and tidying are offered for the whole document,
    wherever `span` stands.  If `lazy`, changes that are slow to make are left to `resolve`, which is called for the
    action that is chosen.
    """
    of_document = [it for it in findings if it.path == path]
    here = [it for it in of_document if overlap(it.span, span)]
    return [
        *_offer_fixes(here),
        *_offer_merges(project, here),
        *_offer_insertions(project, lists, path, span, lazy=lazy),
        *_offer_fix_all(of_document),
        *_offer_tidying(project, path, lazy=lazy),
        *_offer_ignoring(project, here),
    ]


def resolve(project: Project, lists: Lists, path: str, token: str) -> Change | Refused:
    """The change of a lazy action, made for the documents as they are now."""
    match json.loads(token):
        case ["format"]:
            return Change(tuple(format_entries.edits(project, path)))
        case ["sort"]:
            return Change(tuple(sort_entries.edits(project, path)))
        case ["cite", int(start), *works]:
            return _cite_by_names(project, lists, (path, start), _write_names(works))
    return Refused("Unknown action.")


def read_citing_action(action: CodeAction) -> tuple[int, Sequence[str]] | None:
    """The place and the names of the works that an action cites there; None if it does something else.

    Its token is JSON: ["cite", offset, [source, id], …].
    """
    match json.loads(action.token or "null"):
        case ["cite", int(start), *works]:
            return start, _write_names(works)
    return None


def _write_names(works: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{source}:{id_}" for source, id_ in works]


def _cite_by_names(project: Project, lists: Lists, at: tuple[str, int], works: Sequence[str]) -> Change | Refused:
    """The change that cites works, by their names, at the placeholder that stands at a path and offset."""
    path, start = at
    placeholder = next(_find_placeholders(project, path, Span(start, start)), None)
    if placeholder is None:
        return Refused("The placeholder has changed.")
    insertion = cite_together(project, lists, path, placeholder, works)
    return insertion if isinstance(insertion, Refused) else insertion.change


def cite_together(
    project: Project, lists: Lists, path: str, placeholder: Placeholder, works: Sequence[str]
) -> insert_entry.Insertion | Refused:
    """Cite works together at a placeholder, in this order; `works` are names, `source:id`, in its list of candidates.

    Refused if no work is named, if the list no longer has all of them (fewer than were chosen must not be cited), or if
    an entry that one lacks cannot be added.
    """
    suggestion = lists.get(questions.placeholder_question(project, path, placeholder).key)
    listed = suggestion.candidates if suggestion else ()
    # Reversed, so that of two candidates with one name the first remains.
    by_name = {name_of(candidate.record): candidate for candidate in reversed(listed)}
    chosen = [by_name[name] for name in dict.fromkeys(works) if name in by_name]
    if not chosen or len(chosen) < len(set(works)):
        return Refused("The list of works has changed. Trigger completion at the placeholder again.")
    return _cite_works(project, path, placeholder, chosen)


def _cite_works(
    project: Project, path: str, placeholder: Placeholder, works: Sequence[Candidate]
) -> insert_entry.Insertion | Refused:
    if len(works) == 1:
        return insert_entry.edits_for(project, path, placeholder, works[0])
    return insert_entry.edits_for_several(project, path, placeholder, works)


def safe_fixes(findings: Iterable[Finding]) -> tuple[Edit, ...]:
    """Return the edits of the first safe fix of each finding, as far as these do not overlap with earlier ones.

    One fix ends a finding: further ones are other ways.  A fix is taken as a whole or left out.  An edit that two fixes
    have in common is made once.
    """
    taken: dict[str, list[Edit]] = {}  # of each document, in its order
    for finding in findings:
        fix = next((it for it in finding.fixes if it.safety == "safe" and it.edits), None)
        if fix is None or any(_collides(edit, taken.get(edit.path, ())) for edit in fix.edits):
            continue
        for edit in fix.edits:
            edits = taken.setdefault(edit.path, [])
            index = bisect_left(edits, edit.span.start, key=_read_start)
            # An equal edit, taken for an earlier fix, stands just there, as any other at this place would collide.
            if edit not in edits[index : index + 1]:
                edits.insert(index, edit)
    return tuple(edit for edits in taken.values() for edit in edits)


def _offer_fixes(findings: Iterable[Finding]) -> Iterator[CodeAction]:
    """An action for each fix; preferred is the first of a finding, if it is safe."""
    for finding in findings:
        for index, fix in enumerate(finding.fixes):
            is_preferred = index == 0 and fix.safety == "safe"
            yield CodeAction(fix.title, "quickfix", fix.safety, Change(fix.edits), (finding,), is_preferred)


def _offer_ignoring(project: Project, findings: Iterable[Finding]) -> Iterator[CodeAction]:
    """A comment that silences the findings here: an action for each code, of its first finding."""
    first_of_code: dict[str, Finding] = {}
    for finding in findings:
        if finding.code not in _NEVER_IGNORED:
            first_of_code.setdefault(finding.code, finding)
    for code, finding in first_of_code.items():
        edit = ignore_finding.edit(project, finding)
        if edit:
            title = "Ignore this finding here" if len(first_of_code) == 1 else f"Ignore {code} here"
            yield CodeAction(title, "quickfix", "safe", Change((edit,)), (finding,))


def _offer_fix_all(findings: Sequence[Finding]) -> Iterator[CodeAction]:
    """One action for all safe fixes of the document; none if there are none."""
    edits = safe_fixes(findings)
    if edits:
        fixed = tuple(finding for finding in findings if any(fix.safety == "safe" for fix in finding.fixes))
        yield CodeAction("Apply all safe fixes", "source.fixAll.citelsp", "safe", Change(edits), fixed)


def _offer_tidying(project: Project, path: str, *, lazy: bool) -> Iterator[CodeAction]:
    """Yield the actions that format and sort the .bib file at `path`; none if it has no entries or is read-only.

    If `lazy`, both are offered without a look whether they change anything, with a token by which `resolve` makes the
    change later.  Else the changes are made now, unless the bibliography is too large for that (then none is offered),
    and an action that changes nothing is left out.
    """
    source = project.sources.get(path)
    if source is None or not source.syntax.entries or not source.writable:
        return
    if not source.language.by_field:  # BibTeX's is the one format that is laid out field by field
        return
    if lazy:
        for title, kind, token in _TIDYING:
            yield CodeAction(title, kind, "safe", None, token=token)
        return
    if len(source.syntax.entries) > _MOST_TIDIED:
        return
    no_lists: Lists = {}  # of candidates: only actions that cite need them
    for title, kind, token in _TIDYING:
        change = resolve(project, no_lists, path, token)
        if not isinstance(change, Refused) and change:
            yield CodeAction(title, kind, "safe", change, token=token)


def _offer_merges(project: Project, findings: Iterable[Finding]) -> Iterator[CodeAction]:
    """Yield for each finding of duplicates the action that merges them into one entry, unless that is refused.

    The duplicates stand at the finding's own place and at its related ones; a finding without any says that there are
    more findings than are reported.  One with a fix of its own is of a plain copy, which the fix removes: there is
    nothing to merge.
    """
    for finding in findings:
        if finding.code != duplicate_entry.CODE or not finding.related or finding.fixes:
            continue
        places = _find_duplicates(project, finding)
        change = merge_duplicates.edits_for(project, places)
        if not isinstance(change, Refused):
            surviving_key = merge_duplicates.survivor(project, places).node.key
            other_keys = dict.fromkeys(place.node.key for place in places if place.node.key != surviving_key)
            merged = ", ".join(other_keys) or "the copies"
            yield CodeAction(f"Merge {merged} into {surviving_key}", "quickfix", "review", change, (finding,))


def _find_duplicates(project: Project, finding: Finding) -> list[Place]:
    """The entries related to the finding, which stand before its own in the project, and that one; each once."""
    written = [(related.path, related.span) for related in finding.related] + [(finding.path, finding.span)]
    places: dict[tuple[str, int], Place] = {}  # by path and index
    for path, span in written:
        place = _find_place(project, path, span)
        if place:
            places[place.source.document.path, place.index] = place
    return list(places.values())


def _find_place(project: Project, path: str, span: Span) -> Place | None:
    """The entry in which the span begins; None if it begins in none."""
    source = project.sources.get(path)
    entries = source.syntax.entries if source else None
    index = entries.entry_at(span.start) if entries else None
    return Place(source, index, project) if source and index is not None else None


def _offer_insertions(project: Project, lists: Lists, path: str, span: Span, *, lazy: bool) -> Iterator[CodeAction]:
    """Yield the actions that cite what was found for the placeholders that `span` touches.

    `lists` has what was found; if the search abstained, as nothing was likely, they are called “Cite anyway”.  One is
    left out if its change cannot be made.  If `lazy`, that is not looked at: they come without their changes, and so
    without the key and the bibliography in their titles; `resolve` makes the change from the token.
    """
    for placeholder in _find_placeholders(project, path, span):
        suggestion = lists.get(questions.placeholder_question(project, path, placeholder).key)
        if suggestion is None:
            continue
        verb = "Cite anyway:" if suggestion.abstained else "Cite"
        for works in _list_choices(suggestion):
            names = [[candidate.record.source, candidate.record.id] for candidate in works]
            token = json.dumps(["cite", placeholder.span.start, *names])
            if lazy:
                yield CodeAction(_write_title(verb, works), "quickfix", "review", change=None, token=token)
                continue
            insertion = _cite_works(project, path, placeholder, works)
            if not isinstance(insertion, Refused):
                title = _write_title(verb, works, insertion)
                yield CodeAction(title, "quickfix", "review", insertion.change, token=token)


def _list_choices(suggestion: Suggestion) -> Iterator[Sequence[Candidate]]:
    """What may be cited, as lists have it: single works, and behind those that fit together all of them at once."""
    together = suggestion.together
    for count, candidate in enumerate(suggestion.candidates[: max(_OFFERED, together)], 1):
        yield [candidate]
        if count == together > 1:
            yield suggestion.candidates[:together]


def _find_placeholders(project: Project, path: str, span: Span) -> Iterator[Placeholder]:
    """Those of the document that the span touches."""
    source = project.sources.get(path)
    if source is None:
        return
    for placeholder in source.syntax.placeholders_near(span):
        if overlap(placeholder.whole, span):
            yield placeholder


def _write_title(verb: str, works: Sequence[Candidate], insertion: insert_entry.Insertion | None = None) -> str:
    """Return `Cite Vaswani et al. 2017: Attention Is All You Need (adds vaswani2017attention to refs.bib)`.

    For several works it is `Cite 2 works together: Lee 2020; Roe 2021 (lee2020,roe2021)`: their insertion names no
    bibliography.  Nor does that of a work that has an entry already.  Without an `insertion` the brackets are left out.
    """
    if len(works) == 1:
        title = f"{verb} {_describe_work(works[0].record)}"
    else:
        records = [candidate.record for candidate in works]
        names = [author_year(it.authors, it.year) or shorten(it.title, _SHORT_TITLE) for it in records]
        title = f"{verb} {len(works)} works together: {'; '.join(names)}"
    if insertion is None:
        return title
    bibliography = file_name(insertion.bibliography)
    if bibliography:
        return f"{title} (adds {insertion.key} to {bibliography})"
    return f"{title} ({insertion.key})"


def _describe_work(record: Record) -> str:
    return ": ".join(filter(None, (author_year(record.authors, record.year), shorten(record.title, _TITLE))))


def _collides(edit: Edit, others: Sequence[Edit]) -> bool:
    """True unless the edit can be applied with others, which come in order and do not collide.

    The same replacement asked for twice can, the same insertion too.
    """
    # As the others do not overlap, only the neighbours in their order can.
    at = bisect_left(others, edit.span.start, key=_read_start)
    neighbours = others[max(at - 1, 0) : at + 1]
    return any(edit != other and overlap(edit.span, other.span) for other in neighbours)


def _read_start(edit: Edit) -> int:
    return edit.span.start

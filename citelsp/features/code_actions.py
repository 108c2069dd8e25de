"""What the light bulb offers: mending findings, filling placeholders, merging entries of one work."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from citelsp.checks.finding import Finding, Safety
from citelsp.features import insert_entry, merge_duplicates, questions
from citelsp.features.values import Change, Refused, author_year, overlap, shortened
from citelsp.knowledge import Candidate, Knowledge
from citelsp.project import Place, Project
from citelsp.syntax.nodes import Placeholder
from citelsp.text import Edit, Span

Kind = Literal["quickfix", "refactor.rewrite", "source.fixAll.citelsp"]

_OFFERED = 5  # candidates
_TITLE = 60  # characters of a work's title


@dataclass(frozen=True, slots=True)
class Action:
    """A change under a title.  `review`: shown before it is applied, as it may change which work is cited."""

    title: str
    kind: Kind
    safety: Safety
    change: Change
    findings: tuple[Finding, ...] = ()
    preferred: bool = False


def actions(project: Project, knowledge: Knowledge, findings: Iterable[Finding], path: str, span: Span) -> list[Action]:
    """All that can be done at `span` of the document, what mends a finding first; `findings` may be of any document."""
    of_document = [it for it in findings if it.path == path]
    here = [it for it in of_document if overlap(it.span, span)]
    return [
        *_fixes(here),
        *_merges(project, here),
        *_insertions(project, knowledge, path, span),
        *_fix_all(of_document),
    ]


def safe_fixes(findings: Iterable[Finding]) -> tuple[Edit, ...]:
    """The edits of every safe fix, the first one of each finding, leaving out those that overlap with earlier ones."""
    taken: dict[str, list[Edit]] = {}
    for finding in findings:
        fix = next((it for it in finding.fixes if it.safety == "safe" and it.edits), None)
        if fix and not any(_collides(edit, other) for edit in fix.edits for other in taken.get(edit.path, ())):
            for edit in dict.fromkeys(fix.edits):
                taken.setdefault(edit.path, []).append(edit)
    return tuple(edit for edits in taken.values() for edit in edits)


def preview(project: Project, change: Change, context: int = 1) -> str:
    """What a change does, as the lines before and after it, in the manner of a unified diff."""
    parts = [f"+++ {new.path}\n" + "".join(f"+{line}\n" for line in new.text.splitlines()) for new in change.files]
    for edit in sorted(change.edits, key=lambda it: (it.path, it.span.start)):
        source = project.sources.get(edit.path)
        if source is not None:
            parts.append(_hunk(source.document.text, edit, context))
    return "".join(parts)


def _fixes(findings: Iterable[Finding]) -> Iterator[Action]:
    for finding in findings:
        for index, fix in enumerate(finding.fixes):
            preferred = index == 0 and fix.safety == "safe"
            yield Action(fix.title, "quickfix", fix.safety, Change(fix.edits), (finding,), preferred)


def _fix_all(findings: Sequence[Finding]) -> Iterator[Action]:
    edits = safe_fixes(findings)
    if edits:
        mended = tuple(it for it in findings if any(fix.safety == "safe" for fix in it.fixes))
        yield Action("Apply all safe fixes", "source.fixAll.citelsp", "safe", Change(edits), mended)


def _merges(project: Project, findings: Iterable[Finding]) -> Iterator[Action]:
    """A finding of duplicates names the other entries as related places."""
    for finding in findings:
        if finding.code != "duplicate-entry" or not finding.related:
            continue
        written = [(finding.path, finding.span), *((it.path, it.span) for it in finding.related)]
        found = filter(None, (_place_at(project, path, span) for path, span in written))
        places = list({(it.source.document.path, it.index): it for it in found}.values())
        if len(places) < 2:
            continue
        change = merge_duplicates.edits_for(project, places)
        if not isinstance(change, Refused):
            keep = merge_duplicates.kept(project, places).node.key
            merged = ", ".join(dict.fromkeys(it.node.key for it in places if it.node.key != keep)) or "the copies"
            yield Action(f"Merge {merged} into {keep}", "quickfix", "review", change, (finding,))


def _place_at(project: Project, path: str, span: Span) -> Place | None:
    source = project.sources.get(path)
    entries = source.syntax.entries if source else None
    index = entries.at(span.start) if entries else None
    return Place(source, index, project) if source and index is not None else None


def _insertions(project: Project, knowledge: Knowledge, path: str, span: Span) -> Iterator[Action]:
    for placeholder in _placeholders(project, path, span):
        suggestion = knowledge.suggestions.get(questions.of(project, path, placeholder))
        for candidate in suggestion.candidates[:_OFFERED] if suggestion else ():
            insertion = insert_entry.edits_for(project, path, placeholder, candidate)
            if not isinstance(insertion, Refused):
                yield Action(_offer(candidate, insertion), "quickfix", "review", insertion.change)


def _placeholders(project: Project, path: str, span: Span) -> Iterator[Placeholder]:
    source = project.sources.get(path)
    if source is not None:
        yield from (it for it in source.syntax.placeholders if overlap(it.whole, span))


def _offer(candidate: Candidate, insertion: insert_entry.Insertion) -> str:
    """`Cite Vaswani et al. 2017: Attention Is All You Need (adds vaswani2017attention to refs.bib)`."""
    record = candidate.record
    work = ": ".join(filter(None, (author_year(record.authors, record.year), shortened(record.title, _TITLE))))
    name = insertion.bibliography.replace("\\", "/").rpartition("/")[2]
    return f"Cite {work} ({f'adds {insertion.key} to {name}' if name else insertion.key})"


def _collides(edit: Edit, other: Edit) -> bool:
    return edit != other and (overlap(edit.span, other.span) or edit.span == other.span)


def _hunk(text: str, edit: Edit, context: int) -> str:
    start = text.rfind("\n", 0, edit.span.start) + 1
    end = text.find("\n", edit.span.end)
    end = len(text) if end < 0 else end
    old = text[start:end]
    new = text[start : edit.span.start] + edit.new_text + text[edit.span.end : end]
    before = (
        text[:start].splitlines()[-context:] if start < 10_000 else text[start - 10_000 : start].splitlines()[-context:]
    )
    after = text[end + 1 : end + 10_000].splitlines()[:context]
    lines = [
        *(f" {it}" for it in before),
        *(f"-{it}" for it in old.splitlines()),
        *(f"+{it}" for it in new.splitlines()),
        *(f" {it}" for it in after),
    ]
    return f"@@ {edit.path}:{text.count(chr(10), 0, start) + 1}\n" + "".join(f"{it}\n" for it in lines)

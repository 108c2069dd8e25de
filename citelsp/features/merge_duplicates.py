"""Several entries of one work made one: its fields completed, the others removed, their citations renamed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from citelsp.base.text import Edit, Span, newline_of
from citelsp.bibliography import merged_entry
from citelsp.bibliography.entry import MONTHS, resolved
from citelsp.features import exports, mentions
from citelsp.features.values import Change, Refused, file_name
from citelsp.syntax.bibtex.fields import parts
from citelsp.syntax.nodes import Citation, EntryNode, Field
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source
from citelsp.workspace.unincluded_chapters import joined

_BETWEEN = re.compile(r"[\s,;]*-?@?\{?")  # what stands between two keys of one citation when no note does
_BREAK = re.compile(r"\r?\n")


def edits_for(project: Project, places: Sequence[Place]) -> Change | Refused:
    """The change that leaves one of the entries: one that is published, most cited, with the most fields, the first."""
    if len(places) < 2:
        return Refused("There is only one entry.")
    for place in places:
        name = file_name(place.source.document.path)
        if not place.source.writable:
            return Refused(f"{name} is read-only.")
        if exporter := exports.exporter(place.source):
            return Refused(f"{name} is exported by {exporter}: merge the items there.")
    keep, project = survivor(project, places), joined(project)
    others = [it for it in places if it is not keep]
    old = {name for it in others for name in _names(project, it.node)} - {keep.node.key}
    edits = [
        *_completed(project, keep, others),
        *(Edit(it.source.document.path, it.removal, "") for it in others),
        *_renamed(project, keep.node.key, old, others),
    ]
    return Change(tuple(edits))


def survivor(project: Project, places: Sequence[Place]) -> Place:
    cited = Counter(project.canonical(it.key) for _, it in project.citations())
    return max(
        places,
        key=lambda place: (
            merged_entry.is_published(place.entry),
            cited[project.canonical(place.node.key)],
            sum(map(bool, place.entry.own.values())),
        ),
    )


def _names(project: Project, node: EntryNode) -> Iterator[str]:
    """The key of an entry, and its aliases that are no entry's key."""
    yield node.key
    for span in mentions.keys_in(node, "ids"):
        alias = span.within(node.source)
        if all(it.node.key != alias for it in project.find(alias)):
            yield alias


def _completed(project: Project, keep: Place, others: Sequence[Place]) -> Iterator[Edit]:
    """The fields that only the others have, after the last field of the entry kept, written as that one is."""
    path, source, fields = keep.source.document.path, keep.node.source, keep.node.fields()
    empty = {it.name: it for it in fields if not keep.entry.own[it.name].strip("{} ")}
    added: list[str] = []
    newline = newline_of(keep.source.document.text)
    merged = {it.node.key for it in (keep, *others)}
    for index, field in merged_entry.missing(keep.entry, [it.entry for it in others]):
        node = others[index].node
        pointed = mentions.keys_in(node, field.name) if field.name in mentions.POINTING else []
        if any(it.within(node.source) in merged for it in pointed):
            continue
        text = _BREAK.sub(newline, _copied(project, keep, others[index], field))
        if field.name in empty:
            yield Edit(path, empty[field.name].span.moved(keep.start), text)
        else:
            added.append(text)
    yield from _lengthened(keep, others)
    if added:
        last = fields[-1].span if fields else keep.node.key_span
        lead = source[: last.start].rpartition("\n")[2] if fields else "  "
        break_ = newline + lead if "\n" in source and not lead.strip() else " "
        at = keep.start + last.end
        yield Edit(path, Span(at, at), "".join(f",{break_}{it}" for it in added))


def _lengthened(keep: Place, others: Sequence[Place]) -> Iterator[Edit]:
    """Keywords, groups and files of all."""
    for field in keep.node.fields():
        mine, closing = keep.entry.own[field.name], keep.node.source[field.value_span.end - 1]
        more = ""
        for other in others:
            more += merged_entry.further(field.name, mine + more, other.entry.own.get(field.name, ""))
        if more and (closing == "}" or (closing == '"' and '"' not in more)):
            end = keep.start + field.value_span.end - 1
            yield Edit(keep.source.document.path, Span(end, end), more)


def _copied(project: Project, keep: Place, other: Place, field: Field) -> str:
    """A field for another entry; in another file its macros, which need not be the same there, are replaced."""
    source = other.node.source
    value = field.value_span.within(source)
    plain = all(it[:1] in '{"' or it.isdigit() or it.lower() in MONTHS for it in parts(value))
    if plain or keep.source is other.source:
        return field.span.within(source)
    return f"{source[field.span.start : field.value_span.start]}{{{resolved(value, project.strings(other.source))}}}"


def _renamed(project: Project, key: str, old: set[str], removed: Sequence[Place]) -> Iterator[Edit]:
    gone = [(it.source.document.path, it.span) for it in removed]
    for source in project.sources.values():
        yield from _recited(project, source, key, old)
    pointing: dict[tuple[str, Span], list[mentions.Mention]] = {}
    names = {project.canonical(it): it for it in sorted(old)}.values()
    for mention_of in (
        mention for name in names for mention in mentions.find_mentions(project, name) if mention.key != key
    ):
        inside = any(path == mention_of.path and span.start <= mention_of.span.start < span.end for path, span in gone)
        cited = mention_of.role == "citation" and project.sources[mention_of.path].language.bibliography is not None
        if mention_of.role == "pointer" and not inside:
            pointing.setdefault((mention_of.path, mention_of.whole), []).append(mention_of)
        elif (cited or mention_of.role == "member") and not inside:
            yield Edit(mention_of.path, mention_of.span, key)
    for (path, whole), found in pointing.items():
        yield from _repointed(project, key, path, whole, {it.span for it in found})


def _repointed(project: Project, key: str, path: str, whole: Span, old: set[Span]) -> Iterator[Edit]:
    """The fields of one entry that name what is gone; none comes to name a work twice, or the entry itself."""
    entries = project.sources[path].syntax.entries
    index = entries.entry_at(whole.start) if entries else None
    if entries is None or index is None:
        return
    node, end = entries.node(index), 0
    for field in node.fields():
        before, end = end or node.key_span.end, field.span.end
        spans = mentions.keys_in(node, field.name) if field.name in mentions.POINTING else []
        if old.isdisjoint(it.moved(whole.start) for it in spans):
            continue
        named = [key if it.moved(whole.start) in old else it.within(node.source) for it in spans]
        left = [it for it in dict.fromkeys(named) if it != key or key != node.key]
        if left:
            span = Span(spans[0].start, spans[-1].end)
            separator = ", " if ", " in span.within(node.source) else ","
            yield Edit(path, span.moved(whole.start), separator.join(left))
        else:
            yield Edit(path, Span(before, end).moved(whole.start), "")


def _recited(project: Project, source: Source, key: str, old: set[str]) -> Iterator[Edit]:
    """Citations of the old keys; one that would name the work twice loses the second mention."""
    previous: Citation | None = None
    mentioned: set[str] = set()  # in the citation at hand: those of `key` and `old`
    gone = set(map(project.canonical, old))
    text, path = source.document.text, source.document.path
    for citation in source.syntax.citations:
        if previous is None or previous.whole != citation.whole:
            previous, mentioned = None, set()
        named = project.canonical(citation.key)
        if named == project.canonical(key) or named in gone:
            again = bool(mentioned) and bool(gone & {*mentioned, named})
            mentioned.add(named)
            gap = text[previous.span.end : citation.span.start] if previous else ""
            if previous and again and _BETWEEN.fullmatch(gap):
                yield Edit(path, Span(previous.span.end, citation.span.end + gap.endswith("{")), "")
                previous = citation
                continue
            if named in gone and citation.key != key:
                yield Edit(path, *source.language.key(source.document.text, citation.span, key))
        previous = citation

"""Several entries of one work made one: its fields completed, the others removed, their citations renamed."""

import re
from collections import Counter, defaultdict
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
        exporter = exports.exporter(place.source)
        if exporter:
            return Refused(f"{name} is exported by {exporter}: merge the items there.")
    keep = survivor(project, places)
    project = joined(project)
    removed = [it for it in places if it is not keep]
    old_keys: set[str] = set()
    for place in removed:
        old_keys.update(_names(project, place.node))
    old_keys.discard(keep.node.key)
    removals = [Edit(it.source.document.path, it.removal, "") for it in removed]
    edits = [*_completed(project, keep, removed), *removals, *_renamed(project, keep.node.key, old_keys, removed)]
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


def _completed(project: Project, keep: Place, removed: Sequence[Place]) -> Iterator[Edit]:
    """The fields that only the others have, after the last field of the entry kept, written as that one is."""
    path = keep.source.document.path
    fields = keep.node.fields()
    empty = {it.name: it for it in fields if not keep.entry.own[it.name].strip("{} ")}
    newline = newline_of(keep.source.document.text)
    merged_keys = {it.node.key for it in (keep, *removed)}
    added: list[str] = []
    for index, field in merged_entry.missing(keep.entry, [it.entry for it in removed]):
        node = removed[index].node
        pointed = mentions.keys_in(node, field.name) if field.name in mentions.POINTING else []
        if any(it.within(node.source) in merged_keys for it in pointed):
            continue
        text = _BREAK.sub(newline, _copied(project, keep, removed[index], field))
        if field.name in empty:
            yield Edit(path, empty[field.name].span.moved(keep.start), text)
        else:
            added.append(text)
    yield from _lengthened(keep, removed)
    if added:
        last = fields[-1].span if fields else keep.node.key_span
        entry = keep.node.source
        indent = entry[: last.start].rpartition("\n")[2] if fields else "  "
        gap = newline + indent if "\n" in entry and not indent.strip() else " "
        end = keep.start + last.end
        yield Edit(path, Span(end, end), "".join(f",{gap}{it}" for it in added))


def _lengthened(keep: Place, removed: Sequence[Place]) -> Iterator[Edit]:
    """Keywords, groups and files of all, behind those of the entry kept."""
    for field in keep.node.fields():
        value = keep.entry.own[field.name]
        further = ""
        for place in removed:
            other_value = place.entry.own.get(field.name, "")
            further += merged_entry.further(field.name, value + further, other_value)
        closing = keep.node.source[field.value_span.end - 1]
        fits = closing == "}" or (closing == '"' and '"' not in further)
        if further and fits:
            end = keep.start + field.value_span.end - 1
            yield Edit(keep.source.document.path, Span(end, end), further)


def _copied(project: Project, keep: Place, other: Place, field: Field) -> str:
    """A field for another entry; in another file its macros, which need not be the same there, are replaced."""
    source = other.node.source
    value = field.value_span.within(source)
    plain = all(it[:1] in '{"' or it.isdigit() or it.lower() in MONTHS for it in parts(value))
    if plain or keep.source is other.source:
        return field.span.within(source)
    return f"{source[field.span.start : field.value_span.start]}{{{resolved(value, project.strings(other.source))}}}"


def _renamed(project: Project, key: str, old_keys: set[str], removed: Sequence[Place]) -> Iterator[Edit]:
    """The edits that write `key` wherever something names one of the old keys, outside of the entries removed."""
    for source in project.sources.values():
        yield from _recited(project, source, key, old_keys)
    pointers: dict[tuple[str, Span], set[Span]] = defaultdict(set)  # by path and place of the entry that points
    canonical = {project.canonical(it): it for it in sorted(old_keys)}
    for old_key in canonical.values():
        for mention in mentions.find_mentions(project, old_key):
            if mention.key == key or _is_within(mention, removed):
                continue
            if mention.role == "pointer":
                pointers[mention.path, mention.whole].add(mention.span)
            elif mention.role == "member" or _is_cited_in_bibliography(project, mention):
                yield Edit(mention.path, mention.span, key)
    for (path, whole), spans in pointers.items():
        yield from _repointed(project, key, path, whole, spans)


def _is_within(mention: mentions.Mention, places: Sequence[Place]) -> bool:
    start = mention.span.start
    return any(it.source.document.path == mention.path and it.span.start <= start < it.span.end for it in places)


def _is_cited_in_bibliography(project: Project, mention: mentions.Mention) -> bool:
    r"""True of a `\cite` in a field of an entry; those of manuscripts are `_recited`."""
    return mention.role == "citation" and project.sources[mention.path].language.bibliography is not None


def _repointed(project: Project, key: str, path: str, whole: Span, old_spans: set[Span]) -> Iterator[Edit]:
    """The fields of one entry that name what is gone; none comes to name a work twice, or the entry itself."""
    entries = project.sources[path].syntax.entries
    index = entries.entry_at(whole.start) if entries else None
    if entries is None or index is None:
        return
    node = entries.node(index)
    previous_end = node.key_span.end
    for field in node.fields():
        removal = Span(previous_end, field.span.end)
        previous_end = field.span.end
        spans = mentions.keys_in(node, field.name) if field.name in mentions.POINTING else []
        if old_spans.isdisjoint(it.moved(whole.start) for it in spans):
            continue
        names: dict[str, None] = {}
        for span in spans:
            is_old = span.moved(whole.start) in old_spans
            names[key if is_old else span.within(node.source)] = None
        if key == node.key:
            names.pop(key, None)
        if names:
            span = Span(spans[0].start, spans[-1].end)
            separator = ", " if ", " in span.within(node.source) else ","
            yield Edit(path, span.moved(whole.start), separator.join(names))
        else:
            yield Edit(path, removal.moved(whole.start), "")


def _recited(project: Project, source: Source, key: str, old_keys: set[str]) -> Iterator[Edit]:
    """Citations of the old keys; one that would name the work twice loses the second mention."""
    path = source.document.path
    text = source.document.text
    old_names = set(map(project.canonical, old_keys))
    previous: Citation | None = None
    mentioned: set[str] = set()  # in the citation at hand: those of `key` and the old keys
    for citation in source.syntax.citations:
        if previous is None or previous.whole != citation.whole:
            previous = None
            mentioned = set()
        name = project.canonical(citation.key)
        if name == project.canonical(key) or name in old_names:
            is_repeated = bool(mentioned) and not old_names.isdisjoint({*mentioned, name})
            mentioned.add(name)
            gap = text[previous.span.end : citation.span.start] if previous else ""
            if previous and is_repeated and _BETWEEN.fullmatch(gap):
                yield Edit(path, Span(previous.span.end, citation.span.end + gap.endswith("{")), "")
            elif name in old_names and citation.key != key:
                yield Edit(path, *source.language.key(text, citation.span, key))
        previous = citation

"""Several entries of one work made one: its fields completed, the others removed, their citations renamed."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import groupby

from citelsp.base.text import Edit, Span, newline_of
from citelsp.bibliography import merge_entries
from citelsp.bibliography.string_macros import MONTHS, resolve_value
from citelsp.features import exports, key_mentions
from citelsp.features.values import Change, Refused, file_name
from citelsp.syntax.bibtex import granular_xdata
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.fields import split_value
from citelsp.syntax.nodes import Citation, EntryNode, Field
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source
from citelsp.workspace.unincluded_chapters import join_strays

# What stands between two keys of one citation if no note does: `,`, `; @`, `;&`, and with braces `}; @{`, `}{`.
_BETWEEN_KEYS = re.compile(r"(?P<closing>\s*\})?[\s,;]*-?[@&]?(?P<opening>\{\s*)?")
_LINE_BREAK = re.compile(r"\r?\n")


def edits_for(project: Project, places: Sequence[Place]) -> Change | Refused:
    """Return the change that keeps one of these entries, the `survivor`, completes it from the others and removes them.

    Whatever named one of the others, in the manuscript, in chapters that nothing includes and in bibliographies, names
    the survivor afterwards.  Refused for a single entry, for items of YAML, JSON and other formats, or if one of their
    bibliographies must not be written.
    """
    if len(places) < 2:
        return Refused("There is only one entry.")
    if not all(isinstance(place.node, BibNode) for place in places):
        return Refused("Only entries in BibTeX’s format are merged.")
    for place in places:
        name = file_name(place.source.document.path)
        if not place.source.writable:
            return Refused(f"{name} is read-only.")
        exporter = exports.exporter(place.source)
        if exporter:
            return Refused(f"{name} is exported by {exporter}: merge the items there.")
    keep = survivor(project, places)
    project = join_strays(project)  # with the chapters that nothing includes
    removed = [place for place in places if place is not keep]
    old_keys: set[str] = set()
    for place in removed:
        old_keys.update(_list_names(project, place.node))
    old_keys.discard(keep.node.key)  # that of another copy, too: what names it stays as it is
    removals = [Edit(place.source.document.path, place.removal, "") for place in removed]
    edits = [
        *_complete(project, keep, removed),
        *removals,
        *_rename_mentions(project, keep.node.key, old_keys, removed),
    ]
    return Change(tuple(edits))


def survivor(project: Project, places: Sequence[Place]) -> Place:
    """Choose the entry to keep: one that is published, then the most cited, then of most fields, then the first."""
    citations_of = Counter(project.canonical(citation.key) for _, citation in project.citations())

    def worth(place: Place) -> tuple[bool, int, int]:
        filled_fields = sum(map(bool, place.entry.own.values()))
        return merge_entries.is_published(place.entry), citations_of[project.canonical(place.node.key)], filled_fields

    return max(places, key=worth)


def _list_names(project: Project, node: EntryNode) -> Iterator[str]:
    """Yield the key of an entry, and those of its aliases that are not another entry's key."""
    yield node.key
    for span in key_mentions.keys_in(node, "ids"):
        alias = span.within(node.source)
        if all(place.node.key != alias for place in project.find(alias)):
            yield alias


def _complete(project: Project, keep: Place, removed: Sequence[Place]) -> Iterator[Edit]:
    """Yield the edits that add to `keep` what only the removed entries have.

    New fields go behind its last one.  A field that it has empty is replaced in its place, and a list, such as its
    keywords, gets the items that it lacks.  A `crossref` or the like that points to one of the merged entries is left
    out, as it would come to point to its own.
    """
    path = keep.source.document.path
    own_fields = keep.node.fields()
    empty = {field.name: field for field in own_fields if not keep.entry.own[field.name].strip("{} ")}  # `note = {}`
    newline = newline_of(keep.source.document.text)
    # Canonical keys are the same for keys that are one to the program that reads them.
    merged_keys = {project.canonical(place.node.key) for place in (keep, *removed)}
    added: list[str] = []
    # What is missing, each time with the index of the removed entry that has it.
    for index, field in merge_entries.find_missing(keep.entry, [place.entry for place in removed]):
        node = removed[index].node
        pointed_to = key_mentions.keys_in(node, field.name) if field.name in key_mentions.POINTING else []
        if any(project.canonical(span.within(node.source)) in merged_keys for span in pointed_to):
            continue
        text = _LINE_BREAK.sub(newline, _copy_field(project, keep, removed[index], field))
        if field.name in empty:
            yield Edit(path, empty[field.name].span.moved(keep.start), text)
        else:
            added.append(text)
    yield from _lengthen(keep, removed)
    if added:
        yield _append_fields(keep, added)


def _append_fields(keep: Place, new_fields: Sequence[str]) -> Edit:
    """Return the edit that adds fields behind the last one, on lines of their own if that one has its own."""
    fields = keep.node.fields()
    last = fields[-1].span if fields else keep.node.key_span
    entry = keep.node.source
    indent = entry[: last.start].rpartition("\n")[2] if fields else "  "
    is_one_field_a_line = "\n" in entry and not indent.strip()
    gap = newline_of(keep.source.document.text) + indent if is_one_field_a_line else " "
    end = keep.start + last.end
    return Edit(keep.source.document.path, Span(end, end), "".join(f",{gap}{field}" for field in new_fields))


def _lengthen(keep: Place, removed: Sequence[Place]) -> Iterator[Edit]:
    """Yield the edits that append to the lists of `keep` (keywords, groups, files) the items that only others have."""
    for field in keep.node.fields():
        value = keep.entry.own[field.name]
        further = ""
        for place in removed:
            other_value = place.entry.own.get(field.name, "")
            # Each item with its separator before it; none if the field is no list.
            further += merge_entries.items_to_add(field.name, value + further, other_value)
        # A macro or a number has no room for more, and a value in quotes none for a quote.
        closing = keep.node.source[field.value_span.end - 1]
        can_be_lengthened = closing == "}" or (closing == '"' and '"' not in further)
        if further and can_be_lengthened:
            end = keep.start + field.value_span.end - 1
            yield Edit(keep.source.document.path, Span(end, end), further)


def _copy_field(project: Project, keep: Place, other: Place, field: Field) -> str:
    """Return a field of `other` as it is to be written in `keep`.

    If the two are in different files its macros, which need not be the same there, are replaced by what they stand for.
    """
    source = other.node.source
    value = field.value_span.within(source)
    # The months are macros that every style defines: they mean the same anywhere.
    has_no_macro = all(part[:1] in '{"' or part.isdigit() or part.lower() in MONTHS for part in split_value(value))
    if has_no_macro or keep.source is other.source:
        return field.span.within(source)
    name_and_sign = source[field.span.start : field.value_span.start]
    return f"{name_and_sign}{{{resolve_value(value, project.strings(other.source))}}}"


def _rename_mentions(project: Project, key: str, old_keys: set[str], removed: Sequence[Place]) -> Iterator[Edit]:
    """Yield the edits that write `key` wherever something names one of the old keys, outside of the entries removed.

    These are citations in documents; fields of entries that point to others, such as `crossref` (“pointers”), which are
    changed together for each entry; the lists of a group's entries (“members”), and citations in bibliographies.  The
    keys and aliases of other entries stay.
    """
    for source in project.sources.values():
        yield from _recite(project, source, key, old_keys)
    # For each entry (its path and span) where old keys stand in its fields.
    pointing: dict[tuple[str, Span], set[Span]] = defaultdict(set)
    # Keys that differ in letter case alone have the same mentions with BibTeX: each mention is changed once.
    one_of_each = {project.canonical(old_key): old_key for old_key in sorted(old_keys)}
    for old_key in one_of_each.values():
        for mention in key_mentions.find_mentions(project, old_key):
            if mention.key == key or _is_within(mention, removed):
                continue
            if mention.role == "pointer":
                pointing[mention.path, mention.whole].add(mention.span)
            elif mention.role == "member" or _is_cited_in_bibliography(project, mention):
                yield Edit(mention.path, mention.span, key)
    for (path, whole), old_spans in pointing.items():
        yield from _repoint(project, key, path, whole, old_spans)


def _is_within(mention: key_mentions.Mention, places: Sequence[Place]) -> bool:
    """True if the mention stands in one of these entries."""
    offset = mention.span.start
    for place in places:
        if place.source.document.path == mention.path and place.span.start <= offset < place.span.end:
            return True
    return False


def _is_cited_in_bibliography(project: Project, mention: key_mentions.Mention) -> bool:
    r"""Return True for a `\cite` in a field of an entry; those in manuscripts are left to `_recite`."""
    return mention.role == "citation" and project.sources[mention.path].language.bibliography is not None


def _repoint(project: Project, key: str, path: str, whole: Span, old_spans: set[Span]) -> Iterator[Edit]:
    """Yield the edits that write `key` for the old keys in the `crossref`, `related`, … and values of one entry.

    `whole`: where the entry stands in the document at `path`; `old_spans`: where old keys stand in it.  No field comes
    to name a work twice, or its own entry; a field that would name nothing any more is removed.
    """
    entries = project.sources[path].syntax.entries
    index = entries.entry_at(whole.start) if entries else None
    if entries is None or index is None:
        return
    node = entries.node(index)
    previous_end = node.key_span.end
    for field in node.fields():
        removal = Span(previous_end, field.span.end)  # with the comma before it
        previous_end = field.span.end
        spans = key_mentions.keys_in(node, field.name) if field.name in key_mentions.POINTING else []
        spans = [span for span in spans if field.span.start <= span.start < field.span.end]  # the field may stand twice
        if old_spans.isdisjoint(span.moved(whole.start) for span in spans):
            continue
        names = [key if span.moved(whole.start) in old_spans else span.within(node.source) for span in spans]
        names = _drop_repeated(project, names)
        if key == node.key:
            names = [name for name in names if project.canonical(name) != project.canonical(key)]
        if names:
            span_of_names = Span(spans[0].start, spans[-1].end)
            separator = ", " if ", " in span_of_names.within(node.source) else ","
            yield Edit(path, span_of_names.moved(whole.start), separator.join(names))
        else:
            yield Edit(path, removal.moved(whole.start), "")
    for span in granular_xdata.find_key_spans(node.source):
        if span.moved(whole.start) in old_spans:
            yield Edit(path, span.moved(whole.start), key)


def _drop_repeated(project: Project, keys: Sequence[str]) -> list[str]:
    """Return each of these keys once, in their order; keys that are one to the program that reads them count as one."""
    first_by_canonical: dict[str, str] = {}
    for key in keys:
        first_by_canonical.setdefault(project.canonical(key), key)
    return list(first_by_canonical.values())


def _recite(project: Project, source: Source, key: str, old_keys: set[str]) -> Iterator[Edit]:
    """Yield the edits that write `key` where a document cites old keys: `\\cite{old,new}` becomes `\\cite{new}`.

    A citation that would name the work twice loses the second mention, with what stands between the two.  If that is
    more than separators and braces, such as a note, which may be about the second, both are written as `key`.
    """
    # Canonical keys are the same for keys that are one to the program that reads them.
    old_names = set(map(project.canonical, old_keys))
    for _, together in groupby(source.syntax.citations, key=lambda citation: citation.whole):
        yield from _recite_together(project, source, together, key, old_names)


def _recite_together(
    project: Project, source: Source, citations: Iterable[Citation], key: str, old_names: Set[str]
) -> Iterator[Edit]:
    """Yield the edits that `_recite` describes for the keys of one `\\cite`, which `citations` has in their order.

    `old_names` are the canonical old keys.
    """
    text = source.document.text
    mentioned: set[str] = set()  # which of `key` and the old keys were named so far, in canonical form
    previous_end = 0  # where the key before this one ends, or what was removed with it
    for citation in citations:
        name = project.canonical(citation.key)
        end = citation.span.end
        if name == project.canonical(key) or name in old_names:
            # If no old key takes part, the author wrote `key` twice: that stays.
            is_repeated = bool(mentioned) and not old_names.isdisjoint({*mentioned, name})
            mentioned.add(name)
            repetition = _find_repetition(text, previous_end, citation.span) if is_repeated else None
            if repetition:
                yield Edit(source.document.path, repetition, "")
                end = repetition.end
            elif name in old_names and citation.key != key:
                # As the language writes it, which may replace more than the key: in Markdown `@{a key}`.
                yield Edit(source.document.path, *source.language.key(text, citation.span, key))
        previous_end = end


def _find_repetition(text: str, previous_end: int, key: Span) -> Span | None:
    """Return what to remove so that a citation loses this key, and the braces around the other keys stay in pairs.

    `previous_end`: where the key before it ends.  None if more than separators and braces stands between the two, or if
    a brace would stay without its other one.
    """
    between = _BETWEEN_KEYS.fullmatch(text, previous_end, key.start)
    if between is None:
        return None
    closes_previous = between["closing"] is not None
    opens_own = between["opening"] is not None
    if closes_previous and not opens_own:  # `@{a}; @b`
        return Span(between.end("closing"), key.end)
    if opens_own and not closes_previous:  # `@a; @{b}`
        return Span(previous_end, key.end + 1) if text[key.end : key.end + 1] == "}" else None
    # Without braces, or in `@{a}; @{b}`, where the brace that closed the second closes the first.
    return Span(previous_end, key.end)

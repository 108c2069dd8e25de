"""Several works cited together at one placeholder: one citation with all keys, all their entries in one change."""

from collections.abc import Container, Iterable, Iterator, Sequence

from citelsp.base.text import Edit
from citelsp.bibliography import citekey
from citelsp.bibliography.record import Record
from citelsp.features import insert_entry
from citelsp.features.insert_entry import Insertion
from citelsp.features.mentions import filling
from citelsp.features.values import Change, NewFile, Refused
from citelsp.knowledge import Candidate
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace import duplicates
from citelsp.workspace.project import Project


def edits_for(
    project: Project, path: str, placeholder: Placeholder, candidates: Sequence[Candidate]
) -> Insertion | Refused:
    """The placeholder becomes a citation of them all; `key` holds the keys, comma between."""
    keys = keys_for(project, candidates)
    added = add_records(project, path, [it.record for it in candidates], keys)
    if isinstance(added, Refused):
        return added
    edit = Edit(path, placeholder.span, filling(project.sources[path], placeholder, keys))
    return Insertion(",".join(keys), Change((edit, *added.edits), added.files), f"Cited {', '.join(keys)}.")


def keys_for(project: Project, candidates: Iterable[Candidate]) -> list[str]:
    """The keys under which the works have entries, or will have them; each another one."""
    keys: list[str] = []
    for candidate in candidates:
        place = duplicates.find(project, candidate.record)
        if is_own(project, candidate):
            keys.append(candidate.key)
        elif place:
            keys.append(place.node.key)
        else:
            keys.append(new_key(project, candidate, keys))
    return keys


def is_own(project: Project, candidate: Candidate) -> bool:
    """True if `candidate.key` is of the author's entry for this work, and not merely what another program calls it."""
    return bool(candidate.key and candidate.record.source != "zotero" and project.find(candidate.key))


def new_key(project: Project, candidate: Candidate, taken: Container[str]) -> str:
    """The key that Better BibTeX has for a work, if it is free, else one by the user's pattern."""

    def is_taken(key: str) -> bool:
        return key in taken or bool(project.find(key))

    if candidate.key and not is_taken(candidate.key):
        return candidate.key
    return citekey.make(candidate.record, project.settings.writing.citekey, is_taken)


def add_records(project: Project, path: str, records: Sequence[Record], keys: Sequence[str]) -> Change | Refused:
    """The entries of works that have none, under these keys, in one change."""
    changes = []
    for record, key in zip(records, keys, strict=True):
        insertion = insert_entry.add_record(project, path, record, key)
        if isinstance(insertion, Refused):
            return insertion
        changes.append(insertion.change)
    files = _joined_files(file for it in changes for file in it.files)
    edits = tuple(_joined_edits(dict.fromkeys(edit for it in changes for edit in it.edits)))
    written_to = [*(it.path for it in edits), *(it.path for it in files)]
    if sum(map(bool, changes)) > 1 and any(it.endswith(".json") for it in written_to):
        return Refused("A JSON bibliography takes one new entry at a time.")
    return Change(edits, files)


def _joined_edits(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Insertions at one place as one, in their order."""
    texts: dict[tuple[str, int, int], list[Edit]] = {}
    for edit in edits:
        texts.setdefault((edit.path, edit.span.start, edit.span.end), []).append(edit)
    for same in texts.values():
        yield Edit(same[0].path, same[0].span, "".join(it.new_text for it in same))


def _joined_files(files: Iterable[NewFile]) -> tuple[NewFile, ...]:
    texts: dict[str, list[str]] = {}
    for file in files:
        texts.setdefault(file.path, []).append(file.text)
    return tuple(NewFile(path, "\n".join(dict.fromkeys(parts))) for path, parts in texts.items())

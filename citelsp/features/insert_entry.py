"""Works cited and their entries added: one or several at a placeholder, or under a key that has no entry yet."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from citelsp.base.text import Document, Edit
from citelsp.bibliography import citekey, write_entry
from citelsp.bibliography.file_style import Style
from citelsp.bibliography.record import Record
from citelsp.checks import verdicts
from citelsp.features import bibitems, borrowed_entries, declarations, write_targets
from citelsp.features.values import Change, NewFile, Refused, file_name
from citelsp.knowledge import Candidate
from citelsp.syntax import languages
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace import present_works
from citelsp.workspace.disk import is_inside
from citelsp.workspace.project import Project
from citelsp.workspace.roots import NOWHERE
from citelsp.workspace.source import Source

# What a notice says of a work, by its kind; notices of other kinds, such as corrections, say nothing against it.
_AGAINST = {"retraction": "retracted", "withdrawal": "withdrawn", "removal": "removed by its publisher"}


@dataclass(frozen=True, slots=True)
class Insertion:
    """The change that cites a work under `key`, or several under keys with commas between.

    `bibliography` is the file that gets the entry of a single work, "" if none is needed; of several works it is "".
    """

    key: str
    change: Change
    message: str  # what happens, for the author
    bibliography: str = ""
    entry: str = field(default="", repr=False)  # as added

    @property
    def additions(self) -> Change:
        """What is written beside the citation, which is the first edit."""
        return Change(self.change.edits[1:], self.change.files)


def fill_placeholder(source: Source, placeholder: Placeholder, keys: Sequence[str]) -> str:
    """What replaces a placeholder by these keys, cited together."""
    manuscript = source.language.manuscript
    return manuscript.fill(placeholder, keys) if manuscript else ",".join(keys)


def edits_for(project: Project, path: str, placeholder: Placeholder, candidate: Candidate) -> Insertion | Refused:
    """Return the change that makes the placeholder a citation of the candidate, and adds an entry unless it has one."""
    key = own_key(project, candidate)
    insertion = _leave_as_is(key) if key else add_record(project, path, candidate.record)
    if isinstance(insertion, Refused):
        return insertion
    edit = Edit(path, placeholder.span, fill_placeholder(project.sources[path], placeholder, [insertion.key]))
    change = Change((edit, *insertion.change.edits), insertion.change.files)
    return Insertion(insertion.key, change, insertion.message, insertion.bibliography, insertion.entry)


def add_record(project: Project, path: str, record: Record, key: str = "") -> Insertion | Refused:
    """Return the change that adds an entry for the record under `key`; if that is "", under one by the user's pattern.

    Nothing is changed if `key` has an entry, or if without a `key` the work has one, under whose key it is cited.  With
    a `key` no other entry of the work counts: the text cites that key, or will.
    """
    if key and project.find(key):
        return _leave_as_is(key)
    if not key:
        place = present_works.find(project, record)
        if place:
            return _leave_as_is(place.node.key)
        key = _choose_free_key(project, record, taken=())
    return _add_entry(project, path, record, key)


def _add_entry(project: Project, path: str, record: Record, key: str) -> Insertion | Refused:
    """Return the change that adds an entry under a key that no entry has.

    It goes to the bibliography that new entries go to; but if that would be a new file that the manuscript does not
    name, or none can be written, to a list of items in the text (`\\bibitem`), if the manuscript has one, as this needs
    no other file.  Refused if it can go nowhere, or would not be read back as it was written.
    """
    target = write_targets.find(project, path)
    # Undeclared: it would be a new file, under a name that the manuscript does not have.
    if isinstance(target, Refused) or target.undeclared:
        item = bibitems.edit_for(project, record, key)
        if item:
            message = f"Added {key} to {file_name(item.path)}."
            return Insertion(key, Change((item,)), message, item.path, item.new_text.strip())
    if isinstance(target, Refused):
        return target
    return _add_to_bibliography(project, path, record, key, target)


def hindrance(project: Project, path: str) -> str:
    """Why no entry can be added for a document that has no file yet; "" for any other document, and if one can."""
    if not is_inside(path, NOWHERE) or bibitems.takes(project):
        return ""
    target = write_targets.find(project, path)
    return target.reason if isinstance(target, Refused) else ""


def caution(record: Record) -> str:
    """What the author should know before citing the work; "" if no source says anything against it."""
    notice = next((update for update in record.updates if update.kind in _AGAINST), None)
    if notice is None:
        return ""
    return f"This work was {_AGAINST[notice.kind]}, says {verdicts.title(notice.source)}."


def _add_to_bibliography(
    project: Project, path: str, record: Record, key: str, target: write_targets.WriteTarget
) -> Insertion | Refused:
    """Return the change that adds an entry to the bibliography `target`, which is created and declared if need be.

    Refused if the bibliography takes no entries or cannot be declared, or if what is written would not be read back.
    """
    bibliography = project.sources.get(target.path)
    document = bibliography.document if bibliography else Document(target.path, "", languages.BIBTEX.name)
    style = write_entry.style_of(document, mapping=project.reader == "typst")  # a new file for Typst is a YAML mapping
    entry = write_entry.write_work(record, key, style, dialect(project, style))
    if not write_entry.takes(document):
        return Refused(f"{file_name(target.path)} has no list of items to add to.")
    if not write_entry.reads(document, entry, key):
        return Refused(f"“{record.title}” cannot be written as valid BibTeX.")
    edit = write_entry.insertion(document, entry)
    declaration = None if target.declared else declarations.edit_for(project, path, target.path)
    if isinstance(declaration, Refused):
        return declaration
    declaring = (declaration,) if declaration else ()
    if bibliography:
        change = Change((edit, *declaring))
        message = f"Added {key} to {file_name(target.path)}."
    else:
        change = Change(declaring, (NewFile(target.path, _beginning(project) + edit.new_text),))
        message = f"Created {file_name(target.path)} with {key}: {target.why}."
    return Insertion(key, change, message, target.path, entry)


def dialect(project: Project, style: Style) -> Literal["auto", "bibtex", "biblatex"]:
    """What an entry is written for: as the setting says, unless that is "auto".

    Then it is "biblatex" if the manuscript loads that and the file shows no dialect of its own (which `style` has);
    else "auto": the file's own dialect counts.
    """
    setting = project.settings.writing.dialect
    is_undecided = setting == "auto" and not style.dialect
    return "biblatex" if is_undecided and declarations.uses_biblatex(project) else setting


def _leave_as_is(key: str) -> Insertion:
    return Insertion(key, Change(), f"{key} is already in the bibliography.")


def edits_for_several(
    project: Project, path: str, placeholder: Placeholder, candidates: Sequence[Candidate]
) -> Insertion | Refused:
    """Return the change that makes the placeholder a citation of all candidates, and adds entries for those without.

    In the insertion `key` has all keys with commas between, and no bibliography is named, as there may be several.
    Refused as `add_records` says.
    """
    keys = keys_for(project, candidates)
    added = add_records(project, path, [it.record for it in candidates], keys)
    if isinstance(added, Refused):
        return added
    cited = list(dict.fromkeys(keys))  # two candidates may be one work, which has an entry
    edit = Edit(path, placeholder.span, fill_placeholder(project.sources[path], placeholder, cited))
    return Insertion(",".join(cited), Change((edit, *added.edits), added.files), f"Cited {', '.join(cited)}.")


def keys_for(project: Project, candidates: Iterable[Candidate]) -> list[str]:
    """The key of each work's entry, or that of its new one; only two works that have one entry share a key."""
    keys: list[str] = []
    for candidate in candidates:
        keys.append(own_key(project, candidate) or new_key(project, candidate, keys))
    return keys


def own_key(project: Project, candidate: Candidate) -> str:
    """The key of the author's entry for this work; "" if there is none.

    The key by which Zotero knows a work is not that of an entry.
    """
    if candidate.key and candidate.record.source != "zotero" and project.defines(candidate.key):
        return candidate.key
    place = present_works.find(project, candidate.record)
    return place.node.key if place else ""


def new_key(project: Project, candidate: Candidate, taken: Container[str]) -> str:
    """The key that the candidate brings, as from Better BibTeX, if it is free; else one by the user's pattern.

    Free is what no entry has and is not among those `taken`.
    """
    if candidate.key and candidate.key not in taken and not project.defines(candidate.key):
        return candidate.key
    return _choose_free_key(project, candidate.record, taken)


def _choose_free_key(project: Project, record: Record, taken: Container[str]) -> str:
    """The first key by the user's pattern, with letters behind it if need be, that is free."""
    proposed = citekey.keys(record, project.settings.writing.citekey)
    return next(key for key in proposed if key not in taken and not project.defines(key))


def add_records(project: Project, path: str, records: Sequence[Record], keys: Sequence[str]) -> Change | Refused:
    """Return one change that adds entries under those of these keys that have none.

    Refused if any one is, or if several would go to a list in JSON.  Each entry is made as if it were the only one:
    then insertions at one place, and new files of one path, are joined.
    """
    changes: list[Change] = []
    for record, key in zip(records, keys, strict=True):
        insertion = add_record(project, path, record, key)
        if isinstance(insertion, Refused):
            return insertion
        changes.append(insertion.change)
    all_files = [file for change in changes for file in change.files]
    all_edits = [edit for change in changes for edit in change.edits]
    files = _join_files(all_files, _beginning(project))
    edits = tuple(_join_edits(dict.fromkeys(all_edits)))
    written_to = [edit.path for edit in edits] + [file.path for file in files]
    new_entries = sum(map(bool, changes))
    # Joined, the elements of a list would lack a comma.
    if new_entries > 1 and any(path.endswith(".json") for path in written_to):
        return Refused("A JSON bibliography takes one new entry at a time.")
    return Change(edits, files)


def _join_edits(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Insertions at one place as one, in their order."""
    by_place: dict[tuple[str, int, int], list[Edit]] = {}
    for edit in edits:
        by_place.setdefault((edit.path, edit.span.start, edit.span.end), []).append(edit)
    for at_one_place in by_place.values():
        first = at_one_place[0]
        yield Edit(first.path, first.span, "".join(edit.new_text for edit in at_one_place))


def _beginning(project: Project) -> str:
    """Of a new file: what is cited from a library that is lent only as long as there is no such file."""
    cited = borrowed_entries.text_of_cited(project)
    return f"{cited}\n" if cited else ""


def _join_files(files: Iterable[NewFile], beginning: str) -> tuple[NewFile, ...]:
    """New files of one path as one, in their order; `beginning`, with which each begins, only once."""
    parts_by_path: dict[str, list[str]] = {}
    for file in files:
        parts = parts_by_path.setdefault(file.path, [])
        parts.append(file.text.removeprefix(beginning) if parts else file.text)
    return tuple(NewFile(path, "\n".join(dict.fromkeys(parts))) for path, parts in parts_by_path.items())

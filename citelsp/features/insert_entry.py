"""A work cited and its entry added: at a placeholder, or under a key that has no entry yet."""

from dataclasses import dataclass, field

from citelsp.base.text import Document, Edit
from citelsp.bibliography import citekey, render
from citelsp.bibliography.record import Record
from citelsp.bibliography.style import Style
from citelsp.checks import verdicts
from citelsp.features import bibitems, declarations, write_targets
from citelsp.features.mentions import filling
from citelsp.features.values import Change, NewFile, Refused, file_name
from citelsp.knowledge import Candidate
from citelsp.syntax import languages
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace import duplicates
from citelsp.workspace.project import Project
from citelsp.workspace.roots import NOWHERE, inside

_AGAINST = {"retraction": "retracted", "withdrawal": "withdrawn", "removal": "removed by its publisher"}


@dataclass(frozen=True, slots=True)
class Insertion:
    """The change that cites a work under `key`; `bibliography` is the file that gets an entry, "" if none does."""

    key: str
    change: Change
    message: str  # what happens, for the author
    bibliography: str = ""
    entry: str = field(default="", repr=False)  # as added

    @property
    def additions(self) -> Change:
        """What is written beside the citation, which is the first edit."""
        return Change(self.change.edits[1:], self.change.files)


def edits_for(project: Project, path: str, placeholder: Placeholder, candidate: Candidate) -> Insertion | Refused:
    """The placeholder becomes a citation of the candidate; its entry is added unless the work already has one."""
    if candidate.key and project.find(candidate.key):
        insertion: Insertion | Refused = _present(candidate.key)
    else:
        insertion = add_record(project, path, candidate.record)
    if isinstance(insertion, Refused):
        return insertion
    edit = Edit(path, placeholder.span, filling(project.sources[path], placeholder, [insertion.key]))
    change = Change((edit, *insertion.change.edits), insertion.change.files)
    return Insertion(insertion.key, change, insertion.message, insertion.bibliography, insertion.entry)


def add_record(project: Project, path: str, record: Record, key: str = "") -> Insertion | Refused:
    """An entry for the record: under `key` if one is given and free, else under one by the user's pattern."""
    if not key and (place := duplicates.find(project, record)):
        return _present(place.node.key)
    if key and project.find(key):
        return _present(key)
    key = key or citekey.make(record, project.settings.writing.citekey, lambda it: bool(project.find(it)))
    target = write_targets.find(project, path)
    if (isinstance(target, Refused) or target.undeclared) and (item := bibitems.edit_for(project, record, key)):
        return Insertion(
            key, Change((item,)), f"Added {key} to {file_name(item.path)}.", item.path, item.new_text.strip()
        )
    if isinstance(target, Refused):
        return target
    return _added(project, path, record, key, target)


def hindrance(project: Project, path: str) -> str:
    """Why no entry can be added for a document that has no file yet; "" for any other document, and if one can."""
    if not inside(path, NOWHERE) or bibitems.takes(project):
        return ""
    target = write_targets.find(project, path)
    return target.reason if isinstance(target, Refused) else ""


def caution(record: Record) -> str:
    """What the author should know before citing the work; "" if no source says anything against it."""
    notice = next((it for it in record.updates if it.kind in _AGAINST), None)
    return f"This work was {_AGAINST[notice.kind]}, says {verdicts.title(notice.source)}." if notice else ""


def _added(
    project: Project, path: str, record: Record, key: str, target: write_targets.WriteTarget
) -> Insertion | Refused:
    known = project.sources.get(target.path)
    document = known.document if known else Document(target.path, "", languages.BIBTEX.name)
    style = render.style_of(document, mapping=project.reader == "typst")
    entry = render.render(record, key, style, dialect(project, style))
    if not render.takes(document):
        return Refused(f"{file_name(target.path)} has no list of items to add to.")
    if not render.reads(document, entry, key):
        return Refused(f"“{record.title}” cannot be written as valid BibTeX.")
    edit = render.insertion(document, entry)
    declared = () if target.declared else (declarations.edit_for(project, path, target.path),)
    if known:
        change = Change((edit, *declared))
        message = f"Added {key} to {file_name(target.path)}."
    else:
        change = Change(declared, (NewFile(target.path, edit.new_text),))
        message = f"Created {file_name(target.path)} with {key}: {target.why}."
    return Insertion(key, change, message, target.path, entry)


def dialect(project: Project, style: Style) -> str:
    """The one set, else the file's own, else biblatex if the manuscript loads it."""
    setting = project.settings.writing.dialect
    undecided = setting == "auto" and not style.dialect
    return "biblatex" if undecided and declarations.uses_biblatex(project) else setting


def _present(key: str) -> Insertion:
    return Insertion(key, Change(), f"{key} is already in the bibliography.")

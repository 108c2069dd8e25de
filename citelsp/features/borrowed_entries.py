"""What a manuscript cites from a library that is lent to it, as a .bib of its own, which makes it independent."""

import os
import re
from collections.abc import Callable

from citelsp.features import declarations, export_entries, write_targets
from citelsp.features.export_entries import HEADER
from citelsp.features.values import Change, NewFile, Refused, file_name
from citelsp.received.inputs import FIELD_OF_ZOTERO
from citelsp.workspace.project import Project

_ADDRESS_IN_ZOTERO = re.compile(rf",\s*{FIELD_OF_ZOTERO}\s*=\s*\{{[^{{}}]*\}}")


def borrows(project: Project) -> bool:
    """True if the only bibliography is one that no document names and that is not the workspace's: a library lent."""
    sources = [project.sources[path] for path in project.bibliographies]
    none_is_named = project.unnamed.issuperset(project.bibliographies)
    if not sources or not none_is_named or any(source.writable for source in sources):
        return False
    return any(FIELD_OF_ZOTERO in source.document.text for source in sources)


def text_of_cited(project: Project) -> str:
    """The cited entries without what only the library is told by; "" if none is cited or nothing is borrowed."""
    if not borrows(project):
        return ""
    exported = export_entries.export(project)
    if not exported.entries:
        return ""
    return _ADDRESS_IN_ZOTERO.sub("", exported.text.removeprefix(HEADER).lstrip("\n"))


def title(project: Project, path: str) -> str:
    """What the change is offered as; "" if nothing borrowed is cited."""
    if not borrows(project) or not any(project.defines(it) for it in project.cited):
        return ""
    target = write_targets.find(project, path)
    return "" if isinstance(target, Refused) else f"Write the cited entries to {file_name(target.path)}"


def change_for(project: Project, path: str, exists: Callable[[str], bool] = os.path.exists) -> Change | Refused:
    """A new .bib beside the manuscript, and its declaration there."""
    target = write_targets.find(project, path, exists)
    text = text_of_cited(project)
    if isinstance(target, Refused):
        return target
    if not text or target.exists:
        return Refused("Nothing that is cited here comes from a library that is lent.")
    declaration = None if target.declared else declarations.edit_for(project, path, target.path)
    if isinstance(declaration, Refused):
        return declaration
    return Change((declaration,) if declaration else (), (NewFile(target.path, text),))

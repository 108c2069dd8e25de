"""A citekey, or a macro, renamed everywhere: every citation, every entry that has it, every field that points to it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from citelsp.base.text import Edit, Span
from citelsp.bibliography.string_macros import MONTHS
from citelsp.features import exports, key_mentions, macros
from citelsp.features.values import Refused, file_name
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

_FORBIDDEN = re.compile(r"[\s\"#%'(),={}\\~\x00-\x1f\x7f]")  # in a key or a macro's name


@dataclass(frozen=True, slots=True)
class Prepared:
    span: Span
    key: str


def prepare(project: Project, path: str, offset: int) -> Prepared | Refused | None:
    """Return the key or macro under the cursor.

    Refused if a document that mentions it cannot be changed, or if the key's entry may be in a bibliography that was
    not read.  None if neither stands there, or a macro that no @string defines, such as a month.  What depends on the
    new name, or on the further documents that are read for a renaming (such as a limit that these met), only
    `edits_for` tells.
    """
    macro = macros.macro_at(project, path, offset)
    if macro:
        refused = _refuse_unwritable(project, [it.path for it in macros.find_mentions(project, macro.name)])
        if refused:
            return refused
        is_defined = bool(macros.definitions(project, macro.name))
        return Prepared(macro.span, macro.name) if is_defined else None
    mention = key_mentions.mention_at(project, path, offset)
    if mention is None:
        return None
    of_key = list(key_mentions.find_mentions(project, mention.key))
    refused = _refuse_unwritable(project, (it.path for it in of_key)) or _refuse_unread(project, of_key)
    if refused:
        return refused
    return Prepared(mention.span, mention.key)


def edits_for(project: Project, path: str, offset: int, new_key: str) -> tuple[Edit, ...] | Refused:
    """Return the edits that rename the key or macro under the cursor in all documents, or the reason why not.

    () if the new name of a key is the old one.  A macro's old name may be given: it is then spelled alike everywhere.
    """
    new_key = new_key.strip()
    macro = macros.macro_at(project, path, offset)
    if macro:
        return _rename_macro(project, macro.name, new_key)
    mention = key_mentions.mention_at(project, path, offset)
    if mention is None:
        return Refused("There is no citation key here.")
    if new_key == mention.key:
        return ()
    of_key = list(key_mentions.find_mentions(project, mention.key))
    refused = _refuse_key(project, of_key, new_key)
    if refused:
        return refused
    # By place: the same characters may be two mentions, and are edited once.
    edits = {(it.path, it.span): _make_edit(project.sources[it.path], it, new_key) for it in of_key}
    return tuple(edits.values())


def _refuse_key(project: Project, of_key: Sequence[key_mentions.Mention], new_key: str) -> Refused | None:
    """Say why a key cannot be renamed to `new_key`; None if it can.  `of_key`: all mentions of the old key."""
    paths = {it.path for it in of_key}
    refused = _refuse_invalid(project, new_key, paths) or _refuse_unwritable(project, (it.path for it in of_key))
    if refused:
        return refused
    # A key that no entry has may become one that an entry has: its citations then cite that entry.
    is_defined = any(it.role in ("entry", "alias") for it in of_key)
    if is_defined and _is_taken(project, new_key, of_key):
        return Refused(f"There is already an entry with the key {new_key}.")
    if project.bounded:  # not all files were read
        return Refused("Some documents that may cite this key could not be read; renaming would miss them.")
    return _refuse_unread(project, of_key)


def _rename_macro(project: Project, name: str, new_name: str) -> tuple[Edit, ...] | Refused:
    """Return the edits that rename a macro in all bibliographies, or the reason why it cannot be renamed so.

    Its new name may be its old one in another letter case, but no month's: the styles of BibTeX define these.
    """
    if not new_name or new_name[0].isdigit() or _FORBIDDEN.search(new_name):
        return Refused("The name of a macro cannot contain spaces, braces, quotes or commas, or begin with a digit.")
    if not macros.definitions(project, name):
        return Refused(f"No @string defines {name}, so it cannot be renamed.")
    is_other = new_name.lower() != name.lower()  # BibTeX does not tell letter case apart
    if is_other and (new_name.lower() in MONTHS or macros.definitions(project, new_name)):
        return Refused(f"There is already a macro {new_name}.")
    of_macro = list(macros.find_mentions(project, name))
    refused = _refuse_unwritable(project, (it.path for it in of_macro))
    if refused:
        return refused
    if project.bounded:  # not all files were read
        return Refused("Some bibliographies that may use this macro could not be read; renaming would miss them.")
    return tuple(Edit(it.path, it.span, new_name) for it in of_macro)


def _refuse_unread(project: Project, of_key: Iterable[key_mentions.Mention]) -> Refused | None:
    """Refused if none of these mentions is the entry's, which may stand in a bibliography that was not read.

    A bibliography that is nowhere ("missing") has none.
    """
    if any(mention.role in ("entry", "alias") for mention in of_key):
        return None
    for unresolved in project.unresolved:
        if unresolved.link.kind == "bibliography" and unresolved.why != "missing":
            return Refused(f"Its entry may be in {unresolved.link.target}, which was not read.")
    return None


def _is_taken(project: Project, key: str, renamed: Iterable[key_mentions.Mention]) -> bool:
    """True if an entry has the key that is not among those renamed, as one is that differs in letter case alone."""
    renamed_entries = {(mention.path, mention.span) for mention in renamed if mention.role == "entry"}
    return any((place.source.document.path, place.key_span) not in renamed_entries for place in project.find(key))


def _make_edit(source: Source, mention: key_mentions.Mention, new_key: str) -> Edit:
    return Edit(mention.path, *source.language.key(source.document.text, mention.span, new_key))


def _refuse_invalid(project: Project, key: str, paths: set[str]) -> Refused | None:
    """Say why this cannot be a key, in any language or in one of the documents at `paths`; None if it can."""
    if not key:
        return Refused("A key cannot be empty.")
    forbidden = _FORBIDDEN.search(key)
    if forbidden:
        shown = "a space" if forbidden[0].isspace() else f"the character {forbidden[0]}"
        return Refused(f"A key cannot contain {shown}.")
    for path in sorted(paths):
        problem = project.sources[path].language.key_problem(key)
        if problem:
            return Refused(problem)
    return None


def _refuse_unwritable(project: Project, paths: Iterable[str]) -> Refused | None:
    """Say why one of these documents must not be changed; None if all may be."""
    for path in dict.fromkeys(paths):
        source = project.sources[path]
        if not source.writable:
            return Refused(f"{file_name(path)} is read-only.")
        exporter = exports.exporter(source)
        if exporter:
            return Refused(
                f"{file_name(path)} is exported by {exporter}: rename it there; the next export would undo the change."
            )
    return None

"""Works that the author chose from any origin, cited at the cursor with their entries: in which forms, and the edit."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citelsp.base.text import Edit, Span
from citelsp.features import declarations, insert_entry
from citelsp.features.insert_entry import Insertion
from citelsp.features.values import Change, Refused, file_name
from citelsp.knowledge import Candidate
from citelsp.syntax import languages
from citelsp.syntax.languages.language import Form, ManuscriptLanguage
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

# Commands of LaTeX that stand beside a sentence, each with the one that its package has for citing as a part of it.
_TEXTUAL = {
    "cite": "",
    "citep": "citet",
    "autocite": "textcite",
    "parencite": "textcite",
    "footcite": "textcite",
    "supercite": "textcite",
    "smartcite": "textcite",
    "shortcite": "shortciteA",
}
_RAISED = frozenset({"footcite", "supercite"})  # without a space before them
_NATBIB = re.compile(
    r"^[^%\n]*\\(?:usepackage|RequirePackage)\s*+(?:\[[^\]]{0,2000}+\]\s*+)?\{[^{}]*\bnatbib\b", re.MULTILINE
)
# Every other sign means something to one of the languages.
_LOCATOR = re.compile(r"[^\W_][\w .,:()/§*'’–—-]{0,79}|")
_NO_SPACE_BEHIND = "([{~‘“"


@dataclass(frozen=True, slots=True)
class FormShown:
    """One form in which works can be cited, with what it writes."""

    form: Form
    text: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What citing the works would write: the forms to choose from, and in a sentence what becomes of their entries."""

    forms: tuple[FormShown, ...]
    adds: str
    entries: str  # as they are added


def place(project: Project, path: str, offset: int) -> Placeholder:
    """The placeholder at `offset`, else an empty one there; behind a citation that the cursor stands in."""
    if placeholder := project.placeholder_at(path, offset):
        return placeholder
    citation = project.citation_at(path, offset)
    end = citation.whole.end if citation else offset
    return Placeholder("", Span(end, end), "", Span(end, end))


def preview(
    project: Project, path: str, at: Placeholder, works: Sequence[Candidate], locator: str = ""
) -> Preview | Refused:
    """Both forms with a locator, if the language has both."""
    insertion = edits_for(project, path, at, works, Form(locator=locator))
    if isinstance(insertion, Refused):
        return insertion
    source, keys = project.sources[path], insertion.key.split(",")
    written = tuple(FormShown(it, _text(source, at, keys, it)) for it in _forms(project, source, at, locator))
    edits, files = insertion.change.edits[1:], insertion.change.files
    added = [it.new_text for it in edits if it.path in project.bibliographies] + [it.text for it in files]
    return Preview(written, _what_is_added(project, keys, insertion.change), "\n".join(map(str.strip, added)))


def edits_for(
    project: Project, path: str, at: Placeholder, works: Sequence[Candidate], form: Form
) -> Insertion | Refused:
    """The works cited in this form, the citation's edit first; `key` holds the keys, comma between."""
    source = project.sources.get(path)
    if source is None or source.language.manuscript is None:
        return Refused("Only a manuscript can cite.")
    if not _LOCATOR.fullmatch(form.locator.strip()):
        return Refused("A locator is as short as “p. 12” or “chap. 3”, in letters, digits and plain punctuation.")
    keys = insert_entry.keys_for(project, works)
    added = insert_entry.add_records(project, path, [it.record for it in works], keys)
    if isinstance(added, Refused):
        return added
    chosen = next((it for it in _forms(project, source, at, form.locator) if it.textual == form.textual), None)
    if chosen is None:
        return Refused("This document loads no package that cites as a part of the sentence.")
    edit = Edit(path, _replaced(source, at), _text(source, at, keys, chosen))
    return Insertion(",".join(keys), Change((edit, *added.edits), added.files), f"Cited {', '.join(keys)}.")


def _forms(project: Project, source: Source, at: Placeholder, locator: str) -> Iterator[Form]:
    locator = locator.strip()
    if source.language.search != "kpathsea":
        yield Form(locator=locator)
        if _stands_alone(source, at):
            yield Form(textual=True, locator=locator)
        return
    beside, textual = _commands(project)
    yield Form(locator=locator, command=at.command or beside)
    if textual and _stands_alone(source, at):
        yield Form(textual=True, locator=locator, command=textual)


def _commands(project: Project) -> tuple[str, str]:
    """The commands that the manuscript uses most; if it uses none, those of the package that it loads."""
    used = Counter(it.command for part in project.parts for it in part.syntax.citations)
    texts = [it.document.text for it in project.sources.values() if it.language.search == "kpathsea"]
    natbib = any(map(_NATBIB.search, texts))
    package = "autocite" if declarations.uses_biblatex(project) else "citep" if natbib or used["citet"] else "cite"
    beside = max(_TEXTUAL, key=lambda it: (used[it], it == package))
    return beside, _TEXTUAL[beside] or _TEXTUAL[package]


def _stands_alone(source: Source, at: Placeholder) -> bool:
    """True if nothing but the placeholder stands in its citation, which can then be written anew."""
    if at.span.start == at.span.end:
        return True
    text, written = at.whole.within(source.document.text), _language(source).placeholder(at.words)
    return text in (written, f"\\{at.command}<{at.words}>")


def _replaced(source: Source, at: Placeholder) -> Span:
    return at.whole if _stands_alone(source, at) else at.span


def _text(source: Source, at: Placeholder, keys: Sequence[str], form: Form) -> str:
    language = _language(source)
    if not _stands_alone(source, at):
        return language.fill(at, keys)
    written = language.cite(keys, form)
    before = source.document.text[: at.span.start][-1:]
    apart = at.span.start == at.span.end and before.strip() and before not in _NO_SPACE_BEHIND
    return f" {written}" if apart and form.command not in _RAISED else written


def _language(source: Source) -> ManuscriptLanguage:
    return source.language.manuscript or languages.PLAIN_MANUSCRIPT


def _what_is_added(project: Project, keys: Sequence[str], change: Change) -> str:
    added = ", ".join(it for it in keys if not project.find(it))
    if not added:
        return "Nothing is added: every work has its entry"
    if change.files:
        return f"Creates {file_name(change.files[0].path)} with {added}"
    paths = dict.fromkeys(it.path for it in change.edits[1:] if it.path in project.bibliographies)
    return f"Adds {added} to {' and '.join(map(file_name, paths)) or 'the list in the text'}"

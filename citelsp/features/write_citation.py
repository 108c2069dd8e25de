"""Works that the author chose from any origin, cited at the cursor with their entries: in which forms, and the edit."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from citelsp.base.text import Edit, Span
from citelsp.features import complete_keys, declarations, insert_entry
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
_ROLES = ("cite:p", "cite")  # of Sphinx, which mean the same
_NATBIB = re.compile(
    r"^[^%\n]*\\(?:usepackage|RequirePackage)\s*+(?:\[[^\]]{0,2000}+\]\s*+)?\{[^{}]*\bnatbib\b", re.MULTILINE
)
# Every other sign means something to LaTeX, Markdown or Org; Typst escapes what means something to it.
_LOCATOR = re.compile(r"[^\W_](?:[^\W_]|[ .,:()/§*'’–—-]){0,79}|")
_FOLLOWS = 2  # characters behind a citation by which a language decides how to end it
_OF_ONE_KEY = ("<", '"')  # what stands before the key in a call of Typst, which takes no other
# A bracket could belong to the citation; an at sign would mean nothing directly behind a key.
_SPACE_BEFORE = ("(", "[", "{", "@")
_EMPHASIS = ("*", "_")  # would open nothing directly behind a key; it is closed without a space
_NO_SPACE_BEHIND = "([{~‘“"
# A letter or digit of a script that parts words by spaces: not of Thai, Chinese or Japanese.
_IN_WORD = re.compile(r"(?![\u0e00-\u1dff\u2000-\U0010ffff])[^\W_]")
_WORD = re.compile(rf"(?:{_IN_WORD.pattern}|[\u0300-\u036f])*")  # with accents that are signs of their own


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
    """Return the placeholder at `offset`, else an empty one there, or behind a citation or word that it stands in.

    In a citation that still has no key there, as in `\\cite{}`, `[@]` and `[cite:@a;]`, it is the place of that key
    alone.  Typst's `#cite(<>)`, which one key alone can stand in, is such a place as a whole.
    """
    placeholder = project.placeholder_at(path, offset)
    if placeholder:
        return placeholder
    citation = project.citation_at(path, offset)
    source = project.sources.get(path)
    if citation is None and source is not None:
        empty_place = _find_empty_argument(source, offset) or _find_empty_place(source, offset)
        if empty_place:
            return empty_place
        around = (it for it in source.syntax.citations if it.whole.start < offset < it.whole.end)
        citation = next(around, None)  # in a locator, or in the command
    end = citation.whole.end if citation else _find_word_end(source, offset)
    return Placeholder("", Span(end, end), "", Span(end, end))


def _find_word_end(source: Source | None, offset: int) -> int:
    """Return where the word ends in which `offset` stands; `offset` itself if it stands before, behind or in none."""
    text = source.document.text if source else ""
    if not _IN_WORD.match(text[max(offset - 1, 0) : offset]):
        return offset
    word = _WORD.match(text, offset)
    return word.end() if word else offset


def _find_empty_argument(source: Source, offset: int) -> Placeholder | None:
    """Return a placeholder for the keys of an argument that is still empty at `offset`; None if none is there."""
    argument = complete_keys.argument_at(source, offset)
    text = source.document.text
    if argument is None or argument.span.within(text).strip():
        return None
    start = argument.span.start - 1  # of what opens it
    opener = text[start : start + 1]
    whole = Span(start, argument.span.end)
    if argument.opener == "@" and opener == "@":
        return Placeholder("", whole, argument.command, whole, before="@")
    if argument.opener in ("{", ",") and opener in ("{", ",", "`"):  # the last in roles of MyST
        return Placeholder("", Span(offset, offset), argument.command, whole)
    return None


def _find_empty_place(source: Source, offset: int) -> Placeholder | None:
    """Return a placeholder for keys that may stand at `offset` in a citation, where its language reads no argument."""
    find = source.language.manuscript and source.language.manuscript.empty
    return find(source.document.text, offset) if find else None


def preview(
    project: Project, path: str, placeholder: Placeholder, works: Sequence[Candidate], locator: str = ""
) -> Preview | Refused:
    """Return what citing these works would write: each form that the language has, and the entries to be added.

    The text of entries is "" if none has to be added, or if they are added to a list in the manuscript (`\\bibitem`).
    `locator`: such as “p. 12”; "" for none.  Refused if the works cannot be cited there.
    """
    insertion = edits_for(project, path, placeholder, works, Form(locator=locator))
    if isinstance(insertion, Refused):
        return insertion
    source = project.sources[path]
    keys = insertion.key.split(",")  # it has those of all works
    forms = _list_forms(project, source, placeholder, locator)
    shown_forms = tuple(FormShown(form, _write_text(source, placeholder, keys, form)) for form in forms)
    _, *further_edits = insertion.change.edits  # the first is the citation's
    entries = [edit.new_text for edit in further_edits if edit.path in project.bibliographies]
    entries += [file.text for file in insertion.change.files]
    shown_entries = "\n".join(entry.strip() for entry in entries)
    return Preview(shown_forms, _tell_what_is_added(project, keys, insertion.change), shown_entries)


def edits_for(
    project: Project, path: str, placeholder: Placeholder, works: Sequence[Candidate], form: Form
) -> Insertion | Refused:
    """Return the edits that cite these works in this form and add their entries; the edit of the citation comes first.

    `key` of the result holds all keys, with commas between.  Refused if the document cannot cite, if the locator is no
    short plain text, if an entry can be added nowhere, or if the manuscript has no command for the form.
    """
    source = project.sources.get(path)
    if source is None or source.language.manuscript is None:
        return Refused("Only a manuscript can cite.")
    if not _LOCATOR.fullmatch(form.locator.strip()):
        return Refused("A locator is as short as “p. 12” or “chap. 3”, in letters, digits and plain punctuation.")
    keys = insert_entry.keys_for(project, works)
    added = insert_entry.add_records(project, path, [work.record for work in works], keys)
    if isinstance(added, Refused):
        return added
    # As the document writes the form: with the command that it uses.
    forms = _list_forms(project, source, placeholder, form.locator)
    chosen = next((it for it in forms if it.textual == form.textual), None)
    if chosen is None:
        return Refused("This document loads no package that cites as a part of the sentence.")
    cited = list(dict.fromkeys(keys))  # two of the works may have one entry
    if len(cited) > 1 and placeholder.before in _OF_ONE_KEY:
        return Refused("A call with arguments of its own cites one work. Choose one, or cite several beside it.")
    edit = Edit(path, _find_replaced(source, placeholder), _write_text(source, placeholder, cited, chosen))
    return Insertion(",".join(cited), Change((edit, *added.edits), added.files), f"Cited {', '.join(cited)}.")


def _list_forms(project: Project, source: Source, placeholder: Placeholder, locator: str) -> Iterator[Form]:
    r"""Yield the ways to cite there: `\citep`, and `\citet` if the placeholder stands alone and the package has one.

    If it stands among other keys nothing but its key is written, whatever the form.  The first form keeps the command
    in which the placeholder stands, if it stands in one.  In a language other than LaTeX a form has no command:
    `[@key]`, and `@key` as a part of the sentence; but in Markdown of Sphinx a role, which takes no locator.
    """
    locator = locator.strip()
    stands_alone = _stands_alone(source, placeholder)
    if source.language.search != "kpathsea":  # not LaTeX
        role = choose_role(project, source)
        locator = "" if role else locator
        yield Form(locator=locator, role=role)
        if stands_alone:
            yield Form(textual=True, locator=locator, role="cite:t" if role else "")
        return
    commands = _choose_commands(project)
    yield Form(locator=locator, command=placeholder.command or commands.plain)
    if commands.textual and stands_alone:
        yield Form(textual=True, locator=locator, command=commands.textual)


def choose_role(project: Project, source: Source) -> str:
    """Return the role by which Markdown of Sphinx cites, as the manuscript does mostly; "" for any other document."""
    if source.language.search != "pandoc" or not any("roles" in it.syntax.signs for it in project.sources.values()):
        return ""
    uses = Counter(citation.command for part in project.parts for citation in part.syntax.citations)
    return max(_ROLES, key=lambda role: uses[role])


class _Commands(NamedTuple):
    plain: str  # in parentheses or brackets
    textual: str  # as a part of the sentence; "" if the package has none


def _choose_commands(project: Project) -> _Commands:
    r"""Return the citation command that the manuscript uses most, and the one that cites as a part of the sentence.

    Only commands that stand beside a sentence count.  If it uses none, or that of its package as often as another, that
    of its package: `\autocite` and `\textcite` of biblatex, `\citep` and `\citet` of natbib, else `\cite`.  The second
    one belongs to the first, as `\shortciteA` to `\shortcite`, or else is the package's; "" if that has none either.
    """
    uses = Counter(citation.command for part in project.parts for citation in part.syntax.citations)
    of_package = "cite"
    if declarations.uses_biblatex(project):
        of_package = "autocite"
    elif uses["citet"] or _loads_natbib(project):  # a class may load natbib unseen
        of_package = "citep"
    # `_TEXTUAL` has for each command that one which cites as a part of the sentence.
    most_used = max(_TEXTUAL, key=lambda command: (uses[command], command == of_package))
    return _Commands(most_used, _TEXTUAL[most_used] or _TEXTUAL[of_package])


def _loads_natbib(project: Project) -> bool:
    latex = [it for it in project.sources.values() if it.language.search == "kpathsea"]
    return any(_NATBIB.search(it.document.text) for it in latex)


def _stands_alone(source: Source, at: Placeholder) -> bool:
    """True if nothing but the placeholder stands in its citation, which can then be written anew."""
    if at.whole.start == at.whole.end:  # at the cursor, where nothing stands yet
        return True
    if at.span == at.whole and not at.words and not at.before:  # a whole citation without a key
        return True
    text = at.whole.within(source.document.text)
    return text in (_choose_language(source).placeholder(at.words), f"\\{at.command}<{at.words}>")


def _find_replaced(source: Source, at: Placeholder) -> Span:
    """The whole citation if the placeholder stands alone in it, else the placeholder among its keys."""
    return at.whole if _stands_alone(source, at) else at.span


def _write_text(source: Source, at: Placeholder, keys: Sequence[str], form: Form) -> str:
    """Return the text for a placeholder: a citation in this form, or the keys alone if it stands in a citation of more.

    A new citation is written with a space before it if it follows a word, but not a raised one, such as a footnote; and
    with a space behind it before a word or what a sign begins, such as a bracket.
    """
    language = _choose_language(source)
    if not _stands_alone(source, at):
        return language.fill(at, keys)
    text = source.document.text
    follows = text[at.whole.end : at.whole.end + _FOLLOWS]
    is_new = at.span.start == at.span.end  # at the cursor, where nothing stands yet
    if not is_new:
        return language.cite(keys, form._replace(follows=follows))
    before = text[max(at.span.start - 1, 0) : at.span.start]
    is_behind_word = bool(before.strip()) and before not in _NO_SPACE_BEHIND
    space_before = " " if is_behind_word and form.command not in _RAISED else ""
    signs = _SPACE_BEFORE if is_behind_word else (*_SPACE_BEFORE, *_EMPHASIS)
    space_behind = " " if _IN_WORD.match(follows) or follows.startswith(signs) else ""
    return space_before + language.cite(keys, form._replace(follows=space_behind + follows)) + space_behind


def _choose_language(source: Source) -> ManuscriptLanguage:
    return source.language.manuscript or languages.PLAIN_MANUSCRIPT


def _tell_what_is_added(project: Project, keys: Sequence[str], change: Change) -> str:
    """`Adds knuth84 to refs.bib`: what becomes of the entries."""
    added = ", ".join(key for key in keys if not project.find(key))
    if not added:
        return "No entry is added"
    if change.files:
        return f"Creates {file_name(change.files[0].path)} with {added}"
    _, *further_edits = change.edits  # the first is the citation's
    paths = dict.fromkeys(edit.path for edit in further_edits if edit.path in project.bibliographies)
    return f"Adds {added} to {' and '.join(map(file_name, paths)) or 'the list in the text'}"

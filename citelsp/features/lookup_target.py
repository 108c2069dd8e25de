"""What stands at the cursor and can be looked up: a citekey without an entry, or an identifier of a work."""

import re
from dataclasses import dataclass, replace

from citelsp.base.text import Edit, Span
from citelsp.bibliography import identifiers
from citelsp.bibliography.record import Record
from citelsp.features import insert_entry, write_citation
from citelsp.features.insert_entry import Insertion
from citelsp.features.values import Change, Refused
from citelsp.syntax import prose
from citelsp.syntax.languages.language import Form
from citelsp.syntax.nodes import Citation
from citelsp.workspace import present_works
from citelsp.workspace import question as questions
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

_TOKEN = re.compile(r"[^\s{}\"'|<>\\]+")
_SELECTED = 300  # characters
_LONGEST = 2000  # characters of an address
_COMMAND_BEFORE = re.compile(r"\\(?:url|nolinkurl|doi)\s*+\{[ \t]*+$")
_END_OF_COMMAND = re.compile(r"[ \t]*+\}")
# What stands before the address of a link that has words of its own: of LaTeX, Markdown, Typst and HTML.
_LINK_BEFORE = re.compile(
    r"\\href\s*+(?:\[[^\[\]{}]*+\]\s*+)?\{\s*+$|\]\(\s*+<?$|^\s*+\[[^\[\]]++\]:\s*+<?$"
    r"|\blink\(\s*+\"$|\b(?:href|src)\s*+=\s*+[\"']?$"
)
_WRAPPED = (("<", ">"), ("[[", "]]"))  # an address alone as a link, of Markdown and of Org
_OPENING = {")": "(", "]": "["}  # brackets, by those that close them
_PUNCTUATION = ".,;:!?"


@dataclass(frozen=True, slots=True)
class Sought:
    """`span` is what a citation replaces; if `key` is given, the entry gets it and the text stays."""

    text: str
    span: Span
    key: str = ""
    sentence: str = ""
    cited: bool = False  # stands where a citekey stands already


def find_target(project: Project, path: str, span: Span) -> Sought | None:
    """Return what to look up: a citekey without an entry, else the identifier that is selected or at the cursor.

    `span` is the selection, empty for a cursor; of a placeholder the words are the identifier.  None if there is
    neither, if the key has its entry, and if the cursor stands inside of an entry, which other actions complete.  A
    bibliography that citelsp cannot edit field by field is left alone, and so is the address of a link with words of
    its own, which a citation would break.
    """
    source = project.sources.get(path)
    if source is None or (source.language.bibliography and not source.language.bibliography.by_field):
        return None
    citation = project.citation_at(path, span.start)
    if citation:
        return None if project.defines(citation.key) else _make_sought(project, source, citation)
    placeholder = project.placeholder_at(path, span.start)
    if placeholder:
        words = placeholder.words.strip()
        return Sought(words, placeholder.span) if identifiers.from_text(words) else None
    entries = source.syntax.entries
    if entries is not None and entries.entry_at(span.start) is not None:
        return None
    text = source.document.text
    sought = _read_selection(text, span) or _read_token(text, span.start)
    return None if sought and _is_of_link(text, sought.span) else sought


def change(project: Project, path: str, sought: Sought, record: Record) -> Insertion | Refused:
    """Return the edits that cite the work of this record in place of what was sought, and that add its entry.

    If a citekey was sought (`sought.key`), the new entry gets that key; but if the work has an entry under another key,
    no entry is added, and that key is cited instead.  So is the key of an identifier's work, if it has an entry.
    """
    present = present_works.find(project, record) if sought.key else None
    if present is not None:
        message = f"{present.node.key} is this work's entry."
        return Insertion(present.node.key, Change((_make_citation(project, path, sought, present.node.key),)), message)
    insertion = insert_entry.add_record(project, path, record, sought.key)
    if isinstance(insertion, Refused) or sought.key:
        return insertion
    edit = _make_citation(project, path, sought, insertion.key)
    return replace(insertion, change=Change((edit, *insertion.change.edits), insertion.change.files))


def _make_citation(project: Project, path: str, sought: Sought, key: str) -> Edit:
    """Return the edit that writes `key` in place of a citekey, or a whole citation in place of an identifier.

    `sought`: what was looked up, with its span; it is `cited` if it was the citekey of a citation.  A placeholder is
    filled with the key.  In a bibliography nothing is cited, as a key in a `crossref` is no citation: the identifier
    that stood between the entries is deleted.
    """
    source = project.sources[path]
    if sought.cited:
        return Edit(path, *source.language.key(source.document.text, sought.span, key))
    placeholder = project.placeholder_at(path, sought.span.start)
    if placeholder and placeholder.span == sought.span:
        return Edit(path, sought.span, insert_entry.fill_placeholder(source, placeholder, [key]))
    manuscript = source.language.manuscript
    if manuscript is None:  # a bibliography
        return Edit(path, sought.span, "")
    form = Form(role=write_citation.choose_role(project, source))
    return Edit(path, sought.span, manuscript.cite([key], form))


def _make_sought(project: Project, source: Source, citation: Citation) -> Sought:
    """A citekey to be looked up, with its sentence; an identifier that stands as one is no key to keep."""
    if identifiers.from_text(citation.key):
        return Sought(citation.key, citation.span, cited=True)
    sentence = prose.sentence(source.document, source.syntax, citation.whole, questions.acronyms(project))
    return Sought(citation.key, citation.span, citation.key, sentence, cited=True)


def _read_selection(text: str, span: Span) -> Sought | None:
    """Return what is selected, if it is an identifier; None if nothing is, or too much to be one."""
    chosen = span.within(text)
    if not chosen.strip() or len(chosen) > _SELECTED or not identifiers.from_text(chosen):
        return None
    return Sought(chosen.strip(), span)


def _read_token(text: str, offset: int) -> Sought | None:
    r"""Return the identifier in the run of characters around the cursor, without brackets and punctuation at its ends.

    Its span takes in a `\url{…}` or `\doi{…}` around it, `<…>` and `[[…]]`.  None if the run is no identifier, too long
    for one, or holds the words of a link, too, as `[this](https://…)`.
    """
    line_start = max(text.rfind("\n", 0, offset) + 1, offset - _LONGEST)  # or near, if the line begins far away
    token = next((run for run in _TOKEN.finditer(text, line_start) if run.end() >= offset), None)
    if token is None or token.start() > offset or len(token[0]) > _LONGEST:
        return None
    if "](" in token[0] or "][" in token[0]:
        return None
    written = token[0].lstrip("([")
    start = token.end() - len(written)
    written = written.rstrip(_PUNCTUATION)
    # A bracket that nothing in the token opens closes one before it: “(10.1000/1)”, but not “10.1016/0(86)90001-2”.
    # `_OPENING` has for each closing bracket the opening one.
    while written[-1:] in _OPENING and written.count(written[-1]) > written.count(_OPENING[written[-1]]):
        written = written[:-1].rstrip(_PUNCTUATION)
    if not identifiers.from_text(written):
        return None
    span = Span(start, start + len(written))
    command = _COMMAND_BEFORE.search(text[line_start:start])
    end_of_command = _END_OF_COMMAND.match(text, span.end)
    if command and end_of_command:
        span = Span(line_start + command.start(), end_of_command.end())
    for opening, closing in _WRAPPED:
        if text.endswith(opening, line_start, span.start) and text.startswith(closing, span.end):
            span = Span(span.start - len(opening), span.end + len(closing))
    return Sought(written, span)


def _is_of_link(text: str, span: Span) -> bool:
    """True for the address of a link that has words of its own, by what stands around it."""
    line_start = max(text.rfind("\n", 0, span.start) + 1, span.start - _LONGEST)
    is_of_org = text.endswith("[[", line_start, span.start) and text.startswith("][", span.end)
    return is_of_org or _LINK_BEFORE.search(text[line_start : span.start]) is not None

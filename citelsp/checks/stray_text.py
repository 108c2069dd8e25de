"""Text between entries that BibTeX, biber or Typst takes for the beginning of one.

To BibTeX everything between entries is a comment up to the next @, in lines behind % and in @comment too; biber and
Typst read neither of these.  All want a type and an opening brace after an @; BibTeX alone takes @comment for a word of
its own.
"""

from collections.abc import Iterator

from citelsp.base.text import Edit, Span, begins_line
from citelsp.checks.finding import Check, Finding, Fix, Related, limit_findings
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import COMMENTED, BibNode
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.nodes import Reader
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

CODE = "stray-text"
_NAMES = {"bibtex": "BibTeX takes", "biber": "biber takes", "typst": "Typst takes", "": "BibTeX and biber take"}


def check(project: Project, _: Knowledge) -> list[Finding]:
    """Report what each program reads otherwise than it looks; pandoc, which skips text between entries, nothing.

    That is an @ between entries; to biber also a file of comments alone, and to BibTeX entries in comments and in a
    last line that does not end.
    """
    findings: list[Finding] = []
    for source in project.defining:
        entries = source.syntax.entries
        if isinstance(entries, BibEntries) and project.reader != "pandoc":
            findings += limit_findings(_find_strays(source, entries, project.reader))
            if project.reader == "biber" and not len(entries) and not entries.specials.nodes:
                findings += _find_only_comments(source, entries)
            if project.reader == "bibtex":
                findings += _find_commented(source, entries)
                findings += _find_after_last(source, entries)
    return findings


def _find_strays(source: Source, entries: BibEntries, reader: Reader) -> Iterator[Finding]:
    """Report each @ outside of entries that this reader minds; both must mind if `reader` is ""."""
    path = source.document.path
    text = source.document.text
    for node, start in zip(entries.strays.nodes, entries.strays.starts, strict=True):
        end = start + node.length
        following = text[end : end + 1]
        if reader == "typst":
            is_minded = _is_minded_by_typst(node, following)
        else:
            is_minded = _choose_reader(node, following) in ("", reader)
        if is_minded:
            yield Finding(
                CODE, path, Span(start, end), _write_message(node, reader), fixes=_make_fixes(path, text, node, start)
            )


def _choose_reader(node: BibNode, following: str) -> Reader:
    """Say which of BibTeX and biber minds a stray @, "" for both; `following` is what stands behind the word after it.

    That word is the `key` of the `node`, whose `kind` is COMMENTED if it stands behind a %.  A type that begins with a
    digit, as `@2d{`, is none for BibTeX alone; one of digits alone, `@12{`, is none for either.
    """
    if node.kind == COMMENTED:
        return "bibtex"
    if node.key.lower() == "comment":
        return "biber"
    begins_with_digit = node.key[:1].isdigit() and not node.key.isdigit()
    return "bibtex" if begins_with_digit and following in ("{", "(") else ""


def _is_minded_by_typst(node: BibNode, following: str) -> bool:
    """True unless it stands behind %, as Typst 0.15 does not read that, or its type begins with a digit: `@2d{`."""
    return node.kind != COMMENTED and not (node.key[:1].isdigit() and following == "{")


def _write_message(node: BibNode, reader: Reader) -> str:
    if node.key.lower() == "comment":
        return f"{'Typst' if reader == 'typst' else 'biber'} needs braces around the text of an @comment."
    where = "behind %" if node.kind == COMMENTED else "between entries"
    reason = f"@{node.key} lacks its opening brace" if node.key else "no entry type follows"
    return f"{_NAMES.get(reader, '')} an @ {where} for the start of an entry: {reason}."


def _make_fixes(path: str, text: str, node: BibNode, start: int) -> tuple[Fix, ...]:
    """Return the fix that inserts a brace between a type that begins a line and its key: `@article knuth84,`.

    () for anything else, which may be prose: if the @ stands within a line, or if no single word and a comma follow.
    `start`: of the @ in `text`.
    """
    if not (node.key and begins_line(text, start)):
        return ()
    end = start + node.length
    line_end = text.find("\n", end)
    behind = text[end:] if line_end < 0 else text[end:line_end]
    key = behind.strip().partition(",")[0]
    is_key_and_comma = behind[:1].isspace() and "," in behind and len(key.split()) == 1
    if not is_key_and_comma:
        return ()
    gap = len(behind) - len(behind.lstrip())
    return (Fix("Insert “{”", "review", (Edit(path, Span(end, end + gap), "{"),)),)


def _find_only_comments(source: Source, entries: BibEntries) -> Iterator[Finding]:
    starts = [*entries.commented.starts, *entries.strays.starts]
    if starts and all(it.kind == COMMENTED for it in entries.strays.nodes):
        message = "biber finds nothing but comments in this file and reports an error."
        yield Finding(CODE, source.document.path, Span(min(starts), min(starts) + 1), message)


def _find_commented(source: Source, entries: BibEntries) -> Iterator[Finding]:
    """Report entries in comments, which BibTeX reads: those whose key another entry has, and those that a % cuts off.

    The latter end with their line, as `% @article{old, …`.
    """
    path = source.document.path
    text = source.document.text
    for node, start in zip(entries.commented.nodes, entries.commented.starts, strict=True):
        span = node.key_span.moved(start)
        indices = entries.by_folded_key(node.key) if node.key else ()
        if indices:
            entry_start = entries.start(indices[0])
            used = "this one, not the other" if start < entry_start else "the other, and reports this one as repeated"
            message = f"BibTeX reads entries in comments: for “{node.key}” it uses {used}."
            entry_span = entries.node(indices[0]).key_span.moved(entry_start)
            yield Finding(CODE, path, span, message, node.key, related=(Related(path, entry_span, "that entry"),))
        elif not node.source.endswith(("}", ")")) and _is_behind_percent(text, start):
            message = "BibTeX ignores %, so it reads this entry, which ends with its line."
            yield Finding(CODE, path, span, message, node.key)


def _is_behind_percent(text: str, start: int) -> bool:
    return "%" in text[text.rfind("\n", 0, start) + 1 : start]


def _find_after_last(source: Source, entries: BibEntries) -> Iterator[Finding]:
    """Report the entries that BibTeX does not read because no line break ends the last line of the file.

    These are the entries that begin in that line behind the end of another one.
    """
    path = source.document.path
    text = source.document.text
    line_start = text.rfind("\n") + 1
    message = "BibTeX does not read this entry: the last line has no line break, and another entry ends in it."
    # From the last entry back, as long as the one before it ends in that line, too.
    for index in range(len(entries) - 1, 0, -1):
        start = entries.start(index)
        if start < line_start or entries.track.end(index - 1) <= line_start:
            return
        node = entries.node(index)
        fix = Fix("End the last line", "safe", (Edit(path, Span(len(text), len(text)), "\n"),))
        yield Finding(CODE, path, node.key_span.moved(start), message, node.key, fixes=(fix,))


CHECK = Check(
    CODE,
    "error",
    "Text between entries contains an `@` that BibTeX, biber or Typst takes for the start of an entry. Or an entry "
    "in a comment is read after all.",
    check,
)

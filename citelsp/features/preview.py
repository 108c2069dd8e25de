"""A change as the lines before and after it, in the manner of a unified diff."""

from citelsp.base.text import Edit
from citelsp.features.values import Change
from citelsp.workspace.project import Project

_CONTEXT = 1  # lines
_REACH = 10_000  # characters in which lines of context are looked for


def preview_change(project: Project, change: Change) -> str:
    """One hunk an edit, new files whole."""
    parts = [f"+++ {new.path}\n{_mark_lines('+', new.text)}" for new in change.files]
    for edit in sorted(change.edits, key=lambda it: (it.path, it.span.start)):
        source = project.sources.get(edit.path)
        if source is not None:
            parts.append(_write_hunk(source.document.text, edit))
    return "".join(parts)


def _write_hunk(text: str, edit: Edit) -> str:
    """Return one edit as a hunk of a unified diff: the whole lines removed and added, between a line of context each.

    The header is shorter than diff's: `@@ path:line`, the line of the first change.
    """
    start = text.rfind("\n", 0, edit.span.start) + 1
    newline = text.find("\n", edit.span.end)
    end = newline if newline >= 0 else len(text)
    lines_before = text[max(0, start - _REACH) : start].splitlines()[-_CONTEXT:]
    lines_after = text[end + 1 : end + _REACH].splitlines()[:_CONTEXT]
    changed = text[start : edit.span.start] + edit.new_text + text[edit.span.end : end]
    line_number = text.count("\n", 0, start) + 1
    return (
        f"@@ {edit.path}:{line_number}\n"
        + _mark_lines(" ", "\n".join(lines_before))
        + _mark_lines("-", text[start:end])
        + _mark_lines("+", changed)
        + _mark_lines(" ", "\n".join(lines_after))
    )


def _mark_lines(mark: str, text: str) -> str:
    return "".join(f"{mark}{it}\n" for it in text.splitlines())

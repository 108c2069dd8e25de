"""The mentions of one key or macro in the document at hand: shown, or changed together while typing."""

from dataclasses import dataclass

from citelsp.base.text import Span
from citelsp.features import macros, mentions
from citelsp.workspace.project import Project


@dataclass(frozen=True, slots=True)
class Highlight:
    span: Span
    defines: bool


def find(project: Project, path: str, offset: int) -> list[Highlight]:
    """Every mention in this document of the key or macro under the cursor."""
    return sorted({it for at, it in _everywhere(project, path, offset) if at == path}, key=lambda it: it.span)


def linked(project: Project, path: str, offset: int) -> list[Span]:
    """What may be typed over at once: all mentions, if they stand in this one document and there are several.

    Of a key whose entry stands in another file that would leave the entry behind: that is renaming.
    """
    found = _everywhere(project, path, offset)
    if any(at != path for at, _ in found) or (not macros.macro_at(project, path, offset) and not project.closed):
        return []
    spans = sorted({it.span for _, it in found})
    alike = len({span.within(project.sources[path].document.text) for span in spans}) == 1
    return spans if len(spans) > 1 and alike and any(it.defines for _, it in found) else []


def _everywhere(project: Project, path: str, offset: int) -> list[tuple[str, Highlight]]:
    if macro := macros.macro_at(project, path, offset):
        return [(it.path, Highlight(it.span, it.defines)) for it in macros.find_mentions(project, macro.name)]
    if mention := mentions.mention_at(project, path, offset):
        found = mentions.find_mentions(project, mention.key)
        return [(it.path, Highlight(it.span, it.role in ("entry", "alias"))) for it in found]
    return []

"""The mentions of one key or macro in the document at hand: shown, or changed together while typing."""

from dataclasses import dataclass

from citelsp.base.text import Span
from citelsp.features import key_mentions, macros
from citelsp.workspace.project import Project


@dataclass(frozen=True, slots=True)
class Highlight:
    span: Span
    defines: bool


def find(project: Project, path: str, offset: int) -> list[Highlight]:
    """Every mention in this document of the key or macro under the cursor."""
    here = {highlight for of_path, highlight in _find_everywhere(project, path, offset) if of_path == path}
    return sorted(here, key=lambda it: it.span)


def find_linked(project: Project, path: str, offset: int) -> list[Span]:
    """Return the mentions of the key or macro at `offset` that an editor may change together while one is typed over.

    They are all mentions, if there are several, spelt alike, and if all stand in this document, its definition among
    them; else [], as what stands elsewhere would be left behind: that is for renaming.  [] too if a document that was
    not read may mention it.
    """
    mentioned = _find_everywhere(project, path, offset)
    if any(of_path != path for of_path, _ in mentioned):
        return []
    # A manuscript that was not found may cite a key, but uses no macro: of macros only limits keep mentions unread.
    is_macro = macros.macro_at(project, path, offset) is not None
    may_be_elsewhere = project.bounded if is_macro else not project.closed
    if may_be_elsewhere:
        return []
    if not any(highlight.defines for _, highlight in mentioned):
        return []
    spans = sorted({highlight.span for _, highlight in mentioned})
    spellings = {span.within(project.sources[path].document.text) for span in spans}
    return spans if len(spans) > 1 and len(spellings) == 1 else []


def _find_everywhere(project: Project, path: str, offset: int) -> list[tuple[str, Highlight]]:
    """Every mention of the key or macro under the cursor, with the path of its document."""
    macro = macros.macro_at(project, path, offset)
    if macro:
        return [(it.path, Highlight(it.span, it.defines)) for it in macros.find_mentions(project, macro.name)]
    mention = key_mentions.mention_at(project, path, offset)
    if mention:
        of_key = key_mentions.find_mentions(project, mention.key)
        return [(it.path, Highlight(it.span, it.role in ("entry", "alias"))) for it in of_key]
    return []

"""Manuscripts that name no bibliography and cite by the keys of a library that is not theirs, such as Zotero's."""

import re
from dataclasses import replace

from citelsp.syntax.nodes import Citation
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

# Of a citation of Markdown, whose other at signs may mean anything.
_BRACKET = re.compile(r"\[(?:[^\[\]@\n]{0,60}[\s-])?-?@")
_LINKING = ("(", "[", ":")  # after brackets


def wants(project: Project) -> bool:
    """True for a manuscript that names no bibliography, has none, and may cite."""
    names_one = any(unresolved.link.kind == "bibliography" for unresolved in project.unresolved)
    has_one = project.bibliographies or project.defining or project.compiled
    if not project.manuscript or names_one or has_one:
        return False
    # A part of LaTeX without its main document may have a bibliography there.
    is_whole = project.rooted or project.parts[0].language.search != "kpathsea"
    return is_whole and any(map(may_cite, project.parts))


def may_cite(source: Source) -> bool:
    """True for any LaTeX, Typst and Org (`certain`); for Markdown only if a citation in brackets stands in it."""
    return _is_certain(source) or bool(source.language.manuscript and _BRACKET.search(source.document.text))


def is_surely_citation(source: Source, citation: Citation) -> bool:
    """True for LaTeX, for roles, and for keys in brackets that are no link: `[@octocat](https://…)`."""
    if _is_certain(source) or citation.command != "@":
        return True
    return not citation.narrative and source.document.text[citation.whole.end : citation.whole.end + 1] not in _LINKING


def _is_certain(source: Source) -> bool:
    return source.language.manuscript is not None and source.language.manuscript.certain


def lend_library(project: Project, own: Project, library: str) -> Project:
    """`project`, which has the library, with the settings of its `own`; that the library is meant is a guess."""
    return replace(project, settings=own.settings, unnamed=project.unnamed | {library}, lent=library)

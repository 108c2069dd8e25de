"""The CSL style in which a manuscript has its references printed: `csl:` in YAML."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from xml.etree import ElementTree

from citelsp.base import bounds, regular_files
from citelsp.workspace.disk import is_inside
from citelsp.workspace.project import Project
from citelsp.workspace.roots import Files
from citelsp.workspace.source import Source

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True)
class CslStyle:
    """The text of a CSL file, and the language of the manuscript that names it ("en-GB"), "" if it is not said."""

    text: str
    language: str


def declares(project: Project) -> bool:
    return any(it.syntax.csl or it.syntax.citation_style for it in project.sources.values())


def find_declared(project: Project, folders: Iterable[str]) -> CslStyle | None:
    """Return the style that the manuscript names; None if it names none, or none in these folders that can be used."""
    text = _check_style(_read(_find_file(project, folders)))
    if not text:
        return None
    language = next((source.syntax.lang for source in _list_namers(project) if source.syntax.lang), "")
    return CslStyle(text, language if _LANGUAGE.fullmatch(language) else "")


def too_long(project: Project, files: Files) -> str:
    """Return a sentence about the style that the manuscript names if it is longer than citelsp reads, else ""."""
    file = _find_file(project, files.folders())
    try:
        if not file or not files.exists(file) or os.path.getsize(file) <= bounds.STYLE:
            return ""
    except OSError:
        return ""
    return f"{file} is larger than {bounds.STYLE >> 20} MB and was not read."


def _list_namers(project: Project) -> list[Source]:
    """Return who may say something of a document: it, then what `_list_own_namers` has beside it, then other parts."""
    return [*_list_own_namers(project), *project.parts]


def _list_own_namers(project: Project) -> list[Source]:
    """Return who may name a style for the document alone: it, then the metadata around it, the nearest first."""
    metadata = [source for path, source in project.sources.items() if path not in project.manuscript]
    subject = project.sources.get(project.subject)
    return [*([subject] if subject else []), *reversed(metadata)]


def _find_named(project: Project) -> tuple[Source, str] | None:
    """Return the style that counts, as written, with who names it; None if no style is named.

    The first that names one counts, as `_list_namers` has them.  pandoc gets what a document and the metadata around it
    say as one, and takes a `citation-style` only if that has no `csl`.
    """
    for namers in (_list_own_namers(project), project.parts):
        named = [(source, source.syntax.csl) for source in namers]
        named += [(source, source.syntax.citation_style) for source in namers]
        first = next((it for it in named if it[1]), None)
        if first:
            return first
    return None


def _find_file(project: Project, folders: Iterable[str]) -> str:
    """Return the real path of the style's file; "" if no style is named, or its file lies in none of these folders.

    Without folders the file has to lie beside the document that names it, or below.
    """
    named = _find_named(project)
    if named is None:
        return ""
    namer, style = named
    directory = os.path.dirname(namer.document.path)
    try:
        # The real paths are compared: a symbolic link in the workspace must not lead to a file outside.
        real = os.path.realpath(os.path.join(directory, style))
        allowed = [*folders] or [directory]
        return real if any(is_inside(real, os.path.realpath(folder)) for folder in allowed) else ""
    except (OSError, ValueError):
        return ""


def _read(file: str) -> bytes:
    try:
        data = regular_files.read(file, bounds.STYLE + 1) if file else b""
    except OSError:
        return b""
    return data if len(data) <= bounds.STYLE else b""


@lru_cache(maxsize=8)
def _check_style(data: bytes) -> str:
    """Return the text of a CSL style that needs no other file; "" if it rests on another, or is no XML or no UTF-8.

    Also "" if it has a document type, which could define entities.
    """
    try:
        # In another encoding pandoc could read something else than what is checked here.
        text = data.decode("utf-8-sig")
        if "<!DOCTYPE" in text:
            return ""
        root = ElementTree.fromstring(text)  # noqa: S314  # without a document type it has no entities
    except (ValueError, ElementTree.ParseError):
        return ""
    # A style may rest on a parent style, which pandoc loads from whatever address is written there, in a sandbox too.
    rests_on_another = any("independent-parent" in element.attrib.values() for element in root.iter())
    return "" if rests_on_another else text

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
    return any(it.syntax.csl for it in project.sources.values())


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
    """Return who may name a style: the document, then the metadata around it, the nearest first, then other parts."""
    metadata = [source for path, source in project.sources.items() if path not in project.manuscript]
    subject = project.sources.get(project.subject)
    return [*([subject] if subject else []), *reversed(metadata), *project.parts]


def _find_file(project: Project, folders: Iterable[str]) -> str:
    """Return the real path of the style's file; "" if no style is named, or its file lies in none of these folders.

    The first that names one counts: the document, the metadata around it, then other parts.  Without folders the file
    has to lie beside the document that names it, or below.
    """
    namer = next((source for source in _list_namers(project) if source.syntax.csl), None)
    if namer is None:
        return ""
    directory = os.path.dirname(namer.document.path)
    try:
        # The real paths are compared: a symbolic link in the workspace must not lead to a file outside.
        real = os.path.realpath(os.path.join(directory, namer.syntax.csl))
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

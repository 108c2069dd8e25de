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


def declared(project: Project, folders: Iterable[str]) -> CslStyle | None:
    """The style that the manuscript names; None if there is none in a file of these folders that can be used."""
    text = _check_style(_read(_find_file(project, folders)))
    if not text:
        return None
    language = next((source.syntax.lang for source in _asked(project) if source.syntax.lang), "")
    return CslStyle(text, language if _LANGUAGE.fullmatch(language) else "")


def too_long(project: Project, files: Files) -> str:
    """A sentence about the style that the manuscript names if it is longer than citelsp reads, else ""."""
    file = _find_file(project, files.folders())
    try:
        if not file or not files.exists(file) or os.path.getsize(file) <= bounds.STYLE:
            return ""
    except OSError:
        return ""
    return f"{file} is larger than {bounds.STYLE >> 20} MB and was not read."


def _asked(project: Project) -> list[Source]:
    """Who may name it: the document, then the metadata around it, the nearest first, then the other parts."""
    metadata = [source for path, source in project.sources.items() if path not in project.manuscript]
    subject = project.sources.get(project.subject)
    return [*([subject] if subject else []), *reversed(metadata), *project.parts]


def _find_file(project: Project, folders: Iterable[str]) -> str:
    """The real name of the style's file; "" if none is named, or none in these folders.

    Without folders it has to lie beside the document that names it, or below.
    """
    namer = next((source for source in _asked(project) if source.syntax.csl), None)
    if namer is None:
        return ""
    directory = os.path.dirname(namer.document.path)
    try:
        # By the real names: a link in the workspace must not lead to what its author could not read.
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
    """The text of a CSL style that says everything itself; "" for any other, and for what is no XML or no UTF-8."""
    try:
        # UTF-8 alone, so that nobody can read it as something else than what is looked at here.
        text = data.decode("utf-8-sig")
        if "<!DOCTYPE" in text:
            return ""
        root = ElementTree.fromstring(text)  # noqa: S314  # without a document type it has no entities
    except (ValueError, ElementTree.ParseError):
        return ""
    # pandoc loads the style that another one rests on from wherever its address leads, in a sandbox too.
    rests_on_another = any("independent-parent" in element.attrib.values() for element in root.iter())
    return "" if rests_on_another else text

"""The CSL style in which a manuscript has its references printed: `csl:` in YAML."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from xml.etree import ElementTree

from citelsp.base import bounds, regular
from citelsp.workspace.project import Project, Source
from citelsp.workspace.roots import inside

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
    namer = next((it for it in _asked(project) if it.syntax.csl), None)
    if namer is None:
        return None
    directory = os.path.dirname(namer.document.path)
    text = _text(os.path.join(directory, namer.syntax.csl), [*folders] or [directory])
    language = next((it.syntax.lang for it in _asked(project) if it.syntax.lang), "")
    return CslStyle(text, language if _LANGUAGE.fullmatch(language) else "") if text else None


def _asked(project: Project) -> list[Source]:
    """Who may say it: the document, then the metadata around it, the nearest first, then the other parts."""
    metadata = [it for path, it in project.sources.items() if path not in project.manuscript]
    first = [project.sources[project.subject]] if project.subject in project.sources else []
    return [*first, *reversed(metadata), *project.parts]


def _text(path: str, folders: Sequence[str]) -> str:
    try:
        # By the real names: a link in the workspace must not lead to what its author could not read.
        real = os.path.realpath(path)
        if not any(inside(real, os.path.realpath(it)) for it in folders):
            return ""
        data = regular.read(real, bounds.STYLE + 1)
    except (OSError, ValueError):
        return ""
    return _checked(data) if len(data) <= bounds.STYLE else ""


@lru_cache(maxsize=8)
def _checked(data: bytes) -> str:
    """The text of a style that says everything itself, else ""."""
    try:
        # UTF-8 alone, so that nobody can read it as something else than what is looked at here.
        text = data.decode("utf-8-sig")
        if "<!DOCTYPE" in text:
            return ""
        root = ElementTree.fromstring(text)  # noqa: S314  # without a document type it has no entities
    except (ValueError, ElementTree.ParseError):
        return ""
    # pandoc loads the style that another one rests on from wherever its address leads, in a sandbox too.
    rests = any("independent-parent" in it.attrib.values() for it in root.iter())
    return "" if rests else text

"""A bibliography that the manuscript names and that is not there, or that cannot be opened.

Not said of a part whose main document is unknown, as paths count from that; nor in classes and packages; nor if a
condition decides whether TeX comes to it.  `Unresolved.why` holds what else speaks against it.
"""

import os
import re
from collections.abc import Iterator
from pathlib import PurePath

from citelsp.base.text import Edit, is_package
from citelsp.bibliography import nearest
from citelsp.checks.finding import Check, Finding, Fix
from citelsp.knowledge import Knowledge
from citelsp.syntax.tex_branches import is_optional
from citelsp.workspace.project import Project, Unresolved

CODE = "missing-bibliography"
_PLAIN = re.compile(r"(?:[\w-]+/)*[\w-]+")  # without an ending
_AMISS = {
    "missing": "There is no {name}",
    "denied": "{name} is there, but may not be opened",
    "binary": "{name} is there, but is no text",
}


def check(project: Project, _: Knowledge) -> list[Finding]:
    amiss = [_finding(project, it) for it in project.unresolved if is_amiss(project, it)]
    return [*amiss, *_unfound(project)]


def is_amiss(project: Project, it: Unresolved) -> bool:
    """True for a bibliography that should be there."""
    if it.link.kind != "bibliography" or it.why not in _AMISS or it.path not in project.sources:
        return False
    document = project.sources[it.path].document
    if document.language != "latex":
        return True
    alone = not project.rooted or (project.guessed and it.path == project.subject)
    return not (alone or is_package(it.path) or is_optional(document.text, it.link.span.start))


def _unfound(project: Project) -> Iterator[Finding]:
    """Files that are there, but not under this name for who reads them."""
    unresolved = {(it.path, it.link) for it in project.unresolved}
    for source in project.parts if project.reader in ("bibtex", "biber") else ():
        path, text = source.document.path, source.document.text
        for link in source.syntax.links:
            if link.kind != "bibliography" or (path, link) in unresolved or is_optional(text, link.span.start):
                continue
            written, adds = link.target, text.startswith("\\add", text.rfind("\\", 0, link.span.start))
            if project.reader == "bibtex" and written.startswith("~"):
                why, new = "BibTeX does not find {}, as LaTeX makes a space of its ~", f"$HOME{written[1:]}"
            elif project.reader == "biber" and adds and _PLAIN.fullmatch(written):
                why, new = "biber does not find {} without its ending", f"{written}.bib"
            else:
                continue
            fix = Fix(f"Write “{new}”", "safe", (Edit(path, link.span, new),))
            yield Finding(CODE, path, link.span, f"{why.format(written)}.", "error", fixes=(fix,))


def _finding(project: Project, it: Unresolved) -> Finding:
    document = project.sources[it.path].document
    name = _name(it, document.language == "latex")
    links = project.sources[it.path].syntax.links
    others = {PurePath(link.target).stem for link in links if link.kind == "bibliography" and link != it.link}
    alike = [path for path in _alike(it, name) if PurePath(path).stem not in others]
    files = [written for path in alike if (written := _written(it, path))] if it.why == "missing" else []
    message = _AMISS[it.why].format(name=name) + (f"; {files[0]} exists" if files else "")
    short = document.language == "latex" and not PurePath(it.link.target).suffix
    names = [new.removesuffix(".bib") if short else new for new in files]
    fixes = [Fix(f"Name “{new}” instead", "review", (Edit(it.path, it.link.span, new),)) for new in names]
    return Finding(CODE, it.path, it.link.span, f"{message}.", "error", fixes=tuple(fixes))


def _name(it: Unresolved, latex: bool) -> str:
    written = it.link.target
    return written if not latex or PurePath(written).suffix else f"{written}.bib"


def _alike(it: Unresolved, name: str) -> Iterator[str]:
    """Of the bibliographies that may be meant, first those of the same name; then alike ones, or the only one."""
    wanted = PurePath(name).name
    same = [path for path in it.near if PurePath(path).name == wanted]
    beside = {path: PurePath(path).name for path in it.near if path not in same}
    like = nearest.like(PurePath(name).stem, nearest.by_length(PurePath(it).stem for it in beside.values()))
    yield from same
    yield from (path for stem in like for path in beside if PurePath(path).stem == stem)
    if not same and not like and len(beside) == 1:
        yield from beside


def _written(it: Unresolved, path: str) -> str:
    """The path as the manuscript would write it; "" if it cannot."""
    try:
        return PurePath(os.path.relpath(path, it.base or ".")).as_posix()
    except ValueError:  # on another drive
        return ""


CHECK = Check(
    CODE, "error", "A bibliography that the manuscript names is not there, or cannot be opened.", check, needs="project"
)

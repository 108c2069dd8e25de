"""A bibliography that the manuscript names and that is not there, or that cannot be opened.

Not said of a part whose main document is unknown, as paths count from that; nor in classes and packages; nor if a
condition decides whether TeX comes to it; nor of a file that the manuscript's own code writes.  `Unresolved.why` holds
what else speaks against it.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath

from citelsp.base.text import Edit, Span, is_package
from citelsp.bibliography import similar_keys
from citelsp.checks.finding import Check, Finding, Fix, Severity
from citelsp.knowledge import Knowledge
from citelsp.syntax.languages.latex.branches import is_optional
from citelsp.workspace.project import Project, Unresolved
from citelsp.workspace.source import Source

CODE = "missing-bibliography"
_LONGEST = 200  # characters of a name in a message
_PLAIN = re.compile(r"(?:[\w-]+/)*[\w-]+")  # without an ending
_AMISS = {
    "missing": "{name} does not exist",
    "denied": "{name} exists, but cannot be opened",
    "binary": "{name} exists, but is not text",
}


def check(project: Project, _: Knowledge) -> list[Finding]:
    amiss = [it for it in project.unresolved if is_amiss(project, it)]
    named = {path: _stems(project.sources[path]) for path in {it.path for it in amiss}}
    return [*(_finding(project, it, named[it.path]) for it in amiss), *_unfound(project)]


def is_amiss(project: Project, unresolved: Unresolved) -> bool:
    """True for a bibliography that should be there."""
    if unresolved.link.kind != "bibliography" or unresolved.why not in _AMISS or unresolved.path not in project.sources:
        return False
    document = project.sources[unresolved.path].document
    if _is_written_by_code(project, PurePath(unresolved.link.target).name):
        return False
    if project.sources[unresolved.path].language.search != "kpathsea":
        return True
    alone = not project.rooted or (project.guessed and unresolved.path == project.subject)
    return not (alone or is_package(unresolved.path) or is_optional(document.text, unresolved.link.span.start))


def _is_written_by_code(project: Project, name: str) -> bool:
    """True if code of the manuscript hands the name to a function: `write_bib(…, "packages.bib")`."""
    call = re.compile(rf"[(,=]\s*[\"'](?:[^\"'\n]*/)?{re.escape(name)}[\"']")
    # Typst's own declaration is such a call.
    sources = (it for it in project.parts if it.language.search in ("pandoc", "kpathsea") and name in it.document.text)
    return any(call.search(source.document.text, *code) for source in sources for code in _code_of(source))


def _code_of(source: Source) -> Iterator[Span]:
    """What is no prose, without the metadata, which declare bibliographies."""
    hidden = source.syntax.ground.hidden if source.syntax.ground else ()
    links = [it.span.start for it in source.syntax.links]
    return (span for span in hidden if not any(span.start <= it < span.end for it in links))


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
                why, new = "BibTeX does not find {}, because LaTeX turns its ~ into a space", f"$HOME{written[1:]}"
            elif project.reader == "biber" and adds and _PLAIN.fullmatch(written):
                why, new = "biber does not find {} without its extension", f"{written}.bib"
            else:
                continue
            fix = Fix(f"Write “{new}”", "safe", (Edit(path, link.span, new),))
            yield Finding(CODE, path, link.span, f"{why.format(written)}.", fixes=(fix,))


def _stems(source: Source) -> Counter[str]:
    """How often the document names bibliographies that are called so, endings aside."""
    return Counter(PurePath(it.target).stem for it in source.syntax.links if it.kind == "bibliography")


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"


def _finding(project: Project, unresolved: Unresolved, named: Counter[str]) -> Finding:
    tex = project.sources[unresolved.path].language.search == "kpathsea"
    name = name_file(project, unresolved)
    own = PurePath(unresolved.link.target).stem
    alike = [path for path in _alike(unresolved, name) if named[stem := PurePath(path).stem] <= (stem == own)]
    files = (
        [written for path in alike if (written := _written(unresolved, path))] if unresolved.why == "missing" else []
    )
    message = _AMISS[unresolved.why].format(name=_shortened(name)) + (f"; {files[0]} exists" if files else "")
    short = tex and not PurePath(unresolved.link.target).suffix
    names = [new.removesuffix(".bib") if short else new for new in files]
    fixes = [
        Fix(f"Name “{new}” instead", "review", (Edit(unresolved.path, unresolved.link.span, new),)) for new in names
    ]
    # TeX may be run where it is found, or something may copy it: that the work stops there is not certain.
    severity: Severity = "warning" if unresolved.elsewhere else "usual"
    return Finding(CODE, unresolved.path, unresolved.link.span, f"{message}.", fixes=tuple(fixes), severity=severity)


def name_file(project: Project, unresolved: Unresolved) -> str:
    """What the file would be called; LaTeX's commands leave the ending out."""
    written = unresolved.link.target
    latex = project.sources[unresolved.path].language.search == "kpathsea"
    return f"{written}.bib" if latex and not PurePath(written).suffix else written


def _alike(unresolved: Unresolved, name: str) -> Iterator[str]:
    """Of the bibliographies that may be meant, first those of the same name; then alike ones, or the only one."""
    file_name = PurePath(name).name
    same = [path for path in unresolved.near if PurePath(path).name == file_name]
    beside = {path: PurePath(path).name for path in unresolved.near if path not in same}
    like = similar_keys.find_similar(
        PurePath(name).stem, similar_keys.group_by_length(PurePath(it).stem for it in beside.values())
    )
    yield from same
    yield from (path for stem in like for path in beside if PurePath(path).stem == stem)
    if not same and not like and len(beside) == 1:
        yield from beside


def _written(unresolved: Unresolved, path: str) -> str:
    """The path as the manuscript would write it; "" if it cannot."""
    try:
        return PurePath(os.path.relpath(path, unresolved.base or ".")).as_posix()
    except ValueError:  # on another drive
        return ""


CHECK = Check(
    CODE,
    "error",
    "The manuscript declares a bibliography that does not exist or cannot be opened.",
    check,
    needs="project",
)

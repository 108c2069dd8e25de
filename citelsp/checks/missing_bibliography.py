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
from citelsp.syntax.nodes import Link, Reader
from citelsp.workspace.project import Project, Unresolved
from citelsp.workspace.source import Source

CODE = "missing-bibliography"
_LONGEST = 200  # characters of a name in a message
_WITHOUT_ENDING = re.compile(r"(?:[\w-]+/)*[\w-]+")
_FAULT_BY_REASON = {  # what is wrong, by why the file was not read
    "missing": "{name} does not exist",
    "denied": "{name} exists, but cannot be opened",
    "binary": "{name} exists, but is not text",
}


def check(project: Project, _: Knowledge) -> list[Finding]:
    amiss = [unresolved for unresolved in project.unresolved if is_amiss(project, unresolved)]
    stems_by_path = {path: _count_stems(project.sources[path]) for path in {unresolved.path for unresolved in amiss}}
    missing = [_make_finding(project, unresolved, stems_by_path[unresolved.path]) for unresolved in amiss]
    return [*missing, *_find_unreadable_names(project)]


def is_amiss(project: Project, unresolved: Unresolved) -> bool:
    """True for a bibliography that should be there: one that is missing, or cannot be opened or read.

    In LaTeX it need not be there if nobody knows from which folder it is looked for, or whether TeX comes to the
    command; nor, in any manuscript, if the manuscript's own code writes it.  `unresolved`: what a document names and
    nobody found, and why.
    """
    is_bibliography = unresolved.link.kind == "bibliography" and unresolved.why in _FAULT_BY_REASON
    source = project.sources.get(unresolved.path)
    if not is_bibliography or source is None:
        return False
    if _is_written_by_code(project, PurePath(unresolved.link.target).name):
        return False
    if source.language.search != "kpathsea":  # no LaTeX
        return True
    # A main document that is only guessed says nothing of the folder.
    has_no_root = not project.rooted or (project.guessed and unresolved.path == project.subject)
    may_be_passed_over = is_package(unresolved.path) or is_optional(source.document.text, unresolved.link.span.start)
    return not (has_no_root or may_be_passed_over)


def _is_written_by_code(project: Project, name: str) -> bool:
    """True if code of the manuscript, as in R Markdown, hands the name to a function: `write_bib(…, "mine.bib")`."""
    call = re.compile(rf"[(,=]\s*[\"'](?:[^\"'\n]*/)?{re.escape(name)}[\"']")
    for source in project.parts:
        # Typst's own declaration is such a call.
        has_code = source.language.search in ("pandoc", "kpathsea")
        text = source.document.text
        if has_code and name in text and any(call.search(text, *code) for code in _find_code(source)):
            return True
    return False


def _find_code(source: Source) -> Iterator[Span]:
    """Yield the parts that are code, or else no prose; without the metadata, which declare bibliographies."""
    hidden = source.syntax.ground.hidden if source.syntax.ground else ()
    links = [link.span.start for link in source.syntax.links]
    for span in hidden:
        if not any(span.start <= link_start < span.end for link_start in links):
            yield span


def _find_unreadable_names(project: Project) -> Iterator[Finding]:
    """Report files that are there, but that the reader does not find by their names."""
    if project.reader not in ("bibtex", "biber"):
        return
    unresolved_links = {(unresolved.path, unresolved.link) for unresolved in project.unresolved}
    for source in project.parts:
        for link in source.syntax.links:
            # What was not found is another finding's, and what is looked for only if it is there is none's.
            is_found = link.kind == "bibliography" and (source.document.path, link) not in unresolved_links
            if is_found and not is_optional(source.document.text, link.span.start):
                yield from _report_unreadable_name(source, link, project.reader)


def _report_unreadable_name(source: Source, link: Link, reader: Reader) -> Iterator[Finding]:
    """Report a file that its name does not lead this reader to, with the name that does; nothing for any other.

    BibTeX does not find one with `~` for the home folder, and biber none that \\addbibresource names without `.bib`.
    """
    path = source.document.path
    text = source.document.text
    name = link.target
    command = text.rfind("\\", 0, link.span.start)
    is_addbibresource = text.startswith("\\add", command)
    if reader == "bibtex" and name.startswith("~"):
        message = f"BibTeX does not find {name}, because LaTeX turns its ~ into a space."
        better = f"$HOME{name[1:]}"
    elif reader == "biber" and is_addbibresource and _WITHOUT_ENDING.fullmatch(name):
        message = f"biber does not find {name} without its extension."
        better = f"{name}.bib"
    else:
        return
    fix = Fix(f"Write “{better}”", "safe", (Edit(path, link.span, better),))
    yield Finding(CODE, path, link.span, message, fixes=(fix,))


def _count_stems(source: Source) -> Counter[str]:
    """How often the document names bibliographies that are called so, endings aside."""
    return Counter(PurePath(it.target).stem for it in source.syntax.links if it.kind == "bibliography")


def _shorten(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"


def _make_finding(project: Project, unresolved: Unresolved, stems: Counter[str]) -> Finding:
    """Report a bibliography that is missing or cannot be opened; of a missing one, files that may be meant are fixes.

    The message names the likeliest of them.  `stems`: how often its document names each bibliography, endings aside.
    `unresolved`: what the document names, and why it was not read.
    """
    path = unresolved.path
    link = unresolved.link
    name = name_file(project, unresolved)
    files = _suggest_paths(unresolved, name, stems) if unresolved.why == "missing" else []
    message = _FAULT_BY_REASON[unresolved.why].format(name=_shorten(name))
    if files:
        message += f"; {files[0]} exists"
    is_latex = project.sources[path].language.search == "kpathsea"
    if is_latex and not PurePath(link.target).suffix:
        files = [file.removesuffix(".bib") for file in files]
    fixes = tuple(Fix(f"Name “{file}” instead", "review", (Edit(path, link.span, file),)) for file in files)
    # One that lies elsewhere may still be found, if TeX is run in that folder or something copies it.
    severity: Severity = "warning" if unresolved.elsewhere else "usual"
    return Finding(CODE, path, link.span, f"{message}.", fixes=fixes, severity=severity)


def _suggest_paths(unresolved: Unresolved, name: str, stems: Counter[str]) -> list[str]:
    """Return the paths of files that may be meant, as the manuscript would write them; none that it names elsewhere.

    `name` is what the missing file would be called.  `stems`: how often the document names each bibliography, endings
    aside, the missing one included.  `unresolved`: what the document names.
    """
    own_stem = PurePath(unresolved.link.target).stem
    files = []
    for path in _find_alike(unresolved, name):
        stem = PurePath(path).stem
        named_by_this_link = 1 if stem == own_stem else 0
        if stems[stem] <= named_by_this_link:
            files.append(_write_path(unresolved, path))
    return [file for file in files if file]


def name_file(project: Project, unresolved: Unresolved) -> str:
    """Return what the missing file would be called: in LaTeX with `.bib`, which its commands may leave out."""
    written = unresolved.link.target
    latex = project.sources[unresolved.path].language.search == "kpathsea"
    return f"{written}.bib" if latex and not PurePath(written).suffix else written


def _find_alike(unresolved: Unresolved, name: str) -> Iterator[str]:
    """Yield the bibliographies that may be meant by the missing one's `name`, likeliest first.

    Those of the same name in other folders, then those of similar names; if there is neither, the only one that is
    near, if just one is.  `unresolved.near` are all bibliographies near by.
    """
    file_name = PurePath(name).name
    same = [path for path in unresolved.near if PurePath(path).name == file_name]
    others = dict.fromkeys(path for path in unresolved.near if path not in same)
    stems = similar_keys.group_by_length(PurePath(path).stem for path in others)
    similar_stems = similar_keys.find_similar(PurePath(name).stem, stems)
    yield from same
    for stem in similar_stems:
        yield from (path for path in others if PurePath(path).stem == stem)
    if not same and not similar_stems and len(others) == 1:
        yield from others


def _write_path(unresolved: Unresolved, path: str) -> str:
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

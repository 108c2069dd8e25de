r"""The files that a LaTeX command names: `\input`, `\import`, `\bibliography`, `\addbibresource`, `\usepackage`, …"""

import re
from collections.abc import Iterator
from dataclasses import replace

from citelsp.base.text import Span
from citelsp.syntax.languages.latex.cite_commands import IMPORTS, PACKAGES, PARTS, TELLING, is_being_defined
from citelsp.syntax.languages.latex.grammar import argument, group_end, skip_space, without_comments
from citelsp.syntax.nodes import Link

_PLAIN_INPUT = re.compile(r"[ \t]+(?P<file>[^\s\\{}%#~$&^]+)")
_SUBFIX = re.compile(r"\\subfix\s*\{(?P<target>[^{}\\#]*)\}")
_BIBLIOGRAPHY = re.compile(r"\bbibfile\s*=\s*\{?(?P<file>[^\s,\]{}%\\]+)")
_LABEL = re.compile(r"\blabel\s*=\s*\{?\s*(?P<label>[^,\[\]{}\\#]*[^,\[\]{}\\#\s])")
# bibunits and biblatex name their files in brackets, or none: those of the whole document.
_OPTIONAL = frozenset({"putbib", "newrefsection", "refsection"})


def read_links(text: str, command: Span, name: str) -> list[Link] | None:
    """What the command names; None if what it names cannot be read, as in the definition of a macro."""
    if name in TELLING or is_being_defined(text, command.start):
        return []
    if name == "PassOptionsToPackage":
        return _from_options(text, argument(text, command.end))
    if name in PACKAGES:
        return [*_packages(text, command, PACKAGES[name]), *_from_options(text, argument(text, command.end, "["))]
    if name in IMPORTS:
        directory = argument(text, command.end + text.startswith("*", command.end))
        file = argument(text, directory.end + 1) if directory else None
        return _linked(text, "part", file, directory.within(text).strip()) if directory and file else []
    if name in PARTS:
        return _linked(text, "part", _part(text, command, name))
    return _bibliographies(text, command, name)


def _part(text: str, command: Span, name: str) -> Span | None:
    options = argument(text, command.end, "[") if name in ("includestandalone", "loadglsentries") else None
    file = argument(text, options.end + 1 if options else command.end)
    # `\input file`, plain TeX's way: only \input still reads it.
    if file is None and name == "input" and (plain := _PLAIN_INPUT.match(text, command.end)):
        file = Span(*plain.span("file"))
    return file


def _bibliographies(text: str, command: Span, name: str) -> list[Link] | None:
    r"""The links of `\bibliography{a,b}` or `\addbibresource[label=l]{a.bib}`; None if nobody can know which."""
    if name in _OPTIONAL:
        files = argument(text, command.end, "[")
    else:
        opening = _behind_options(text, command.end)
        if not text.startswith("{", opening):
            return []
        files = argument(text, opening)
        if files is None:
            return None
    if name.startswith("add"):
        options = argument(text, command.end, "[")
        label = _LABEL.search(without_comments(options.within(text))) if options else None
        links = _linked(text, "bibliography", files)
        if not links or not label:
            return links
        return [replace(link, label=label["label"]) for link in links]
    if files is None:
        return []
    all_links: list[Link] = []
    for piece in _pieces(text, files):
        links = _linked(text, "bibliography", piece, insert_at=files.end)
        if links is None:
            return None
        all_links += links
    return all_links


def _packages(text: str, command: Span, ending: str) -> Iterator[Link]:
    names = after_options(text, command.end)
    for piece in _pieces(text, names) if names else ():
        for link in _linked(text, "package", piece) or []:
            yield Link("package", link.target + ending, link.span)


def _from_options(text: str, options: Span | None) -> list[Link]:
    """The bibliographies that an option names to a package, as `bibfile` does to cleanthesis."""
    named = _BIBLIOGRAPHY.search(text, *options) if options else None
    return _linked(text, "bibliography", Span(*named.span("file"))) or [] if named else []


def after_options(text: str, offset: int) -> Span | None:
    """The argument in braces after a star and an optional argument."""
    return argument(text, _behind_options(text, offset))


def _behind_options(text: str, offset: int) -> int:
    offset = skip_space(text, offset + text.startswith("*", offset))
    if text.startswith("[", offset):
        offset = skip_space(text, group_end(text, offset) or offset)
    return offset


def _pieces(text: str, files: Span) -> Iterator[Span]:
    offset = files.start
    for piece in without_comments(files.within(text)).split(","):
        yield Span(offset, offset + len(piece))
        offset += len(piece) + 1


def _linked(text: str, kind: str, span: Span | None, base: str = "", insert_at: int | None = None) -> list[Link] | None:
    written = without_comments(span.within(text)) if span else ""
    target = written.strip()
    # A parameter of a macro, or `|command`, whose output TeX reads: what comes of it nobody can know.
    if "#" in target or target.startswith("|") or "\n" in target:
        return None
    if span is None or not target:
        return []
    start = span.start + written.index(target)
    subfix = _SUBFIX.fullmatch(target)
    if subfix:
        start, target = start + subfix.start("target"), subfix["target"]
    # Quotes hold a name with spaces together and are no part of it.
    if target.startswith('"') and target.endswith('"') and len(target) > 2:
        start, target = start + 1, target[1:-1]
    place = Span(start, start + len(target))
    return [Link(kind, target, place, base, insert_at)]  # type: ignore[arg-type]  # one of Link's kinds

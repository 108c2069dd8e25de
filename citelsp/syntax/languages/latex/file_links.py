r"""The files that a LaTeX command names: `\input`, `\import`, `\bibliography`, `\addbibresource`, `\usepackage`, …"""

import re
from collections.abc import Iterator
from dataclasses import replace

from citelsp.base.text import Span
from citelsp.syntax.languages.latex.cite_commands import IMPORTS, PACKAGES, PARTS, TELLING, is_being_defined
from citelsp.syntax.languages.latex.grammar import argument, group_end, skip_space, without_comments
from citelsp.syntax.nodes import Link

# ` chapter` behind \input, without braces.
_PLAIN_INPUT = re.compile(r"[ \t]+(?P<file>[^\s\\{}%#~$&^]+)")
_SUBFIX = re.compile(r"\\subfix\s*\{(?P<target>[^{}\\#]*)\}")
# `bibfile=refs.bib` among the options of a package.
_BIBLIOGRAPHY_OPTION = re.compile(r"\bbibfile\s*=\s*\{?(?P<file>[^\s,\]{}%\\]+)")
# `label=mine` among the options of \addbibresource.
_LABEL = re.compile(r"\blabel\s*=\s*\{?\s*(?P<label>[^,\[\]{}\\#]*[^,\[\]{}\\#\s])")
# bibunits and biblatex name their files in brackets, or none: those of the whole document.
_OPTIONAL = frozenset({"putbib", "newrefsection", "refsection"})


def read_links(text: str, command: Span, name: str) -> list[Link] | None:
    """Return links to the files that a command names: empty if it names none, None if only TeX can tell which.

    `command` is where the command's `name` stands in `text`.  TeX alone knows if a macro's parameter is the file, `#1`.
    """
    # The commands in `TELLING` are looked for with those that name bibliographies, but name no file.
    if name in TELLING or is_being_defined(text, command.start):
        return []
    if name == "PassOptionsToPackage":  # the options are its first argument
        return _from_options(text, argument(text, command.end))
    if name in PACKAGES:
        options = argument(text, command.end, "[")
        return [*_packages(text, command, PACKAGES[name]), *_from_options(text, options)]
    if name in IMPORTS:  # \import{directory}{file}
        star = text.startswith("*", command.end)
        directory = argument(text, command.end + star)
        file = argument(text, directory.end + 1) if directory else None
        if directory is None or file is None:
            return []
        return _linked(text, "part", file, base=directory.within(text).strip())
    if name in PARTS:
        return _linked(text, "part", _part(text, command, name))
    # All others name bibliographies: those of BIBLIOGRAPHIES, of _OPTIONAL, of multibib, and the author's own.
    return _bibliographies(text, command, name)


def _part(text: str, command: Span, name: str) -> Span | None:
    """Return where the name of the file stands that a command includes; None if no name follows."""
    has_options = name in ("includestandalone", "loadglsentries")
    options = argument(text, command.end, "[") if has_options else None
    file = argument(text, options.end + 1 if options else command.end)
    # `\input file`, plain TeX's way: only \input still reads it.
    if file is None and name == "input":
        plain = _PLAIN_INPUT.match(text, command.end)
        return Span(*plain.span("file")) if plain else None
    return file


def _bibliographies(text: str, command: Span, name: str) -> list[Link] | None:
    r"""Return the links of `\bibliography{a,b}` or `\addbibresource[label=l]{a.bib}`; None if only TeX can tell which.

    Empty if the command names no file.
    """
    if name in _OPTIONAL:  # the files stand in its brackets
        files = argument(text, command.end, "[")
        if files is None:
            return []
    else:
        opening = _behind_options(text, command.end)
        if not text.startswith("{", opening):
            return []
        files = argument(text, opening)
        # A brace that is not closed: the names are still being typed, and until then no key is called undefined.
        if files is None:
            return None
    if name.startswith("add"):  # \addbibresource and its kind name one file, with its ending
        return _resource(text, command, files)
    all_links: list[Link] = []
    for piece in _pieces(text, files):
        links = _linked(text, "bibliography", piece, insert_at=files.end)
        if links is None:
            return None
        all_links += links
    return all_links


def _resource(text: str, command: Span, file: Span) -> list[Link] | None:
    r"""Return the link of `\addbibresource[label=l]{a.bib}`, which names one file and may give it a label.

    Empty if no name is there, None if only TeX can tell it.
    """
    links = _linked(text, "bibliography", file)
    options = argument(text, command.end, "[")
    label = _LABEL.search(without_comments(options.within(text))) if options else None
    if not links or not label:
        return links
    return [replace(link, label=label["label"]) for link in links]


def _packages(text: str, command: Span, ending: str) -> Iterator[Link]:
    """Yield links to the packages or the class that a command loads; `ending` (`.sty`) is added to what is written.

    Left out is what only TeX can tell, `#1`: hardly any package cites or names bibliographies.
    """
    names = after_options(text, command.end)
    for piece in _pieces(text, names) if names else ():
        for link in _linked(text, "package", piece) or []:
            yield replace(link, target=link.target + ending)


def _from_options(text: str, options: Span | None) -> list[Link]:
    """Return a link to the bibliography that an option names to a package, as `bibfile` does to cleanthesis."""
    option = _BIBLIOGRAPHY_OPTION.search(text, *options) if options else None
    if option is None:
        return []
    return _linked(text, "bibliography", Span(*option.span("file"))) or []


def after_options(text: str, offset: int) -> Span | None:
    """Return the argument in braces behind `offset`; a star and an optional argument may stand before it."""
    return argument(text, _behind_options(text, offset))


def _behind_options(text: str, offset: int) -> int:
    """Return the offset of the next argument behind `offset`; a star and an optional argument are passed over."""
    star = text.startswith("*", offset)
    offset = skip_space(text, offset + star)
    if text.startswith("[", offset):
        offset = skip_space(text, group_end(text, offset) or offset)
    return offset


def _pieces(text: str, files: Span) -> Iterator[Span]:
    """Yield the spans of the parts between the commas of an argument."""
    offset = files.start
    for piece in without_comments(files.within(text)).split(","):
        yield Span(offset, offset + len(piece))
        offset += len(piece) + len(",")


def _linked(text: str, kind: str, span: Span | None, base: str = "", insert_at: int | None = None) -> list[Link] | None:
    """Return the one link to the file that is named at `span`: empty if no name is there, None if only TeX can tell it.

    `kind` says what the file is, such as "part" or "bibliography", `base` in which directory (of \\import) it is looked
    for, `insert_at` where the list ends to which a further bibliography could be added, None if there is no list.
    """
    if span is None:
        return []
    written = without_comments(span.within(text))
    target = written.strip()
    if not target:
        return []
    # A macro's parameter (`#1`), `|command`, whose output TeX reads, or several lines: only TeX knows the file.
    if "#" in target + base or target.startswith("|") or "\n" in target:
        return None
    start = span.start + written.index(target)
    subfix = _SUBFIX.fullmatch(target)
    if subfix:
        start += subfix.start("target")
        target = subfix["target"]
    # Quotes hold a name with spaces together and are no part of it.
    if target.startswith('"') and target.endswith('"') and len(target) > len('""'):
        start += len('"')
        target = target[1:-1]
    place = Span(start, start + len(target))
    return [Link(kind, target, place, base, insert_at)]  # type: ignore[arg-type]  # one of Link's kinds

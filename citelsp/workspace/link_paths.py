r"""How a link written in a document becomes paths: endings, directories, `\jobname`, search paths; without the disk."""

import fnmatch
import glob
import os
import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from citelsp.base import bounds
from citelsp.syntax.languages.language import Language, plain_names
from citelsp.syntax.nodes import Link, Syntax

_JOBNAME = re.compile(r"\\jobname(?![A-Za-z])(?:\{\})?\s*")
# `$NAME/` or `${NAME}/`
_VARIABLE = re.compile(r"\$(?:(?P<name>\w+)|\{(?P<braced>\w+)\})(?=/|\Z)")
_DRIVE = re.compile(r"[A-Za-z]:[/\\]")
ANY_FOLDERS = "**"  # in a pattern
_GLOB = re.compile(r"[*?\[{]")
_BRACES = re.compile(r"\{([^{}]*)\}")
# The command that gives a section its own bibliographies, or prints a list of its own, up to a place in its list of
# files; \bibliographyown is multibib's, by `\newcites{own}{…}`.
_OF_SECTION = re.compile(
    r"\\(?:(?:begin\s*\{refsection\}|newrefsection|putbib)\s*\[[^\[\]]*|bibliography[A-Za-z]+\s*\{[^{}]*)\Z"
)
_LONGEST_SECTION_LIST = 2000  # characters

# Files of every TeX distribution, and drawings: where they are missing, no bibliography can be missing with them.
_DISTRIBUTED = frozenset({"glyphtounicode", "pdfx-1-4", "xy", "epsf", "binhex", "random", "tikzlibraryexternal.code"})
_DRAWINGS = (".pgf", ".tikz", ".pdf_tex", ".pdf_t", ".pdftex_t", ".pstex_t", ".eps_tex", ".svg_tex", ".eepic", ".pdf")


def expand(target: str, jobname: str) -> str | None:
    r"""Return the target without quotes, `\jobname` replaced; None if a macro, an argument, a URL or no name remains.

    A `~`, `$NAME` or `${NAME}` at its beginning becomes the user's directory or the variable's value, as kpathsea reads
    it for BibTeX and biber; None if the variable is not set.
    """
    text = _JOBNAME.sub(lambda _: jobname, target).strip().strip("\"'")
    if not text or "\\" in text or "#" in text or "://" in text or "\0" in text:
        return None
    variable = _VARIABLE.match(text) if text.startswith("$") else None
    if variable:
        directory = os.environ.get(variable["name"] or variable["braced"], "")
        return directory + text[variable.end() :] if directory else None
    return os.path.expanduser(text) if text.startswith("~") else text


def section_of(text: str, link: Link) -> int | None:
    """Return where the section begins for which alone this bibliography holds; None if it holds for the document.

    That is the offset of its command in `text`, such as `\\newrefsection[…]`, in whose brackets the link stands.
    A list of multibib's, `\\bibliographyown{…}`, counts as a section.
    """
    match = _OF_SECTION.search(text, max(0, link.span.start - _LONGEST_SECTION_LIST), link.span.start)
    return match.start() if match else None


def is_remote(link: Link) -> bool:
    return "://" in link.target


def has_macros(link: Link) -> bool:
    written = link.target + link.base
    return "\\" in written and "\\" in _JOBNAME.sub("", written) and not is_remote(link)


def is_of_one_machine(link: Link) -> bool:
    """True for a path from the root, from the user's home or from a variable: elsewhere its absence proves nothing."""
    target = link.target.strip("\"' ")
    return target.startswith(("/", "~", "$", "\\\\")) or _DRIVE.match(target) is not None


def names(kind: str, target: str, language: Language) -> tuple[str, ...]:
    """Return the file names that a target may stand for, in the order in which its language looks for them."""
    if kind in ("metadata", "package"):
        return (target,)
    return (language.manuscript.names if language.manuscript else plain_names)(kind, target)


def candidates(link: Link, language: Language, jobname: str, bases: Sequence[str]) -> Iterator[str]:
    """Yield the paths that a link may mean, the likeliest first; none if the target cannot be read."""
    for base, name in _places(link, language, jobname, bases):
        yield os.path.normpath(os.path.join(base, name))


def patterns(link: Link, language: Language, jobname: str, bases: Sequence[str]) -> Iterator[str]:
    """Yield the globs that a link may mean, the likeliest first; none if it is no glob."""
    for base, name in _places(link, language, jobname, bases):
        if is_glob(name):
            yield os.path.normpath(os.path.join(glob.escape(base), name))


def _places(link: Link, language: Language, jobname: str, bases: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (directory, file name) for each file that a link may mean; nothing if `expand` cannot read its target.

    `bases` are the directories that the link may count from, and `jobname` is the main document's name without ending.
    """
    target = expand(link.target, jobname)
    subfolder = expand(link.base or ".", jobname)
    if target is None or subfolder is None:
        return
    choices = names(link.kind, target, language)
    for base in bases:
        for name in choices:
            yield os.path.join(base, subfolder), name
    # To Quarto a leading slash is the project's folder, not the root of the disk.
    if language.search != "kpathsea" and target.startswith("/"):
        for base in bases:
            yield base, target.lstrip("/")


def matches(path: str, pattern: str) -> bool:
    """True if an absolute pattern stands for this path, whether there is such a file or not."""
    names = path.split(os.sep)
    return any(_match_parts(names, alternative.split(os.sep)) for alternative in alternatives(pattern))


def _match_parts(names: Sequence[str], parts: Sequence[str]) -> bool:
    """True if the parts of a pattern stand for these names of folders and a file; `**` for any number of folders."""
    # For each number of parts, whether so many may stand for the names up to here.
    reached = _skip_any_folders(parts, {0})
    for name in names:
        matching = [number for number in reached if number < len(parts) and matches_name(name, parts[number])]
        # `**` may stand for the next name too.
        onward = {number if parts[number] == ANY_FOLDERS else number + 1 for number in matching}
        reached = _skip_any_folders(parts, onward)
    return len(parts) in reached


def _skip_any_folders(parts: Sequence[str], reached: set[int]) -> set[int]:
    """Add the numbers of parts that are reached if `**` stands for no folder at all."""
    for number, part in enumerate(parts):
        if part == ANY_FOLDERS and number in reached:
            reached.add(number + 1)
    return reached


def matches_name(name: str, part: str) -> bool:
    """True if a name fits a part of a pattern; a hidden name fits only one that begins with a dot."""
    is_visible = part.startswith(".") or not name.startswith(".")
    return is_visible and fnmatch.fnmatch(name, part)


def escaped(directory: str) -> str:
    """Return a directory as the beginning of a glob, its wildcards escaped."""
    return glob.escape(directory)


def is_glob(path: str) -> bool:
    return _GLOB.search(path) is not None


def alternatives(pattern: str) -> list[str]:
    """Return the patterns that `{a,b}` in a pattern stands for; empty if they would be too many, or one too long."""
    finished: list[str] = []
    with_braces = [pattern]
    while with_braces:
        current = with_braces.pop(0)
        if len(current) > bounds.PATTERN_LENGTH:
            return []
        braces = _BRACES.search(current)
        if braces is None:
            finished.append(current)
            continue
        choices = braces[1].split(",")
        if len(finished) + len(with_braces) + len(choices) > bounds.ALTERNATIVES:
            return []
        with_braces += [current[: braces.start()] + choice + current[braces.end() :] for choice in choices]
    return finished


def mention(link: Link, path: str) -> str | None:
    r"""Return the name, in lower case, of the file that a link of the document at `path` means.

    "*" if it may be any file, as of a pattern, or of `\jobname`, which is that of whatever main document includes this
    one; None if macros make the name, or if the link is an address on the web.  If macros make only the directory,
    `\dir/intro`, the name is still returned.
    """
    target = expand(link.target, stem(path))
    if target is None and has_macros(link):
        target = expand(link.target.rpartition("/")[2], stem(path))
    if target is None:
        return None
    name = _fold_name(target.rpartition("/")[2])
    return "*" if is_glob(name) or _JOBNAME.search(link.target) else name


def may_be_named(link: Link, jobname: str, path: str) -> bool:
    """True if the file's name in a link, without its directory, may stand for that of `path`."""
    name = expand(link.target.rpartition("/")[2], jobname)
    if name is None:
        return False
    if is_glob(name):
        return any(matches_name(os.path.basename(path), alternative) for alternative in alternatives(name))
    return _fold_name(name) in mentions_of(path)


def mentions_of(path: str) -> tuple[str, str, str]:
    """Return what `mention` may give for links that mean this path."""
    name = _fold_name(os.path.basename(path))
    return name, stem(name), "*"


def _fold_name(name: str) -> str:
    """In lower case, and accented letters as one character: macOS may hold them as two, and takes both for one."""
    return name.lower() if name.isascii() else unicodedata.normalize("NFC", name.lower())


def may_mean(link: Link, namer: str, path: str) -> bool:
    """True if the name in a link of `namer` fits the path; cheap, as it is asked of every link of many documents."""
    target = _fold_name(link.target)
    # What is not even similar needs no second look.
    is_similar = _fold_name(stem(path)) in target or "\\" in target or is_glob(target)
    return is_similar and mention(link, namer) in mentions_of(path)


def stem(path: str) -> str:
    r"""`\jobname` if this document is the main one."""
    return os.path.splitext(os.path.basename(path))[0]


def compiled(root: str) -> str:
    """Return the path of the list (.bbl) that BibTeX or biber makes of the references of this main document."""
    return os.path.join(os.path.dirname(root), stem(root) + ".bbl")


def harmless(link: Link) -> bool:
    """True if a part that is missing could define or declare no entry: a drawing, or a file that comes with TeX."""
    name = link.target.strip().strip('"').rpartition("/")[2].lower()
    is_harmless = name.removesuffix(".tex") in _DISTRIBUTED or name.endswith(_DRAWINGS)
    return link.kind == "part" and is_harmless


def search_path(variable: str, environment: Mapping[str, str], base: str) -> list[tuple[str, bool]]:
    """Return the directories of TEXINPUTS or BIBINPUTS, each with True if it is searched to the bottom (`dir//`).

    `variable` is one of these names.  Relative directories count from `base`, as kpathsea reads them; the user's own
    TEXMF tree comes last.
    """
    written = environment.get(variable, "").split(os.pathsep)
    directories: list[tuple[str, bool]] = []
    for item in [*written, *_own_trees(variable, environment)]:
        # `!!` tells kpathsea to look into the list of a tree's files alone; citelsp reads the tree itself.
        pattern = item.strip().lstrip("!")
        is_deep = pattern.endswith("//")
        directory = pattern.rstrip("/") or pattern[:1]  # the root is nothing but slashes
        # An empty item stands for TeX's own paths; `.`, where TeX is run, is looked at first in any case.
        if not directory or (directory == "." and not is_deep):
            continue
        directories.append((os.path.normpath(os.path.join(base, os.path.expanduser(directory))), is_deep))
    return directories


def _own_trees(variable: str, environment: Mapping[str, str]) -> list[str]:
    """Return where the user's own TEXMF trees have files for this variable, as items of a search path."""
    home = environment.get("TEXMFHOME") or ("~/Library/texmf" if sys.platform == "darwin" else "~/texmf")
    below = "bibtex/bib" if variable == "BIBINPUTS" else "tex"
    return [f"{os.path.join(tree, below)}//" for tree in home.split(os.pathsep)]


class Namers:
    """Which documents may name a path, by the names in their links; kept up to date as documents are read."""

    def __init__(self) -> None:
        self._names: dict[str, frozenset[str]] = {}  # by document
        self._namers: dict[str, set[str]] = {}  # by name

    def note(self, path: str, outline: Syntax) -> None:
        # By name alone, as directories depend on where TeX is run: the index may offer too much, never too little.
        names = frozenset(filter(None, (mention(link, path) for link in outline.links)))
        before = self._names.get(path, frozenset())
        for name in names - before:
            self._namers.setdefault(name, set()).add(path)
        for name in before - names:
            self._namers[name].discard(path)
        self._names[path] = names

    def forget(self, path: str) -> None:
        for name in self._names.pop(path, frozenset()):
            self._namers[name].discard(path)

    def mentions(self, path: str) -> list[str]:
        """Return the documents of which a link may mean this path."""
        namers: set[str] = set()
        for name in mentions_of(path):
            namers |= self._namers.get(name, set())
        return sorted(namers)

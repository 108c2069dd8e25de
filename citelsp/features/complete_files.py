r"""Names of bibliographies and styles where a manuscript declares them: `\addbibresource{`, `bibliography:`, `csl:`."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from citelsp.base.text import Span
from citelsp.workspace import links
from citelsp.workspace.project import Project

_COMMAND = re.compile(
    r"\\(?P<name>bibliography|nobibliography\*?|addbibresource|addglobalbib|addsectionbib)\s*(?:\[[^\]\n]*\]\s*)?"
    r"\{(?:[^{}\n]*,)?[ \t]*(?P<typed>[^{},\n]*)\Z"
)
_YAML = re.compile(
    r"^[ \t]*(?P<name>bibliography|csl)[ \t]*:(?:[ \t]*\[?|[ \t]*\[[^\]\n]*,|[ \t]*\n(?:[ \t]*-[^\n]*\n)*[ \t]*-)[ \t]*"
    r"[\"']?(?P<typed>[^\s\"'\[\],]*)\Z",
    re.MULTILINE,
)
_REST = re.compile(r"[^\s\"'{}\[\],]*")  # of a name behind the cursor
_LOOK_BACK = 2000  # characters
_MOST = 200


@dataclass(frozen=True, slots=True)
class FileArgument:
    """Where a name is typed: `span` is of the whole name, `patterns` say which files may be meant."""

    span: Span
    base: str  # the directory that names count from
    patterns: tuple[str, ...]
    bare: bool  # BibTeX puts the ending itself
    named: frozenset[str]  # that are declared already


def place(project: Project, path: str, offset: int) -> FileArgument | None:
    """None if no such name is typed."""
    source = project.sources.get(path)
    if source is None:
        return None
    text, tex = source.document.text, source.document.language == "latex"
    found = (_COMMAND if tex else _YAML).search(text[max(0, offset - _LOOK_BACK) : offset])
    if found is None or not (tex or _in_front_matter(text, offset)):
        return None
    typed = found["typed"]
    rest = _REST.match(text, offset)
    span = Span(offset - len(typed), rest.end() if rest else offset)
    roots = [it for it in project.manuscript if project.sources[it].syntax.is_root] if tex else []
    base = str(PurePath(path if path in roots or not roots else roots[0]).parent)
    folder = PurePath(links.escaped(base), links.escaped(typed.rpartition("/")[0]))
    ending = "csl" if found["name"] == "csl" else "bib"
    patterns = (str(folder / f"*.{ending}"), str(folder / "*" / f"*.{ending}"))
    others = frozenset(it.target for it in source.syntax.links if not it.span.touches(offset))
    return FileArgument(span, base, patterns, tex and "bibliography" in found["name"], others)


def complete(at: FileArgument, listed: Callable[[str], Sequence[str]]) -> list[str]:
    """The names that may stand there, the nearest files first; `listed` gives the files that a pattern means."""
    return list(dict.fromkeys(_names(at, listed)))[:_MOST]


def _names(at: FileArgument, listed: Callable[[str], Sequence[str]]) -> Iterator[str]:
    for pattern in at.patterns:
        for path in sorted(listed(pattern)):
            name = os.path.relpath(path, at.base).replace(os.sep, "/")
            name = name.removesuffix(".bib") if at.bare else name
            if name not in at.named:
                yield name


def _in_front_matter(text: str, offset: int) -> bool:
    """Between the `---` of Markdown's metadata; a YAML file is metadata as a whole."""
    if not text.startswith("---"):
        return False
    end = re.search(r"^(?:---|\.\.\.)[ \t]*$", text[3:], re.MULTILINE)
    return end is None or offset <= end.start() + 3

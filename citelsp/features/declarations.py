r"""Naming one more bibliography in a manuscript: `\addbibresource`, `\bibliography` or YAML `bibliography:`."""

import re
from pathlib import PurePath, PurePosixPath

from citelsp.base.text import Edit, Span, newline_of
from citelsp.features.write_targets import root_of
from citelsp.syntax.markdown import metadata_blocks
from citelsp.syntax.nodes import Link
from citelsp.workspace.project import Project, Source

_BIBLATEX = re.compile(
    r"^[^%\n]*\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{[^}]*\bbiblatex\b[^}]*\}[^\r\n]*", re.MULTILINE
)
_BEGIN = re.compile(r"^[^%\n]*\\begin\s*\{document\}", re.MULTILINE)
_END = re.compile(r"^[^%\n]*?(?=\\end\s*\{document\})", re.MULTILINE)
_STYLE = re.compile(r"^[^%\n]*\\(?:bibliographystyle|bibliography)\s*\{", re.MULTILINE)
_LINE_END = re.compile(r"\r?\n|\Z")
_FLOW = re.compile(r":\s*\[[^\]]*\Z")  # a list in brackets that is still open
_EMPTY = re.compile(
    r"^bibliography[ \t]*:(?P<value>(?:[ \t]*(?:\[[ \t]*\]|null|~))?)(?=[ \t]*(?:#[^\n]*)?\r?$)", re.MULTILINE
)
_OTHER_FRONT = re.compile(  # pandoc's title block, Hugo's front matter: what must stay first
    r"\ufeff?(?:(?:%[^\n]*\n(?:[ \t]+\S[^\n]*\n)*){1,3}|\+\+\+[ \t\r]*\n(?s:.*?)\n\+\+\+[ \t\r]*\n|\ufeff)"
)


def edit_for(project: Project, path: str, bibliography: str) -> Edit:
    """The edit of the root (or of the document that already names bibliographies) that adds this one."""
    declaring = _declaring(project)
    if declaring is not None:
        source, link = declaring
        return _beside(source, link, _relative(bibliography, source.document.path))
    root = project.sources[root_of(project, path)]
    name = _relative(bibliography, root.document.path)
    if root.document.language == "markdown":
        return _in_front_matter(root, name)
    return _in_latex(project, root, name)


def _declaring(project: Project) -> tuple[Source, Link] | None:
    """The last declaration of a bibliography in the manuscript or its metadata."""
    found = [(it, link) for it in project.sources.values() for link in it.syntax.links if link.kind == "bibliography"]
    return found[-1] if found and found[-1][0].writable else None


def _beside(source: Source, link: Link, name: str) -> Edit:
    text, path = source.document.text, source.document.path
    if source.document.language != "latex":
        return _in_yaml_value(source, link, name)
    if link.insert_at is None:
        end = text.find("}", link.span.end) + 1 or link.span.end
        return Edit(path, Span(end, end), newline_of(text) + f"\\addbibresource{{{name}}}")
    behind = text[link.span.end : link.insert_at]  # `}` of \subfix{…}, white space, a comment
    end = link.span.end + (0 if "%" in behind else len(behind.rstrip()))
    written = name if link.target.endswith(".bib") else name.removesuffix(".bib")
    return Edit(path, Span(end, end), f",{written}")


def _in_yaml_value(source: Source, link: Link, name: str) -> Edit:
    text, path, span = source.document.text, source.document.path, link.span
    if span.start > 0 and text[span.start - 1] in "'\"" and text[span.end : span.end + 1] == text[span.start - 1]:
        span = Span(span.start - 1, span.end + 1)
    before = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    if before.lstrip().startswith("- "):
        indent = before[: len(before) - len(before.lstrip())]
        at = next(it.start() for it in _LINE_END.finditer(text, span.end))
        return Edit(path, Span(at, at), f"{newline_of(text)}{indent}- {name}")
    if _FLOW.search(text, 0, span.start):
        return Edit(path, Span(span.end, span.end), f", {name}")
    return Edit(path, span, f"[{span.within(text)}, {name}]")


def _in_front_matter(root: Source, name: str) -> Edit:
    text, path = root.document.text, root.document.path
    newline = newline_of(text)
    blocks = metadata_blocks(text)
    if blocks and text[: blocks[0].start].strip("\ufeff \t\r\n") == "---":
        if empty := _EMPTY.search(text, *blocks[0]):
            return Edit(path, Span(*empty.span("value")), f" {name}")
        return Edit(path, Span(blocks[0].end, blocks[0].end), f"bibliography: {name}{newline}")
    first = _OTHER_FRONT.match(text)
    at = first.end() if first else 0
    lead = newline if first and first[0].endswith("\n") else ""
    return Edit(
        path, Span(at, at), f"{lead}---{newline}bibliography: {name}{newline}---{newline}{'' if lead else newline}"
    )


def _in_latex(project: Project, root: Source, name: str) -> Edit:
    text, path = root.document.text, root.document.path
    newline = newline_of(text)
    if loaded := _BIBLATEX.search(text):
        return Edit(path, Span(loaded.end(), loaded.end()), f"{newline}\\addbibresource{{{name}}}")
    if uses_biblatex(project) and (begin := _BEGIN.search(text)):
        return Edit(path, Span(begin.start(), begin.start()), f"\\addbibresource{{{name}}}{newline}")
    styled = any(_STYLE.search(it.document.text) for it in project.sources.values() if it.document.language == "latex")
    style = "" if styled else f"\\bibliographystyle{{plain}}{newline}"
    declaration = f"{style}\\bibliography{{{name.removesuffix('.bib')}}}{newline}"
    hidden = root.syntax.ground.hidden if root.syntax.ground else ()
    ends = (it for it in _END.finditer(text) if not any(span.start <= it.end() < span.end for span in hidden))
    end = next(ends, None)
    if end is None:
        return Edit(
            path, Span(len(text), len(text)), ("" if text.endswith("\n") or not text else newline) + declaration
        )
    lead = "" if end.end() == 0 or text[end.end() - 1] == "\n" else newline
    return Edit(path, Span(end.end(), end.end()), lead + declaration)


def uses_biblatex(project: Project) -> bool:
    """True if a part of the manuscript loads the package."""
    return any(_BIBLATEX.search(it.document.text) for it in project.sources.values() if it.document.language == "latex")


def _relative(path: str, document: str) -> str:
    """As TeX and pandoc want it: relative to the document's folder, with forward slashes."""
    folder = PurePath(document).parent
    try:
        relative = PurePath(path).relative_to(folder)
    except ValueError:
        relative = PurePath(path)
    return str(PurePosixPath(*relative.parts)) if not relative.is_absolute() else relative.as_posix()

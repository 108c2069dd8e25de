r"""Markup of other programs, which is printed as it stands: HTML's entities and tags, and the braces of Google Scholar.

Registries and databases send titles in HTML; Google Scholar protects capitals by `$\{$X$\}$`, which prints the braces.
"""

import html
import re
from collections.abc import Iterator
from html.entities import html5

from citelsp.base.text import Span
from citelsp.checks.complaints import Complaint, fields_of, findings
from citelsp.checks.finding import Check, Finding
from citelsp.checks.printed_fields import BY_BIBLATEX
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.workspace.project import Project

CODE = "foreign-markup"
_Edits = tuple[tuple[Span, str], ...]
_ENTITY_NAME = r"(?:\\?#\d{1,7}|\\?#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});"
# `&amp;`, `\&lt;`, `{\&}quot;`, `&#233;`, `\&\#233;`; `amp;` again if it was encoded twice
ENTITY = re.compile(
    rf"\{{\\?&(?P<braced>(?:amp;)*{_ENTITY_NAME})\}}|\{{\\&\}}(?P<escaped>(?:amp;)*{_ENTITY_NAME})|\\?&(?P<bare>(?:amp;)*{_ENTITY_NAME})"
)
_COMMANDS = {  # of TeX, by HTML's tags
    "i": "emph", "em": "emph", "b": "textbf", "strong": "textbf", "sub": "textsubscript", "sup": "textsuperscript",
    "scp": "textsc",
}  # fmt: skip
_TAGS_WITHOUT_COMMAND = "br|div|italic|bold|jats:[a-z-]+|mml:[a-z]+|p|sc|span|tt|u"
# The angle brackets of a tag, also as Zotero and the registries encode them.  `$<$` is none: `$<$u$>$` is a mean.
_LESS = r"(?:<|\{\\textless\}|\\textless\{\}|(?:\{\\&\}|\\?&)(?:amp;)*lt;)"
_GREATER = r"(?:>|\{\\textgreater\}|\\textgreater\{\}|(?:\{\\&\}|\\?&)(?:amp;)*gt;)"
# `<i>`, `</sub>`, `<jats:italic>`, `&lt;i&gt;`
_TAG = re.compile(
    rf"{_LESS}(?P<end>/)?(?P<name>{'|'.join(_COMMANDS)}|{_TAGS_WITHOUT_COMMAND})(?:\s[^<>{{}}]{{0,200}}?)?/?{_GREATER}",
    re.IGNORECASE,
)
# `$\{$DNA$\}$`
_BRACES_OF_SCHOLAR = re.compile(r"\$\\\{\$(?P<inside>[^${}]{0,200})\$\\\}\$")
_MAY_HOLD = re.compile(r"&[#A-Za-z\\}]|\\&\}?[#A-Za-z]|</?[A-Za-z]|\\textless|\$\\\{\$")
_TEX = {
    "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$", "_": r"\_", "{": r"\{", "}": r"\}", "<": "$<$", ">": "$>$",
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "\xa0": "~", "\xad": "",
    "\u200b": "", "\u200c": "", "\u200d": "",
}  # fmt: skip
_PRINTED = "it is printed literally"


def check(project: Project, _: Knowledge) -> list[Finding]:
    if project.on_site:  # where HTML is what is printed
        return []
    return findings(project, CODE, _find_markup)


def _find_markup(node: BibNode) -> tuple[Complaint, ...]:
    if not _MAY_HOLD.search(node.source, node.key_span.end):
        return ()
    found: list[Complaint] = []
    for field, value, at in fields_of(node, BY_BIBLATEX):
        found += _complain_of_value(field.name, value, at)
    return tuple(found)


def _complain_of_value(field: str, value: str, value_start: int) -> Iterator[Complaint]:
    """Complain of a value once for its HTML entities, once for its tags, and once for the braces of Google Scholar.

    Each has the edits for all places of its kind; `value_start` is where the value begins in its entry.
    """

    def span_of(match: re.Match[str]) -> Span:
        return Span(*match.span()).moved(value_start)

    tags = list(_TAG.finditer(value))
    # Decoded, the brackets of an encoded tag would be printed: `&lt;i&gt;` is markup, no sign.
    in_tags = set[int]()
    for tag in tags:
        in_tags.update(range(*tag.span()))
    entities = [match for match in ENTITY.finditer(value) if is_entity(match) and match.start() not in in_tags]
    if entities:
        edits = tuple((span_of(match), _decode_entity(value, match)) for match in entities)
        character = edits[0][1]
        can_be_shown = len(edits) == 1 and bool(character.strip())
        title = f"Write “{character}”" if can_be_shown else "Decode HTML"
        yield _make_complaint(field, f"“{entities[0][0]}” is HTML", edits, title)
    if tags:
        edits = tuple((span.moved(value_start), command) for span, command in _write_commands(tags))
        title = "Write TeX commands instead of HTML" if edits else ""
        yield _make_complaint(field, f"“{tags[0][0]}” is HTML", edits, title, span_of(tags[0]))
    braces = list(_BRACES_OF_SCHOLAR.finditer(value))
    if braces:
        edits = tuple((span_of(match), f"{{{match['inside']}}}") for match in braces)
        # The fault says already what follows.
        yield _make_complaint(field, f"“{braces[0][0]}” prints braces", edits, f"Write “{edits[0][1]}”", consequence="")


def _make_complaint(
    field: str, fault: str, edits: _Edits, title: str, first: Span | None = None, consequence: str = _PRINTED
) -> Complaint:
    """A complaint at `first`, or where the first edit is; without a `consequence` it says what to write instead."""
    place = first or edits[0][0]
    consequence_or_advice = consequence or "write braces alone to keep capitals"
    return Complaint(field, place, fault, for_any_reader=consequence_or_advice, edits=edits, title=title, safety="safe")


def is_entity(found: re.Match[str]) -> bool:
    """True for one that HTML knows, so that nothing else behind an ampersand is taken for one."""
    name = _entity_name(found).rpartition("amp;")[2] or "amp;"
    return name.startswith("#") or name in html5


def _entity_name(found: re.Match[str]) -> str:
    name: str = found["braced"] or found["escaped"] or found["bare"]
    return name.replace("\\#", "#")


def _decode_entity(value: str, entity: re.Match[str]) -> str:
    """Return TeX for the character of an entity in `value`: `&amp;` → `\\&`, `&quot;` → `` where a word begins."""
    name = _entity_name(entity).rpartition("amp;")[2] or "amp;"  # `&amp;lt;` was encoded twice
    character = html.unescape(f"&{name}")
    if character != '"':
        return "".join(_TEX.get(it, it) for it in character)
    before = value[: entity.start()].rstrip("({[")
    is_opening = not before or before[-1].isspace()
    return "``" if is_opening else "''"


def _write_commands(tags: list[re.Match[str]]) -> list[tuple[Span, str]]:
    """Return the edits that write each pair of tags as a command: `<i>`…`</i>` as `\\emph{`…`}`.

    [] if one tag has no partner, or TeX has no command for it: then none is changed.  Spans count from the value.
    """
    edits: list[tuple[Span, str]] = []
    open_tags: list[str] = []
    for tag in tags:
        name = tag["name"].lower()
        if name not in _COMMANDS:
            return []
        if not tag["end"]:
            open_tags.append(name)
            edits.append((Span(*tag.span()), f"\\{_COMMANDS[name]}{{"))
        elif not open_tags or open_tags.pop() != name:
            return []
        else:
            edits.append((Span(*tag.span()), "}"))
    return [] if open_tags else edits


CHECK = Check(
    CODE,
    "warning",
    "A value contains markup of another program: HTML, or the braces of Google Scholar.",
    check,
    needs="project",
    facts=lambda *_: [_find_markup],
)

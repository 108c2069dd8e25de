"""Where a citekey is written: citations, the entries' own keys, fields that name other entries."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from citelsp.base.text import Span
from citelsp.syntax.bibtex import granular_xdata, group_lists
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.languages.latex import cite_arguments
from citelsp.syntax.languages.latex.cite_commands import cite_pattern
from citelsp.syntax.nodes import EntryNode
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

POINTING = frozenset({"crossref", "xref", "xdata", "related", "entryset"})  # biblatex manual 2.2.3: values are keys
_CITATION_KEY_OF_CSL = re.compile(  # CSL 1.0.2
    r"""(?:^|[{,])[ \t]*(?:-[ \t]+)?(?P<quote>["']?)citation-key(?P=quote)\s*:\s*["']?(?P<key>[^\s"',{}]+)""",
    re.MULTILINE,
)
_KEY = re.compile(r"[^\s,{}\"#]+")


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a key is written.

    `span` is of the key alone; `whole` of what is around it: the command with its arguments or the bracketed group of a
    citation, the entry, or the list of a group.
    """

    path: str
    key: str
    span: Span
    whole: Span
    role: Literal["citation", "entry", "pointer", "alias", "member"]  # member: of a group that JabRef or BibDesk keeps


def mention_at(project: Project, path: str, offset: int) -> Mention | None:
    """Return the mention of a key that a cursor at `offset` stands on or touches; None if there is none.

    Citations come first.  Then those in the entry at the cursor; between entries, those in the lists of keys by which
    a program such as JabRef notes which entries belong to a group.
    """
    citation = project.citation_at(path, offset)
    if citation:
        return Mention(path, citation.key, citation.span, citation.whole, "citation")
    for source in _find_sources(project):  # of one path there may be two, the second with the entries in comments
        entries = source.syntax.entries
        if source.document.path != path or entries is None:
            continue
        index = entries.entry_at(offset)
        mentions_here = _find_members(source) if index is None else _find_in_entry(source, index)
        for mention in mentions_here:
            # While an entry is typed, `@book{`, its key is still empty.
            if mention.key and mention.span.touches(offset):
                return mention
    return None


def find_mentions(project: Project, key: str) -> Iterator[Mention]:
    """Yield every mention of this key: citations of manuscripts first, then of each source with entries all others.

    These are the entries' own keys, their aliases, what their fields name or cite, and the members of groups.
    """
    canonical = project.canonical(key)  # the same for keys that mean the same entry, in BibTeX `Knuth84` and `knuth84`
    # A citation by identifier, such as `@doi:10.1000/1`, is read as an entry, too: it is yielded once.
    cited: set[tuple[str, Span]] = set()
    for source, citation in project.citations():
        if project.canonical(citation.key) == canonical:
            cited.add((source.document.path, citation.span))
            yield Mention(source.document.path, citation.key, citation.span, citation.whole, "citation")
    for source in _find_sources(project):
        for mention in (*_find_in_entries(project, source, canonical), *_find_members(source)):
            if project.canonical(mention.key) == canonical and (mention.path, mention.span) not in cited:
                yield mention


def _find_sources(project: Project) -> Iterator[Source]:
    """The sources that hold entries; also the entries in comments, as sources of the same path: BibTeX reads them."""
    yield from (it for it in project.sources.values() if it.syntax.entries is not None)
    yield from project.commented


def _find_members(source: Source) -> Iterator[Mention]:
    """The keys in the groups that JabRef or BibDesk keeps in a bibliography."""
    if isinstance(source.syntax.entries, BibEntries):
        for key, span, block in group_lists.read(source.syntax.entries):
            yield Mention(source.document.path, key, span, block, "member")


def _find_in_entries(project: Project, source: Source, key: str) -> Iterator[Mention]:
    """Yield all mentions, of any key, in the entries that may mention this canonical key; the caller picks its own.

    These are the entries of the key, and those in whose text it occurs: parsing the fields of all would take seconds.
    """
    entries = source.syntax.entries
    if entries is None:
        return
    text = source.document.text
    indices = {*project.indices(source, key)}
    # BibTeX does not tell letter case apart; "" is if it is not known which program reads the bibliography.
    if project.reader in ("bibtex", ""):
        text = _lower(text)
        key = _lower(key)
    for offset in _find_occurrences(text, key):
        index = entries.entry_at(offset)
        if index is not None:
            indices.add(index)
    for index in sorted(indices):
        yield from _find_in_entry(source, index)


def _lower(text: str) -> str:
    """The text in small letters, each in its place: `lower` makes two characters of İ."""
    return text.replace("İ", "I").lower()


def _find_occurrences(text: str, key: str) -> Iterator[int]:
    """Yield the offsets where the key may be a whole value or an item of a list, by the character on either side.

    Or the key of granular xdata, `xdata=key-field`.

    An entry's own key need not be among them, as in `@book(key`: the caller has its entries otherwise.
    """
    if not key:
        return
    end = len(text)
    offset = text.find(key)
    while offset >= 0:
        after = offset + len(key)
        begins_item = offset > 0 and text[offset - 1] in ' \t\r\n,{"='
        ends_item = after == end or text[after] in ' \t\r\n,}"' or text.startswith("xdata=", offset - len("xdata="))
        if begins_item and ends_item:
            yield offset
        offset = text.find(key, after)


def _find_in_entry(source: Source, index: int) -> Iterator[Mention]:
    """Yield all mentions in one entry: its own key first, then the keys that its fields name or cite.

    In CSL data `citation-key` names the entry once more, as an alias.
    """
    entries = source.syntax.entries
    if entries is None:
        return
    path = source.document.path
    node = entries.node(index)
    start = entries.start(index)
    written = node.source
    whole = Span(start, start + len(written))
    yield Mention(path, node.key, node.key_span.moved(start), whole, "entry")
    for name, role in _list_naming_fields(node):
        for span in keys_in(node, name):
            yield Mention(path, span.within(written), span.moved(start), whole, role)
    if isinstance(node, BibNode):
        for span in granular_xdata.find_key_spans(written):
            yield Mention(path, span.within(written), span.moved(start), whole, "pointer")
        yield from _find_cited_in_fields(node, start, path)
        return
    citation_key = _CITATION_KEY_OF_CSL.search(written)
    if citation_key:
        span = Span(*citation_key.span("key"))
        yield Mention(path, span.within(written), span.moved(start), whole, "alias")


def _find_cited_in_fields(node: BibNode, start: int, path: str) -> Iterator[Mention]:
    r"""What a note or an annotation cites: `note = {Reprinted in \cite{key}}`."""
    source = node.source
    if "cite" not in source or "\\" not in source:
        return
    gathering = cite_arguments.Gathering()
    for command in cite_pattern().finditer(source):
        cite_arguments.read(source, command.start(), command.end(), command["name"], gathering)
    for citation in gathering.citations:
        yield Mention(path, citation.key, citation.span.moved(start), citation.whole.moved(start), "citation")


def _list_naming_fields(node: EntryNode) -> Iterator[tuple[str, Literal["pointer", "alias"]]]:
    names = {field.name for field in node.fields()}
    yield from ((name, "pointer") for name in sorted(names & POINTING))
    if "ids" in names:
        yield "ids", "alias"


def keys_in(node: EntryNode, name: str) -> list[Span]:
    """Spans of the keys in the list-like fields called `name`, counted from the entry's start."""
    spans: list[Span] = []
    for field in node.fields():
        if field.name == name:
            keys = _KEY.finditer(node.source, field.value_span.start, field.value_span.end)
            spans += [Span(*key.span()) for key in keys]
    return spans

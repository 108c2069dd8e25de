"""A bibliography of its own for a manuscript: what it cites, what those entries name, the macros that they use.

Every entry stands as it is written.  Groups that JabRef keeps stay, of the first bibliography that has any.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from citelsp.base.settings import Settings
from citelsp.base.text import Document, Edit, Span, apply, newline_of
from citelsp.bibliography import entry_record, write_entry
from citelsp.bibliography.string_macros import resolve_value
from citelsp.features import key_mentions, sort_entries
from citelsp.syntax import languages
from citelsp.syntax.bibtex import granular_xdata, parsing
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.fields import macros_in
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

HEADER = "% Written by citelsp export: changes to this file will be lost."
_JABREF = "jabref-"  # in a @comment with its groups
_NAME = "export.bib"  # that the export has while it is made
_MAX_DEPTH = 5  # of macros in macros


@dataclass(frozen=True, slots=True)
class Export:
    text: str
    entries: int
    undefined: tuple[str, ...]  # cited, and in no bibliography
    foreign: tuple[str, ...]  # in a bibliography of another format, which is left out


def export(project: Project, by: sort_entries.Order = "key") -> Export:
    r"""Write a bibliography of the entries that the manuscript cites, and of those that these name, sorted by `by`.

    With `\nocite{*}` it has all entries.  It also has the macros (@string) that they use, the preambles of their
    bibliographies, alike ones once, and the groups into which programs such as JabRef sort entries.  Told beside the
    text are the keys that no bibliography has (`undefined`), and those of entries in other formats than BibTeX, which
    are left out (`foreign`).
    """
    places = list(_add_named(project, _find_cited(project)))
    written = [(place, place.node) for place in places if isinstance(place.node, BibNode)]
    exported = {node.key for _, node in written}
    foreign = tuple(sorted({place.node.key for place in places} - exported))
    undefined = tuple(sorted(key for key in project.cited if not project.defines(key)))
    sources = list({place.source.document.path: place.source for place, _ in written}.values())
    macros = _Macros(project)
    # The entries are expanded first: only then is it known which macros have to be defined before them.
    blocks = [macros.expanded(place.source, node) for place, node in written]
    preambles: list[str] = []
    for source in sources:
        preambles += [macros.expanded(source, node) for node in _find_blocks(source, "preamble")]
    newline = newline_of(sources[0].document.text) if sources else "\n"
    whole = [HEADER, *macros.definitions(), *dict.fromkeys(preambles), *blocks, *_find_groups(sources)]
    text = _sort(f"{newline}{newline}".join(whole) + newline, project.settings, by)
    return Export(text, len(written), undefined, foreign)


def export_one(project: Project, place: Place) -> str:
    """One entry for another program: as it is written behind its macros, or anew if it rests on other entries."""
    node = place.node
    if isinstance(node, BibNode) and not _list_named(place):
        macros = _Macros(project)
        text = macros.expanded(place.source, node)
        return "\n".join([*macros.definitions(), text]) + "\n"
    empty = Document(_NAME, "", languages.BIBTEX.name)
    return write_entry.write_work(entry_record.from_entry(place.entry), node.key, write_entry.style_of(empty)) + "\n"


def _find_cited(project: Project) -> Iterator[Place]:
    """The entries that the manuscript cites, all of them if it says so; one may come twice."""
    if project.cites_all:
        yield from project.entries()
    for key in sorted(project.cited):
        place = project.find_first(key)
        if place:
            yield place


def _add_named(project: Project, places: Iterable[Place]) -> Iterator[Place]:
    """Yield these entries, each followed by those that it names (`crossref`), and these by those that they name.

    Each key comes once: of several entries with one key the first, which is the one that counts.
    """
    yielded: set[str] = set()
    waiting = list(places)[::-1]  # a stack: the next one is the last
    while waiting:
        place = waiting.pop()
        key = project.canonical(place.node.key)  # the same for keys that are one to the program that reads them
        if key not in yielded:
            yielded.add(key)
            yield place
            waiting += filter(None, map(project.find_first, _list_named(place)))


def _list_named(place: Place) -> list[str]:
    """The keys of other entries in its fields."""
    source = place.node.source
    lowered = source.lower()
    keys: list[str] = []
    for field in sorted(key_mentions.POINTING):
        if field in lowered:  # else its fields need not be read
            keys += [span.within(source) for span in key_mentions.keys_in(place.node, field)]
    keys += [span.within(source) for span in granular_xdata.find_key_spans(source)]
    return keys


def _find_blocks(source: Source, kind: str) -> list[BibNode]:
    entries = source.syntax.entries
    return [it for it in entries.specials.nodes if it.kind == kind] if isinstance(entries, BibEntries) else []


def _find_groups(sources: Iterable[Source]) -> list[str]:
    """The comments in which JabRef keeps its groups, of the first bibliography that has any."""
    for source in sources:
        groups = [node.source for node in _find_blocks(source, "comment") if _JABREF in node.source]
        if groups:
            return groups
    return []


class _Macros:
    """What stands for each macro that was met; bibliographies may give one name several meanings.

    The first meaning that is met is the export's.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._meanings: dict[str, str] = {}  # by name
        self._definitions: dict[str, str] = {}  # by name: its @string

    def definitions(self) -> Iterable[str]:
        """The @string of each, behind those of the macros that it uses."""
        return dict.fromkeys(self._definitions.values())

    def expanded(self, source: Source, node: BibNode) -> str:
        """Return the text of an entry or @preamble for the export, with its macros.

        A macro that means something else in the export, as another bibliography defined it first, is replaced by what
        it stands for in `source`.
        """
        text = node.source
        strings = self._project.strings(source)
        values = [field.value_span for field in node.fields()]
        if node.kind == "preamble":  # it has no fields
            values = [Span(node.key_start, node.length - 1)]
        edits: list[Edit] = []
        for value in values:
            for span in macros_in(text, value):
                name = span.within(text).lower()
                if name not in strings:  # a month, or a macro that nothing defines: it stays
                    continue
                meaning = resolve_value(name, strings)
                if self._define(name, strings, _MAX_DEPTH) != meaning:
                    edits.append(Edit("", span, f"{{{meaning}}}"))
        return apply(text, edits)

    def _define(self, name: str, strings: Mapping[str, str], depth: int) -> str:
        """Return what the macro means in the export; a new one is defined, and means what these `strings` say.

        Its @string is copied if the macros in it mean the same in the export.  If they do not, or if macros in macros
        go deeper than `depth`, its @string is the text that it stands for.
        """
        if name not in self._meanings:
            value = strings[name]
            self._meanings[name] = resolve_value(name, strings)  # before those that it uses, which may use it in turn
            used = [span.within(value).lower() for span in macros_in(value, Span(0, len(value)))]
            inner = [macro for macro in used if macro in strings]
            says_the_same = depth > 0 and all(
                self._define(macro, strings, depth - 1) == resolve_value(macro, strings) for macro in inner
            )
            written = value if says_the_same else f"{{{self._meanings[name]}}}"
            self._definitions[name] = f"@string{{{name} = {written}}}"
        return self._meanings[name]


def _sort(text: str, settings: Settings, by: sort_entries.Order) -> str:
    document = Document(_NAME, text, languages.BIBTEX.name)
    project = Project({_NAME: Source(document, parsing.parse(document))}, settings, bibliographies=(_NAME,))
    return apply(text, sort_entries.edits(project, _NAME, by))

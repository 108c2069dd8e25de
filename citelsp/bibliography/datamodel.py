"""Which fields an entry type must and may have: BibTeX's standard styles, and biblatex's default data model."""

from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Literal, NamedTuple

Dialect = Literal["bibtex", "biblatex"]
Alternatives = tuple[str, ...]  # one of these is needed


class Fields(NamedTuple):
    """What entries of a type have."""

    required: tuple[Alternatives, ...]
    optional: tuple[str, ...]


_BIBTEX = """
article: author title journal year | volume number pages month note
book: author/editor title publisher year | volume number series address edition month note
booklet: title | author howpublished address month year note
inproceedings: author title booktitle year | editor volume number series pages address month organization publisher note
inbook: author/editor title chapter/pages publisher year | volume number series type address edition booktitle
incollection: author title booktitle publisher year | editor volume number series type chapter pages address edition
manual: title | author organization address edition month year note
mastersthesis: author title school year | type address month note
phdthesis: author title school year | type address month note
misc: | author title howpublished month year note
proceedings: title year | editor volume number series address month organization publisher note
techreport: author title institution year | type number address month note
unpublished: author title note | month year
"""
_BIBLATEX = """
article: author title journaltitle date | volume number pages issue series issn eid translator annotator subtitle
book: author/editor title date | publisher location volume volumes edition series number isbn subtitle pagetotal
mvbook: author/editor title date | publisher location volumes edition series isbn
inbook: author title booktitle date | bookauthor editor publisher location volume edition series pages chapter isbn
booklet: author/editor title date | howpublished type location
collection: editor title date | publisher location volume edition series isbn
mvcollection: editor title date | publisher location volumes edition series isbn
incollection: author title booktitle date | editor publisher location volume edition series pages chapter isbn
inreference: author/editor title booktitle date | editor publisher location volume pages
dataset: author/editor title date | publisher version type edition
manual: author/editor title date | organization publisher edition version type
misc: author/editor title date | howpublished type version organization location month
online: author/editor title date doi/eprint/url | urldate organization version subtitle
patent: author title number date | holder type location
periodical: editor title date | issue volume number series issn
proceedings: title date | editor eventtitle venue publisher location volume series isbn organization
inproceedings: author title booktitle date | editor eventtitle venue publisher location volume series pages isbn
reference: editor title date | publisher location volume edition series isbn
report: author title type institution date | number version location pages
software: author/editor title date | version publisher organization
thesis: author title type institution date | location isbn pages
phdthesis: author title institution date | type location isbn pages
mastersthesis: author title institution date | type location isbn pages
techreport: author title institution date | type number version location pages
unpublished: author title date | howpublished eventtitle venue location
"""
# What a CSL style needs to print each type, by the names that pandoc, Quarto and Typst read from BibTeX.
_CSL = """
article: author title journal year
book: author/editor title year
inbook: author title booktitle year
incollection: author title booktitle year
inproceedings: author title booktitle year
thesis: author title school year
phdthesis: author title school year
mastersthesis: author title school year
report: author/institution title year
techreport: author/institution title year
manual: title
online: title
unpublished: author title
"""
_TABLES = {"bibtex": _BIBTEX, "biblatex": _BIBLATEX, "csl": _CSL}
_ALIASES = {"conference": "inproceedings", "electronic": "online", "www": "online"}
_SAME = {
    "journaltitle": ("journaltitle", "journal"),
    "date": ("date", "year"), "institution": ("institution", "school"),
    "location": ("location", "address"), "journal": ("journal", "journaltitle"), "year": ("year", "date"),
    "school": ("school", "institution"),
}  # fmt: skip
_EVERYWHERE = {
    "bibtex": "doi url eprint archiveprefix primaryclass isbn issn abstract keywords key crossref annote",
    "biblatex": """doi url urldate eprint eprinttype eprintclass abstract keywords language langid note addendum
    pubstate crossref xref xdata related options ids shorttitle subtitle titleaddon file pages month year""",
}


@cache
def _model(dialect: Dialect | Literal["csl"]) -> Mapping[str, Fields]:
    """The rows of a table, `article: author title journal/journaltitle | volume pages`, by types of entry."""
    model: dict[str, Fields] = {}
    for line in _TABLES[dialect].strip().splitlines():
        kind, _, fields = line.partition(":")
        required, _, optional = fields.partition("|")
        groups = tuple(_alternatives(group.split("/")) for group in required.split())
        model[kind] = Fields(groups, tuple(optional.split()))
    return model


def _alternatives(names: list[str]) -> Alternatives:
    """The names, and the others that biblatex takes for the same."""
    alternatives: list[str] = []
    for name in names:
        alternatives += _SAME.get(name, (name,))
    return tuple(alternatives)


def types(dialect: Dialect) -> tuple[str, ...]:
    return tuple(_model(dialect))


def required_fields(kind: str, dialect: Dialect | Literal["csl"]) -> tuple[Alternatives, ...]:
    """The fields that give each needed piece of information, the usual one first; () for unknown types."""
    fields = _model(dialect).get(_ALIASES.get(kind, kind))
    return fields.required if fields else ()


def read_by_bibtex(names: Alternatives) -> Alternatives:
    """Those that BibTeX's styles read: biblatex knows the other dialect's names, BibTeX does not."""
    of_biblatex = [name for name in _SAME.get(names[0], ()) if name != names[0]]
    return tuple(name for name in names if name not in of_biblatex)


def common_name(field: str) -> str:
    """One name for the fields that say the same in both dialects."""
    return min(_SAME.get(field, (field,)))


def optional(kind: str, dialect: Dialect) -> tuple[str, ...]:
    """What else the type may have; a type that the dialect does not know is printed as @misc."""
    model = _model(dialect)
    everywhere = _EVERYWHERE[dialect].split()
    fields = model.get(_ALIASES.get(kind, kind))
    if fields:
        return (*fields.optional, *everywhere)
    as_misc = model["misc"]
    return (*chain.from_iterable(as_misc.required), *as_misc.optional, *everywhere)

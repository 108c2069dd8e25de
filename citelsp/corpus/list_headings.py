"""What the headings of reference lists are called, in the languages of papers; only their letters are compared."""

import re

_NAMES = frozenset(
    """references bibliography literaturecited citedliterature workscited citedworks referencescited referencelist
    referencesandnotes notesandreferences listofreferences bibliographyandreferences selectedbibliography
    literaturverzeichnis quellenverzeichnis literaturundquellen referenzen bibliografie
    références bibliographie référencesbibliographiques referencias bibliografía referenciasbibliográficas
    referências referênciasbibliográficas bibliografia riferimenti riferimentibibliografici referenties
    referenser källförteckning referanser piśmiennictwo bibliografija 参考文献 списоклитературы kaynakça
    """.split()
)
# A section of the text may be called so, too.
_VAGUE_NAMES = frozenset(
    """literature sources literatur quellen literatuur källor litteratur kilder literatura литература kaynaklar irodalom
    """.split()
)
_ALL_NAMES = _NAMES | _VAGUE_NAMES
_LONGEST = 60  # characters
_NUMBER = re.compile(r"(?:chapter|kapitel)?\s*(?:\d{1,2}|[A-Z]|[IVX]{1,5})(?:\.\d{1,2})*[.:)]?\s+")  # of a section


def may_begin_list(line: str) -> bool:
    """True for a line such as `7. References` or `Sources`; whether a list follows, the next lines have to show."""
    return not _letters_of(line).isdisjoint(_ALL_NAMES)


def begins_list(line: str) -> bool:
    """True for a line that is the heading of a reference list and of nothing else, such as `7. References`."""
    return not _letters_of(line).isdisjoint(_NAMES)


def _letters_of(line: str) -> frozenset[str]:
    """The letters of a line, and those behind its number, if it has one; none of a line that is no heading."""
    if len(line) > _LONGEST:
        return frozenset()
    number = _NUMBER.match(line)
    names = (line, line[number.end() :]) if number else (line,)
    return frozenset("".join(filter(str.isalpha, it.casefold())) for it in names)

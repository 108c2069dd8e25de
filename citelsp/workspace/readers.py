"""Which program reads the bibliographies of a manuscript."""

from collections.abc import Collection, Mapping, Sequence

from citelsp.syntax.nodes import Reader, Sign, Syntax

_BY_DIALECT: Mapping[str, Reader] = {"bibtex": "bibtex", "biblatex": "biber"}


def reader_of(parts: Sequence[tuple[Syntax, Reader | None]], dialect: str, *, unsure: bool) -> Reader:
    """By what the parts' languages or commands tell, or else by the dialect that is set; `unsure`: not all was read.

    "" if that is not known, or if manuscripts that have theirs read by different programs belong together.
    """
    tex = [syntax for syntax, reader in parts if reader is None]
    signs = frozenset[Sign]().union(*(it.signs for it in tex))
    readers: set[Reader] = {_by_signs(it.signs) for it in tex if it.is_root and it.signs}
    # A part may be shared by a thesis for biber and a paper for BibTeX; only the roots say which is which.
    if len(readers) < 2:
        open_ = signs == {"bibliography"} and unsure  # biblatex knows that command too
        readers = {"" if open_ else _by_signs(signs)} if tex else set()
    readers |= {reader for _, reader in parts if reader is not None}
    if not readers - {""} and not signs:
        return _BY_DIALECT.get(dialect, "")
    return readers.pop() if len(readers) == 1 else ""


def _by_signs(signs: Collection[Sign]) -> Reader:
    if "biblatex" not in signs:
        return "bibtex" if signs else ""
    if "style" in signs:  # which biblatex refuses: one of the two stands in a condition
        return ""
    return "bibtex" if "backend" in signs else "biber"

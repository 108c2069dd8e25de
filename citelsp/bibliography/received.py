"""A paper as it was received: its title, its reference list as printed, and what its text cites."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadReference:
    """One item of a reference list, on one line, with the hyphens at its line ends resolved."""

    label: str  # as printed, without brackets and full stop: "12", "Knu84"; "" if the list has none
    text: str  # without the label
    page: int | None = None  # on which it begins, from 1; None if the format has no pages


@dataclass(frozen=True, slots=True)
class ReadCitation:
    """One reference that the text cites at one place; "[3–5]" is three of them."""

    mark: str  # as printed: "3", "Knu84"; "Knuth et al., 1984" where the list has no labels
    page: int | None = None


@dataclass(frozen=True, slots=True)
class ReadPaper:
    """What could be read of a paper; empty means that it was not found, never that it is not there."""

    title: str = ""
    references: tuple[ReadReference, ...] = ()
    citations: tuple[ReadCitation, ...] = ()
    authors: tuple[str, ...] = ()  # "Given Family"
    year: int | None = None

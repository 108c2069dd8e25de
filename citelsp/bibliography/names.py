"""Names of people and teams as bibliographies write them, parsed and compared."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    """One author.  A team or a name that cannot be split has only `family`."""

    family: str  # with its particle: "van den Berg"
    given: str = ""  # names or initials
    suffix: str = ""  # "Jr.", "III"
    literal: bool = False  # a team, an organisation, or written in double braces: never taken apart

    def __str__(self) -> str:
        return " ".join(filter(None, (self.given, self.family, self.suffix)))

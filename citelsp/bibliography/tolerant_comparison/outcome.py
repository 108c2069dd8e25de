"""How a field of an entry stands to the record's."""

from dataclasses import dataclass
from typing import Literal

FieldName = Literal["title", "authors", "year", "venue", "volume", "number", "pages", "publisher"]
Outcome = Literal["same", "looser", "preprint", "different", "unknown"]
# looser: less exact, not wrong (a subtitle left out, a first page alone, Findings for the conference)
# preprint: one side speaks of the preprint, the other of the publication
# unknown: one side says nothing, or nothing that could be compared


@dataclass(frozen=True, slots=True)
class FieldComparison:
    field: FieldName
    outcome: Outcome
    cited: str
    recorded: str
    rule: str = ""  # by which it is not plainly different

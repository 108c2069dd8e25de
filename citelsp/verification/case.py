"""One entry with all that was answered about it, and who may be asked."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.tolerant_comparison.outcome import FieldComparison, FieldName
from citelsp.verification.differences import list_reported, outcomes
from citelsp.verification.evidence import Answers, Weighed
from citelsp.verification.rules import Outcome
from citelsp.verification.weighing import weigh


@dataclass(frozen=True)
class Case:
    """What a verdict rests on; what follows from it is worked out once."""

    entry: Entry
    answers: Answers
    services: Collection[str]  # that may be asked
    today: date = field(default_factory=date.today)

    @cached_property
    def weighed(self) -> Weighed:
        return weigh(self.answers)

    @cached_property
    def outcomes(self) -> Mapping[FieldName, Outcome]:
        """Return for every field the difference that may be reported, and the rules that spoke."""
        return outcomes(self.weighed, certain=True)

    @cached_property
    def suspicions(self) -> list[FieldComparison]:
        """Return the differences, and those that one source alone tells of so far."""
        return list_reported(outcomes(self.weighed, certain=False))

    @property
    def differences(self) -> list[FieldComparison]:
        """Return the fields on which all disagree with the entry, and the rules find that enough."""
        return list_reported(self.outcomes)

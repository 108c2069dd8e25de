"""What a report may be narrowed to, for readers who are not the authors.

identity: does every reference exist, and is it the work that its identifier leads to?  Nothing about fields, so that a
reviewer or a conference desk is not held up by a style of citing.  A bibliography that could not be read is still told.
"""

from collections.abc import Mapping
from dataclasses import replace

from citelsp.checks import (
    identifier_conflict,
    missing_bibliography,
    retracted_work,
    unconfirmed_work,
    unknown_identifier,
    unknown_work,
)
from citelsp.knowledge import Knowledge, Verdict

CODES: Mapping[str, frozenset[str]] = {
    "identity": frozenset(
        check.CODE
        for check in (
            unknown_work,
            unconfirmed_work,
            unknown_identifier,
            identifier_conflict,
            retracted_work,
            missing_bibliography,
        )
    )
}


def without_fields(knowledge: Knowledge) -> Knowledge:
    """A work that exists is verified, however it is described."""
    return replace(
        knowledge, verdicts={content: _without_differences(it) for content, it in knowledge.verdicts.items()}
    )


def _without_differences(verdict: Verdict) -> Verdict:
    if verdict.kind == "mismatch":
        return replace(verdict, kind="verified", reason="", differences=())
    return replace(verdict, differences=()) if verdict.differences else verdict

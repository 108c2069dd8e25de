"""What a report is narrowed to for those who did not write the references."""

from citelsp.checks import profiles
from citelsp.knowledge import Difference, Knowledge, Verdict

DIFFERENCE = (Difference("year", "2001", "2002", ("crossref",)),)


def test_a_work_that_exists_is_verified_however_it_is_described():
    known = {
        "a": Verdict("mismatch", "differs in year", differences=DIFFERENCE, date="2026-01-02"),
        "b": Verdict("retracted", "so", differences=DIFFERENCE),
        "c": Verdict("not-found", "nobody has it"),
    }
    assert profiles.without_fields(Knowledge(verdicts=known)).verdicts == {
        "a": Verdict("verified", date="2026-01-02"),
        "b": Verdict("retracted", "so"),
        "c": known["c"],
    }

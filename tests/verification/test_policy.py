"""The written policy says what the rules do: of every field, their years, their counts, whom they believe."""

from pathlib import Path

import pytest

from citelsp import verification
from citelsp.base.settings import SERVICES
from citelsp.bibliography.compare import FieldName
from citelsp.verification import decide, plan, publications, witnesses
from citelsp.verification.fields import fitness, unknown

POLICY = (Path(verification.__file__).parent / "policy.md").read_text(encoding="utf-8")


def row(name):
    return next(it for it in POLICY.splitlines() if it.startswith("| ") and name in it.split("|")[1])


@pytest.mark.parametrize("field", FieldName.__args__)
def test_every_field_has_its_rule(field):
    assert row(field)


def test_since_when():
    assert str(publications._DIGITIZED) in row("year")
    assert f"{fitness._COMPUTING} in computing, {unknown._DIGITAL} elsewhere" in row("work is unknown")
    assert decide._LAG == 2 and "this year and the two before" in row("nobody has")


def test_who_names_a_venue_as_it_is_printed():
    told = row("another venue")
    assert all(SERVICES[it].removeprefix("the ") in told for it in witnesses.CURATED - {"openlibrary"})


def test_who_must_not_know_a_work():
    assert all(SERVICES[it] in row("work is unknown") for it in plan.BROAD)

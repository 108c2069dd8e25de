"""The policy is written from the rules: every one of them, by its name and in its words."""

import pytest

from citelsp.base import docs
from citelsp.base.settings import SERVICES
from citelsp.verification import decide, plan, policy_wording, witnesses
from citelsp.verification.excuses import fitness, unknown

PAGE = docs.read(docs.topics()["policy"])


def test_the_page_is_that_of_the_rules():
    assert policy_wording.page() in PAGE, "python tests/readme.py"


@pytest.mark.parametrize("heading", ["Title", "Authors", "Year", "Venue", "Volume, number, pages and publisher"])
def test_every_field_has_its_rules(heading):
    assert f"### {heading}\n\n- " in PAGE


def test_a_rule_is_told_by_its_name():
    assert policy_wording.sentence("is_of_the_preprint") == "A preprint has a year of its own"
    assert policy_wording.sentence("of_another_version") == ""


def told(rule):
    return next(it for it in PAGE.splitlines() if f"(`{rule.__name__}`)" in it)


def test_numbers_and_names_are_those_of_the_code():
    assert str(fitness._COMPUTING) in told(fitness.is_older_than_any_index)
    assert str(unknown._DIGITAL) in told(unknown.is_older_than_indexes_of_its_field)
    assert all(SERVICES[it] in told(unknown.broad_index_is_disabled) for it in plan.BROAD)
    names = PAGE.replace("the ACL", "ACL")
    assert all(SERVICES[it].removeprefix("the ") in names for it in witnesses.CURATED)


def test_every_ruling_of_a_verdict_can_be_told():
    assert all(policy_wording.sentence(it.__name__) for it in decide.STEPS)

"""A message, a field or a fix that changes is read by a person, in `whole_findings.txt`."""

import pytest

import whole_findings
from citelsp.base.settings import SERVICES
from citelsp.checks import ALL


@pytest.mark.parametrize("code", [it.code for it in ALL])
def test_the_whole_finding(code):
    now = whole_findings.described(code)
    assert now == whole_findings.recorded().get(code), "python tests/support/whole_findings.py, and read the difference"


@pytest.mark.parametrize("code", [it.code for it in ALL])
def test_no_message_begins_with_who_was_asked(code):
    """Lists of findings cut long lines: what is wrong must stand in front of the names of services."""
    finding_line = whole_findings.recorded()[code].splitlines()[0]
    message = finding_line.split(": ", 1)[1]
    assert not message.startswith(tuple(SERVICES.values()))

"""A message, a field or a fix that changes is read by a person, in `whole_findings.txt`."""

import pytest

import whole_findings
from citelsp.checks import ALL


@pytest.mark.parametrize("code", [it.code for it in ALL])
def test_the_whole_finding(code):
    now = whole_findings.described(code)
    assert now == whole_findings.recorded().get(code), "python tests/support/whole_findings.py, and read the difference"

import pytest

from citelsp.checks.malformed_entry import CHECK
from findings import check, fixed


def test_unclosed_entry_and_missing_comma():
    fixture = """
        %% r.bib
        @misc{a, title = {A},
        ^^^^^^^ malformed-entry
        @misc{b,
          title = {B}
          year = 2000
          ^^^^ malformed-entry
        }
        @misc{c, title = {C}}
    """
    first, second = check(CHECK, fixture)
    assert first.message == "This entry is never closed."
    assert "title = {B},\n  year" in fixed(fixture, second, "Insert “,”")


def test_a_field_twice_is_a_warning():
    [finding] = check(CHECK, "%% r.bib\n@misc{a, year = 1, year = 2}\n                   ^^^^ malformed-entry\n")
    assert finding.severity == "warning"


@pytest.mark.parametrize("block", ["@string{x = {y}", "@comment{jabref", "@preamble{"])
def test_open_blocks(block):
    width = block.index("{")
    check(CHECK, f"%% r.bib\n{block}\n{'^' * width} malformed-entry\n@misc{{b}}\n")

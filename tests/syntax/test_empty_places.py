"""The bracket around a cursor, in which a key may be missing."""

import re

import pytest

from citelsp.syntax.empty_places import find_brackets

CITE = re.compile(r"\[cite:")


@pytest.mark.parametrize(
    ("marked", "items"),
    [
        ("[cite:@a;|@b] x", ("@a;@b", True)),
        ("[cite:|]", ("", True)),
        ("[cite:\n| ]", ("\n ", True)),
        ("[cite:@a;| x\ny", ("@a; x", False)),
        ("[ci|te:@a]", None),
        ("[cite:@a]|", None),
        ("[cite:@a [x] |]", None),
        ("[cite:@a\n\n|]", None),
        ("|[cite:@a]", None),
    ],
)
def test_what_stands_in_it(marked, items):
    text = marked.replace("|", "")
    found = find_brackets(text, marked.index("|"), CITE)
    assert (found and (found.items.within(text), found.closed)) == items

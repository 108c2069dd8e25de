"""What citelsp says to people: short sentences in plain words.  `python tests/messages.py` prints all of them."""

import re

import pytest

from messages import messages

LONGEST = 160  # characters of a line, with {…} for what is put in at run time
ODD = re.compile(  # words that a native writer would not use here
    r"""(?ix) \b ( (?<! there \s ) (?: is | are ) \s no | anew | mend | mends | told | nobody | stands? | asks \s nobody
    | meanwhile | of \s which \s many | takes \s no \s heed | in \s spite \s of | nor \s than | so \s many ) \b"""
)


@pytest.fixture(scope="module")
def written():
    return list(messages())


def test_there_are_messages(written):
    assert len(written) > 500
    assert any(it.text == "No entry has the key “{…}”." for it in written)


def test_messages_are_short(written):
    lines = [(it.place, line) for it in written for line in it.text.splitlines()]
    assert [(place, line) for place, line in lines if len(line) > LONGEST] == []


def test_messages_are_plain(written):
    assert [it for it in written if ODD.search(it.text)] == []


# What newcomers stumbled over: ids of services for their names, two colons, people said to do what a program does.
WITHDRAWN_WORDINGS = (
    "recorded by crossref", "according to crossref", "nothing fits: the nearest", "the references again now",
    "evidence found.", "leaves them", "{…} to check", "picks a row", "reference may be in another folder",
    "likelier to be wrong", "Change this with beside", "report a key without", "{…} fixable with",
)  # fmt: skip


def test_no_message_goes_back_to_a_wording_that_was_misread(written):
    assert [it for it in written if any(wording in it.text for wording in WITHDRAWN_WORDINGS)] == []

"""Our entries as another parser reads them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.bibliography import write_entry
from citelsp.bibliography.file_style import Style
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.second_reading import reads

TEXTS = st.text(max_size=40)


@pytest.mark.parametrize(
    "text",
    [
        "@article{k, title = {An {open brace}}",
        "@article{k, title = {a}, title = {b}}",
        "@article{other, title = {a}}",
        "@article{k, title = {a}} @misc{l, title = {b}}",
        "no entry at all",
    ],
)
def test_what_it_refuses(text):
    assert not reads(text, "k")


@given(TEXTS, TEXTS, TEXTS, TEXTS, st.booleans(), st.booleans())
def test_every_record_is_written_so_that_it_can_be_read(title, family, given_name, venue, quotes, tex):
    record = Record(
        "crossref", "1", title, (Name(family, given_name),), years=(2020,), venue=venue, type="article-journal"
    )
    assert reads(write_entry.write_work(record, "key2020", Style(quotes=quotes, tex=tex)), "key2020")

"""Text synchronisation against a reference that works on encoded lines, for any text and any edit."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.server.wire import documents, text_positions

ENCODINGS = ["utf-8", "utf-16", "utf-32"]
TEXTS = st.text(alphabet=st.sampled_from("ab\n\r\f\u2028é–😀𝔘"), max_size=40)
PLACES = st.tuples(st.integers(0, 8), st.integers(0, 12))


def split(text):
    """The lines without their ends, with the offset of each."""
    starts = [0, *(it.end() for it in re.finditer("\r\n|\r|\n", text))]
    return [(start, re.match("[^\r\n]*", text[start:])[0]) for start in starts]


def width(text, encoding):
    return {"utf-8": len(text.encode()), "utf-16": len(text.encode("utf-16-le")) // 2, "utf-32": len(text)}[encoding]


def reference_offset(text, place, encoding):
    line, character = place
    if line >= len(split(text)):
        return len(text)
    start, content = split(text)[line]
    return start + max(it for it in range(len(content) + 1) if width(content[:it], encoding) <= character)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS, place=PLACES)
def test_offset_of_any_position(encoding, text, place):
    assert text_positions.find_offset(text, *place, encoding) == reference_offset(text, place, encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS)
def test_every_offset_comes_back(encoding, text):
    answer = text_positions.find_positions(text, range(len(text) + 1), encoding)
    for offset, place in answer.items():
        inside_break = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
        assert text_positions.find_offset(text, *place, encoding) == offset - inside_break


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS, offsets=st.lists(st.integers(0, 45)))
def test_some_offsets_are_where_they_are_among_all(encoding, text, offsets):
    every = text_positions.find_positions(text, range(46), encoding)
    assert text_positions.find_positions(text, offsets, encoding) == {it: every[it] for it in offsets}


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS, edits=st.lists(st.tuples(PLACES, PLACES, TEXTS), max_size=5))
def test_edits_equal_the_reference(encoding, text, edits):
    buffer = documents.Buffer("a.tex", "file:///a.tex", "latex", 0, text, chunk=3)
    for version, (start, end, new_text) in enumerate(edits):
        low, high = (reference_offset(text, it, encoding) for it in sorted((start, end)))
        change = buffer.edit(version, *sorted((start, end)), new_text, encoding)
        text = text[:low] + new_text + text[high:]
        assert (change.span.start, change.span.end, change.inserted) == (low, high, len(new_text))
        assert buffer.document.text == text
        assert buffer.offset(*start, encoding) == reference_offset(text, start, encoding)
        everywhere = range(len(text) + 1)
        near = text_positions.find_positions(text, everywhere, encoding, buffer.landmarks)
        assert near == text_positions.find_positions(text, everywhere, encoding)


def test_lone_surrogates_become_replacement_characters():
    buffer = documents.Buffer("a.md", "file:///a.md", "markdown", 0, "a\ud800b")
    assert buffer.document.text == "a\ufffdb"


def test_the_document_stays_the_same_object_until_the_next_change():
    buffer = documents.Buffer("a.md", "file:///a.md", "markdown", 0, "a")
    assert buffer.document is buffer.document

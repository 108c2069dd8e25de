from hypothesis import example, given
from hypothesis import strategies as st

from citelsp import syntax
from citelsp.base.text import Document
from citelsp.syntax.bibtex import columns, parsing

PIECES = [
    *(
        "@book{a, title = {A}}",
        "@misc{",
        "@article(b,",
        "b,",
        "@string{x = {X}}",
        "@comment{",
        "@preamble{'p'}",
        "}",
        ")",
    ),
    *("\n", "{", '"', "@", "% @misc{c,", "% citelsp: ignore[unused-entry]\n", " = {1}", "year", "key é", "\\", "😀"),
]


def described(syntax):
    entries = syntax.entries
    tracks = entries.track, entries.specials, entries.commented, entries.strays
    blocks = [
        (start, it.source, it.kind, it.key, it.key_start, it.length, it.reach)
        for track in tracks
        for start, it in zip(track.starts, track.nodes, strict=True)
    ]
    return blocks, [it.watched for it in tracks], syntax.strings, syntax.suppressions


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@example("")
@example("% citelsp: ignore[a,\x00b]\n@book{never closed, title = {A\n@misc{b}\n")
def test_restored_is_as_parsed(text):
    parsed = syntax.parse(Document("a.bib", text, "bibtex"))
    entries = columns.restore(text, columns.columns(parsed.entries))
    assert described(parsing.syntax_of(text, entries)) == described(parsed)

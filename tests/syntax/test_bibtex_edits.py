"""Any text, any edits: reading only what an edit touched gives what reading everything gives."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from citelsp.base.text import Document, Span
from citelsp.syntax.bibtex import parsing
from citelsp.syntax.bibtex.blocks import Reader
from citelsp.syntax.bibtex.fields import find_problems

PIECES = st.sampled_from(
    [
        *(
            "@a{k,",
            "@a{K, t = {é}}\n",
            "@b{l, t = {v}}\n",
            "\n@c{m,\n  t = {v},\n}\n",
            "@string{s = {w}}\n",
            "@comment{",
            '@d(n, t = "v)")\n',
        ),
        *("\n@", "@", "{", "}", '"', ",", "=", "#", "(", ")", "%", "\n", "\r\n", " ", "x", "\\", "é", "\0", "t = {"),
        *(" % {", "% }\n", "% a } {", "% @e{o, t = {v}}", "@comment(", "@Comment{\n@f{p,\n t = {v}}\n}\n"),
        *("a@b ", "@a k, "),
        *("\n t = ", "% citelsp: ignore[x] y\n", "% citelsp: ignore", "\n@misc{z}\n", "\n  @misc{z,\n"),
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)
EDITS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.3), st.lists(PIECES, max_size=3).map("".join)), max_size=6)


def length(node):
    return node.length


def words(node):
    return {hash(node.kind), hash(node.raw("t"))}


def facts(syntax):
    entries = syntax.entries
    shared = entries.shared(words)
    groups = {value: {*map(id, nodes)} for value, nodes in shared.several.items()}
    assert groups == {
        value: {id(it) for it in entries if value in words(it)}
        for value in {word for it in entries for word in words(it)}
        if sum(value in words(it) for it in entries) > 1
    }
    assert set(shared.first) == {word for it in entries for word in words(it)}
    assert entries.values_of(length) == [(index, node.length) for index, node in enumerate(entries)]
    nodes = [
        (entries.start(i), node.source, node.kind, node.key, node.key_span, node.reach, node.fields(), node.problems())
        for i, node in enumerate(entries)
    ]
    keys = {node.key: (entries.by_key(node.key), entries.by_folded_key(node.key.upper())) for node in entries}
    watched = entries.track.watched, entries.specials.watched
    beside = placed(entries.commented), placed(entries.strays)
    return nodes, keys, syntax.strings, syntax.suppressions, watched, beside


@settings(deadline=None)
@given(TEXTS, EDITS)
@example("@a{k,@b{l, t = {v}}\n", [(0.5, 0.0, "\n@")])
def test_incremental_equals_full(text, edits):
    document = Document("refs.bib", text, "bibtex")
    syntax = parsing.parse(document)
    for where, length, new in edits:
        start = round(where * len(text))
        span = Span(start, min(len(text), start + round(length * len(text))))
        syntax.entries.by_key("k")
        syntax.entries.by_folded_key("k")
        text = text[: span.start] + new + text[span.end :]
        document = Document("refs.bib", text, "bibtex")
        syntax = parsing.reparse(syntax, document, span, new)
        assert facts(syntax) == facts(parsing.parse(document))


@settings(deadline=None)
@given(TEXTS)
@example("@a{k, t = {v}} } @b{l,\n} {}@c{m, {{{{{}}}}}}")
@example("@a{k,}" + "@b{l, t = {x@y}}" + "@c{m,}" * 2000)
def test_entries_written_plainly_are_read_as_all_others(text):
    quick, slow = Reader(text, 0), Reader(text, 0)
    quick.read()
    slow.read(lambda _: False)
    assert [*map(placed, quick.tracks)] == [*map(placed, slow.tracks)]


def placed(track):
    return [(start, *described(it)) for start, it in zip(track.starts, track.nodes, strict=True)], track.watched


def described(it):
    return it.kind, it.key, it.key_start, it.length, it.reach


@settings(deadline=None)
@given(TEXTS)
def test_spans_lie_in_their_entry_and_entries_do_not_overlap(text):
    entries = parsing.parse(Document("refs.bib", text, "bibtex")).entries
    end = 0
    for index, node in enumerate(entries):
        start = entries.start(index)
        assert end <= start
        end = start + node.length
        assert text[start:end] == node.source
        assert node.key_span.within(node.source) == node.key
        for field in node.fields():
            assert (
                0 <= field.span.start <= field.name_span.end <= field.value_span.start <= field.span.end <= node.length
            )
            assert field.name_span.within(node.source).lower() == field.name


FIELDS = st.sampled_from(
    ["  t = {v},", "  T = {{v} w},", "u = {{{{{v}}}}},", "u = 7,", 'w = "v",', "w = {a = b},", "x = {", "}", "y = {v}"]
)


@given(st.lists(FIELDS, max_size=5))
def test_fields_on_lines_are_judged_as_those_on_one(lines):
    text = "\n".join(["@a{k,", *lines, "}"])
    for node in parsing.parse(Document("refs.bib", text, "bibtex")).entries:
        flat = find_problems(node.source.replace("\n", " "), node.key_span, closed=node.closed)
        assert bool(node.problems()) == bool(flat)


def test_untouched_entries_stay_the_same_objects():
    text = "".join(f"@a{{k{i},\n  t = {{v{i}}},\n}}\n\n" for i in range(100))
    syntax = parsing.parse(Document("refs.bib", text))
    at = text.index("v50")
    changed = text[:at] + "{new " + text[at:]
    after = parsing.reparse(syntax, Document("refs.bib", changed), Span(at, at), "{new ")
    same = [old is new for old, new in zip(syntax.entries, after.entries, strict=True)]
    assert same == [i != 50 for i in range(100)]
    assert after.entries.start(99) == syntax.entries.start(99) + 5

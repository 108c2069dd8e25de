"""What is asked of the entries of a bibliography is asked of each once, whatever is asked in between."""

import pytest

from citelsp.base.text import Document, Span
from citelsp.syntax.bibtex import parsing

TEXT = "@a{k, t = {1}}\n@a{K, t = {2}}\n@a{l}\n@a{k, t = {1, 3}}\n"


class Fact:
    """The values in `t`, and which entries were asked for them."""

    def __init__(self):
        self.asked = []

    def __call__(self, node):
        self.asked.append(node.key)
        return {int(it) for it in node.raw("t").split(",") if it}


def read(text=TEXT):
    return parsing.parse(Document("a.bib", text, "bibtex"))


def test_all_are_asked_once():
    entries, fact = read().entries, Fact()
    assert not entries.known(fact)
    assert entries.values_of(fact) == entries.values_of(fact) == [(0, {1}), (1, {2}), (3, {1, 3})]
    assert fact.asked == ["k", "K", "l", "k"] and entries.known(fact)


def test_some_are_asked_alone():
    entries, fact = read().entries, Fact()
    assert entries.values_of(fact, {1, 2}) == [(1, {2})]
    assert fact.asked == ["K", "l"] and not entries.known(fact)
    assert entries.values_of(fact, {0, 1, 2, 3}) == [(0, {1}), (1, {2}), (3, {1, 3})]
    assert fact.asked == ["K", "l", "k", "k"] and entries.known(fact)
    assert entries.values_of(fact, [3]) == [*entries.each_value(fact, [3])] == [(3, {1, 3})]


def test_no_further_one_is_asked_than_is_looked_at():
    entries, fact = read().entries, Fact()
    each = entries.each_value(fact, [1, 2, 3])
    assert next(each) == (1, {2}) and fact.asked == ["K"]
    assert [*each] == [(3, {1, 3})] and not entries.known(fact)
    assert [*entries.each_value(fact, range(4))] == [(0, {1}), (1, {2}), (3, {1, 3})]
    assert fact.asked == ["K", "l", "k", "k"] and entries.known(fact)


def test_what_is_presumed_is_not_asked():
    entries, fact = read().entries, Fact()
    entries.presume(fact)
    assert entries.values_of(fact) == entries.values_of(fact, [1]) == [*entries.each_value(fact, [0, 1])] == []
    assert not fact.asked and entries.known(fact)


def places(entries, shared):
    index = {node: at for at, node in enumerate(entries)}
    several = {value: [index[it] for it in nodes] for value, nodes in shared.several.items()}
    return {value: index[it] for value, it in shared.first.items()}, several


def test_which_entries_have_a_value_in_common():
    entries, fact = read().entries, Fact()
    assert places(entries, entries.shared(fact, [1, 3])) == ({2: 1, 1: 3, 3: 3}, {})
    assert places(entries, entries.shared(fact, [0, 1, 3])) == ({1: 0, 2: 1, 3: 3}, {1: [0, 3]})
    assert places(entries, entries.shared(fact)) == ({1: 0, 2: 1, 3: 3}, {1: [0, 3]})
    assert entries.shared(fact) is entries.shared(fact, range(4))


def test_several_entries_come_and_go():
    text = "".join(f"@a{{k{at}, t = {{7}}}}\n" for at in range(4))
    entries, fact = read(text).entries, Fact()
    assert places(entries, entries.shared(fact)) == ({7: 0}, {7: [0, 1, 2, 3]})
    syntax = read(text)
    syntax.entries.shared(fact)
    for rest, several in (("", [0, 1, 2]), ("", [0, 1]), ("", None), ("@a{m, t = {7}}\n", [0, 1])):
        last = text.rindex("@") if not rest else len(text)
        span, text = Span(last, len(text)), text[:last] + rest
        syntax = parsing.reparse(syntax, Document("a.bib", text, "bibtex"), span, rest)
        assert places(syntax.entries, syntax.entries.shared(fact))[1] == ({7: several} if several else {})
    more = parsing.reparse(syntax, Document("a.bib", text * 2, "bibtex"), Span(0, 0), text)
    assert places(more.entries, more.entries.shared(fact)) == ({7: 0}, {7: [0, 1, 2, 3]})


def test_pairs_of_entries_of_two_files():
    one, other, fact = read().entries, read("@b{m, t = {3}}\n@b{n, t = {5}}").entries, Fact()
    pairs = [(it.key, with_it.key) for it, with_it in one.shared(fact).pair_first_with(other.shared(fact))]
    assert pairs == [("k", "m")]
    assert [(it.key, with_it.key) for it, with_it in other.shared(fact).pair_first_with(one.shared(fact))] == [
        ("m", "k")
    ]


@pytest.mark.parametrize(
    ("at", "length", "new", "asked", "values"),
    [
        ("2}", 1, "4", ["K"], [(0, {1}), (1, {4}), (3, {1, 3})]),
        ("@a{l", 0, "@a{m, t = {4}}\n", ["m"], [(0, {1}), (1, {2}), (2, {4}), (4, {1, 3})]),
        ("@a{K", 15, "", ["K"], [(0, {1}), (2, {1, 3})]),
        ("@a{l", 6, "", ["l"], [(0, {1}), (1, {2}), (2, {1, 3})]),
        ("@a{k, t = {1, ", 18, "", ["k"], [(0, {1}), (1, {2})]),
        ("@a{K", 0, "\n", [], [(0, {1}), (1, {2}), (3, {1, 3})]),
    ],
)
def test_after_an_edit_only_what_it_touched_is_asked(at, length, new, asked, values):
    old, fact, some = read(), Fact(), Fact()
    old.entries.shared(fact)
    old.entries.values_of(some, [0])
    del fact.asked[:], some.asked[:]
    start = TEXT.index(at)
    text = TEXT[:start] + new + TEXT[start + length :]
    entries = parsing.reparse(old, Document("a.bib", text, "bibtex"), Span(start, start + length), new).entries
    assert entries.values_of(fact) == values and set(fact.asked) == set(asked)
    anew = read(text).entries
    assert places(entries, entries.shared(fact)) == places(anew, anew.shared(Fact()))
    assert entries.values_of(some) == values and len(some.asked) == len(entries) - 1


@pytest.mark.parametrize(("at", "new", "kept"), [("1}", "9", True), ("l}", "m", False), ("@a{l", "@a{m}", False)])
def test_keys_that_are_alike_stay_known_as_long_as_all_keys_do(at, new, kept):
    old = read()
    old.entries.similar["x"] = ["k"]
    start = TEXT.index(at)
    text = TEXT[:start] + new + TEXT[start + 1 :] if at[1] == "}" else TEXT[:start] + new + TEXT[start:]
    span = Span(start, start + (at[1] == "}"))
    entries = parsing.reparse(old, Document("a.bib", text, "bibtex"), span, new).entries
    assert bool(entries.similar) == kept


@pytest.mark.parametrize(("key", "exact", "folded"), [("k", [0, 3], [0, 1, 3]), ("K", [1], [0, 1, 3]), ("L", [], [2])])
def test_keys_with_and_without_letter_case(key, exact, folded):
    entries = read().entries
    assert ([*entries.by_key(key)], [*entries.by_folded_key(key)]) == (exact, folded)


def test_only_the_letters_a_to_z_are_folded():
    entries = read("@a{É}@a{é}@a{ÉA}@a{Éa}").entries
    assert [*entries.by_folded_key("é")] == [1] and [*entries.by_folded_key("Éa")] == [2, 3]


@pytest.mark.parametrize("entry", [0, 1, 2])
def test_entries_with_a_value_in_common_stay_in_order_when_one_is_edited(entry):
    fact = Fact()
    before = read("@a{k, t = {1}}\n@a{l, t = {1}}\n@a{m, t = {1}}\n")
    text = "".join(f"@a{{{key}, t = {{1}}}}\n" for key in "klm")
    assert before.entries.shared(fact).first[1].key == "k"
    at = before.entries.start(entry) + len("@a{k")
    fresh = Document("a.bib", f"{text[:at]}x{text[at:]}", "bibtex")
    after = parsing.reparse(before, fresh, Span(at, at), "x").entries
    shared = after.shared(fact)
    assert list(shared.several[1]) == list(after) and shared.first[1] is after.node(0)

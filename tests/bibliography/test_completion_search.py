"""The search index: words in any order, misspelt, in TeX; ranking; what an edit changes."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citelsp.base.parse_cache import ParseCache
from citelsp.base.text import Document, Span
from citelsp.bibliography.completion_search import folded_words, libraries, segment_columns
from citelsp.bibliography.completion_search.postings import best, bits, lowest, members, scores
from citelsp.bibliography.completion_search.ranked_search import LibraryQuery
from citelsp.syntax.bibtex import parsing

BIB = r"""
@string{jmlr = {Journal of Machine Learning Research}}
@inproceedings{vaswani17, author = {Vaswani, Ashish and Shazeer, Noam}, title = {Attention Is All You Need},
  year = 2017, booktitle = {Advances in Neural Information Processing Systems}}
@article{bahdanau_align,
  Author = {Dzmitry Bahdanau and Kyunghyun Cho and Yoshua Bengio},
  Title  = {Neural Machine Translation by Jointly Learning
            to Align and Translate},
  Year   = "2015",
  Journal = jmlr
}
@book{oneil, author = {M{\"u}ller, J\"org and O'Neil, Łukasz}, date = {1999-04},
  title = {The {LaTeX} {\'E}tude: $\alpha$-Stra{\ss}e}}
@book{tolstoy, author = {Толстой, Лев}, title = {Война и мир}, year = 1869, ids = {warpeace, wp1869}}
@article{plain:2017,
  author = {Smith, Attention},
  title = {A study of sleep},
  journal = {Nature},
  year = {2017},
}
@incollection{child, author = {Poe, Edgar}, title = {A chapter}, crossref = {parent}}
@collection{parent, editor = {Editor, Anna}, title = {Handbook of Ravens}, year = 2001}
"""


def entries(text):
    return parsing.parse(Document("refs.bib", text, "bibtex"))


def library(text=BIB):
    syntax = entries(text)
    return libraries.build(syntax.entries, syntax.strings)


def keys(it, typed, limit=50, **more):
    return [node.key for _, node in it.search(LibraryQuery(typed, **more), limit)]


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("vaswani", "vaswani17"),
        ("vasw att", "vaswani17"),
        ("need attention", "vaswani17"),
        ("need 2017 shazeer", "vaswani17"),
        ("vaswani and shazeer", "vaswani17"),
        ("Bengio 2015", "bahdanau_align"),
        ("jointly align", "bahdanau_align"),
        ("align tran", "bahdanau_align"),
        ("machine learning research cho", "bahdanau_align"),
        ("muller", "oneil"),
        ("Müller etude", "oneil"),
        ("oneil lukasz", "oneil"),
        ("O'Neil", "oneil"),
        ("alpha strasse", "oneil"),
        ("latex 1999", "oneil"),
        ("толст мир", "tolstoy"),
        ("warp", "tolstoy"),
        ("plain:20", "plain:2017"),
        ("ravens poe", "child"),
        ("vaswnai", "vaswani17"),
        ("atention need", "vaswani17"),
        ("vaswani2017", "vaswani17"),
        ("vaswani attention nothing", "vaswani17"),
        ("nslat", "bahdanau_align"),
    ],
)
def test_found_first(typed, key):
    assert keys(library(), typed)[:1] == [key]


def test_nothing_fits():
    assert keys(library(), "xyzzy") == []
    assert keys(library(), "vaswnai", fuzzy=False) == []


def test_title_and_author_go_before_venue_and_first_author_before_title():
    assert keys(library(), "attention") == ["vaswani17", "plain:2017"]
    assert keys(library(), "smith")[0] == "plain:2017"
    assert keys(library(), "2017") == ["vaswani17", "plain:2017"]


def test_a_key_that_begins_so_goes_first():
    text = "".join(
        f"@misc{{{key}, title = {{{title}}}, author = {{B, C}}, year = {year}}}\n"
        for key, title, year in (("a1", "Zebra", 2020), ("zebra2", "Lion", 1920))
    )
    assert keys(library(text), "zebra") == ["zebra2", "a1"]


def test_sentence_cited_nearby_and_year_break_ties():
    text = "".join(
        f"@misc{{k{year}, author = {{Same, Name}}, title = {{Study of {word}}}, year = {year}}}\n"
        for year, word in ((2001, "ravens"), (2002, "zebras"), (2003, "lions"))
    )
    assert keys(library(text), "same") == ["k2003", "k2002", "k2001"]
    assert keys(library(text), "same", sentence=("the", "zebras", "ravens", "zebras")) == ["k2002", "k2001", "k2003"]
    assert keys(library(text), "same", cited=frozenset({"k2001"}))[0] == "k2001"
    assert keys(library(text), "", limit=2) == ["k2003", "k2002"]


def test_what_is_shown():
    it = library()

    def shown(key):
        found = it.shown(it.find(key))
        return found.who_and_when, found.title

    assert shown("vaswani17") == (
        "Vaswani and Shazeer, 2017",
        "Attention Is All You Need",
    )
    assert shown("bahdanau_align") == (
        "Bahdanau et al., 2015",
        "Neural Machine Translation by Jointly Learning to Align and Translate",
    )
    assert shown("oneil")[0] == "Müller and O'Neil, 1999"
    assert shown("oneil")[1].startswith("The LaTeX Étude")


def test_fields_are_found_in_any_case():
    text = "@book{a,\n author = {Roe},\n title = {Bees},\n year = 2001,\n Ids = {bees01},\n}"
    [node] = parsing.parse(Document("a.bib", text, "bibtex")).entries
    assert folded_words.aliases(folded_words.fields(node)) == ["bees01"]


def test_aliases_lead_to_their_entry():
    assert library().find("wp1869").key == "tolstoy"
    assert library().find("WP1869") is None
    assert library().find("nothing") is None


def test_words_of_a_key_are_found_beside_keys_in_another_script():
    text = "@misc{roe2020hedgehog, title = {Bees}}\n@misc{мюллер2021ёж, title = {Ants}}\n"
    assert keys(library(text), "hedgehog", fuzzy=False) == ["roe2020hedgehog"]
    assert keys(library(text), "ёж", fuzzy=False) == ["мюллер2021ёж"]


def test_control_characters_in_values_harm_nobody():
    text = BIB + "@misc{odd, author = {A\x01B\x02C}, title = {Qu\x02een \x01 bee}, year = 2000}\n"
    assert keys(library(text), "queen") == [] or keys(library(text), "een bee") == ["odd"]
    assert keys(library(text), "vaswani attention") == ["vaswani17"]


def test_xdata_is_searched_before_the_entry_and_its_crossref():
    text = """@incollection{part, title = {Kites}, crossref = {book}, xdata = {shared}}
    @xdata{shared, publisher = {Heron}, series = {Larks}, title = {Kestrels}}
    @collection{book, title = {Ravens}, publisher = {Magpie}, year = 2001}"""
    it = library(text)
    assert keys(it, "kestrels heron 2001 ravens") == ["part"]
    assert keys(it, "magpie") == ["book"] and "part" not in keys(it, "kites")


def test_an_empty_field_of_xdata_replaces_nothing():
    it = library(
        "@book{part, title = {Kites}, author = {Heron}, xdata = {shared}}\n@xdata{shared, author = {}, title = {}}"
    )
    assert keys(it, "heron kites") == ["part"]


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 12))
def test_updates_equal_building_anew(seed, edits):
    rnd = random.Random(seed)  # noqa: S311
    text = BIB.replace("crossref", "related")
    syntax = entries(text)
    it = libraries.build(syntax.entries, syntax.strings)
    for _ in range(edits):
        start = rnd.randrange(len(text))
        span = Span(start, min(len(text), start + rnd.choice((0, 0, 1, 40, 300))))
        new = rnd.choice(
            ("", "x", "}", "\n@misc{new, title = {Attention deficit}, author = {N, M}, year = 2020}\n", "2017 ")
        )
        text = text[: span.start] + new + text[span.end :]
        syntax = parsing.reparse(syntax, Document("refs.bib", text, "bibtex"), span, new)
        it = libraries.update(it, syntax.entries, syntax.strings)
    fresh = libraries.build(syntax.entries, syntax.strings)
    for typed in ("", "attention", "2017", "bengio jointly", "vasw"):
        assert sorted(keys(it, typed, fuzzy=False)) == sorted(keys(fresh, typed, fuzzy=False))


def test_many_edits_are_read_into_the_whole():
    old = library("")
    text = "".join(f"@misc{{k{i}, title = {{T{i}}}, author = {{A, B}}, year = 2000}}\n" for i in range(500))
    syntax = entries(text)
    new = libraries.update(old, syntax.entries, syntax.strings)
    assert len(new) == 500
    assert keys(new, "t499") == ["k499"]


def test_mistyped_keys_are_those_that_are_there_now():
    old = library()
    syntax = entries(BIB.replace("{tolstoy,", "{chekhov_1890,"))
    new = libraries.update(old, syntax.entries, syntax.strings)

    def found(it, typed):
        return [node.key for _, node in it.mistyped(LibraryQuery(typed), 5)]

    assert (found(old, "toltsoy"), found(old, "chkehov")) == (["tolstoy"], [])
    assert (found(new, "toltsoy"), found(new, "chkehov")) == ([], ["chekhov_1890"])


def test_changed_macros_are_seen():
    old = library()
    syntax = entries(BIB.replace("Journal of Machine Learning Research", "Annals of Hedgehogs"))
    assert keys(libraries.update(old, syntax.entries, syntax.strings), "hedgehogs") == ["bahdanau_align"]


@given(st.text())
def test_any_text_folds_to_words(text):
    for word in folded_words.words(text):
        assert not word.isspace()
        assert not set(word) & set("{}'\"\\ ")


@given(st.sets(st.integers(0, 199)), st.sets(st.integers(0, 199)), st.integers(0, 200))
def test_best_prefers_earlier_planes(candidates, plane, count):
    chosen = members(best(bits(list(candidates), 200), [bits(list(plane), 200)], count))
    expected = sorted(candidates, key=lambda it: (it not in plane, it))[:count]
    assert set(chosen) == set(expected)
    assert lowest(bits(list(candidates), 200), 0) == 0
    assert scores(chosen, [bits(list(plane), 200)], 200) == [int(it in plane) for it in chosen]


def named(text=BIB):
    found = entries(text).entries
    found.text_name = text
    return found


def test_a_library_is_cached_for_the_next_start(tmp_path):
    cache = ParseCache(tmp_path)
    first = libraries.Libraries(cache).library_of("refs.bib", named(), {})
    again = libraries.Libraries(cache).library_of("refs.bib", named(), {})
    for typed in ("vaswani", "need", "2017", "vas", "attenton", ""):
        assert keys(again, typed) == keys(first, typed)
    [name] = [it.name for it in tmp_path.iterdir()]
    other = library(BIB.replace("Vaswani", "Planted"))
    cache.put(name, segment_columns.columns(other._read))
    assert keys(libraries.Libraries(cache).library_of("refs.bib", named(), {}), "planted")


def test_a_cached_library_is_of_this_text_and_these_macros(tmp_path):
    cache = ParseCache(tmp_path)
    for text, strings in ((BIB, {}), (BIB, {"acm": "{ACM}"}), (BIB + "@misc{x}", {})):
        libraries.Libraries(cache).library_of("refs.bib", named(text), strings)
    assert len(list(tmp_path.iterdir())) == 3
    for it in tmp_path.iterdir():
        cache.put(it.name, segment_columns.columns(library("@misc{only}")._read))
    assert (
        len(keys(libraries.Libraries(cache).library_of("refs.bib", named(), {}), "attention"))
        == len(keys(library(), "attention"))
        > 0
    )


def test_a_library_that_was_read_some_edits_ago_is_brought_up_to_date_and_never_displaces_one():
    known, old, new = libraries.Libraries(), entries(BIB), entries(BIB + "@misc{later, title = {Later Ravens}}")
    read = known.read(old.entries, old.strings)
    known.offer("refs.bib", read)
    found = known.library_of("refs.bib", new.entries, new.strings)
    assert keys(found, "later") == ["later"]
    known.offer("refs.bib", read)
    assert known.library_of("refs.bib", new.entries, new.strings) is found

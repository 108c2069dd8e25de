"""Fields rewritten from a record: whatever the entry looks like, nothing outside the field changes."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citelsp.base.text import Document, apply
from citelsp.bibliography import repair_field
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.syntax.bibtex import parsing
from written_references import PAPER, PREPRINT

VALUES = st.text(st.sampled_from("ab é\\#%,=@-\n\"'"), max_size=12).map(lambda it: "{" + it + "}")
VALUES |= st.sampled_from(['"Some Text"', "2014", "jan", "{A {nested} value}", '{"} # "b"'])
NAMES = st.sampled_from("title author year booktitle pages doi volume publisher note keywords".split())
FIELDS = st.dictionaries(NAMES, VALUES, min_size=1, max_size=7)
LAYOUTS = st.sampled_from(["@a{{k,\n  {}\n}}\n", "@a{{k, {}}}", "@a{{k,\n\t{},\n}}", "@a(k, {})\n"])
REPAIRED = st.sampled_from("title authors year venue pages publisher doi".split())


def read(text):
    document = Document("r.bib", text, "bibtex")
    syntax = parsing.parse(document)
    return document, syntax


def entry_of(text, index=0):
    document, syntax = read(text)
    node = syntax.entries.node(index)
    return document, syntax.entries.start(index) if hasattr(syntax.entries, "start") else text.index(node.source), node


@settings(deadline=None)
@given(FIELDS, LAYOUTS, REPAIRED)
def test_only_the_field_changes(fields, layout, name):
    before = "% keep\n" + layout.format(",\n  ".join(f"{key} = {value}" for key, value in fields.items())) + "\n@b{x}"
    document, syntax = read(before)
    if len(syntax.entries) != 2 or {it.name for it in syntax.entries.node(0).fields()} != fields.keys():
        return
    _, start, node = entry_of(before)
    edit = repair_field.edit_field(document, start, Entry(node, syntax.strings), name, PAPER)
    if edit is None:  # the record would lose the author's accents
        assert name == "title" and "é" in fields["title"]
        return
    after = apply(before, [edit])
    written = {it.name: after_value(after, it) for it in read(after)[1].entries.node(0).fields()}
    touched = next(iter(written.keys() - fields.keys()), None) or repair_field.field_of(Entry(node), name).name
    assert {key: value for key, value in written.items() if key != touched} == {
        key: value for key, value in fields.items() if key != touched
    }
    assert after.startswith("% keep\n@a") and after.endswith("\n@b{x}")


def after_value(text, field):
    return field.value_span.moved(entry_of(text)[1]).within(text)


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        ("@a{k,\n  year = 2014,\n}\n", "year", "@a{k,\n  year = 2016,\n}\n"),
        ('@a{k, year = "2014"}', "year", '@a{k, year = "2016"}'),
        ("@a{k,\n  date = {2014-05-01}\n}\n", "year", "@a{k,\n  date = {2016}\n}\n"),
        ("@a{k, title = {T}}", "doi", "@a{k, title = {T}, doi = {10.1109/cvpr.2016.90}}"),
        ("@a{k,\n  title = {T},\n}\n", "pages", "@a{k,\n  title = {T},\n  pages = {770--778},\n}\n"),
        ("@a{k, date = {2000}}", "venue", f"@a{{k, date = {{2000}}, journaltitle = {{{PAPER.venue}}}}}"),
        ("@a{k, journaltitle = {J}}", "year", "@a{k, journaltitle = {J}, date = {2016}}"),
        ("@a{k, journal = {J}}", "year", "@a{k, journal = {J}, year = {2016}}"),
        ("@a{k, year = {2000}}", "venue", f"@a{{k, year = {{2000}}, journal = {{{PAPER.venue}}}}}"),
        ("@conference{k, date = 2000}", "venue", f"@conference{{k, date = 2000, booktitle = {{{PAPER.venue}}}}}"),
        ("@a{k, title = {T}\n}\n", "pages", "@a{k, title = {T}, pages = {770--778}\n}\n"),
        ("@a{k, journaltitle = mac # { X}}", "venue", f"@a{{k, journaltitle = {{{PAPER.venue}}}}}"),
    ],
)
def test_rewritten(before, name, after):
    document, start, node = entry_of(before)
    assert apply(before, [repair_field.edit_field(document, start, Entry(node), name, PAPER)]) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@a{k,\n  doi = {10.1/x},\n  year = 2014\n}\n", "@a{k,\n  year = 2014\n}\n"),
        ("@a{k, year = 2014, doi = {10.1/x}}", "@a{k, year = 2014}"),
        ("@a{k,doi={10.1/x}\n,year=2014}", "@a{k,year=2014}"),
    ],
)
def test_removed(before, after):
    document, start, node = entry_of(before)
    assert apply(before, [repair_field.remove_field(document, start, Entry(node), "doi")]) == after


def test_a_list_of_which_the_record_has_the_first_people_alone_ends_so():
    before = "@a{k, author = {Meyer, A.}}"
    document, start, node = entry_of(before)
    cut = replace(PAPER, authors=PAPER.authors[:1], authors_complete=False)
    edit = repair_field.edit_field(document, start, Entry(node), "authors", cut)
    assert apply(before, [edit]) == "@a{k, author = {He, Kaiming and others}}"


def test_what_is_written_is_escaped_as_its_field_asks():
    record = replace(PAPER, title="Q&A by BERT", identifiers=Identifiers(doi="10.1000/a_b"))
    for before, name, after in [
        ("@a{k, doi = {10.1000/c}}", "doi", "@a{k, doi = {10.1000/a_b}}"),
        ("@a{k, title = {Q}}", "title", r"@a{k, title = {{Q\&A} by {BERT}}}"),
    ]:
        document, start, node = entry_of(before)
        assert apply(before, [repair_field.edit_field(document, start, Entry(node), name, record)]) == after


def test_the_number_of_a_preprint_is_repaired():
    before = "@a{k, eprint = {1512.03384}, archiveprefix = {arXiv}}"
    document, start, node = entry_of(before)
    edit = repair_field.edit_field(document, start, Entry(node), "eprint", PREPRINT)
    assert apply(before, [edit]) == before.replace("03384", "03385")


def test_what_the_record_does_not_say_changes_nothing():
    document, start, node = entry_of("@a{k, year = 2014}")
    assert repair_field.edit_field(document, start, Entry(node), "volume", PAPER) is None
    assert repair_field.remove_field(document, start, Entry(node), "doi") is None


def test_names_that_are_written_out_stay_so():
    """A record has the initials of two, of whom one is cited in full, and lacks the third."""
    before = "@a{k, author = {Koller, Daphne and Euler, L. and Bach, Francis}}"
    people = Name("Koller", "D."), Name("Euler", "Leonhard"), Name("Gauss", "C. F.")
    document, start, node = entry_of(before)
    edit = repair_field.edit_field(document, start, Entry(node), "authors", replace(PAPER, authors=people))
    assert apply(before, [edit]) == "@a{k, author = {Koller, Daphne and Euler, Leonhard and Gauss, C. F.}}"


def test_half_a_name_is_not_written_over_a_whole_one():
    document, start, node = entry_of("@a{k, author = {Mikolov, Tomas and Dean, Jeffrey}}")
    broken = replace(PAPER, authors=(Name("Mikolov", "Tomas"), Name("Jeffrey")))
    assert repair_field.edit_field(document, start, Entry(node), "authors", broken) is None


def test_initials_of_somebody_else_stand_for_no_name_that_is_written_out():
    document, start, node = entry_of("@a{k, author = {Frazier, Peter I.}}")
    other = replace(PAPER, authors=(Name("Frazier", "R."),))
    assert repair_field.edit_field(document, start, Entry(node), "authors", other) is None


@pytest.mark.parametrize(
    ("cited", "recorded"),
    [
        (r"Corrections to $pp \to \mu^+$ at the Collider", "Corrections to pp → μ^+ at the LHC"),
        (r"Observation of \(\bar{p}p\) collisions", "Observation of pp Collisions"),
        (r"Zur Theorie stabf{\"o}rmiger Molek{\"u}le", "Zur Theorie stabf6rmiger Molekiile"),
        ("Interaction of Hydrogen with Liquid Helium", "INTERACTION OF HYDROGEN WITH LIQUID-HELIUM II"),
    ],
)
def test_formulas_accents_and_small_letters_are_not_lost(cited, recorded):
    document, start, node = entry_of(f"@a{{k, title = {{{cited}}}}}")
    assert repair_field.edit_field(document, start, Entry(node), "title", replace(PAPER, title=recorded)) is None

import pytest

from citelsp.base import bounds
from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry, as_read, fingerprint
from citelsp.bibliography.names import Name
from citelsp.syntax.bibtex import parsing


def entry(text, key="x"):
    syntax = parsing.parse(Document("refs.bib", text, "bibtex"))

    def find(wanted):
        return next((syntax.entries.node(it) for it in syntax.entries.by_key(wanted)), None)

    return Entry(find(key), syntax.strings, find)


def test_fields_as_a_reader_sees_them():
    it = entry(
        r"""@string{jmlr = "J. Mach. " # {Learn. Res.}}
        @article{x, author = {G{\"o}del, Kurt and others}, title = {On {Formally} Undecidable: I}, journal = jmlr,
          month = "10~" # jan, date = {2017-06-12/2018}, subtitle = {Propositions}, doi = {https://doi.org/10.1/X}}"""
    )
    assert (it.title, it.venue, it.year, it.month) == (
        "On Formally Undecidable: I: Propositions", "J. Mach. Learn. Res.", 2017, 6,
    )  # fmt: skip
    assert (it.authors, it.authors_truncated) == ((Name("Gödel", "Kurt"),), True)
    assert it.identifiers.doi == ""
    assert it.text("month") == "10 jan"


@pytest.mark.parametrize(
    ("written", "month"), [("6", 6), ("06", 6), ("june", 6), ("²", None), ("9" * 5000, None), ("", None)]
)
def test_a_month_is_a_number_or_a_name(written, month):
    assert entry(f"@article{{x, month = {{{written}}}}}").month == month


def test_only_what_is_compared_is_cut():
    long = "word " * 4000
    it = entry(f"@article{{x, title = {{{long}}}, abstract = {{{long}}}}}")
    assert len(it.title) == bounds.VALUE
    assert it.text("abstract") == long.strip()


def test_a_macro_is_what_it_was_defined_as_whatever_its_value_looks_like():
    text = """@string{acm = {Association for Computing Machinery}}
    @string{short = {ACM}, also = acm, long = acm # {, Inc.}, sharp = {C# Press}}
    @book{x, publisher = short, institution = also, school = long, organization = sharp}"""
    it = entry(text)
    assert it.text("publisher") == "ACM"
    assert it.text("institution") == "Association for Computing Machinery"
    assert it.text("school") == "Association for Computing Machinery, Inc."
    assert it.text("organization") == "C# Press"


def test_fields_with_a_macro_that_nobody_defines_say_nothing():
    it = entry(
        """@string{ada = "Ada Byron"} @book{x, author = Ada # { and } # Curie, editor = Ada, journal = ijcai,
        year = 1999, title = {Title}, month = jan # "~1", note = "seen in " # Turin}"""
    )
    assert (it.venue, [str(who) for who in it.authors]) == ("ijcai", ["Ada Byron", "Curie"])
    read = as_read(it)
    assert (read.venue, read.text("note"), [str(who) for who in read.authors]) == ("", "", ["Ada Byron"])
    assert (read.title, read.year, read.text("month")) == ("Title", 1999, "jan 1")
    assert as_read(entry("@book{x, title = {Title}, year = 1999}")).left_out == frozenset()


@pytest.mark.parametrize(
    ("kind", "byline"),
    [
        ("book", "Ada Byron"),
        ("proceedings", "Ada Byron"),
        ("inbook", "Ada Byron"),
        ("incollection", ""),
        ("article", ""),
    ],
)
def test_editors_wrote_none_of_the_works_in_their_book(kind, byline):
    it = entry(f"@{kind}{{x, editor = {{Ada Byron}}, title = {{Title}}}}")
    assert ", ".join(map(str, it.authors)) == it.byline == byline
    assert entry(f"@{kind}{{x, editor = {{Ada Byron}}, author = {{Marie Curie}}}}").byline == "Marie Curie"


def test_macros_that_multiply_end():
    tenfold = "".join(f"@string{{m{i + 1} = {' # '.join([f'm{i}'] * 1000)}}}\n" for i in range(4))
    it = entry("@string{e = , m0 = e}\n" + tenfold + "@misc{x, title = m4 # m3}")
    assert it.title


def test_inheritance():
    text = """@inproceedings{x, author = {A. B}, title = {T}, crossref = {p}, xdata = {d, none}}
    @proceedings{p, title = {Proc. of Q}, editor = {E. F}, year = 2001, doi = {10.1234/p}, crossref = {x}}
    @xdata{d, publisher = {Pub}}
    @inbook{y, title = {C}, crossref = {b}}
    @book{b, author = {Z. Z}, title = {B}, date = {1999}}"""
    it = entry(text)
    assert (it.title, it.text("booktitle"), it.venue, it.year) == ("T", "Proc. of Q", "Proc. of Q", 2001)
    assert (it.text("publisher"), it.identifiers.doi, it.text("series")) == ("Pub", "", "")
    it = entry(text, "y")
    assert (it.text("bookauthor"), it.text("booktitle"), it.authors[0].family, it.year) == ("Z. Z", "B", "Z", 1999)


@pytest.mark.parametrize(
    ("kind", "booktitle", "authors"),
    [
        ("book", "", "Z"),
        ("collection", "", "Z"),
        ("incollection", "B", ""),
        ("suppbook", "B", "Z"),
        ("bookinbook", "B", "Z"),
        ("article", "", ""),
    ],
)
def test_a_parents_title_is_the_booktitle_of_what_stands_in_it(kind, booktitle, authors):
    text = f"@{kind}{{x, title = {{T}}, crossref = {{b}}}}\n@book{{b, author = {{Z. Z}}, title = {{B}}, year = 1999}}"
    it = entry(text)
    assert (it.title, it.text("booktitle"), it.values.get("booktitle", "")) == ("T", booktitle, booktitle)
    assert "".join(name.family for name in it.authors) == authors
    it = entry(text.replace("year", "booktitle = {P}, year"))
    assert it.text("booktitle") == "P"


def test_xdata_comes_before_crossref_and_replaces_what_the_entry_has_as_biber_reads_it():
    text = """@incollection{x, title = {T}, note = {own}, publisher = {own}, ids = {k}, xdata = {d, e}}
    @xdata{d, publisher = {first}, series = {first}, ids = {l}, crossref = {c}}
    @xdata{e, publisher = {second}, title = {E}}
    @collection{c, title = {C}, series = {book}, location = {book}}"""
    it = entry(text)
    found = {name: it.text(name) for name in ("title", "booktitle", "note", "publisher", "series", "location", "ids")}
    assert found == {
        "title": "E",
        "booktitle": "C",
        "note": "own",
        "publisher": "second",
        "series": "first",
        "location": "book",
        "ids": "k",
    }
    assert it.values["publisher"] == "second"


@pytest.mark.parametrize(
    ("name", "written", "resolved"),
    [
        ("title", "xdata=a-1-title", "Great Things"),
        ("title", "xdata=b-title", "Great Things"),
        ("author", "xdata=a-1-author", "Doe, J. and Roe, R."),
        ("author", "xdata=a-1-author-2 and Poe, E.", "Roe, R. and Poe, E."),
        ("location", "xdata=a-1-location-1", "Rome"),
        ("publisher", "xdata=c-PUBLISHER", "P"),
        ("author", "xdata=a-1-author-3", "xdata=a-1-author-3"),
        ("title", "xdata=none-title", "xdata=none-title"),
        ("title", "xdata=a-1-note", "xdata=a-1-note"),
        ("title", "xdata = a-1-title", "xdata = a-1-title"),
        ("title", "On xdata=a-1-title", "On xdata=a-1-title"),
    ],
)
def test_single_values_come_from_xdata_as_biber_reads_them(name, written, resolved):
    text = f"""@book{{x, {name} = {{{written}}}}}
    @xdata{{a-1, title = {{Great Things}}, author = {{Doe, J. and Roe, R.}}, xdata = {{c}},
        location = {{Rome and Oslo}}}}
    @xdata{{b, title = {{xdata=a-1-title}}}}
    @xdata{{c, publisher = {{P}}}}"""
    assert entry(text).value(name) == entry(text).values[name] == resolved
    heir = entry(f"@inbook{{y, crossref = {{x}}}}\n{text}", "y")
    assert heir.value("booktitle" if name == "title" else name) == resolved


def test_cycles_end():
    assert entry("@misc{x, title = {xdata=y-title}}\n@misc{y, title = {xdata=x-title}}").title
    assert entry("@misc{x, crossref = {y}}\n@misc{y, crossref = {x}}").title == ""
    assert entry("@string{a = b, b = a}\n@misc{x, title = a, xdata = {x}}").title


def test_fingerprint():
    one = entry('@article{x, title = {A {B}}, year = 2000, author = "Doe, Jane"}')
    same = entry("junk\n\n@Article{y,\n  author={Jane Doe},\n  year={2000},\n  Title = {{A B}},\n abstract={z}}", "y")
    other = entry('@article{x, title = {A {B}}, year = 2001, author = "Doe, Jane"}')
    assert fingerprint(one) == fingerprint(same) != fingerprint(other)
    noted = entry('@article{x, title = {A {B}}, year = 2000, author = "Doe, Jane", note = {mine}}')
    pending = entry('@article{x, title = {A {B}}, year = 2000, author = "Doe, Jane", note = {To appear}}')
    assert fingerprint(one) == fingerprint(noted) != fingerprint(pending)


def test_parents_that_many_ways_lead_to_are_asked_once():
    """Each of these has three above it, and so eighty-one ways lead to the fifth."""
    text = "".join(f"@misc{{k{it}, crossref = {{k{it + 1}}}, xdata = {{k{it + 1},k{it + 2}}}}}\n" for it in range(20))
    entries, asked = parsing.parse(Document("r.bib", text, "bibtex")).entries, []

    def parent(key):
        asked.append(key)
        found = entries.by_key(key)
        return entries.node(found[0]) if found else None

    entry = Entry(entries.node(0), {}, parent)
    assert entry.value("title") == entry.value("year") == entry.value("publisher") == ""
    assert len(asked) < 40

"""The fields of whole references: what is put together, what is left out, and how it is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.bibliography.decode_tex import decode
from citelsp.bibliography.reference_reading import read


def fields(text, markup="plain"):
    return dict(read(text, markup).fields)


@pytest.mark.parametrize(
    ("printed", "title"),
    {
        # what styles put behind it
        "On engines (2nd ed.)": "On engines",
        "On engines (Third edition)": "On engines",
        "On engines, 2nd edition": "On engines",
        "On engines, 2. Aufl.": "On engines",
        "On engines, second edition": "On engines",
        "On engines, revised edition": "On engines",
        "On engines, volume 3": "On engines",
        "On engines, vol. 3 of Lectures": "On engines",
        "On engines, Bd. 3": "On engines",
        "On engines, pages 4–9": "On engines",
        "On engines, 4–9": "On engines",
        "On engines [Internet]": "On engines",
        "On engines [en ligne]": "On engines",
        "On engines [Doctoral dissertation]": "On engines",
        "On engines [Data set]": "On engines",
        "On engines (Working Report)": "On engines",
        "On engines (Vol. 3)": "On engines",
        # what belongs to it
        "On engines [Version 3]": "On engines [Version 3]",
        "On engines (and notes)": "On engines (and notes)",
        "On engines in volume": "On engines in volume",
        "The second edition of engines": "The second edition of engines",
        "An approach to the “engine”": "An approach to the “engine”",
        "A history of 1900 to 1950": "A history of 1900 to 1950",
        "Engines, a tale of 2001": "Engines, a tale of 2001",
    }.items(),
)
def test_a_title_without_what_styles_put_behind_it(printed, title):
    assert fields(f"Byron, A. (2003). {printed}. Wiley.")["title"] == title


@pytest.mark.parametrize(
    ("printed", "title"),
    {
        "On engines, 2003.": "On engines",
        "On engines; 2003.": "On engines",
        "On engines (May 2003).": "On engines",
        "On engines, 2003 arXiv.": "On engines",
        "A reply (Byron, 2003).": "A reply (Byron, 2003)",
        "Interview: May 13, 2003.": "Interview: May 13, 2003",
    }.items(),
)
def test_a_year_behind_a_title_is_its_date_unless_it_is_in_the_title(printed, title):
    assert fields(f"Roe N. {printed} Comput Notes. 2004;3:1.")["title"] == title


def test_a_year_behind_a_title_stays_if_the_reference_has_another():
    assert fields("Byron, A. (2004). On engines, 2003. Comput Notes, 3(1).")["title"] == "On engines, 2003"


@pytest.mark.parametrize(
    "quoted", ["“On engines,”", "“On engines”.", '"On engines."', "«On engines»,", "„On engines“."]
)
def test_quotes_around_a_title_are_no_part_of_it(quoted):
    assert fields(f"A. Byron, {quoted} Notes 3, 2003.")["title"] == "On engines"


def test_titles_have_at_least_three_letters_and_at_most_five_hundred():
    assert "title" not in fields(r"A. Byron. \newblock It. \newblock Notes 3, 4, 2003.", "tex")
    assert fields(r"A. Byron. \newblock Its. \newblock Notes 3, 4, 2003.", "tex")["title"] == "Its"
    long = "engine " * 71 + "all"  # 500 of them
    assert fields(rf"A. Byron. \newblock {long}. \newblock Notes 3, 4.", "tex")["title"] == long
    assert "title" not in fields(rf"A. Byron. \newblock {long}s. \newblock Notes 3, 4.", "tex")


IDENTIFIERS = {
    "a DOI": ("doi:10.1000/a_b.", {"doi": "10.1000/a_b"}),
    "a DOI's address": ("https://doi.org/10.1000/a_b", {"doi": "10.1000/a_b"}),
    "a DOI beside another address": ("https://example.org/ doi:10.1000/a", {"doi": "10.1000/a"}),
    "a preprint": ("arXiv:2101.00001v2 [cs.CL].", {"eprint": "2101.00001", "archiveprefix": "arXiv"}),
    "an address": ("https://example.org/a_b?c=%20", {"url": "https://example.org/a_b?c=%20"}),
    "an address with a gap": ("https: //example.org/a", {"url": "https://example.org/a"}),
    "an ISBN": ("ISBN 978-3-16-148410-0.", {"isbn": "9783161484100"}),
    "a PMID": ("PMID: 12345678", {"pmid": "12345678"}),
    "none": ("Wiley", {}),
}


@pytest.mark.parametrize(("behind", "expected"), IDENTIFIERS.values(), ids=IDENTIFIERS)
def test_identifiers_as_they_are(behind, expected):
    found = fields(f"A. Byron (2003). On engines. {behind}")
    assert {
        it: found[it] for it in found.keys() & {"doi", "eprint", "archiveprefix", "url", "isbn", "pmid"}
    } == expected
    assert (found["title"], found["year"]) == ("On engines", "2003")


LINKED = {
    r"\doi{10.1000/a_b}": {"doi": "10.1000/a_b"},
    r"\href{https://doi.org/10.1000/a\_b}{Notes}": {"doi": "10.1000/a_b"},
    r"\href{https://arxiv.org/abs/2101.00001}{preprint}": {"eprint": "2101.00001", "archiveprefix": "arXiv"},
    r"\bibinfo{eprint}{arXiv:2101.00001}": {"eprint": "2101.00001", "archiveprefix": "arXiv"},
    r"\bibinfo{url}{https://example.org/a}": {"url": "https://example.org/a"},
    r"doi:10.1000/a \href{https://doi.org/10.1000/b}{Notes}": {"doi": "10.1000/a"},
}


@pytest.mark.parametrize("tex", LINKED)
def test_identifiers_that_only_commands_name(tex):
    found = fields(rf"A. Byron. \newblock On engines. \newblock {tex}, 2003.", "tex")
    assert {it: found[it] for it in found.keys() & {"doi", "eprint", "archiveprefix", "url"}} == LINKED[tex]


def test_values_are_written_so_that_tex_prints_them():
    found = fields("A. Byron and D. Knuth. 100% of A & B_c #1. Journal of Notes & More, 3(1), 2003.")
    assert found["title"] == r"100\% of A \& B\_c \#1"
    assert found["journal"] == r"Journal of Notes \& More"
    of_tex = fields(r"A. Byron. \newblock On {\em A \& B}: 50\%. \newblock {\em J. \& N.}, 3:4--5, 2003.", "tex")
    assert (of_tex["title"], of_tex["journal"], of_tex["pages"]) == (r"On A \& B: 50\%", r"J. \& N", "4--5")
    assert fields("R&D Institute, “On engines,” Notes 3, 2003.")["author"] == r"{R\&D Institute}"


@pytest.mark.parametrize(
    "words",
    ["in press", "Forthcoming", "to appear", "submitted", "in preparation", "under review", "im Druck", "à paraître"],
)
def test_what_has_not_appeared_yet(words):
    found = fields(f"A. Byron and D. Knuth. On engines. Journal of Notes. {words}.")
    assert (found["pubstate"], found["journal"]) == (words.lower(), "Journal of Notes")
    assert "publisher" not in found


def test_people_who_edited_are_no_authors():
    found = read("A. Byron and D. Knuth (eds.), On engines, Wiley, 2003.", "plain")
    assert (found.fields["editor"], "author" in found.fields) == ("A. Byron and D. Knuth", False)
    assert "editor" not in fields("A. Byron and D. Knuth, On engines, Wiley, 2003.")


def test_what_was_not_read_of_a_place_is_a_note():
    assert (
        fields(r"A. Byron. \newblock On engines. \newblock , A talk, Rome, 2003.", "tex")["note"]
        == "A talk, Rome, 2003."
    )
    assert "note" not in fields("A. Byron (2003). On engines. Journal of Notes, 3(4), 5.")
    assert "note" not in fields("A. Byron (2003). On engines")


def test_proceedings_are_a_book():
    found = read("A. Byron and D. Knuth. On engines. Conf. Proc. 3, 4–9, 2003.", "plain")
    assert (found.kind, found.fields["booktitle"], "journal" in found.fields) == ("inproceedings", "Conf. Proc", False)


NAMED = {
    "a work in a book": (
        r"\bibinfo{author}{A. Byron}, in \bibinfo{booktitle}{Memoirs} (\bibinfo{year}{2003})",
        None,
        "Memoirs",
        "2003",
    ),
    "a book": (
        r"\bibinfo{author}{A. Byron}, \bibinfo{booktitle}{Memoirs} (\bibinfo{year}{2003})",
        "Memoirs",
        "Memoirs",
        "2003",
    ),
    "a title and a book": (
        r"\bibinfo{author}{A. Byron}, \bibinfo{title}{On engines}, \bibinfo{booktitle}{Memoirs}",
        "On engines",
        "Memoirs",
        None,
    ),
    "a book of nobody": (r"\bibinfo{booktitle}{Memoirs} (\bibinfo{year}{2003})", None, "Memoirs", "2003"),
    "a year with a letter": (r"\bibinfo{title}{On engines}, \bibinfo{year}{2003a}", "On engines", None, "2003"),
    "no year yet": (r"\bibinfo{title}{On engines}, \bibinfo{year}{in press}", "On engines", None, None),
}


@pytest.mark.parametrize(("tex", "title", "book", "year"), NAMED.values(), ids=NAMED)
def test_what_a_style_names_goes_before_what_is_read(tex, title, book, year):
    found = read(tex, "tex")
    assert (found.fields.get("title"), found.fields.get("booktitle"), found.fields.get("year")) == (title, book, year)
    assert ("title" in found.unsure) == (title is None)


def test_each_field_that_a_style_names_is_taken_over():
    named = {
        "journal": "Memoirs",
        "volume": "3",
        "number": "4",
        "pages": "5",
        "publisher": "Wiley",
        "series": "LNCS",
        "edition": "2nd",
        "school": "Oxford",
        "institution": "CERN",
    }
    tex = "; ".join(rf"\bibinfo{{{name}}}{{{value}}}" for name, value in named.items())
    assert {it: fields(rf"A. Byron. \newblock On engines. \newblock {tex}", "tex")[it] for it in named} == named


LOOKED_AT = [
    "accessed 5 May 2019",
    "Accessed May 5, 2019",
    "Last accessed: May 5, 2019",
    "Retrieved 2019-05-03",
    "visited on 09/26/2019",
    "besucht am 3. März 2019",
    "consulté le 1er mai 2019",
    "zuletzt besucht am 03.05.2019",
]


@pytest.mark.parametrize("when", LOOKED_AT)
@pytest.mark.parametrize("around", ["({}).", "[{}].", "{}."])
def test_when_somebody_looked_is_no_year(when, around):
    text = f"A. Byron and D. Knuth. On engines. Journal of Notes, 3(4), 5. {around.format(when)}"
    assert "year" not in fields(text)
    assert fields(text.replace("5. ", "5, 1999. ", 1))["year"] == "1999"


def test_of_more_than_one_reference_in_a_text_only_identifiers_are_read():
    text = f"A. Byron (2003). On engines. doi:10.1000/a. {'More words. ' * 400}"
    found = read(text, "plain")
    assert (found.kind, dict(found.fields), found.unsure) == ("misc", {"doi": "10.1000/a"}, {"title"})
    assert found.plain == text[:4000]
    exactly = "A. Byron and D. Knuth. On engines. Notes 3, 4. " + "a" * 3953
    assert len(exactly) == 4000
    assert fields(exactly)["title"] == "On engines"


@pytest.mark.parametrize("text", ["", " ", "????", "17"])
def test_of_nothing_nothing_is_read(text):
    found = read(text, "plain")
    assert (found.kind, found.unsure) == ("misc", {"title"})
    assert not found.fields.keys() - {"note"}


WORDS = st.lists(
    st.sampled_from("engine notes history of the a great study in all parts".split()), min_size=2, max_size=8
)
AUTHORS = st.lists(
    st.sampled_from(["Byron, A.", "Knuth, D. E.", "Roe, V.", "van Gogh, V."]), min_size=2, max_size=4, unique=True
)


@given(WORDS, AUTHORS, st.integers(1900, 2029), st.integers(1, 999), st.integers(1, 99))
def test_the_styles_say_the_same_of_an_article(words, people, year, volume, number):
    r"""Title, people and place are what they were before a style printed them, in TeX and without."""
    title = f"Engines {' '.join(words)}"
    straight = [f"{given} {family}" for family, given in (it.split(", ") for it in people)]
    venue, place = "The Computer Journal", f"{volume}({number})"
    turned = f"{', '.join(people[:-1])}, and {people[-1]}"
    printed = {
        "APA": (f"{turned} ({year}). {title}. {venue}, {place}, 4–9.", "plain", people),
        "IEEE": (
            f"{' and '.join(straight)}, “{title},” {venue}, vol. {volume}, no. {number}, {year}.",
            "plain",
            straight,
        ),
        "MDPI": (f"{'; '.join(people)} {title}. {venue} {year}, {place}, 4–9.", "plain", people),
        "plain": (
            rf"{' and '.join(straight)}. \newblock {title}. \newblock {{\em {venue}}}, {place}:4--9, {year}.",
            "tex",
            straight,
        ),
    }
    for style, (text, markup, listed) in printed.items():
        found = read(text, markup)
        assert decode(found.fields["title"]) == title, style
        assert found.fields["author"].split(" and ") == listed, style
        assert [found.fields[it] for it in ("journal", "year", "volume", "number")] == [
            venue, str(year), str(volume), str(number),
        ], style  # fmt: skip
        assert (found.kind, found.unsure) == ("article", frozenset()), style

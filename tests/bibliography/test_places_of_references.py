"""What follows a title in a reference, and the fields and the kind that it comes to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.bibliography.printed_signs import BLOCK, BOLD, ITALIC, LIGHT, ROMAN
from citelsp.bibliography.reference_reading import places


def marked(text):
    """As it is written here: | begins a block, <…> is in italics, *…* is bold."""
    signs = {"|": BLOCK, "<": ITALIC, ">": ROMAN}
    bold = iter((BOLD, LIGHT) * text.count("*"))
    return "".join(next(bold) if it == "*" else signs.get(it, it) for it in text)


def read(text, year=""):
    return places.read(marked(text), year, marked(text))


def journal(name, **fields):
    return {"journal": name, **fields}


def book(name, **fields):
    return {"booktitle": name, **fields}


WHOLE = {
    "The Computer Journal, 27(2), 97–111.": journal("The Computer Journal", volume="27", number="2", pages="97--111"),
    "<The Computer Journal>, 27(2):97–111, 1984.": journal(
        "The Computer Journal", volume="27", number="2", pages="97--111", year="1984"
    ),
    "<Notes>, vol. 27, no. 2, pp. 97–111, Jan. 1984.": journal(
        "Notes", volume="27", number="2", pages="97--111", year="1984"
    ),
    "<J. Am. Chem. Soc.> *2008*, <130>, 16504–16505": journal(
        "J. Am. Chem. Soc", volume="130", pages="16504--16505", year="2008"
    ),
    "<J. Am. Chem. Soc.> *2008*, 130, 16504–16505": journal(
        "J. Am. Chem. Soc", volume="130", pages="16504--16505", year="2008"
    ),
    "<J. Am. Chem. Soc.> *2008*, 130(4), 16504": journal("J. Am. Chem. Soc", volume="130", number="4", year="2008"),
    "<J. Am. Chem. Soc.> *2008*, 16504–16505": journal("J. Am. Chem. Soc", pages="16504--16505", year="2008"),
    "Physics Today 12 (1959) 30–41": journal("Physics Today", volume="12", pages="30--41", year="1959"),
    "Phys. Notes X 13, no. 1 (2023): 011048.": journal("Phys. Notes X", volume="13", number="1", year="2023"),
    "Memoirs 22/3 (2017), 1146-1193.": journal("Memoirs", volume="22", number="3", pages="1146--1193", year="2017"),
    "Memoirs, 22.3-4 (2017), pp. 1146–93": journal("Memoirs", volume="22", number="3-4", pages="1146--93", year="2017"),
    "Memoirs 12, no. 3-4 (2001)": journal("Memoirs", volume="12", number="3-4", year="2001"),
    "Memoirs. 2017, 22(3), s. 1146–1193.": journal("Memoirs", volume="22", number="3", pages="1146--1193", year="2017"),
    "Memoirs. 2017, 22, s. 1146–1193.": journal("Memoirs", volume="22", pages="1146--1193", year="2017"),
    "Memoirs, Jg. 22, Heft 3, 2017, S. 1146": journal("Memoirs", volume="22", number="3", pages="1146", year="2017"),
    "Memoirs. 2010 Nov;7(11):e1001006.": journal("Memoirs", volume="7", number="11", year="2010"),
    "Memoirs. 2010 Nov 3;7:97-9": journal("Memoirs", volume="7", pages="97--9", year="2010"),
    "Memoirs. 2001;12(3).": journal("Memoirs", volume="12", number="3", year="2001"),
    "Annals of Notes, 12, e1": journal("Annals of Notes", volume="12"),
    "Comput. Entertain., vol. 3, 1999": journal("Comput. Entertain", volume="3", year="1999"),
    "Memoirs 436-444, Mai 2003": journal("Memoirs", year="2003"),
    "J. ACM 12, 3–9, 1999": journal("J. ACM", volume="12", pages="3--9", year="1999"),
    "Commun. ACM, vol. 12, 1999": journal("Commun. ACM", volume="12", year="1999"),
    "Proc. IEEE 12, 3–9": journal("Proc. IEEE", volume="12", pages="3--9"),
    "arXiv, 2003": journal("arXiv", year="2003"),
    "<Proc. Natl. Acad. Sci.> *108*, 470": journal("Proc. Natl. Acad. Sci", volume="108"),
    "<Lancet> <14>:319–326": journal("Lancet", volume="14", pages="319--326"),
    "<12>, <Lancet>": journal("Lancet"),
    "In: Memoirs of Engines 127 (2017), Nr. 1, S. 6–9": journal(
        "Memoirs of Engines", volume="127", number="1", pages="6--9", year="2017"
    ),
    # books and proceedings
    "In <Proceedings of the Conference on Engines>, pages 1–9, Dublin, 2022. Elsevier.": book(
        "Proceedings of the Conference on Engines", publisher="Elsevier", pages="1--9", year="2022"
    ),
    "In G. Doe & B. Roe (Eds.), <Memoirs of Engines> (pp. 12–34). Springer.": book(
        "Memoirs of Engines", publisher="Springer", pages="12--34"
    ),
    "In G. Doe & B. Roe (Eds.), Memoirs of Engines (pp. 12–34). Springer.": book(
        "Memoirs of Engines", publisher="Springer", pages="12--34"
    ),
    "In: Proceedings of the Workshop 127 (2017), S. 6–9": book(
        "Proceedings of the Workshop", volume="127", pages="6--9", year="2017"
    ),
    "in Proc. 45th Engine Days (ED ’15), 2015, pp. 2–3.": book("Proc. 45th Engine Days", pages="2--3", year="2015"),
    "In Mem. Eng. Notes, vol. 3, 1999": book("Mem. Eng. Notes", volume="3", year="1999"),
    "In Memoirs of Engines, pp. 1–9. Springer 2012.": book(
        "Memoirs of Engines", publisher="Springer", pages="1--9", year="2012"
    ),
    "In Memoirs of Engines, pp. 1–9. MIT Press 2012.": book(
        "Memoirs of Engines", publisher="MIT Press", pages="1--9", year="2012"
    ),
    "In Memoirs of Engines": book("Memoirs of Engines"),
    "In Memoirs of Engines. Springer, vol. 12, pp. 3–9, 1999": book(
        "Memoirs of Engines", publisher="Springer", volume="12", pages="3--9", year="1999"
    ),
    "In: Proc. Conf. Engines. Springer, vol. 12, 3–9": book(
        "Proc. Conf. Engines", publisher="Springer", volume="12", pages="3--9"
    ),
    "Mem. Eng. Notes. Springer, vol. 12, 1999": journal(
        "Mem. Eng. Notes", publisher="Springer", volume="12", year="1999"
    ),
    "en Actes du colloque, 2003": book("Actes du colloque", year="2003"),
    "<Proceedings of the Meeting on Engines, vol. 3>, 1999": book(
        "Proceedings of the Meeting on Engines", volume="3", year="1999"
    ),
    "Proc. Conf. Engines 12, 3": book("Proc. Conf. Engines", volume="12"),
    "In Memoirs, Engines, and Notes. Wiley, 2003.": {"year": "2003"},
    "In Jan. 2003": {"year": "2003"},
    # publishers
    "Springer, 2012.": {"publisher": "Springer", "year": "2012"},
    # no venue
    ", 3(1):2–9, 1984.": {"volume": "3", "number": "1", "pages": "2--9", "year": "1984"},
    "Memoirs, January 13, 2012.": {"year": "2012"},
    "Jan. 2012": {"year": "2012"},
    "Tech. rep. 12": {},
    "12 pages": {},
    "Room 101 of the club. Rome": {},
    "In Nov. 2003": {"year": "2003"},
    "<P>, <Lancet>, 3": {"journal": "Lancet"},
    "T": {},
    "": {},
}


@pytest.mark.parametrize("text", WHOLE)
def test_the_fields_of_what_follows_a_title(text):
    assert read(text) == WHOLE[text]


def test_in_words_that_begin_with_in_no_book_is_named():
    assert read("Ecology in Memoirs, 3, 4")["journal"] == "Ecology in Memoirs"
    far = "Words of an abstract " * 30
    assert "booktitle" not in read(f"{far}. In: Memoirs of Engines")


COUNTS = {
    "*12*": "12",
    "*12A*, 3": "12A",
    "*12*(3-4)": "12 3-4",
    "*12*(2003)": "12",
    "*2003*, 12": "",
    "*2003*, <12>, 3": "12",
    "Notes 12(3)": "12 3",
    "Notes 12 (3-4)": "12 3-4",
    "Notes 12 (2003)": "12",
    "Notes 12 (May 2003)": "12",
    "Notes, vol. 12": "12",
    "Notes, volume 12A": "12A",
    "Notes, Bd. 12": "12",
    "Notes, Band 12, Nr. 3": "12 3",
    "Notes, roč. 12": "12",
    "Notes. Т. 12. № 3": "12 3",
    "Notes, tome 12, n° 3": "12 3",
    "Notes, tome 12, n°3": "12 3",
    "Notes, tomo 12, nº 3": "12 3",
    "Notes 12, n° 3": "12 3",
    "Notes, n° 12 (2003)": " 12",
    "Notes, núm. 12 (2003)": " 12",
    "Notes, t. 12, nr 3": "12 3",
    "Notes, v. 12, n. 3": "12 3",
    "Notes, Jahrgang 12, Heft 3": "12 3",
    "Notes 12, issue 3": "12 3",
    "Notes, issue 3": " 3",
    "Notes, number 3–4": " 3–4",
    "Notes, no. 12 (2003)": " 12",
    "Notes, pages 12 (2003)": "",
    "Notes, 12, 345": "12",
    "Notes, 12, 345–67": "12",
    "Notes 12:345": "12",
    "Notes 12: e345": "12",
    "Notes 12(3):345": "12 3",
    "Notes 12 (meeting), 345": "12",
    "Notes 12, p. 345": "12",
    "Notes 840 1–32": "840",
    "Notes 2003 1–32": "",
    "Notes 2003, 12, 345": "12",
    "Notes 2003, 2004, 345": "",
    "Notes. 2003;12:345": "12",
    "Notes. 2003;12(3):345": "12 3",
    "Notes. 2003 May 2;12:345": "12",
    "Notes. 2003;12": "12",
    "Notes, p. 3, 4": "",
    "Notes, art. 12, 13": "",
    "Notes, 13 May 2003": "",
    "Notes, May 13, 2003": "",
    "Notes, 12": "",
}


@pytest.mark.parametrize("text", COUNTS)
def test_volume_and_number_as_styles_and_languages_print_them(text):
    volume, _, number = COUNTS[text].partition(" ")
    fields = read(text)
    assert (fields.get("volume", ""), fields.get("number", "")) == (volume, number)


PAGES = {
    "pp. 97–111": "97--111",
    "pp. 97 - 111": "97--111",
    "pp. 97--111": "97--111",
    "p. 97": "97",
    "pages 97-111": "97--111",
    "page A4": "A4",
    "Seiten 4–6": "4--6",
    "S. 4–6": "4--6",
    "С. 4–6": "4--6",
    "págs. 4–6": "4--6",
    "páginas 4–6": "4--6",
    "pp. A12–A15": "A12--A15",
    "Notes, 12, 97–111, pp. 3–4": "3--4",
    "Notes, 12, 97−111": "97--111",
    "Notes, 12, L97–L111": "L97--L111",
    "Notes 1998–2003, 97–111": "97--111",
    "Notes 2003-04, 97–111": "97--111",
    "Notes 1998–1999": "",
    "Notes, number 3-4": "",
    "Notes 12, 71:1–71:32": "",
    "Notes (97–111)": "",
    "Notes, 4–6 May 2003": "",
    "Notes, 286 pages": "",
    "Notes, pp. 12.5 pages": "",
    "Notes 12(3), 345": "",
}


@pytest.mark.parametrize("text", PAGES)
def test_pages_as_styles_and_languages_print_them(text):
    assert read(text).get("pages", "") == PAGES[text]


YEARS = {
    "Notes, 2003": "2003",
    "Notes (2003)": "2003",
    "Notes (2003a)": "2003",
    "Notes [May 2003]": "2003",
    "Notes (2003, in print)": "2003",
    "Notes (May 2003) of 1999": "2003",
    "Notes 2003, 2003": "2003",
    "Notes 1999 and 2003": "",
    "Notes (1999) and (2003)": "",
    "Notes 1998–2003": "",
    "Notes 12/2003": "",
    "Notes, pp. 2003–2014, 1999": "1999",
    "Notes, 20034": "",
    "Notes, 2103": "",
    "Notes, 1399": "",
    "Notes, 1400": "1400",
}


@pytest.mark.parametrize("text", YEARS)
def test_a_year_is_read_if_it_is_the_only_one(text):
    assert read(text).get("year", "") == YEARS[text]


def test_a_year_that_was_read_before_is_not_read_again():
    assert "year" not in read("Notes 12 (2003)", year="1999")


def test_the_year_may_stand_before_the_title():
    assert places.read("Notes 12", "", "A. Byron (1999). On engines. Notes 12")["year"] == "1999"
    assert places.read("Notes 12 (2003)", "", "A. Byron (1999). On engines. Notes 12 (2003)")["year"] == "2003"


@given(
    st.sampled_from(["Memoirs of Engines", "The Computer Journal", "Notes & Queries", "Annales de Physique"]),
    st.integers(1, 999),
    st.integers(1, 99),
    st.integers(1, 1399),
    st.integers(1, 200),
    st.integers(1900, 2029),
)
def test_the_orders_in_which_styles_print_a_place_say_the_same(name, volume, number, first, more, year):
    last = first + more
    expected = journal(name, volume=str(volume), number=str(number), pages=f"{first}--{last}", year=str(year))
    for text in (
        f"<{name}>, {volume}({number}), {first}–{last}, {year}.",
        f"<{name}> *{volume}*({number}), {first}–{last} ({year})",
        f"{name}, vol. {volume}, no. {number}, pp. {first}–{last}, {year}.",
        f"{name} {volume}, no. {number} ({year}): {first}–{last}.",
        f"{name}. {year};{volume}({number}):{first}-{last}.",
        f"{name}. {year}, {volume}({number}), s. {first}–{last}.",
    ):
        assert read(text) == expected, text


KINDS = {
    "an article": ({"journal": "Notes", "volume": "3"}, "Notes 3", "Notes 3", "article"),
    "a journal by its name": ({"journal": "Journal of Engines"}, "", "Journal of Engines", "article"),
    "a periodical in italics": ({"journal": "Notes"}, "", f"{ITALIC}Notes{ROMAN}", "article"),
    "a place that may be anything": ({"journal": "Notes"}, "", "Notes", "misc"),
    "a preprint": ({"journal": "arXiv", "volume": "2101"}, "", "arXiv", "misc"),
    "proceedings": ({"booktitle": "Proceedings of the Meeting"}, "", "", "inproceedings"),
    "a conference": ({"booktitle": "International Conference on Engines"}, "", "", "inproceedings"),
    "a chapter": ({"booktitle": "Memoirs of Engines"}, "", "", "incollection"),
    "a book": ({"publisher": "Wiley"}, "", "", "book"),
    "a book by its ISBN": ({"isbn": "9783161484100"}, "", "", "book"),
    "a page": ({"url": "https://example.org/"}, "", "", "online"),
    "a preprint with an address": ({"url": "https://example.org/", "eprint": "2101.00001"}, "", "", "misc"),
    "nothing": ({}, "", "", "misc"),
    "a thesis": ({}, "A. Byron. Engines. PhD thesis, Oxford", "", "phdthesis"),
    "a German thesis": ({}, "A. Byron. Engines. Dissertation, Berlin", "", "phdthesis"),
    "a French thesis": ({}, "A. Byron. Engines. Thèse, Paris", "", "phdthesis"),
    "of a thesis in a journal": ({"journal": "Notes", "volume": "3"}, "My dissertation. Notes 3", "", "article"),
    "a master's thesis": ({}, "A. Byron. Engines. Master’s thesis, Oxford", "", "mastersthesis"),
    "a German master's thesis": ({}, "A. Byron. Engines. Masterarbeit, Berlin", "", "mastersthesis"),
    "a report": ({}, "A. Byron. Engines. Tech. Rep. 12, CERN", "", "techreport"),
    "a working paper": ({}, "A. Byron. Engines. Working Paper 12", "", "techreport"),
    "of a report in a journal": (
        {"title": "A technical report", "journal": "Notes", "volume": "3"},
        "A. Byron. A technical report. Notes 3",
        "",
        "article",
    ),
    "of bachelors in a journal": (
        {"title": "Bachelor engines", "journal": "Notes", "volume": "3"},
        "A. Byron. Bachelor engines. Notes 3",
        "",
        "article",
    ),
    "a series of reports read as a journal": (
        {"title": "Engines", "journal": "NBER Working Paper"},
        "A. Byron. Engines. NBER Working Paper 12",
        "",
        "techreport",
    ),
}


@pytest.mark.parametrize(("fields", "plain", "rest", "kind"), KINDS.values(), ids=KINDS)
def test_the_kind_of_a_reference(fields, plain, rest, kind):
    assert places.kind_of(fields, plain, rest) == kind

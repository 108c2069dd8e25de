"""Places of works that are cited without a title: nothing but a journal, its volume and a page."""

import pytest

from citelsp.bibliography.reference_reading import untitled
from citelsp.bibliography.reference_reading.untitled import PlaceAlone

CUT_SHORT = {
    "Phys. Rev. Lett. 95, 110405 (2005)": ("Phys. Rev. Lett", "95", "", "110405", "2005"),
    "Rev. Mod. Phys., vol. 81, p. 109, 2009": ("Rev. Mod. Phys", "81", "", "109", "2009"),
    "MNRAS, 499, L95": ("MNRAS", "499", "", "L95", ""),
    "JHEP 04 (2008) 063": ("JHEP", "04", "", "063", "2008"),
    "Phys. Lett. B 716 (2012) 1-29": ("Phys. Lett. B", "716", "", "1--29", "2012"),
    "J. Am. Chem. Soc. 2008, 130, 16504 – 16505": ("J. Am. Chem. Soc", "130", "", "16504--16505", "2008"),
    "Z. Phys. 10(3): 12, 1922": ("Z. Phys", "10", "3", "12", "1922"),
    "Z. Phys. 10, no. 3, 12 (1922)": ("Z. Phys", "10", "3", "12", "1922"),
    "Z. Phys. 10 (1922), no. 3, 12": ("Z. Phys", "10", "3", "12", "1922"),
    "Z. Phys. 10 12 (1922)": ("Z. Phys", "10", "", "12", "1922"),
    "Proc. R. Soc. London, Ser. A 392, 45 (Jan. 1984)": ("Proc. R. Soc. London, Ser. A", "392", "", "45", "1984"),
}
NAMED = {
    "Science, 337, 444": ("Science", "337", "", "444", ""),
    "Physical Review Letters, 116, 061102 (2016).": ("Physical Review Letters", "116", "", "061102", "2016"),
    "Living Rev. Relativity, 21, 4": ("Living Rev. Relativity", "21", "", "4", ""),
    "Memoirs 1843, 12, 34": ("Memoirs", "12", "", "34", "1843"),
    "Memoirs 12, pp. 3 -- 9.": ("Memoirs", "12", "", "3--9", ""),
    "Memoirs 12 34 (1943)": ("Memoirs", "12", "", "34", "1943"),
    "364, 1105 (2005), astro-ph/0505010": ("", "364", "", "1105", "2005"),
    "Memoirs, 12, 34, arXiv:1210.0032 [astro-ph]": ("Memoirs", "12", "", "34", ""),
    "Memoirs, 12, 34 [hep-th/9901001]": ("Memoirs", "12", "", "34", ""),
}


@pytest.mark.parametrize("text", CUT_SHORT)
def test_a_journal_that_is_cut_short_begins_a_place(text):
    place = PlaceAlone(*CUT_SHORT[text])
    assert untitled.read_at_beginning(text) == place
    assert untitled.read_at_beginning(f"{text}; and more that is not read") == place
    assert untitled.read_alone(text) == place


@pytest.mark.parametrize("text", NAMED)
def test_a_place_that_is_all_there_is(text):
    assert untitled.read_alone(text) == PlaceAlone(*NAMED[text])
    assert untitled.read_alone(f"A sketch of engines. Their notes. {text}") is None, "a title stands before it"


def test_a_journal_whose_page_could_not_be_read():
    assert untitled.read_at_beginning("Phys. Rev. D 98 (2018)") == PlaceAlone("Phys. Rev. D", "98")
    assert untitled.read_at_beginning("Phys. Rev. D 98") is None


@pytest.mark.parametrize(
    "text", ["Nature 521, 436", "On engines 3, 4", "Engines, a history", "Phys. Rev. B 2005, 12", ""]
)
def test_what_may_be_a_title_begins_no_place(text):
    assert untitled.read_at_beginning(text) is None


@pytest.mark.parametrize(
    ("text", "year", "is_place"),
    [
        ("Engines, 2, 2010", "", False),
        ("Engines, 2, 2010", "2010", False),
        ("Engines, 2, 2010", "2012", True),
        ("Engines, 2, 2010 (2012)", "", True),
        ("Interview: January 13, 2005", "", False),
    ],
    ids=["the only year", "the year again", "another year", "another year in brackets", "a date"],
)
def test_a_year_in_the_place_of_a_page_may_end_a_title(text, year, is_place):
    place = untitled.read_alone(text, year)
    assert (place is not None) == is_place
    assert place is None or place.pages == "2010"


@pytest.mark.parametrize(
    "text",
    ["arXiv", "arXiv preprint", "ArXiv e-prints.", "eprint arXiv", "arXiv (2012)", "in Roe V., ed., Memoirs. p. 1"],
)
def test_a_server_of_preprints_and_a_book_are_places_without_fields(text):
    assert untitled.read_alone(text) == PlaceAlone()
    assert PlaceAlone().fields == {}


@pytest.mark.parametrize("text", ["On engines", "On arXiv", "in engines we trust", "arXiv and its readers", ""])
def test_a_title_is_no_place(text):
    assert untitled.read_alone(text) is None


def test_the_fields_of_a_place_are_those_that_are_there():
    assert PlaceAlone("Science", "337", pages="444").fields == {"journal": "Science", "volume": "337", "pages": "444"}


@pytest.mark.parametrize(
    ("text", "journal"),
    {
        "Nano Lett. 2008, 130, 16504": "Nano Lett",
        "Nano. 2008, 130, 16504": "Nano",
        "Chemical Reviews 2008, 130, 16504": "Chemical Reviews",
        "On engines. Notes 2008, 130, 16504": "",
        "Engines [in translation] 2008, 130, 16504": "",
        "2008, 130, 16504": "",
        "Notes 130, 12 (2008)": "",
    }.items(),
)
def test_a_name_before_a_year_with_volume_and_page_is_a_journals(text, journal):
    place = untitled.read_alone_behind_year(text)
    assert place == (PlaceAlone(journal, "130", "", "16504", "2008") if journal else None)

import pytest

from citelsp.bibliography import names
from citelsp.bibliography.bylines import byline
from citelsp.bibliography.names import Name


@pytest.mark.parametrize(
    ("name", "written"),
    [
        (Name("Zuylen", "Madeleine van"), "van Zuylen, Madeleine"),
        (Name("van Zuylen", "Madeleine"), "van Zuylen, Madeleine"),
        (Name("Cruz", "Ana de la"), "de la Cruz, Ana"),
        (Name("Alembert", "Jean d’"), "d’Alembert, Jean"),
        (Name("De Vos", "S."), "De Vos, S."),
        (Name("King Jr.", "Martin Luther"), "King, Jr., Martin Luther"),
        (Name("Gates", "Henry Louis, III"), "Gates, III, Henry Louis"),
        (Name("Gates", "Henry", "Jr."), "Gates, Jr., Henry"),
        (Name("Team", "Gemma"), "{Gemma Team}"),
        (Name("Collaboration", "The ATLAS"), "{The ATLAS Collaboration}"),
        (Name("OpenAI", literal=True), "{OpenAI}"),
        (Name("Plato"), "Plato"),
        (Name("张", "三"), "张, 三"),
        (Name("others"), "{others}"),
        (Name("Procter and Gamble", "X"), "{Procter and Gamble}, X"),
    ],
)
def test_one_name(name, written):
    assert byline([name]) == written


def test_a_cut_list():
    assert byline([Name("A", "B"), Name("C", "D")], complete=False) == "A, B and C, D and others"
    assert byline([], complete=False) == ""


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Peng, Xi", Name("Peng", "Xi")),
        ("Millar, SR", Name("Millar", "SR")),
        ("PENG, XI", Name("PENG", "XI")),
        ("Le Tran, Vi", Name("Le Tran", "Vi")),
        ("Henry Louis Gates, III", Name("Gates", "Henry Louis", "III")),
        ("Martin King, Jr.", Name("King", "Martin", "Jr.")),
        ("m. R. Dashti", Name("Dashti", "m. R.")),
    ],
)
def test_what_is_no_suffix_and_no_particle(written, name):
    assert names.parse_one(written) == name

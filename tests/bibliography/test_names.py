import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.bibliography import names
from citelsp.bibliography.names import Name


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Donald E. Knuth", Name("Knuth", "Donald E.")),
        ("Knuth, Donald E.", Name("Knuth", "Donald E.")),
        ("Ludwig van Beethoven", Name("van Beethoven", "Ludwig")),
        ("van der Berg, Jan", Name("van der Berg", "Jan")),
        ("King, Jr., Martin Luther", Name("King", "Martin Luther", "Jr.")),
        ("Martin Luther King, Jr.", Name("King", "Martin Luther", "Jr.")),
        ("{World Health Organization}", Name("World Health Organization", literal=True)),
        ("{\\'E}mile Zola", Name("Zola", "Émile")),
        ('{\\"O}zg{\\"u}r {Le Grand}', Name("Le Grand", "Özgür")),
        ("Jean d'Alembert", Name("d'Alembert", "Jean")),
        ("Wei Wang 0001", Name("Wang", "Wei")),
        ("0001, Wei Wang", Name("Wang", "Wei")),
        ("III, Hal Daumé", Name("Daumé", "Hal", "III")),
        ("Jr., Harry T. {La Rue}", Name("La Rue", "Harry T.", "Jr.")),
        ("II, M. A.", Name("II", "M. A.")),
        ("张三", Name("张三")),
        ("OpenAI", Name("OpenAI")),
        ('"family=Harman", "given=Hans"', Name("Harman", "Hans")),
        ("family=Harman, given=Hans, suffix=Jr.", Name("Harman", "Hans", "Jr.")),
        ("van Beethoven Jr.", Name("van Beethoven", "", "Jr.")),
        ("family=Harman, given=Hans, prefix=van", Name("van Harman", "Hans")),
        (
            "Charles Louis Xavier Joseph de la Vall{\\'e}e Poussin",
            Name("de la Vallée Poussin", "Charles Louis Xavier Joseph"),
        ),
    ],
)
def test_one_name(written, name):
    assert names.parse(written) == ((name,), False)


def test_lists():
    found, truncated = names.parse("Smith, A. and {Barnes and Noble} and\n  Doe, Jane AND others")
    assert [it.family for it in found] == ["Smith", "Barnes and Noble", "Doe"]
    assert truncated
    assert names.parse("A. Smith et al.") == ((Name("Smith", "A."),), True)
    for written in (r"Smith {\it et al.}, A.", r"Smith \emph{et al}, A.", "Smith et al., A."):
        assert names.parse(written) == ((Name("Smith", "A."),), True)
    assert names.parse("{A. Smith et al.}") == ((Name("A. Smith", literal=True),), True)
    for others in (
        "{others}",
        "al. Et",
        "Et, Al.",
        "{al.}, et",
        "al, et",
        "al., et.",
        r"\textit{ et al}",
        r"{\em et al.}",
    ):
        assert names.parse(f"A. Smith and {others}") == ((Name("Smith", "A."),), True)
    assert len(names.parse(" and ".join(["Doe, Jane"] * 10_000))[0]) == 10_000


def test_keys():
    assert names.family_key(Name("van der Berg")) == names.family_key(Name("Berg")) == "berg"
    assert names.family_key(Name("Müller")) == names.family_key(Name("Muller"))
    assert names.family_key(Name("O'Neil-Roe")) == names.family_key(Name("ONeil Roe")) == "oneilroe"
    assert names.family_key(Name("de Gruyter-Haus", literal=True)) == "degruyterhaus"
    assert names.initials(Name("X", "Jean-Paul B.")) == "jpb"


@given(st.text(alphabet=st.sampled_from("ab AB,{}\\\"'~-. andé="), max_size=80))
def test_any_text_is_parsed(text):
    names.parse(text)

"""Lists of people as references print them, and what they are in BibTeX."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.bibliography.reference_reading import people

LISTS = {
    # initials before the family name
    "D. E. Knuth": "D. E. Knuth",
    "D. E. Knuth and A. Byron": "D. E. Knuth and A. Byron",
    "D. E. Knuth, A. Byron, and C. Babbage": "D. E. Knuth and A. Byron and C. Babbage",
    "D. E. Knuth, A. Byron & C. Babbage": "D. E. Knuth and A. Byron and C. Babbage",
    # … and behind it
    "Knuth, D. E.": "Knuth, D. E.",
    "Knuth, D. E., Byron, A., and Babbage, C.": "Knuth, D. E. and Byron, A. and Babbage, C.",
    "Knuth, D. E., & Byron, A.": "Knuth, D. E. and Byron, A.",
    "Knuth, D.E.; Byron, A.": "Knuth, D.E. and Byron, A.",
    "Knuth, D. E., A. Byron, and C. Babbage": "Knuth, D. E. and A. Byron and C. Babbage",
    "Knuth, DE, Byron, A": "Knuth, DE and Byron, A",
    "Knuth DE, Byron A": "Knuth, D. E. and Byron, A.",
    "Knuth D.E., Byron A.": "Knuth, D.E. and Byron, A.",
    "Knuth D.-E.": "Knuth, D.-E.",
    "Wied M.A.M.L.T.V.": "Wied, M.A.M.L.T.V.",
    "Sartre J-P": "Sartre, J.-P.",
    "van der Waals JD": "van der Waals, J. D.",
    "de la Cruz, J., Byron, A.": "de la Cruz, J. and Byron, A.",
    "Dijk, H. K. van, Byron, A.": "Dijk, H. K. van and Byron, A.",
    "Byron, A. and Waals, J. van der": "Byron, A. and Waals, J. van der",
    "E. Roe, C. E. van, A. Byron": "E. Roe and C. E. van and A. Byron",
    "KOB, W., LEE, H. C.": "KOB, W. and LEE, H. C.",
    "Ivanov, Yu., Byron, A.": "Ivanov, Yu. and Byron, A.",
    "Lü, X., Byron, A.": "Lü, X. and Byron, A.",
    # names in full
    "Donald Knuth and Ada Byron": "Donald Knuth and Ada Byron",
    "van Gogh Vincent, Ada Byron": "van Gogh Vincent and Ada Byron",
    "van Gogh, Vincent, Ada Byron": "van Gogh, Vincent and Ada Byron",
    "de la Cruz, Juan, van der Waals, Jan": "de la Cruz, Juan and van der Waals, Jan",
    "Plato and Ada Byron": "{Plato} and Ada Byron",
    "Donald Knuth, Ada Byron": "Donald Knuth and Ada Byron",
    "Knuth, Donald, Ada Byron, and Charles Babbage": "Knuth, Donald and Ada Byron and Charles Babbage",
    "Knuth, Donald, Byron, Ada": "Knuth, Donald and Byron, Ada",
    "BYRON, Ada, LEE, Don": "BYRON, Ada and LEE, Don",
    "Zhenhui (Jack) Jiang and Ada Byron": "Zhenhui Jiang and Ada Byron",
    "Jean d’Alembert and Ada Byron": "Jean d’Alembert and Ada Byron",
    # suffixes
    "Miller, J., Jr., & Roe, V.": "Miller, Jr., J. and Roe, V.",
    "M. L. King, Jr., and V. Roe": "King, Jr., M. L. and V. Roe",
    "Vera Roe, Martin King, III": "Vera Roe and King, III, Martin",
    "King ML, Jr., Roe V": "King, Jr., M. L. and Roe, V.",
    "Miller, J., III, Roe, V.": "Miller, III, J. and Roe, V.",
    "Wetzler, N., Heule, M., Jr., W.A.H.": "Wetzler, N. and Heule, M. and Jr., W.A.H.",
    # words and signs that join
    "Ada Byron und Donald Knuth": "Ada Byron and Donald Knuth",
    "Ada Byron et Donald Knuth": "Ada Byron and Donald Knuth",
    "Ada Byron y Donald Knuth": "Ada Byron and Donald Knuth",
    "Ada Byron e Donald Knuth": "Ada Byron and Donald Knuth",
    "Ada Byron with Donald Knuth": "Ada Byron and Donald Knuth",
    "Ada Byron u. Donald Knuth": "Ada Byron and Donald Knuth",
    "Byron, A. - Knuth, D.": "Byron, A. and Knuth, D.",
    "Byron, A. / Knuth, D.": "Byron, A. and Knuth, D.",
    "Byron, A.; Babbage, C. and Hopper, G.": "Byron, A. and Babbage, C. and Hopper, G.",
    "Byron, A.; Babbage, Charles; Hopper, G. & Roe, V.": ("Byron, A. and Babbage, Charles and Hopper, G. and Roe, V."),
    "Byron, A.； Knuth, D.": "Byron, A. and Knuth, D.",
    "Byron, A.; and Knuth, D.": "Byron, A. and Knuth, D.",
    "Ada Byron; Donald Knuth and Vera Roe": "Ada Byron and Donald Knuth and Vera Roe",
    # brackets
    "Clavert (Frédéric) et Legendre (Olivier)": "Clavert, Frédéric and Legendre, Olivier",
    # other scripts
    "张三, 李四": "{张三} and {李四}",
    "张三、李四": "{张三} and {李四}",
    "Иванов И. И., Петров П.П.": "Иванов, И. И. and Петров, П.П.",
    "Иванов ИИ, Петров П": "Иванов, И. И. and Петров, П.",
    "Dupont É., Åkesson Ö": "Dupont, É. and Åkesson, Ö.",
    # organisations
    "World Health Organization": "{World Health Organization}",
    "The ATLAS Collaboration": "{The ATLAS Collaboration}",
    "The ATLAS Collaboration, A. Byron": "{The ATLAS Collaboration} and A. Byron",
    "National Institute of Standards and Technology": "{National Institute of Standards and Technology}",
    "LIGO Collaboration and Virgo Collaboration": "{LIGO Collaboration} and {Virgo Collaboration}",
}


@pytest.mark.parametrize("text", LISTS)
def test_a_list_of_people_in_the_order_of_bibtex(text):
    found = people.read(text)
    assert (str(found), found.sure, found.truncated, found.are_editors) == (LISTS[text], True, False, False)


@pytest.mark.parametrize("text", LISTS)
@pytest.mark.parametrize("around", ["{},", "{}:", " {} ;", "{}\n"])
def test_signs_and_gaps_around_a_list_are_no_part_of_it(text, around):
    assert people.read(around.format(text)).listed == people.read(text).listed


MORE = [
    "et al.", "et al", ", et al.", "and others", ", and others", "; et al.", "& others", "et. al.", "u. a.", "et coll.",
    "and 32 others", "and collaborators", "and co-workers", "and coworkers", "...", "…", ", …", "и др.", "等", ", 等",
]  # fmt: skip


@pytest.mark.parametrize("more", MORE)
def test_a_list_that_names_only_the_first(more):
    found = people.read(f"Byron, A., Knuth, D. {more}")
    assert (str(found), found.truncated, found.sure) == ("Byron, A. and Knuth, D. and others", True, True)


@pytest.mark.parametrize("gap", [", . . . ", ", … ", ", …, & ", " ... ", ", ... "])
def test_whoever_stands_behind_a_gap_is_the_last_of_many(gap):
    found = people.read(f"Byron, A., Knuth, D.{gap}Roe, V.")
    assert (str(found), found.truncated, found.sure) == ("Byron, A. and Knuth, D. and others", True, True)


EDITORS = [
    "(Eds.)",
    "(eds.)",
    "(ed.)",
    ", editors",
    ", ed.",
    "(Ed.),",
    "(Hrsg.)",
    "(Hg.):",
    "(éds.)",
    "(coord.)",
    "(dir.)",
]


@pytest.mark.parametrize("word", EDITORS)
def test_editors_are_told_from_authors(word):
    found = people.read(f"A. Byron and D. Knuth {word}")
    assert (str(found), found.are_editors, found.sure) == ("A. Byron and D. Knuth", True, True)
    # Only at the end: a name may have such letters.
    assert not people.read("A. Edson and D. Knuth").are_editors


@pytest.mark.parametrize("text", ["", " ,; ", "et al.", "(eds.)", "…"])
def test_nobody_is_listed(text):
    assert people.read(text) == people.NOBODY


NO_LISTS = {
    "a sentence": "On the engine and its notes",
    "small letters": "engines and notes",
    "a number": "Notes 17",
    "a year": "A. Byron 1843",
    "more words than a name has": "The Analytical Engine And All Of Its Many Notes",
    "initials alone": "J.D., Ada Byron",
    "initials of nobody": "K. L. and J. Roe",
    "particles alone": "van der",
    "a sign": "A. Byron + D. Knuth",
    "a title behind the last name": "A. Byron and D. Knuth, on engines",
    "more than any paper has": ", ".join(["A. Byron"] * 501),
}


@pytest.mark.parametrize("text", NO_LISTS.values(), ids=NO_LISTS)
def test_what_is_no_list_of_people_is_not_sure(text):
    assert not people.read(text).sure


def test_as_many_people_as_a_large_collaboration_has():
    assert len(people.read(", ".join(["A. Byron"] * 500)).listed) == 500
    assert people.read(", ".join(["A. Byron"] * 500)).sure


FAMILIES = st.sampled_from(
    ["Byron", "Knuth", "van Gogh", "O’Brien", "Müller-Lüdenscheidt", "Łukasz", "Ng", "de la Cruz"]
)
INITIALS = st.sampled_from(["A.", "D. E.", "J.-P.", "É.", "B. C. D."])
PEOPLE = st.lists(st.tuples(FAMILIES, INITIALS), min_size=2, max_size=7, unique=True)


@given(PEOPLE)
def test_the_orders_of_styles_say_the_same(listed):
    """What is compared with records are family names and initials, whichever style printed them."""
    turned = [f"{family}, {given}" for family, given in listed]
    for text in (
        "; ".join(turned),
        f"{', '.join(turned[:-1])}, and {turned[-1]}",
        f"{', '.join(turned[:-1])} & {turned[-1]}",
        ", ".join(turned),
    ):
        assert (list(people.read(text).listed), people.read(text).sure) == (turned, True)
    straight = [f"{given} {family}" for family, given in listed]
    for text in (f"{', '.join(straight[:-1])}, and {straight[-1]}", ", ".join(straight), " and ".join(straight)):
        assert (list(people.read(text).listed), people.read(text).sure) == (straight, True)


GROUPS = {
    "IEA": "{IEA}",
    "U. S. Department of Energy": "{U. S. Department of Energy}",
    "OECD Publishing and Notes, ": "{OECD Publishing and Notes}",
    "Byron, A. Notes on an": "",
    "Notes on an engine: a history": "",
    "World Bank 2020": "",
    "17 engines": "",
    "": "",
    "Society for the Study of All of the Great Engines": "{Society for the Study of All of the Great Engines}",
    "The Society for the Study of All of the Great Engines": "",
}


@pytest.mark.parametrize("text", GROUPS)
def test_an_organisation_where_people_are_expected(text):
    found = people.read_group(text)
    assert (str(found), found.sure) == (GROUPS[text], GROUPS[text] != "")
    assert not found.are_editors and not found.truncated


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "The ATLAS Collaboration": True,
        "MITRE Corporation et al.": True,
        "institute of engines": False,
        "Ada Byron": False,
        "The Institute of Engines and of All Other Machines": False,
        "": False,
    }.items(),
)
def test_the_name_of_an_organisation_alone(text, expected):
    assert people.is_group(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "A. Byron, Engines": True,
        "Byron, A., Engines": True,
        "Byron, A.: Engines": True,
        "and A. Byron, D. Knuth": True,
        "et al., Engines": True,
        "A. B., Engines": True,
        "and Donald Knuth": True,
        "D. Knuth": True,
        "On engines and A. Byron": False,
        "Engines, a history": False,
        "And now for engines": False,
    }.items(),
)
def test_what_goes_on_with_names_was_cut_too_early(text, expected):
    assert people.begins_with_names(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "A. Byron": (True, True),
        "Byron, A.": (True, True),
        "Byron A": (True, True),
        "Ada Byron": (False, True),  # two words may be a title
        "Ada Byron and Donald Knuth": (True, True),
        "Ada Byron et al.": (True, True),
        "Plato": (False, False),
        "A. Byron, D. Knuth, and Plato": (True, False),
        "Plato and A. Byron": (True, False),
        "On engines": (False, False),
        "World Health Organization": (False, False),
    }.items(),
)
def test_what_may_be_people_and_has_whole_names(text, expected):
    assert (people.are_likely(text), people.are_complete(text)) == expected


def test_names_with_the_given_ones_in_brackets():
    assert people.are_bracketed("Clavert (Frédéric) et Legendre (Olivier)")
    assert people.are_bracketed("Clavert (Frédéric)")
    assert not people.are_bracketed("Clavert (Frédéric) et Olivier Legendre")
    assert not people.are_bracketed("Ada Byron")

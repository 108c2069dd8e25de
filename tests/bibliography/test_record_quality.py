"""What shows that a field of a record broke on its way into an index, and what only looks so."""

from dataclasses import replace

import pytest

from citelsp.base.text import Document
from citelsp.bibliography import names, record_quality, repair_field
from citelsp.bibliography.names import Name
from citelsp.bibliography.tolerant_comparison.all_fields import compare
from citelsp.bibliography.tolerant_comparison.venue import find_venue_name
from citelsp.sources.clean import display_name
from citelsp.syntax.bibtex import parsing
from written_references import PAPER, cited

CITED = "Karl J. Friston and Jean Daunizeau and Stefan J. Kiebel"
BROKEN = [
    ["Karl J. Friston et al."],
    ["et al. Karl J. Friston", "Jean Daunizeau"],
    ["Jean Daunizeau", "K. J. (Eds.) Friston"],
    ["K. J. Friston", "Coauthors"],
    ["Karl J. Friston Jean Daunizeau", "Stefan J. Kiebel"],
    ["S. J. Kiebel K. J. Friston", "J. Daunizeau"],
    ["Kiebel S J Daunizeau J Friston K J"],
    ["KJ, Daunizeau", "J, Kiebel", "SJ. Friston"],
    ["Friston, K. J., Daunizeau", "Kiebel"],
    ["2009. Friston K", "Daunizeau J", "Kiebel S"],
    ["K.", "Jean Daunizeau", "Stefan J. Kiebel"],
    ["Karl Friston", "Jean Daunizeau", "Stefan Kiebel", "Karl Friston", "Jean Daunizeau", "Stefan Kiebel"],
    ["Karl Friston", "Jean Daunizeau", "Stefan Kiebel", "Karl Friston"],
    ["KJF", "Jean Daunizeau", "Marie Curie"],
    ["Karl Friston", "Wellcome Trust Centre for Neuroimaging at Queen Square"],
    ["Karl Fristonand Jean Daunizeau", "Marie Curie"],
    ["Karl Friston"],  # the first author, whom publishers register alone
]
WHOLE = [
    ["Friston", "Daunizeau", "Kiebel"],
    ["Plato", "Aristotle", "Marie Curie"],
    ["Karl Friston", "Karl Friston", "Jean Daunizeau", "Stefan Kiebel"],  # as registries list one person
    ["Karl Friston", "Jean Daunizeau", "Marie Curie"],
    ["Jean Daunizeau", "Karl Friston", "Stefan Kiebel"],
    ["Karl Friston", "Jean Daunizeau"],  # whom somebody else may have been added to
    ["Friston KJ", "Daunizeau J", "Curie M"],
    ["Karl Friston", "The 1000 Genomes Project Consortium"],
    ["Karl Friston", "Maria da Conceição dos Santos de Sousa"],
    ["Karl Friston", "Weinan E"],
]


def people(*written):
    return [display_name(it) for it in written]


@pytest.mark.parametrize("recorded", BROKEN)
def test_lists_that_were_cut_or_fused(recorded):
    assert not record_quality.is_whole_list(people(*recorded), names.parse(CITED)[0])


@pytest.mark.parametrize("recorded", WHOLE)
def test_lists_of_other_people(recorded):
    assert record_quality.is_whole_list(people(*recorded), names.parse(CITED)[0])


@pytest.mark.parametrize("recorded", ["Zoltn Szab", "Zolt n Szab ", "Zolt?n Szab?", "Zoltn Szabó"])
def test_a_list_that_lost_its_letters(recorded):
    cited_people = names.parse("Romain Brault and Zoltán Szabó and Ada Byron")[0]
    assert not record_quality.is_whole_list(people("Romain Brault", recorded, "Marie Curie"), cited_people)
    assert record_quality.is_whole_list(people("Romain Brault", "Zoltan Szabo", "Marie Curie"), cited_people)


def test_two_families_of_one_person():
    cited_people = names.parse("María García López and Juan López")[0]
    assert record_quality.is_whole_list(people("Maria Garcia Lopez", "Ana Ruiz"), cited_people)


def test_a_source_that_lists_everybody_cuts_no_list():
    cited_people = names.parse("A. Ada and B. Byron")[0]
    assert not record_quality.is_whole_list(people("A. Ada"), cited_people, "semantic_scholar")
    assert record_quality.is_whole_list(people("A. Ada"), cited_people, "dblp")


def test_an_index_that_cuts_its_lists():
    cited_people = names.parse("A. Ada and B. Byron and C. Curie and D. Dirac")[0]
    assert not record_quality.is_whole_list(people("A. Ada", "B. Byron"), cited_people)
    assert record_quality.is_whole_list(people("A. Ada", "B. Bohr"), cited_people)


@pytest.mark.parametrize(
    "name",
    [
        "https://doi.org/10",
        "10.1038/nature",
        "Eds. A. Ada",
        "(ed.) Minds",
        "Machine Learning 37 (",
        "MIT Press",
        "Nature Publishing Group",
        "Astronomy & Astrophysics, Volume 644, id. A31",
        "Physical Review <B>B</B>",
    ],
)
def test_what_is_no_venue(name):
    assert not record_quality.is_name_of_a_venue(name)


@pytest.mark.parametrize("name", ["Science (New York, N.Y.)", "Education", "IEEE Access", "nips", "Bees, Vol. 3", ""])
def test_what_may_be_one(name):
    assert record_quality.is_name_of_a_venue(name)


def test_titles_in_the_quotes_of_a_reference():
    assert not record_quality.is_whole_title("“Spark: Cluster computing with working sets.” HotCloud")
    assert record_quality.is_whole_title("“Why Should I Trust You?”: Explaining the Predictions of Any Classifier")
    assert record_quality.is_whole_title("The word of the year is “they,” as voted")


def test_a_footnote_is_no_end_of_a_title():
    assert not record_quality.is_whole_title("The choice problem**This work was supported by the Board")
    assert record_quality.is_whole_title("Decays to D** mesons") and record_quality.is_whole_title("A* and Its Heirs")


def test_the_name_of_a_file_is_no_title():
    assert not record_quality.is_whole_title("From Frequency to Meaning_ (to be read).pdf")
    assert record_quality.is_whole_title("A study of PDF")


@pytest.mark.parametrize("title", ["Discriminative -metrics", ": a new admixture model", "The -calculus with effects"])
def test_titles_that_lost_a_formula(title):
    assert not record_quality.is_whole_title(title)


@pytest.mark.parametrize(
    "title", ["Pre- and Postconditions", "X -> Y: A Study", "A study - with an aside", "λ-calculus"]
)
def test_titles_with_a_dash(title):
    assert record_quality.is_whole_title(title)


def test_what_is_broken_may_agree_and_never_contradicts():
    fused = replace(PAPER, authors=tuple(people("Kaiming He Xiangyu Zhang", "Shaoqing Ren", "Jian Sun")))
    assert compare(cited(), fused).outcome("authors") == "unknown"
    assert compare(cited(), fused).people.shared == 4
    assert compare(cited(booktitle="ICML"), replace(PAPER, venue="https://doi.org/10")).outcome("venue") == "unknown"
    assert compare(cited(), replace(PAPER, venue="CVPR (")).outcome("venue") == "same"
    quoted = replace(PAPER, title="“Deep Residual Training.” HotCloud")
    assert compare(cited(), quoted).outcome("title") == "unknown"


def rewritten(name, **changes):
    document = Document("r.bib", cited().node.source, "bibtex")
    entry = cited(booktitle="Journal of Residual Learning and its Applications")
    assert parsing.parse(document).entries
    return repair_field.edit_field(document, 0, entry, name, replace(PAPER, **changes))


def test_nothing_is_written_from_what_is_broken():
    assert rewritten("authors", authors=tuple(people("1950., A. Turing"))) is None
    assert rewritten("venue", venue="https://doi.org/10") is None
    assert rewritten("title", title="“Spark.” HotCloud") is None
    assert rewritten("authors") and rewritten("venue") and rewritten("title")


def test_no_abbreviation_is_written_over_a_name():
    assert rewritten("venue", venue="neural computation") is None
    assert rewritten("venue", venue="J. Resid. Learn.") is None
    assert rewritten("venue", venue="nips").new_text == "{Advances in Neural Information Processing Systems}"


def test_who_is_cited_twice_is_not_missing_on_record():
    twice = cited(author="Liu, Jun S and Liu, Jun S")
    assert compare(twice, replace(PAPER, authors=tuple(people("Jun S. Liu")))).outcome("authors") == "different"


def test_names_without_a_gap_between_them():
    assert not record_quality.is_whole_list(people("Ada ByronCharles Babbage"), people("Ada Byron", "Charles Babbage"))
    both = people("Charles Babbage", "Ada Byron")
    assert record_quality.is_whole_list(both, people("C. Babbage", "Charles Babbage", "Ada Byron"))


def test_one_name_cut_in_two_is_no_list():
    cited = (Name("Kuhn", "Max"),)
    assert not record_quality.is_whole_list((Name("Kuhn"), Name("Max")), cited)
    assert record_quality.is_whole_list((Name("Kuhn", "M."),), cited)


def test_an_address_names_no_venue():
    entry = cited(kind="misc", booktitle=None, howpublished="\\url{https://eprint.iacr.org/2016/919.pdf}")
    assert (find_venue_name(entry), find_venue_name(cited())) == ("", "CVPR")
    assert compare(entry, PAPER).outcome("venue") == "unknown"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Rome: Rome University Press. XIII, 561 p.", "unknown"),
        ("Talk at ICML", "different"),
        ("Journal of Residual Learning", "different"),
    ],
)
def test_free_words_are_a_venue_if_they_name_one(text, outcome):
    entry = cited(kind="misc", booktitle=None, howpublished=text)
    assert compare(entry, PAPER).outcome("venue") == outcome
    assert compare(cited(booktitle=text), PAPER).outcome("venue") == "different"

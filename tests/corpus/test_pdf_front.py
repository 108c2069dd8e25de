from dataclasses import replace

import pytest

import pdf_files
from citelsp.corpus import imports, pdf_front
from citelsp.corpus.pdf_letters import repair_letters
from citelsp.corpus.pdf_lines import Line


def page(*rows, number=1):
    """The lines of a page, one below the other: (size, text) or (size, text, font)."""
    lines, base = [], 750.0
    for size, text, *font in rows:
        base -= 1.3 * size
        name = font[0] if font else "Roman"
        lines.append(Line(number, text, text, size, name, "Bold" in name, 100, 100 + size * len(text) / 2, base))
    return lines


PROSE = [(10.0, f"{it} words of the text that goes on over many lines with nothing else to say") for it in "abcdefgh"]


TITLES = """
17.2 Modern Software Approaches For
17.2 Fast Algorithms in the Large
12.0 Srinath Kailasa
--
9.0 Physics Letters, Vol. 12
17.2 Modern Software Approaches
17.2 For Fast
17.2 Algorithms in the Large
12.0 Srinath Kailasa
--
12.0 *Modern Software Approaches For Fast Algorithms
12.0 *in the Large
12.0 Srinath Kailasa
--
20.0 University of London
17.2 Modern Software Approaches For Fast
17.2 Algorithms in the Large∗
12.0 by
12.0 Srinath Kailasa
"""


def written(text):
    """Rows of (size, text, font): bold behind an asterisk."""
    for row in text.strip().splitlines():
        size, _, words = row.partition(" ")
        yield float(size), words.lstrip("*"), "Bold" if words.startswith("*") else "Roman"


@pytest.mark.parametrize("rows", TITLES.split("--"))
def test_a_title_is_read_over_all_its_lines(rows):
    found = pdf_front.read([page(*written(rows), (10.0, "Abstract"), *PROSE)])
    assert found.title == "Modern Software Approaches For Fast Algorithms in the Large"
    assert found.authors == ("Srinath Kailasa",)


def test_on_a_page_in_letters_of_one_size_the_title_ends_at_the_people():
    rows = [
        (12.0, "Equivalence Testing and the"),
        (12.0, "second generation of values"),
        (12.0, "Daniël Lakens & Marie Delacre"),
    ]
    found = pdf_front.read([page(*rows, *((12.0, text) for _, text in PROSE))])
    assert found.title == "Equivalence Testing and the second generation of values"
    assert found.authors == ("Daniël Lakens", "Marie Delacre")


@pytest.mark.parametrize(
    ("names", "people"),
    [
        ("Kuang-Chen Lu\v, Jeremy G. Siek\v, and Andre Kurz\v", ["Kuang-Chen Lu", "Jeremy G. Siek", "Andre Kurz"]),
        ("Lovelace, Ada", ["Ada Lovelace"]),
        ("Ada Lovelace (ada@example.org)", ["Ada Lovelace"]),
        ("Ada Lovelace\tCharles Babbage, Member, IEEE", ["Ada Lovelace", "Charles Babbage"]),
        ("Alvise de’ Faveri Tron1,2 · Marie van der Berg∗", ["Alvise de’ Faveri Tron", "Marie van der Berg"]),
        ("CHRISTOF SCHÖTZ AND MARY-ANN O’NEIL", ["Christof Schötz", "Mary-Ann O’Neil"]),
        ("Prof. Dr. Emmy Noether, Universität Göttingen", ["Emmy Noether"]),
        ("Ruth Angus, et al.", ["Ruth Angus"]),
        ("Ruth Angus. November 27, 2026", ["Ruth Angus"]),
        ("Department of Physics, Riphah International University", []),
        ("November 26, 2026", []),
        ("ada@example.org, Charles Babbage", []),
        ("San Francisco, CA", []),
    ],
)
def test_people_are_the_names_on_a_line(names, people):
    rows = [(17.2, "A Title in Large Letters"), (12.0, names), (10.0, "Abstract"), *PROSE]
    assert list(pdf_front.read([page(*rows)]).authors) == people


@pytest.mark.parametrize(
    "line",
    [
        "No Author Given",
        "Anonymous Author(s)",
        "A PREPRINT",
        "Full Paper",
        "1600 John F Kennedy Boulevard, Philadelphia",
    ],
)
def test_a_line_below_the_title_that_names_nobody(line):
    assert pdf_front.read([page((17.2, "Modern Software Approaches"), (12.0, line), *PROSE)]).authors == ()


def test_people_are_named_in_one_style_of_letters():
    people = [(12.0, "A. P. Beardsley, B. Hazelton, S."), (12.0, "Paul, T. Prabu")]
    places = [(9.0, "Baton Rouge", "Italic"), (12.0, "Los Angeles", "Italic")]
    found = pdf_front.read([page((17.2, "A Title in Large Letters"), *people, *places, (10.0, "Abstract"), *PROSE)])
    assert found.authors == ("A. P. Beardsley", "B. Hazelton", "S. Paul", "T. Prabu")


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Graphs and Their Friends: A Survey", "Graphs and Their Friends: A Survey"),
        ("Microsoft Word - draft3.doc", "GRAPHS AND THEIR FRIENDS: A SURVEY"),
        ("Another Paper’s Title, left from a template", "GRAPHS AND THEIR FRIENDS: A SURVEY"),
    ],
)
def test_metadata_say_the_title_only_where_the_page_does(said, title):
    rows = [
        (17.2, "GRAPHS AND THEIR FRIENDS:"),
        (17.2, "A SURVEY"),
        (10.0, "Abstract"),
        (10.0, "SURVEY GRAPHS AND THEIR FRIENDS"),
    ]
    assert pdf_front.read([page(*rows)], said).title.casefold() == title.casefold()


@pytest.mark.parametrize("is_cover", [False, True])
def test_the_metadata_name_the_title_that_is_smaller_than_a_series_or_behind_a_cover(is_cover):
    series = [(24.8, "Master of Machine Design")]
    own = [(17.2, "Graphs and Their"), (17.2, "Friends"), (12.0, "Ada Lovelace"), (10.0, "Abstract"), *PROSE]
    pages = [page(*series), page(*own, number=2)] if is_cover else [page(*series, *own)]
    found = pdf_front.read(pages, "Graphs and TheirFriends")
    assert found.title == "Graphs and Their Friends"
    assert found.authors == ("Ada Lovelace",)


def test_a_title_in_capitals_is_written_as_the_text_writes_its_words():
    rows = [(17.2, "DEEP GAN TRAINING FOR EULER GRAPHS"), (10.0, "Abstract"), *PROSE]
    text = [(10.0, "The training of a deep GAN for Euler graphs is a GAN for training on graphs"), *PROSE]
    found = pdf_front.read([page(*rows), page(*text, number=2)])
    assert found.title == "Deep GAN training for Euler graphs"


def test_a_plural_with_a_small_letter_stays_as_it_is_in_a_title_in_capitals():
    rows = [(17.2, "RETHINKING CNNs FOR SPEECH"), (10.0, "Abstract"), *PROSE]
    assert pdf_front.read([page(*rows)]).title == "Rethinking CNNs For Speech"


@pytest.mark.parametrize(
    ("head", "year"),
    [
        ("© 2019 The Authors. Published by Elsevier", 2019),
        ("Proceedings of the 20th Conference on Things, Oslo, 2021", 2021),
        ("March 3, 2018", 2018),
        ("18. August 2017", 2017),
        ("ICSE ’22, May 21–29, Pittsburgh", 2022),
        ("SIGMOD ’98, Seattle", 1998),
        ("arXiv:1706.03762v5 [cs.CL]", 2017),
        ("Received 4 May 2015; accepted 11 June 2016", 2016),
        ("A page without a date", None),
        ("Room 2019, Building 4", None),
        ("Compiled 26 November 2026", 2026),
    ],
)
def test_a_year_is_read_where_the_first_page_dates_itself(head, year):
    rows = [(17.2, "A Title in Large Letters"), (12.0, "Ada Lovelace"), (9.0, head), (10.0, "Abstract"), *PROSE]
    assert pdf_front.read([page(*rows)]).year == year


def test_the_year_of_an_issue_at_the_edge_of_a_page_counts_before_the_day_of_printing():
    rows = [(9.0, "MNRAS 500, 1–19 (2021)"), (17.2, "A Title in Large Letters"), (9.0, "Compiled 26 November 2026")]
    assert pdf_front.read([page(*rows, (10.0, "Abstract"), *PROSE, *PROSE)]).year == 2021


def test_the_year_in_a_title_is_none_of_publication():
    rows = [(17.2, "A Title 12 in Large Letters (2009)"), (9.0, "Compiled 26 November 2026")]
    assert pdf_front.read([page(*rows, (10.0, "Abstract"), *PROSE, *PROSE)]).year == 2026


def test_a_running_head_is_no_title():
    head, rows = (30.0, "JOURNAL OF THINGS"), [(17.2, "A Title in Large Letters"), (10.0, "Abstract"), *PROSE]
    assert pdf_front.read([page(head, *rows), page(head, *PROSE, number=2)]).title == "A Title in Large Letters"


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("the ﬁrst ﬂow of aﬃne", "the first flow of affine"),
        ("G¨odel and Erd˝os", "Gödel and Erdős"),
        ("Franc¸ois at the Universit`a", "François at the Università"),
        ("´Eric", "Éric"),
        ("a ¨ b", "a ¨ b"),
    ],
)
def test_letters_are_made_whole(printed, text):
    assert repair_letters(printed) == text


def test_a_pdf_becomes_a_work_with_its_people_and_year(tmp_path):
    content = b"""BT /F1 18 Tf 60 780 Td (Zeppelins and Other) Tj 0 -22 Td (Airships For Everybody) Tj /F1 11 Tf
        0 -30 Td (Ada Lovelace) Tj /F1 7 Tf 4 Ts (1,2) Tj 0 Ts /F1 11 Tf ( and Charles Babbage) Tj
        /F1 9 Tf 0 -20 Td (12 May 1999) Tj 0 -20 Td (Abstract) Tj 0 -12 Td
        (Airships float because hydrogen is light, and this has been so for a rather long time.) Tj 0 -12 Td
        (Airships float because hydrogen is light, and this has been so for a rather long time.) Tj ET"""
    pdf_files.written(tmp_path / "a.pdf", [pdf_files.stream(content)])
    [work] = imports.read(tmp_path / "a.pdf", pytest.fail)
    assert work.title == "Zeppelins and Other Airships For Everybody"
    assert (work.authors, work.year) == (("Ada Lovelace", "Charles Babbage"), 1999)


def test_the_name_of_a_journal_is_no_title_however_large():
    rows = [(28.0, "Journal of Statistical Software"), (17.2, "A Title in Large Letters"), (12.0, "Ada Lovelace")]
    found = pdf_front.read([page(*rows, (10.0, "Abstract"), *PROSE)])
    assert (found.title, found.authors) == ("A Title in Large Letters", ("Ada Lovelace",))


def test_capitals_that_read_like_names_belong_to_the_title():
    capitals = [
        (10.0, "GLOBAL CLIMATE OF THE ULTRA-HOT JUPITER"),
        (10.0, "FROM HST AND Spitzer PHASE CURVES"),
    ]
    people = [(9.0, "Laura Kreidberg, Michael R. Line,", "SmallCaps")]
    text = [(10.0, "the global climate of the ultra-hot Jupiter and its phase curves from HST, as HST saw"), *PROSE]
    found = pdf_front.read([page(*capitals, *people, (10.0, "Abstract"), *text)])
    assert found.title == "Global climate of the ultra-hot Jupiter from HST and Spitzer phase curves"
    assert found.authors[0] == "Laura Kreidberg"


def test_the_date_at_the_foot_of_every_page_is_the_first_ones_too():
    foot, rows = (9.0, "November 26, 2016"), [(17.2, "A Title in Large Letters"), (10.0, "Abstract"), *PROSE]
    first, second = page(*rows, foot), page(*PROSE, *PROSE[:2], foot, number=2)
    last = replace(second[-1], base=first[-1].base)
    assert pdf_front.read([first, [*second[:-1], last]]).year == 2016


COVER = """
14.3 *Spaces of looms in many
14.3 *layers
14.3 Ada de Sousa Byron
17.2 {kind}
17.2 {degree}
14.3 Supervisor: Donald Knuth
12.0 São Paulo
"""


@pytest.mark.parametrize(
    ("kind", "degree"),
    [("Dissertação apresentada ao", "Instituto de Matemática"), ("A thesis submitted to", "University of London"),
     ("Monografia Final", "University of London")],
)  # fmt: skip
def test_what_a_cover_says_of_the_kind_of_work_is_no_title(kind, degree):
    found = pdf_front.read([page(*written(COVER.format(kind=kind, degree=degree))), page(*PROSE, number=2)])
    assert (found.title, found.authors[:1]) == ("Spaces of looms in many layers", ("Ada de Sousa Byron",))


def test_the_title_of_the_metadata_is_found_among_larger_lines():
    rows = [(10.0, "Spaces of looms and notes in many layers"), (17.2, "Final Work of the Course"), (10.0, "Ada Byron")]
    found = pdf_front.read([page(*rows), page(*PROSE, number=2)], "Spaces of looms and notes in many layers")
    assert found.title == "Spaces of looms and notes in many layers"


def test_a_title_in_another_language_names_nobody():
    rows = [
        (17.2, "Teares e notas de engenhos"),
        (10.0, "Looms and Notes of Engines in Brazil with", "Bold"),
        (10.0, "Different Threads and Strong Colours", "Bold"),
        (12.0, "Ada de Sousa Byron"),
    ]
    found = pdf_front.read([page(*rows, (10.0, "Resumo"), *PROSE)])
    assert found.authors == ("Ada de Sousa Byron",)


def test_a_family_name_that_ends_titles_too_hides_no_line_of_names():
    rows = [(17.2, "A Title in Large Letters"), (12.0, "Ada Byron, Minh To"), (12.0, "Donald Knuth, Jane Roe")]
    found = pdf_front.read([page(*rows, (10.0, "Abstract"), *PROSE)])
    assert found.authors == ("Ada Byron", "Minh To", "Donald Knuth", "Jane Roe")


@pytest.mark.parametrize(
    "lines",
    [
        ["Ann Roe, University of X", "Bob Low, University of Y", "Cy Poe, Institute of Z"],
        ["Ann Roe, University of X", "New York, United States", "Bob Low and Cy Poe, University of Y"],
        ["Ann Roe, Bob", "Low, Cy Poe, University of X"],
    ],
)
def test_people_with_their_institutions_are_named_line_by_line(lines):
    rows = [(17.2, "A Title in Large Letters"), *((12.0, line) for line in lines), (10.0, "Abstract"), *PROSE]
    assert pdf_front.read([page(*rows)]).authors == ("Ann Roe", "Bob Low", "Cy Poe")

"""Reference lists by layout: each fixture gives the left edge of a row and its text, pages parted by lines of “==”."""

from dataclasses import replace
from time import process_time

import pytest

from citelsp.bibliography.printed_signs import ITALIC, ROMAN
from citelsp.corpus import pdf_citations, pdf_extraction, pdf_front, pdf_line_breaks, pdf_references, pdf_rows
from citelsp.corpus.pdf_lines import Line

BODY = "60 Some words of the body, which are as long as the rows of a page usually are.\n" * 6


def pages(text, size=10.0):
    """Lines of pages: LEFT TEXT, `*` before bold text, `>` before large text; an empty row leaves room."""
    for number, page in enumerate(text.strip().split("==\n"), 1):
        base, lines = 760.0, []
        for row in page.splitlines():
            base -= 1.2 * size
            left, _, words = row.strip().partition(" ")
            bold, large = words.startswith("*"), words.startswith(">")
            words = words.lstrip("*>")
            if words:
                height = 1.4 * size if large else size
                right = float(left) + 4.5 * len(words)
                lines.append(
                    Line(number, words, words, height, "Bold" if bold else "Roman", bold, float(left), right, base)
                )
        yield lines


def read(text):
    return pdf_references.read(pdf_rows.read(list(pages(text))))


def items(text):
    return [(it.label, it.text) for it in read(text).items]


LABELLED = """60 >7 References
60 [1] A. Lovelace. Notes on the engine. Taylor’s
80 Memoirs, 3:666–731, 1843.
60 [2] C. Babbage. On the economy of machin-
80 ery. Knight, 1832.
60 [3] L. Menabrea. Notions. 1842. doi:10.1000/
80 xyz-12
"""
TRUE = [
    ("1", "A. Lovelace. Notes on the engine. Taylor’s Memoirs, 3:666–731, 1843."),
    ("2", "C. Babbage. On the economy of machinery. Knight, 1832."),
    ("3", "L. Menabrea. Notions. 1842. doi:10.1000/xyz-12"),
]


@pytest.mark.parametrize("style", ["[{}]", "{}.", "({})", "{}"])
def test_labels_part_a_list(style):
    text = LABELLED
    for number in "123":
        text = text.replace(f"[{number}] ", f"{style.format(number)} ")
    assert items(BODY + text) == TRUE


@pytest.mark.parametrize("name", ["REFERENCES", "Literaturverzeichnis", "A Bibliographie", "R EFERENCES", "参考文献"])
def test_a_heading_begins_a_list(name):
    assert items(BODY + LABELLED.replace("7 References", name)) == TRUE


def test_labels_begin_a_list_that_has_no_heading():
    more = LABELLED.replace("60 >7 References\n", "")
    assert [it[0] for it in items(BODY + more)] == ["1", "2", "3"]


def test_labels_that_are_no_numbers():
    assert [it[0] for it in items(BODY + NAMED)] == ["Lov43", "Bab32", "Men42a"]


HANGING = """60 *References
60 Ada Lovelace. Notes on the engine. Taylor’s
75 Memoirs, 3:666–731, 1843.
60 Charles Babbage and Herschel, John. On the
75 economy of machinery. Knight, 1832.
==
60 Menabrea, L. Notions of the engine. Bibl.
75 universelle, 1842.
60 ———. Further notions. 1843.
"""


def test_hanging_indents_part_a_list_over_pages():
    assert [it[1].split(". ")[0] for it in items(BODY + HANGING)] == [
        "Ada Lovelace",
        "Charles Babbage and Herschel, John",
        "Menabrea, L",
        "———",
    ]
    assert [it.page for it in read(BODY + HANGING).items] == [1, 1, 2, 2]


def test_a_word_in_brackets_at_the_head_of_a_page_is_no_label_of_the_whole_list():
    text = f"""{BODY}60 *References
==
60 Ada Lovelace. Notes on the engine. Taylor’s
75 Memoirs, 3:666–731, 1843.
60 Charles Babbage. On the economy of machinery.
75 Knight, 1832.
60 Luigi Menabrea. Notions sur la machine. 1842,
==
75 [online] https://example.org/notions
60 Mary Somerville. On the connexion of the
75 physical sciences. Murray, 1834.
"""
    assert [it[1].split(".")[0] for it in items(text)] == [
        "Ada Lovelace",
        "Charles Babbage",
        "Luigi Menabrea",
        "Mary Somerville",
    ]


def test_indented_first_rows_part_a_list_too():
    text = HANGING.replace("60 ", "90 ").replace("75 ", "60 ").replace("90 *", "60 *")
    assert len(items(BODY + text)) == 4


def test_room_between_items_parts_a_list():
    text = "\n".join(HANGING.replace("75 ", "60 ").replace("==\n", "").splitlines())
    for name in ("60 Charles", "60 Menabrea", "60 ———"):
        text = text.replace(name, f"60\n{name}")
    assert len(items(BODY + text)) == 4


def test_people_part_a_list_that_nothing_else_parts():
    text = HANGING.replace("75 ", "60 ").replace("==\n", "").replace("60 ———. Further notions. 1843.\n", "")
    assert len(items(BODY + text)) == 3


@pytest.mark.parametrize(
    "end", ["*A Proof of Theorem 1", ">Appendix", "Supplementary material", "*Author Contributions"]
)
def test_what_comes_after_a_list_is_no_part_of_it(end):
    found = read(BODY + LABELLED + f"60 {end}\n" + BODY)
    assert [(it.label, it.text) for it in found.items] == TRUE
    assert sum("words of the body" in it.text for it in found.body) == 12


@pytest.mark.parametrize("style", ["[{}]", "{}."])
def test_a_title_that_begins_as_an_appendix_is_no_end(style):
    rows = [f"60 {style.format(it)} A. Roe. Notes on engines.\n80 Knight, 184{it}." for it in range(1, 7)]
    rows[3] = f"60 {style.format(4)} A. Roe.\n80 Appendix to the notes on engines\n80 Knight, 1844."
    found = items(BODY + "60 >References\n" + "\n".join(rows))
    assert [label for label, _ in found] == list("123456")


def test_steps_of_an_appendix_are_no_items_of_a_list_without_labels():
    names = "Adams Baker Clark Davis Evans Frank".split()
    rows = [f"60 {name}, A. 1844. Notes on engines.\n80 Knight, London." for name in names]
    rows[4] = "60 Evans, A. 1845. Notes on engines, volume\n80 1. Knight, London."
    steps = "60 1. Take a wheel\n60 2. Take a lever\n60 3. Turn both, as in 1852\n60 Then all is done, as in 1853.\n"
    found = items(BODY + "60 >References\n" + "\n".join(rows) + f"\n60 >Appendix A\n{steps}")
    assert [text.partition(",")[0] for _, text in found] == names


def test_a_row_in_bold_within_a_list_is_no_end():
    assert len(items(BODY + LABELLED.replace("80 ery. Knight", "80 *ery. Knight"))) == 3


def test_two_columns_are_read_one_after_the_other():
    left = "\n".join(f"60 A row of the left column, its number {it}" for it in "abcdefgh")
    right = "\n".join(f"320 A row of the right column, number {it}" for it in "abcdefgh")
    lines = [*next(pages(left)), *next(pages(right))]
    lines.sort(key=lambda it: it.text)
    rows = pdf_rows.read([lines])
    assert [it.column for it in rows] == [0] * 8 + [1] * 8
    assert [it.text[-1] for it in rows] == list("abcdefgh" * 2)


def test_an_address_too_long_for_its_column_parts_no_page():
    left = [f"60 A row of the left column, its number {it}" for it in "abcdefgh"]
    left[3] = "60 https://example.org/an/address/that/cannot/be/broken/anywhere/d"
    right = "\n".join(f"{360 if it == 'd' else 320} A row of the right column, number {it}" for it in "abcdefgh")
    rows = pdf_rows.read([[*next(pages("\n".join(left))), *next(pages(right))]])
    assert [it.text[-1] for it in rows] == list("abcdefgh" * 2)


TEXT = "text in larger letters, as wide as its column"
LABELLED_ROWS = [f"[{it}] A. {chr(64 + it)}da, Notes, Memoirs {it}, 1840." for it in range(1, 16)]


def placed(left, rows):
    return "".join(f"{left} {row}\n" for row in rows)


def indented(left, items):
    """Rows of items with hanging indents, two rows each."""
    return "".join(f"{left} {first}\n{left + 10} {second}\n" for first, second in items)


def beside(left, right, *, lower=0):
    """The lines of a page with two columns, the right one of which begins so many rows lower."""
    (one,), (two,) = pages(left), pages(right)
    return [*one, *(replace(it, base=it.base - 12 * lower) for it in two)]


def items_of(lines):
    return [(it.label, it.text) for it in pdf_references.read(pdf_rows.read(lines)).items]


def test_a_list_without_heading_may_begin_at_the_foot_of_a_column_and_go_on_behind_the_text_of_the_next():
    large = [f">{TEXT}"] * 5
    first = beside(placed(60, [*large, *LABELLED_ROWS[:2]]), placed(320, [*large, "*ACKNOWLEDGEMENTS", *large]))
    (second,) = pages(placed(60, LABELLED_ROWS[2:]))
    found = items_of([first, [replace(it, page=2) for it in second]])
    assert [f"[{label}] {text}" for label, text in found] == LABELLED_ROWS


def test_references_in_two_columns_may_follow_text_in_one():
    wide = placed(60, [f"{TEXT}, here that of the whole page, which goes on and on and on until its end"] * 12)
    left = indented(60, [(f"{name}lan, T. 1936, On computable", "numbers, Proc., 42, 230") for name in "ABCDEF"])
    right = indented(320, [(f"{name}ra, T. 1936, On computable", "numbers, Proc., 42, 230") for name in "GHIJKL"])
    found = items_of([beside(f"{wide}60 References\n{left}", right, lower=13)])
    assert [text[:1] for _, text in found] == list("ABCDEFGHIJKL")


def test_hanging_indents_show_a_list_under_a_heading_of_its_own_words():
    listed = indented(60, [(f"{name}, L., Notes on", f"the engine, 184{at}.") for at, name in enumerate("ABCDEFG")])
    more = "60 H, L., Memoirs,\n70 at https://example.org.\n"
    page = f"{BODY}==\n60 >Works on engines\n{listed}==\n200 WORKS ON ENGINES\n60 I, L., Memoirs,\n70 1850.\n{more}"
    assert [text[:1] for _, text in items(page)] == list("ABCDEFGIH")
    assert items(page)[-1][1] == "H, L., Memoirs, at https://example.org."


def test_paragraphs_and_explained_words_are_no_list():
    paragraphs = indented(70, [("In 1842 she wrote on the engine,", "")]).replace("80 \n", "")
    paragraphs += placed(60, ["of which, as we know of 1843,", "she had seen a model in 1833."])
    words = indented(60, [("engine, a machine that", "follows a plan.")] * 9)
    assert items(paragraphs * 9) == []
    assert items(words) == []


def test_footnotes_and_chapters_are_no_list():
    notes = [f"{it}. C. Babbage, Passages, 1864, p. {it}" for it in range(1, 9)]
    page = placed(60, [row for note in notes for row in (*[f">{TEXT}"] * 9, note)])
    contents = placed(60, [f"{it} On the engine number {it} . . . . . . . . {it}" for it in range(1, 9)])
    assert items(BODY + page) == []
    assert items(BODY + contents) == []


def test_a_list_without_heading_may_name_many_people():
    crowd = ["B. Boole, C. Babbage, L. Menabrea, M. Somerville, A. De Morgan,"] * 50
    listed = placed(60, [LABELLED_ROWS[0], "[2] A. Ada,", *crowd, "Notes, 1842.", *LABELLED_ROWS[2:]])
    assert [label for label, _ in items(BODY + listed)] == [str(it) for it in range(1, 16)]


def test_a_table_between_items_is_no_part_of_them():
    table = placed(60, [f">2460357.95{it} 2.73 5.86" for it in range(8)])
    listed = indented(60, [("Ada, L. Notes on", "the engine. 1843.")] * 3)
    found = items(f"{BODY}60 *References\n{listed}==\n{table}{listed}")
    assert [text for _, text in found] == ["Ada, L. Notes on the engine. 1843."] * 6


def test_a_table_in_the_same_letters_at_the_head_of_a_page_is_no_part_of_a_list():
    table = "60 Table S1: Samples of the engines.\n70 *Sample Depth Species\n" + placed(70, ["BK009 7.001 mays"] * 9)
    listed = indented(60, [("Ada, L. Notes on", "the engine. 1843.")] * 3)
    found = items(f"{BODY}60 *References\n{listed}==\n{table}\n\n{listed}")
    assert [text for _, text in found] == ["Ada, L. Notes on the engine. 1843."] * 6


def test_a_footnote_and_larger_text_below_a_column_are_no_part_of_items():
    listed = indented(60, [("Ada, L. Notes on", "the engine. 1843.")] * 6)
    note = placed(60, ["1 See https://example.org for the notes."])
    text = placed(60, [">This text was printed with", ">a machine of our own."])
    (noted,), (small,), (large,), (rest,) = pages(listed), pages(note), pages(text), pages(listed)
    small = [replace(it, size=8.0, base=500.0) for it in small]
    rest = [replace(it, page=2) for it in rest]
    large = [replace(it, page=2, base=it.base - 300) for it in large]
    (heading,) = pages("60 References")
    found = items_of([[*heading, *(replace(it, base=it.base - 12) for it in noted), *small], [*rest, *large]])
    assert [text for _, text in found] == ["Ada, L. Notes on the engine. 1843."] * 12


def test_what_stands_apart_below_a_list_without_labels_is_no_item():
    listed = indented(60, [("Ada, L. Notes on", "the engine. 1843.")] * 6)
    found = items(f"{BODY}60 References\n{listed}\n60 This text was printed\n60 with an engine.\n")
    assert [text for _, text in found] == ["Ada, L. Notes on the engine. 1843."] * 6


def test_numbers_of_every_fifth_line_are_none_of_items():
    (lines,) = pages("60 References\n" + placed(60, LABELLED_ROWS))
    (before,) = pages(placed(60, [f"row {it} of the text" for it in "abcdefghijklmnopqrstuvwxyz"]))
    numbered = [[*page, *_count_fifths(page, first)] for page, first in ((before, 100), (lines, 130))]
    assert [f"[{label}] {text}" for label, text in items_of(numbered)] == LABELLED_ROWS


def _count_fifths(lines, first):
    for at, line in enumerate(lines[::5]):
        number = str(first + 5 * at)
        yield replace(line, text=number, plain=number, marked=number, size=5.0, left=43.0, right=50.0)


def test_a_list_that_ends_high_in_the_second_column_is_read_in_columns():
    def lines(left, right, page):
        sides = (
            f"{at} A row of the {side} column, of {'first second'.split()[page - 1]}, number {it}"
            for at, side, of in (left, right)
            for it in of
        )
        found = [it for row in sides for it in next(pages(row))]
        return [replace(it, page=page, base=760.0 - 12 * (ord(it.text[-1]) - ord("a"))) for it in found]

    full = lines((60, "left", "abcdefgh"), (320, "right", "abcdefgh"), 1)
    last = lines((60, "left", "abcdefgh"), (320, "right", "ab"), 2)
    rows = pdf_rows.read([full, last])
    assert [it.text[-1] for it in rows if it.page == 2] == list("abcdefghab")


def test_a_table_over_both_columns_parts_no_page():
    def page(name, rows):
        sides = (f"{at} A row of the {name} page, its number {it}" for at in (60, 320) for it in rows)
        found = [it for row in sides for it in next(pages(row))]
        return [replace(it, base=760.0 - 12 * (ord(it.text[-1]) - ord("a"))) for it in found]

    rows = "abcdefghijkl"
    table = [
        replace(it, base=it.base + 400)
        for it in next(pages("200 A row of a table that stands over both columns.\n" * 20))
    ]
    read_rows = pdf_rows.read([page("first", rows), [*table, *page("last", rows)]])
    assert [it.text[-1] for it in read_rows if it.text.endswith(tuple(rows))][24:] == list(rows * 2)


def test_several_lists_may_have_their_headings_at_the_same_place():
    lists = ("Byron", "Menabrea", "Babbage"), ("Hopper", "Noether", "Kowalewskaja")
    text = [
        "60 >References\n" + "".join(f"60 [{at}] {it}. Notes of {it}. 195{at}.\n" for at, it in enumerate(names, 1))
        for names in lists
    ]
    found = items(f"{text[0]}==\n{BODY}==\n{text[1]}")
    assert [label for label, _ in found] == ["1", "2", "3"] * 2


def test_marks_where_a_printed_page_is_cut_are_no_rows():
    marks = "\n".join(f"{left} ✐" for left in (-35, -5, 590, 620))
    rows = (f"60 the engines of 184{it}, of which many\n80 are known as of\n80 note\n" for it in range(8))
    assert len(items(f"{BODY}60 >References\n{''.join(rows)}{marks}\n")) == 8


def test_the_rest_of_a_parted_word_is_no_word():
    rows = list(next(pages("60 Those who work in many Work-\n60 shops, of which we know")))
    words = pdf_line_breaks.vocabulary(rows)
    assert "shops" not in words
    assert pdf_line_breaks.join_rows([it.text for it in rows], words).startswith("Those who work in many Workshops, of")


def test_running_heads_page_numbers_and_numbers_of_lines_are_left_out():
    def page(number):
        lines = [f"20 {100 * number + it}\n" for it in range(9)]
        rows = [f"60 row {'abcdefghi'[it]} of {'one two three'.split()[number]} is as long\n" for it in range(9)]
        return "60 A RUNNING HEAD\n" + "".join(rows) + f"300 {number}\n", "60\n" + "".join(lines)

    written = [page(1), page(2)]
    text = [list(pages("==\n".join(it[part] for it in written))) for part in (0, 1)]
    rows = pdf_rows.read([[*one, *other] for one, other in zip(*text, strict=True)])
    assert [it.text[4] for it in rows] == list("abcdefghi" * 2)


def test_a_label_that_stands_apart_at_the_head_of_a_page_is_no_page_number():
    """But a number of a page with nothing behind it is one, with signs or without."""
    rows = [it.text for it in pdf_rows.read([[*label, *text] for label, text in _pages_with("8.", 20, "Byron, A.")])]
    assert rows[0].startswith("8. Byron") and rows[1].startswith("9. Byron")
    alone = pdf_rows.read([[*label, *text] for label, text in _pages_with("8.", 300, "")])
    assert not any(it.text.startswith("8.") for it in alone)


def _pages_with(number, left, behind):
    """A page whose first base holds a number at `left` with a text behind it, or alone."""
    first = f"60 {behind} On engines of the past and more\n" if behind else "60\n"
    text = pages(first + "60 Byron, A. On engines of the future\n60 Byron, A. On other engines\n")
    labels = pages(f"{left} {number}\n20 9.\n20 10.\n")
    return zip(labels, text, strict=True)


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (["Graph neural net-", "works"], "Graph neural networks"),
        (["A state-of-", "the-art method"], "A state-of-the-art method"),
        (["A next-of-", "kin method"], "A next-of-kin method"),
        (["A self-super-", "vised method"], "A self-supervised method"),
        (["An end-", "to-end method"], "An end-to-end method"),
        (["Plug-", "and-play learn-", "ing-based"], "Plug-and-play learning-based"),
        (["Pre-", "and post-processing"], "Pre- and post-processing"),
        (["Fehler-", "und Divergenz-Zustände"], "Fehler- und Divergenz-Zustände"),
        (["Pre- and post-", "Graph-Based"], "Pre- and post-Graph-Based"),
        (["pages 123–", "130"], "pages 123–130"),
        (["https://example.org/a_", "b.html"], "https://example.org/a_b.html"),
        (["doi:10.1000/abc.", "In Proceedings"], "doi:10.1000/abc. In Proceedings"),
        (["doi: 10.1609/AAAI.", "V37I4.25668."], "doi: 10.1609/AAAI.V37I4.25668."),
        (["doi: 10.1609/AAAI.", "2019."], "doi: 10.1609/AAAI. 2019."),
        (["URL https://example.org/a-free", "future.pdf (2020)"], "URL https://example.org/a-freefuture.pdf (2020)"),
        (["URL https:", "//example.org/paper"], "URL https://example.org/paper"),
        (["URL https://example.org/paper", "2019."], "URL https://example.org/paper 2019."),
    ],
)
def test_words_and_addresses_are_made_whole(rows, text):
    assert pdf_line_breaks.join_rows(rows, {"state-of-the-art": 1, "of-the": 2, "of": 9, "and": 9, "to": 9}) == text


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("url : https : / / example . org / a (visited 2019)", "url : https://example.org/a (visited 2019)"),
        ("doi: 10 . 1145 / 35660 . 35683. Accessed", "doi: 10.1145/35660.35683. Accessed"),
        ("https://example.org/a - Accessed 2019", "https://example.org/a - Accessed 2019"),
        ("See https://example.org/a / b", "See https://example.org/a/b"),
        ("https: //example.org/a. Then", "https://example.org/a. Then"),
        ("Notions of 1843 . 10 / 12", "Notions of 1843 . 10 / 12"),
    ],
)
def test_room_within_addresses_is_closed(printed, text):
    ((_, found),) = items(f"{BODY}60 References\n60 [1] L. Menabrea, Notions of an engine, 1842.\n60 [2] {printed}\n")[
        1:
    ]
    assert found == text


def test_thousands_of_headings_or_rows_of_one_item_take_no_long_time():
    sizes = placed(60, [f"{'>' * (it % 2)}Ada, L. 1843 notes" for it in range(12_000)])
    started = process_time()
    items(f"60 References\n{sizes}")
    items("60 References\n" + placed(60, [f"{it % 2 + 1}. Ada 1843" for it in range(12_000)]))
    assert process_time() - started < 10


NAMED = LABELLED.replace("[1]", "[Lov43]").replace("[2]", "[Bab32]").replace("[3]", "[Men42a]")
BY_NAME = "(Lovelace, 1843a,b; Babbage et al. 1832), van Zuylen and Day (2001)"


@pytest.mark.parametrize(
    ("text", "listed", "marks"),
    [
        ("as in [1, 3–5] and [12]; on [0, 1]", LABELLED, "1|3|4|5|12"),
        ("as in [Lov43, Bab32] and [see]", NAMED, "Lov43|Bab32"),
        (BY_NAME, HANGING, "Lovelace, 1843a|Lovelace, 1843b|Babbage et al., 1832|van Zuylen and Day, 2001"),
    ],
)
def test_what_the_text_cites(text, listed, marks):
    found = pdf_citations.read(read(f"60 {text}\n{BODY}{listed}"))
    assert [it[0] for it in found] == marks.split("|")
    assert {it[1] for it in found} == {1}


def test_italics_go_on_over_rows_and_labels_are_cut_from_them():
    before = "A. Lovelace. Notes on the engine. "
    marked = {
        "Memoirs, 3:666–731, 1843.": f"{ITALIC}Memoirs{ROMAN}, 3:666–731, 1843.",
        f"[1] {before}Taylor’s": f"[1] {before}{ITALIC}Taylor’s{ROMAN}",
    }
    lines = [[replace(it, marked=marked.get(it.text, it.text)) for it in page] for page in pages(LABELLED)]
    first, second, *_ = pdf_references.read(pdf_rows.read(lines)).items
    assert first.marked == f"{before}{ITALIC}Taylor’s Memoirs{ROMAN}, 3:666–731, 1843."
    assert second.marked == second.text


@pytest.mark.parametrize("others", ["et al.", "et al.:"])
def test_others_in_italics_are_people(others):
    row = f"[1] Voight, B. {others} Notes on the engine. Memoirs 12, 1843."
    marked = row.replace(others, f"{ITALIC}{others}{ROMAN}").replace("Memoirs", f"{ITALIC}Memoirs{ROMAN}")
    lines = [
        [replace(it, marked=marked if it.text == row else it.text) for it in page]
        for page in pages(
            f"60 >References\n60 {row}\n60 [2] A. Byron. Notes. Memoirs 3, 1843.\n60 [3] C. Doe. Notes. Memoirs, 1844."
        )
    ]
    first = pdf_references.read(pdf_rows.read(lines)).items[0]
    assert first.marked == f"Voight, B. {others} Notes on the engine. {ITALIC}Memoirs{ROMAN} 12, 1843."


def test_letters_part_the_references_of_one_number():
    text = """60 >References
60 (1) A. Lovelace. Memoirs 1843, 3, 666.
60 (2) (a) C. Babbage; J. Herschel. Machinery 1832, 1,
80 12–19; (b) L. Menabrea. Notions 1842, 2, 7. (c) A. Turing.
80 Machines 1936, 4, (a) 1.
60 (3) G. Boole. Laws 1854, 5, 9; (b) of thought.
"""
    assert items(text) == [
        ("1", "A. Lovelace. Memoirs 1843, 3, 666."),
        ("2", "C. Babbage; J. Herschel. Machinery 1832, 1, 12–19"),
        ("2", "L. Menabrea. Notions 1842, 2, 7."),
        ("2", "A. Turing. Machines 1936, 4, (a) 1."),
        ("3", "G. Boole. Laws 1854, 5, 9; (b) of thought."),
    ]


@pytest.mark.parametrize(
    ("row", "following", "whole"),
    [
        ("https://cran.org/package=jan", "itor. Version 2.", "https://cran.org/package=janitor. Version 2."),
        ("https://a.org/global-jan", "itor-of-the-house/", "https://a.org/global-janitor-of-the-house/"),
        (
            "https://a.org/statement-on-the-ja",
            "nitors-of-all-houses",
            "https://a.org/statement-on-the-janitors-of-all-houses",
        ),
        ("https://a.org/jani", "tor and more", "https://a.org/janitor and more"),
        ("https://a.org/jan", "or later", "https://a.org/jan or later"),
        ("https://a.org/notes.", "pdf.", "https://a.org/notes.pdf."),
        ("https://a.org/notes.", "in Engines.", "https://a.org/notes. in Engines."),
        ("https://a.org /pt - br / sets /the -janitor", "seen", "https://a.org/pt-br/sets/the-janitor seen"),
        ("https://a.org/the- janitor/page", "seen", "https://a.org/the-janitor/page seen"),
    ],
)
def test_addresses_that_rows_break_within_words_are_whole(row, following, whole):
    text = f"""60 The janitor, or another one, or none.
60 >References
60 [1] A. Lovelace. Notes. 1843.
60 [2] C. Babbage. The janitor. 1832. {row}
80 {following}
60 [3] L. Menabrea. Notions. 1842.
"""
    assert items(text)[1][1] == f"C. Babbage. The janitor. 1832. {whole}"


def test_a_footnote_below_items_is_no_part_of_them():
    text = """60 >References
60 Babbage C., 1832, Machinery, 3,
80 12
60 Lovelace A., 1843, Memoirs, 3, 666


80 5 https://example.org/engine
==
60 Menabrea L., 1842, Notions,
80 2, 7
"""
    assert [it for _, it in items(text)] == [
        "Babbage C., 1832, Machinery, 3, 12",
        "Lovelace A., 1843, Memoirs, 3, 666",
        "Menabrea L., 1842, Notions, 2, 7",
    ]


def test_ends_of_references_at_the_feet_of_pages_are_no_running_heads():
    text = """60 >References
60 Babbage C., 1832, Machinery, 3,
80 12
60 Lovelace A., 1843, Memoirs, 3,
80 doi: 10.1000/123
==
60 Menabrea L., 1842, Notions,
80 2, 7

60 Turing A., 1936, On machines,
80 doi: 10.1000/456
"""
    assert [it for _, it in items(text) if "doi" in it] == [
        "Lovelace A., 1843, Memoirs, 3, doi: 10.1000/123",
        "Turing A., 1936, On machines, doi: 10.1000/456",
    ]


def test_raised_numbers_go_on_behind_text_in_larger_letters():
    def rows(numbers, left):
        return "".join(
            f"{left} {it}Byron, A. B. Memoirs of engines 18{it:02},\n{left + 20} 3, 666.\n" for it in numbers
        )

    text = (
        f"{BODY}{BODY}{rows(range(1, 6), 60)}==\n"
        + "60 >p = 1\n60 >s + t = 2 and more words\n"
        + rows(range(6, 14), 60)
    )
    assert [it for it, _ in items(text)] == [str(it) for it in range(1, 14)]
    assert items(text)[7] == ("8", "Byron, A. B. Memoirs of engines 1808, 3, 666.")


LOST = """60 >References
60 9. A. Lovelace. Notes on the engine. Memoirs, 1841.
60 {label} C. Babbage. On the economy of machines. Knight, 1832.
60 11. L. Menabrea. Notions of engines and looms. 1842.
80 12, 3–4.
60 12. V. Roe. Looms of the past and numbers.
"""


@pytest.mark.parametrize(("label", "labels"), [("1 0.", ["9", "10", "11", "12"]), ("1O.", ["9", "11", "12"])])
def test_a_label_that_was_misread_loses_no_labels_behind_it(label, labels):
    before = "".join(f"60 {number}. D. Knuth. Notes number {number}, 18{number}9.\n" for number in range(1, 9))
    text = LOST.format(label=label).replace("60 9.", f"{before}60 9.")
    found = items(text)
    assert [it for it, _ in found[8:]] == labels
    assert found[-2][1].endswith("1842. 12, 3–4.")


def test_a_row_in_bold_within_a_sentence_ends_no_list():
    rows = [
        "D. Knuth. Notes of looms and of engines. In:",
        "*Proceedings of the Looms.",
        "Wiley, Ely, and other places where looms",
        "stand, and where they are made to stand,",
        "in the year 1850.",
    ]
    item = "".join(f"60 {row}\n" for row in rows) + "\n"
    found = items(f"60 >References\n60 A. Byron. Looms, 1843.\n\n60 B. Roe. Looms, 1844.\n\n{6 * item}")
    assert len(found) == 8


@pytest.mark.parametrize("style", ["[{}]", "{}.", "({})", "{}", "[Key{}84]", "[Roe et al.(200{})]"])
def test_a_caption_within_a_list_ends_where_the_next_item_begins(style):
    rows = []
    for number in range(1, 7):
        rows.append(f"60 {style.format(number)} A. Lovelace. Notes on the engine of kind {'abcdef'[number - 1]}. 1843.")
        if number == 3:
            rows += ["60 Figure 2. The engine and the cards that", "60 9. and all others of its kind were fed with."]
    found = items("\n".join(["60 >References", *rows]))
    assert [text for _, text in found] == [f"A. Lovelace. Notes on the engine of kind {it}. 1843." for it in "abcdef"]


def test_a_word_that_goes_on_in_the_next_row_is_whole_in_the_text_and_a_compound_keeps_its_hyphen():
    text = """60 Learning of graphs, by semi-supervised and by state-of-the-art means, is learn-
60 ing too, with pre-
60 and postprocessing: semi-
60 supervised, state-of-the-
60 art and COVID19-
60 related works are net-
60 works in Bose-
60 Einstein fields, from end-
60 to-end and to whole, in-
60 to all; into."""
    work = pdf_extraction.describe_work(list(pages(text)), "", pdf_front.Front("", (), None))
    assert work["text"].split() == [
        *"Learning of graphs, by semi-supervised and by state-of-the-art means, is learning too,".split(),
        *"with pre- and postprocessing: semi-supervised, state-of-the-art and COVID19-related".split(),
        *"works are networks in Bose-Einstein fields, from end-to-end and to whole, into all; into.".split(),
    ]

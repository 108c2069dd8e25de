import pytest

from citelsp.bibliography import names
from lab import printed_references
from lab.printed_references import Read

BIB = """@article{a, author = {Byron, Ada}, title = {Notes on the Engine}, journal = {Memoirs}, volume = 3, year = 1843}
@article{b, author = {Knuth, Donald}, title = {Literate Programming}, journal = {Journal}, volume = 27, year = 1984}"""
BBL = r"""\begin{thebibliography}{9}
\bibitem{a} Ada Byron. \newblock Notes on the engine. \newblock {\em Memoirs}, 3:1--9, 1843.
\bibitem{b} Donald Knuth. \newblock Literate programming {II}. \newblock {\em Journal}, 27:2--3, 1984.
\end{thebibliography}"""


def test_what_is_read_of_a_list():
    reads = list(printed_references.compared(BBL, BIB, plain=False))
    assert [(it.field, it.key) for it in reads if not it.is_right] == [("title", "b")]
    assert (
        printed_references.table(reads).splitlines()[0].split() == "title 2 50.0 % right, 50.0 % wrong and sure".split()
    )


def test_without_markup_fewer_are_sure():
    reads = list(printed_references.compared(BBL, BIB, plain=True))
    assert not any(it.is_accusing for it in reads if it.field == "first author")


@pytest.mark.parametrize(
    ("written", "read", "doubt"),
    [
        ("Ada Byron, Donald Knuth, Charles Babbage", "Ada Byron and Donald Knuth", "several people are one"),
        ("Ada Byron, Donald Knuth", "Ada Byron and Donald Knuth", "the same letters, divided otherwise"),
        ("Engine Core Team", "{Engine Core Team}", "the same letters, divided otherwise"),
        ("Ada B\N{REPLACEMENT CHARACTER}ron", "Ada Byron", "the file is not UTF-8"),
        ("Engines & Looms", "{Engines} and {Looms}", ""),
        ("Byron, Ada Augusta", "Augusta, Ada", ""),
        ("Byron, Jr., Ada and Knuth, Donald", "Knuth, Donald", ""),
        ("Byron, Ada, Sr.", "Knuth, Donald", ""),
        ("{Engines, Looms, and Numbers}", "Engines", ""),
    ],
)
def test_what_a_bibliography_is_unclear_about(written, read, doubt):
    people, _ = names.parse(read)
    assert printed_references.doubt_author(written, people, is_right=False) == doubt


def test_unclear_truths_are_counted_both_ways():
    reads = [Read("first author", "a", True), Read("first author", "b", False, doubt="several people are one")]
    assert printed_references.table(reads).split(";") == [
        "first author       2  50.0 % right,  0.0 % wrong and sure",
        " where the truth is clear:      1 100.0 % right,  0.0 % wrong and sure",
    ]

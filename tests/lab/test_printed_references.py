from lab import printed_references

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

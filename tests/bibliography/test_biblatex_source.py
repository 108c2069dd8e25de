from citelsp.bibliography import biblatex_source
from fixture_projects import project_of

BOOK = "@book{b, title = {The Book}, editor = {Doe, Jo}, publisher = {P}, year = 1999}\n"


def written(text, path="refs.bib"):
    return biblatex_source.write(next(iter(project_of({path: text}).entries())).entry)


def test_macros_and_parts():
    text = '@string{p = "Press"}@BOOK{x, title = "A " # {{B}}, publisher = p # { House}, month = jan}'
    assert written(text) == ("@book{k,\n  title = {A {B}},\n  publisher = {Press House},\n  month = {jan}\n}\n")


def test_what_is_inherited():
    text = "@incollection{x, author = {Roe, R.}, title = {Part}, crossref = {b}, pages = {1--2}}\n" + BOOK
    found = written(text)
    assert "  booktitle = {The Book}" in found and "  publisher = {P}" in found and "  year = {1999}" in found
    assert "crossref" not in found and found.count("title = ") == 2
    assert "1999" not in written(text.replace("pages", "date = {2001}, pages"))


def test_of_another_format():
    text = '[{"id": "x", "type": "article-journal", "title": "A & B", "author": [{"family": "Roe", "given": "R."}]}]'
    assert written(text, "refs.json") == "@article{k,\n  title = {{A \\& B}},\n  author = {Roe, R.}\n}\n"


def test_odd_names_are_left_out():
    assert written("@größe{x, é = {1}, a.b = {2}, title = {T}}") == "@misc{k,\n  title = {T}\n}\n"

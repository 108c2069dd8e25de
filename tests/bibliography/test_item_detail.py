"""Who and when, as lists show it of an entry."""

import pytest

from citelsp.base.text import Document
from citelsp.bibliography.completion_search import item_detail
from citelsp.syntax.bibtex import parsing


@pytest.mark.parametrize(
    ("fields", "who_and_when"),
    [
        ("author={Knuth, Donald E.}, year=1984", "Knuth, 1984"),
        ("author={Donald E. Knuth}", "Knuth"),
        ("author={Curry, Haskell and Howard, William}, date={1980-01}", "Curry and Howard, 1980"),
        ("author={Vaswani, A. and Shazeer, N. and Parmar, N.}", "Vaswani et al."),
        ("author={Vaswani, A. and others}", "Vaswani et al."),
        ("author={Ashish Vaswani and others}", "Vaswani et al."),
        ("author={Vaswani, A. and Shazeer, N. and others}", "Vaswani et al."),
        (r"author={M{\"u}ller, J. and Roe, R.}", "Müller and Roe"),
        ("editor={Doe, J.}, year={n.d.}", "Doe"),
        ("title={T}", ""),
    ],
)
def test_who_and_when(fields, who_and_when):
    node = parsing.parse(Document("r.bib", f"@misc{{k, {fields}}}", "bibtex")).entries.node(0)
    assert item_detail.shown_entry(node, {}).who_and_when == who_and_when


def test_a_paper_without_authors_shows_the_editors_of_its_volume():
    document = Document("r.bib", "@inproceedings{k, editor = {Ada Byron and Marie Curie}, year = 2001}", "bibtex")
    [node] = map(parsing.parse(document).entries.node, [0])
    assert item_detail.shown_entry(node, {}).who_and_when == "Byron and Curie, 2001"

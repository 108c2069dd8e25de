import gc
import weakref

from citelsp.base.text import Document
from citelsp.bibliography.entry import read_alone
from citelsp.syntax.bibtex import parsing


def test_an_entry_remembered_keeps_no_document_alive():
    text = "@article{a, title = {T}, year = 2001}\n@book{b, crossref = {a}}\n"
    node, child = parsing.parse(Document("refs.bib", text, "bibtex")).entries
    assert read_alone(node) is read_alone(node)
    assert (read_alone(node).title, read_alone(node).year, read_alone(child)) == ("T", 2001, None)
    gone = weakref.ref(node)
    del node, child
    gc.collect(1)
    assert gone() is None

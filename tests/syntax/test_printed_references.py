import pytest

from citelsp.base.text import Document
from citelsp.syntax import parse
from citelsp.syntax.formats import printed_references

ONE = 'D. Knuth, "Literate programming," The Computer Journal, 1984.'
TWO = "Byron, A. (1843). Notes on the engine. Taylor's Memoirs, 3,\n   666–731."
LISTS = {
    "brackets": f"[1] {ONE}\n[2] {TWO}\n",
    "numbers": f"Text of 2001.\n\nReferences\n\n1. {ONE}\n2. {TWO}\n3. {ONE}\n",
    "signs": f"## References\n\n- {ONE}\n- {TWO}\n",
    "paragraphs": f"Literaturverzeichnis\n\n{ONE}\n\n{TWO}\n",
    "lines": f"{ONE}\n{TWO}\n",
    "labels": f"参考文献\n[Knu84] {ONE}\n[Byr43] {TWO}\n",
    "an appendix behind": f"REFERENCES\n[1] {ONE}\n[2] {TWO}\nAppendix A\n[3] is no reference of 2001.\n",
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_the_items_of_a_list(text):
    texts = [" ".join(it.item.text.split()) for it in printed_references.in_text(text)]
    assert texts[:2] == [ONE, " ".join(TWO.split())]
    assert len(texts) == (3 if text.count(ONE) == 2 else 2)


def test_keys_are_labels_or_numbers():
    keys = [[it.item.key for it in printed_references.in_text(LISTS[name])] for name in ("labels", "paragraphs")]
    assert keys == [["Knu84", "Byr43"], ["1", "2"]]


def test_each_stands_where_it_is_written():
    for text in LISTS.values():
        for placed in printed_references.in_text(text):
            assert text[placed.start :].startswith(placed.item.source)
            assert placed.item.key_span.within(placed.item.source) in ("", placed.item.key)


def keys(text, language="markdown"):
    entries = parse(Document("a.md", text, language)).entries
    return [entries.node(it).key for it in range(len(entries or ()))]


def test_a_section_of_markdown():
    assert keys(f"# Report\n\n1. First do this.\n\n## References\n\n1. {ONE}\n2. {TWO}\n\n## Notes\n\n1. None.\n") == [
        "1",
        "2",
    ]


@pytest.mark.parametrize(("heading", "language"), [("References", "markdown"), ("* References", "org")])
def test_a_list_ends_where_the_next_begins(heading, language):
    assert keys(f"{heading}\n\n[1] {ONE}\n\n{heading}\n\n[2] {TWO}\n", language) == ["1", "2"]


def test_the_div_into_which_pandoc_writes_references_is_none():
    assert keys("# References\n\n::: {#refs}\n:::\n") == []


def test_footnotes_of_markdown_that_are_references():
    text = f"So it is.[^a] And this.[^b]\n\n[^a]: {TWO}\n\n[^b]: A remark of mine.\n"
    assert keys(text) == ["a"]


def test_footnotes_on_lines_of_their_own_are_apart():
    text = f"So it is.[^a] And this.[^b]\n\n[^a]: {TWO}\n[^b]: {TWO}\n"
    entries = parse(Document("a.md", text, "markdown")).entries
    assert [placed.item.text for placed in entries.placed] == [TWO, TWO]


@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_footnotes_in_a_list_are_listed_once(between):
    text = f"So it is.[^a] And this.[^b]\n\n## References\n\n[^a]: {ONE}{between}[^b]: {TWO}{between}[^c]: Mine.\n"
    entries = parse(Document("a.md", text, "markdown")).entries
    assert [(placed.item.key, placed.item.text) for placed in entries.placed] == [("a", ONE), ("b", TWO)]


def test_a_footnote_alone_dates_no_list():
    text = f"So it is.[^a]\n\n## References\n\n{{{{< bibliography cited >}}}}\n\n[^a]: {ONE}\n"
    assert keys(text) == ["a"]


@pytest.mark.parametrize("behind_mark", ["", " ", "\n    ", "\r\n    "])
def test_a_footnote_in_a_list_needs_no_space_behind_its_mark(behind_mark):
    text = f"So it is.[^a]\n\n## References\n\n[^a]:{behind_mark}{ONE}\n"
    entries = parse(Document("a.md", text, "markdown")).entries
    assert [(placed.item.key, placed.item.text) for placed in entries.placed] == [("a", ONE)]


def test_markdown_with_a_bibliography_has_its_references_there():
    assert keys(f"---\nbibliography: refs.bib\n---\n\n## References\n\n1. {ONE}\n2. {TWO}\n") == []


def test_prose_is_no_list():
    assert not printed_references.is_list("Dear all,\n\nin 2001 we met. It was fine.\n")
    assert printed_references.is_list(LISTS["brackets"])


def test_the_items_of_a_word_processor():
    text = '[\n{\n"id": "1",\n"type": "book",\n"title": "Notes"\n}\n]'
    assert keys(text, "references") == ["1"]


def test_a_heading_of_markdown_may_have_attributes():
    assert keys(f"# Report\n\n## References {{.unnumbered #refs}}\n\n1. {ONE}\n2. {TWO}\n") == ["1", "2"]


def test_advice_where_to_look_is_no_list_of_works():
    assert keys("# Report\n\n## Sources\n\n- Prefer primary sources.\n- Ask a librarian about the others.\n") == []


def test_a_section_of_org():
    text = f"* Text\n1. First of 1999.\n\n* References :refs:\n1. {ONE}\n2. {TWO}\n\n* Notes\n1. Of 1999.\n"
    assert keys(text, "org") == ["1", "2"]


def test_org_with_a_bibliography_has_its_references_there():
    assert keys(f"#+bibliography: refs.bib\n\n* References\n1. {ONE}\n2. {TWO}\n", "org") == []

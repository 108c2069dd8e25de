import pytest

from citelsp.base.settings import Settings
from citelsp.base.text import Edit, apply
from citelsp.features import complete_fields
from fixture_projects import project_of

BIBTEX = r"\documentclass{article}\bibliographystyle{plain}\bibliography{r}"
BIBLATEX = r"\documentclass{article}\addbibresource{r.bib}"


def items(text, **manuscript):
    offset = text.index("|")
    others = {f"{name}.tex": written for name, written in manuscript.items()}
    project = project_of({"r.bib": text.replace("|", ""), **others}, Settings())
    return complete_fields.complete(project, "r.bib", offset)


def texts(text, **manuscript):
    return [it.text for it in items(text, **manuscript)]


def accepted(text, label):
    """The text after the item of this label is accepted."""
    [span] = [it.span for it in items(text) if it.text == label]
    assert span.start <= text.index("|") <= span.end
    return apply(text.replace("|", ""), [Edit("r.bib", span, label)])


def test_entry_types():
    found = items("@misc{a}\n\n@ar|")
    assert found[0].text == "article"
    assert found[0].detail == "author, title, journal, year"
    assert (found[0].span.start, found[0].span.end) == (11, 13)
    assert {"inproceedings", "online", "string"} <= {it.text for it in found}


def test_fields_that_are_needed_come_first():
    found = texts("@article{a,\n  title = {T},\n  |\n}")
    assert found[:2] == ["author", "journal"]
    assert "title" not in found
    assert "doi" in found
    assert texts("@article{a,\n  au|\n}")[0] == "author"


def test_macros():
    assert texts("@string{jml = {J}}\n@article{a, journal = j|}")[:2] == ["jml", "jan"]


def test_nothing_inside_values_and_keys():
    assert texts("@article{a, title = {x, |}}") == []
    assert texts("@article{a|}") == []
    assert texts("@article{{a|}") == []
    assert texts("me@|".replace("me@", "x = me@")) == []


@pytest.mark.parametrize(
    ("text", "label", "after"),
    [
        ("@ar|ticle{k, title = {T}}", "article", "@article{k, title = {T}}"),
        ("@|misc{k}", "book", "@book{k}"),
        ('@pre|amble{"x"}', "preamble", '@preamble{"x"}'),
        ("@str|ing{j = {J}}", "string", "@string{j = {J}}"),
        ("@article{k,\n  jo|u = {x},\n}", "journal", "@article{k,\n  journal = {x},\n}"),
        ("@article{k, ed|it}", "note", "@article{k, note}"),
        ("@article{k, |\n  title = {x}}", "year", "@article{k, year\n  title = {x}}"),
        ("@article{k, |title = {x}}", "year", "@article{k, yeartitle = {x}}"),
        ("@article{k, month = fe|b # 1}", "mar", "@article{k, month = mar # 1}"),
        ("@article{k, month = |feb,}", "mar", "@article{k, month = mar,}"),
    ],
)
def test_the_whole_word_at_the_cursor_is_replaced(text, label, after):
    assert accepted(text, label) == after


def test_a_field_under_the_cursor_may_be_another_but_is_not_offered_twice():
    assert "title" in texts("@article{k, tit|le = {x}}")
    assert "title" not in texts("@article{k, |title = {x}}")


@pytest.mark.parametrize("kind", ["online", "thesis", "article", "dataset", "nobodyknowsthis"])
@pytest.mark.parametrize("main", ["", BIBTEX, BIBLATEX])
def test_every_type_gets_the_fields_that_all_works_have(kind, main):
    offered = texts(f"@{kind}{{k,\n  |\n}}", **({"main": main} if main else {}))
    assert {"author", "title", "year", "url", "note", "doi"} <= set(offered)
    assert len(offered) == len(set(offered))


def test_of_an_unknown_dialect_both_are_offered_and_the_files_own_comes_first():
    offered = texts("@article{k,\n  |\n}")
    assert offered[:4] == ["author", "title", "journal", "year"]
    assert {"journaltitle", "date", "annote", "eprinttype"} <= set(offered)
    other = "@article{o,\n  journaltitle = {J},\n  date = {2020},\n}\n"
    assert texts(other + "@article{k,\n  |\n}")[:4] == ["author", "title", "journaltitle", "date"]
    assert texts("@online{k,\n  |\n}")[:3] == ["author", "title", "date"]


def test_a_declared_dialect_leaves_out_what_the_other_alone_knows():
    assert not {"eprinttype", "langid"} & set(texts("@article{k,\n  |\n}", main=BIBTEX))
    assert not {"annote", "primaryclass"} & set(texts("@article{k,\n  |\n}", main=BIBLATEX))


def test_an_item_says_what_it_is_and_for_what():
    assert {it.kind for it in items("@ar|")} == {"type"}
    assert [(it.text, it.detail) for it in items("@|")][-3:] == [
        ("string", "a macro"), ("preamble", "TeX for the bibliography"), ("comment", "ignored"),
    ]  # fmt: skip
    bibtex = ["article", "book", "booklet", "inproceedings"]
    assert texts("@|", main=BIBTEX)[:4] == bibtex != texts("@|", main=BIBLATEX)[:4]
    fields = items("@book{a, title = {T}, |}", main=BIBTEX)
    assert [(it.text, it.detail, it.kind) for it in fields][:4] == [
        ("author", "required", "field"), ("publisher", "required", "field"), ("year", "required", "field"),
        ("editor", "instead of author", "field"),
    ]  # fmt: skip
    assert {it.detail for it in fields} == {"required", "instead of author", "instead of year", "optional"}
    macros = items("@string{jan = {J}}@string{jml = {Journal}}\n@article{a, journal = |}")
    assert [(it.text, it.detail, it.kind) for it in macros][:3] == [
        ("jan", "J", "macro"), ("jml", "Journal", "macro"), ("feb", "month", "macro"),
    ]  # fmt: skip
    assert len(macros) == 13

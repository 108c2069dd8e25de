from citelsp.features import complete_fields
from citelsp.settings import Settings
from worlds import project_of


def items(text):
    offset = text.index("|")
    project = project_of({"r.bib": text.replace("|", "")}, Settings())
    return complete_fields.complete(project, "r.bib", offset)


def texts(text):
    return [it.text for it in items(text)]


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
    assert texts("me@|".replace("me@", "x = me@")) == []

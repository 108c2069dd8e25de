"""Faults are counted only if the check says more than it said of the entry before."""

from lab import seeded_values

ENTRIES = {
    "one/a.bib": """
        @article{a, author = {Ann Roe and Bo Doe}, title = {On kites (with strings)}, journal = {J}, year = {2001}}
        @article{b, author = {Ann Roe}, title = "Kites &amp; wings", journal = {J}, year = 2001}
        @book{c, author = {Ann Roe}, title = {Kites}, year = {2001}}
    """,
    "two/b.bib": """
        @inproceedings{a, author = {Li, X}, title = {Bows & arrows}, booktitle = {P}, year = {1999}, pages = {10--20}}
        @article{d, author = {Li, X}, title = {on kites (with strings)}, journal = {J}, year = {2002}}
        @article{e, author = {Li, X}, title = {Ropes}, journal = {J}, year = {2002}, crossref = {a}}
    """,
}


def test_what_is_drawn_seeded_and_found(tmp_path, capsys):
    for name, text in ENTRIES.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    entries = seeded_values.draw(tmp_path, 9, 1)
    titles = [dict(it.values)["title"].casefold() for it in entries]
    assert sorted(titles) == ["bows & arrows", "kites &amp; wings", "on kites (with strings)"]
    seeded_values.main([str(tmp_path), "--entries", "9", "--show"])
    printed = capsys.readouterr().out
    assert "| an entity | 3 | 2 |" in printed and "| reversed pages | 1 | 1 |" in printed
    assert "3 entries; as they are, 2 findings in 2 of them" in printed and "\n    Bows & arrows\n" in printed

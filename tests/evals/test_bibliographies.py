"""Real bibliographies against each other: which pairs are made, and what is counted as accused."""

from citelsp.evals import bibliographies
from citelsp.evals.bibliographies import pairs, read, repairs, section, shown

ENTRY = """@inproceedings{{{key},
  title = {{Deep Residual Learning for Image Recognition}},
  author = {{He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian}},
  booktitle = {{{venue}}}, year = {{{year}}}, doi = {{{doi}}}}}
"""


def _hands(place, **entries):
    """A folder for each hand with one entry, of which these fields are other than usual."""
    for hand, changes in entries.items():
        (place / hand).mkdir()
        usual = {"key": hand, "venue": "CVPR", "year": 2016, "doi": "10.1109/CVPR.2016.90"}
        (place / hand / "refs.bib").write_text(ENTRY.format(**(usual | changes)))
    return read(place)


def _accused(place, **entries):
    return {it.hands: it.accused for it in pairs(_hands(place, **entries))}


def test_two_hands_of_one_identifier_are_paired_both_ways(tmp_path):
    full = "Proceedings of the IEEE Conference on Computer Vision and Pattern Recognition"
    assert _accused(tmp_path, ada={}, byron={"venue": full}) == {("ada", "byron"): (), ("byron", "ada"): ()}


def test_what_the_rules_accuse_is_counted(tmp_path):
    assert _accused(tmp_path, ada={"venue": "NeurIPS"}, byron={})["ada", "byron"] == ("venue",)


def test_copies_of_one_export_and_other_works_are_no_pairs(tmp_path):
    assert _accused(tmp_path, ada={}, byron={}, curie={"doi": "10.1000/else"}) == {}


def test_halves_share_no_work(tmp_path):
    _hands(tmp_path, ada={}, byron={"year": 2017})
    assert sorted(len(read(tmp_path, half)) for half in (0, 1)) == [0, 1]


def test_rates_and_pairs_to_look_at(tmp_path):
    found = list(pairs(_hands(tmp_path, ada={"venue": "NeurIPS"}, byron={})))
    rates = {row[0]: row[2] for row in section(found, 1, "").tables[0].rows}
    assert rates["venue"] == "1" and rates["title"] == "0"
    assert any("NeurIPS" in line for line in shown(found, "venue", 1))
    assert not list(shown(found, "pages", 1))


def test_the_command_prints_the_rates(tmp_path, monkeypatch, capsys):
    _hands(tmp_path, ada={"venue": "NeurIPS"}, byron={})
    monkeypatch.setattr("sys.argv", ["bibliographies", str(tmp_path), "--show", "1"])
    bibliographies.main()
    assert "| venue | 2 | 1 |" in capsys.readouterr().out


def test_what_a_repair_would_write_is_listed_for_each_reference_once(tmp_path):
    found = list(pairs(_hands(tmp_path, ada={"venue": "NeurIPS"}, byron={}, curie={"year": 2016, "venue": "CVPR "})))
    *lines, last = repairs(found, 9)
    assert last == "1 of 1 references changed, 1 fields"
    full = "{IEEE/CVF Conference on Computer Vision and Pattern Recognition}"
    assert lines == [f"ada · byron · 10.1109/cvpr.2016.90\n   booktitle: {{NeurIPS}}\n            → {full}"]


def test_the_command_prints_what_a_repair_would_write(tmp_path, monkeypatch, capsys):
    _hands(tmp_path, ada={"venue": "NeurIPS"}, byron={})
    monkeypatch.setattr("sys.argv", ["bibliographies", str(tmp_path), "--repairs", "5"])
    bibliographies.main()
    printed = capsys.readouterr().out
    assert "booktitle: {NeurIPS}" in printed and "1 of 1 references changed, 1 fields" in printed

"""Real bibliographies against each other: which pairs are made, and what is counted as accused."""

import pytest

from lab import bibliographies, read_pairs
from lab.bibliographies import pairs, read, read_by_eye, repairs, rules, section, shown

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


def test_a_field_of_macros_that_nobody_defines_says_nothing(tmp_path):
    found = _hands(tmp_path, ada={}, byron={})
    place = tmp_path / "byron" / "refs.bib"
    place.write_text(
        place.read_text().replace("{He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian}", "HeK # ZhangX")
    )
    assert found and [it.accused for it in pairs(read(tmp_path))] == [(), ()]


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


def test_what_was_judged_by_eye_is_counted_whichever_is_the_record_and_shown_no_more(tmp_path):
    found = list(pairs(_hands(tmp_path, ada={"venue": "NeurIPS"}, byron={})))
    *_, line = shown(found, "venue", 9)
    assert line == "10.1109/cvpr.2016.90\tada\tbyron\tvenue\t?"
    file = tmp_path / "judged.tsv"
    counted = {
        "false": ("50.00", "50.00"),
        "mistake": ("0.00", "0.00"),
        "unclear": ("0.00", "50.00"),
        "?": ("0.00", "50.00"),
    }
    for word, rates in counted.items():
        file.write_text(f"# a note\n\n| a | table |\n{line[:-1]}{word}\n")
        judged = read_pairs.read(file)
        assert len(list(shown(found, "", 9, judged))) == (5 if word == "?" else 0)
        row = next(it for it in read_by_eye(found, judged).rows if it[0] == "venue")
        assert (row[1], row[6].split()[0], row[7].split()[0]) == ("1", *rates)


def test_a_line_that_is_no_judgement_is_rejected_by_its_number(tmp_path):
    (tmp_path / "judged.tsv").write_text("# fine\t\n10.1/x\tvenue\tfalse\n")
    with pytest.raises(ValueError, match="line 2: five cells"):
        read_pairs.read(tmp_path / "judged.tsv")


def test_the_command_counts_what_was_judged(tmp_path, monkeypatch, capsys):
    _hands(tmp_path, ada={"venue": "NeurIPS"}, byron={})
    (tmp_path / "judged.tsv").write_text("10.1109/cvpr.2016.90\tada\tbyron\tvenue\tmistake\n")
    monkeypatch.setattr("sys.argv", ["bibliographies", str(tmp_path), "--read", str(tmp_path / "judged.tsv")])
    bibliographies.main()
    assert "| venue | 1 | 1 | 0 | 1 | 0 | 0.00 % (0.00–65.76) |" in capsys.readouterr().out


PREPRINT = """@article{{{key},
  title = {{{title}}},
  author = {{He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian}},
  journal = {{{venue}}}, year = {{2015}}, eprint = {{1512.03385}}, archiveprefix = {{arXiv}}}}
"""


def _of_a_preprint(place, **hands):
    for hand, (title, venue) in hands.items():
        (place / hand).mkdir()
        (place / hand / "refs.bib").write_text(PREPRINT.format(key=hand, title=title, venue=venue))
    return {it.hands: (it.accused, it.open) for it in pairs(read(place))}


def test_no_publication_stands_for_what_arxiv_has(tmp_path):
    title = "Deep Residual Learning for Image Recognition"
    found = _of_a_preprint(tmp_path, ada=(title, "arXiv"), byron=(title, "Journal of Vision"), curie=(title, "CoRR"))
    assert sorted(found) == [("ada", "curie"), ("byron", "ada"), ("byron", "curie"), ("curie", "ada")]


@pytest.mark.parametrize(
    ("title", "field"),
    [
        ("Deep Residual Training for Image Recognition", "title"),
        ("On the Dreams of Convolutional Sheep in Winter", "identifier"),
    ],
)
def test_an_earlier_version_of_the_preprint_may_bear_the_cited_title(tmp_path, title, field):
    now = "Deep Residual Learning for Image Recognition"
    found = _of_a_preprint(tmp_path, ada=(title, "arXiv"), byron=(now, "CoRR"))
    assert found["ada", "byron"] == ((), (field,))


def test_a_doi_leads_to_what_its_registrar_has(tmp_path):
    found = list(pairs(_hands(tmp_path, ada={"venue": "arXiv preprint arXiv:1512.03385"}, byron={})))
    assert {it.record.source for it in found} == {"crossref"}


def test_no_registrar_has_a_command_of_the_authors_own_in_a_title(tmp_path):
    _hands(tmp_path, ada={}, byron={})
    path = tmp_path / "ada" / "refs.bib"
    path.write_text(path.read_text().replace("Deep Residual", r"Deep \ours"))
    assert [it.hands for it in pairs(read(tmp_path))] == [("ada", "byron")]


def test_what_a_registrar_has_of_a_preprint_is_one(tmp_path):
    found = list(pairs(_hands(tmp_path, ada={"venue": "bioRxiv"}, byron={})))
    assert {it.hands[1]: it.record.type for it in found} == {"ada": "preprint", "byron": "paper-conference"}


def test_a_preprint_beside_a_print_may_bear_the_cited_title(tmp_path):
    title, place = "Deep Residual Training for Image Recognition", "Journal of Vision}, doi = {10.1000/residual"
    found = _of_a_preprint(tmp_path, ada=(title, place), byron=("Deep Residual Learning for Image Recognition", place))
    assert found["ada", "byron"] == ((), ("title",))


def test_rules_are_counted_by_the_pairs_on_which_they_spoke(tmp_path):
    table = rules(list(pairs(_hands(tmp_path, ada={"venue": "NeurIPS"}, byron={}))))
    counts = {name: count for _, name, count in table.rows}
    assert (counts["its_identifier_leads_elsewhere"], counts["has_title_and_people"]) == ("1", "2")
    assert (counts["joined_since"], counts["have_the_same_letters"]) == ("0", "2")
    assert "is_seldom_indexed" not in counts

import asyncio
import json
from contextlib import closing

import pytest

import crossref_server
from lab import verification
from lab.verification import Case, Run, matthews, score

BIB = """@article{a, title = {Attention Is All You Need}, author = {Vaswani, A.}, year = {2017}, journal = {NeurIPS}}

@article{b, title = {Deep Residual Learning for Image Recognition}, author = {He, Kaiming}, year = {2015}}
"""


def _case(key: str, expect: str, *, set_: str = "s", disputed: bool = False) -> Case:
    return Case(set_, key, "H1", expect, disputed, (), None)


def _run(name: str, accused: str, abstained: str = "", cases: tuple[Case, ...] = ()) -> Run:
    return Run(name, cases, frozenset(accused), frozenset(abstained), {}, frozenset(), 6, 3.0, 1.5)


def _settings(service: crossref_server.Scholars) -> str:
    services = service.settings()["services"]
    lines = (f"{name}.{key} = {json.dumps(value)}" for name, it in services.items() for key, value in it.items())
    return "[services]\n" + "\n".join(lines)


def test_counts_by_hand():
    every = (*(_case(it, "accuse") for it in "abcd"), *(_case(it, "silent") for it in "efghi"), _case("x", "either"))
    found = score(every, _run("clean", "abcex", "d"))
    assert found.recall and found.recall.mean == 0.75
    assert found.false_positives and found.false_positives.mean == 0.2
    assert found.mcc == pytest.approx((3 * 4 - 1 * 1) / (4 * 4 * 5 * 5) ** 0.5)
    assert found.abstained == 0.1


def test_one_kind_alone_has_no_correlation():
    assert matthews([1.0, 1.0], []) is None


def test_the_page_names_accusations_that_a_faulty_run_adds():
    every = tuple(_case(it, "accuse" if it < "c" else "silent", disputed=it == "c") for it in "abcd")
    runs = [_run("clean", "ab", cases=every), _run("storm", "acd", "b", every)]
    section = verification.section(runs, "made")
    scores, codes, costs = section.tables
    assert [row[0] for row in scores.rows][:3] == ["clean: all", "clean: s", "clean: all, disputed labels left out"]
    assert codes.rows == (("s H1, accuse", "2", "100.0 %", "50.0 %"), ("s H1, silent", "2", "0.0 %", "100.0 %"))
    assert [row[-1] for row in costs.rows] == ["0", "2"]
    assert [row[4:6] for row in costs.rows] == [("0", "2"), ("0", "2")]
    assert costs.rows[0][1:4] == ("1.500", "0.375", "0.750")


async def test_who_asks_nobody_accuses_nobody(tmp_path):
    truth = {"title": "Attention Is All You Need", "authors": ["Ashish Vaswani"], "year": "2017", "venue": "NeurIPS"}
    lines = [
        {"key": "a", "code": "R1", "expect": "silent", "fields": [], "truth": truth},
        {"key": "b", "code": "H4", "expect": "accuse", "fields": ["year"], "truth": truth | {"year": "2016"}},
    ]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    (tmp_path / "s.bib").write_text(BIB, encoding="utf-8")
    (tmp_path / "off.toml").write_text("offline = true\n", encoding="utf-8")
    cases = verification.cases(tmp_path, "s")
    done = await verification.run("off", (tmp_path / "off.toml",) * 2, {"s": BIB}, cases)
    assert (done.accused, done.abstained, done.requests) == (frozenset(), frozenset("ab"), 0)
    assert (done.restored, done.harmed) == ({"b": False}, frozenset())


async def test_what_no_record_tells_cannot_be_repaired(tmp_path):
    works = [crossref_server.work(f"10.1000/{it}", f"The {it} work of an author", "Doe", "J.", 2000) for it in "ab"]
    bib = "".join(f"@article{{{it['DOI'][-1]}, title = {{{it['title'][0]}}}, author = {{Doe, J.}}, year = 1990,"
                  f" address = {{Bonn}}, doi = {{{it['DOI']}}}}}\n" for it in works)  # fmt: skip
    lines = [
        {"key": key, "code": "H", "expect": "accuse", "fields": [field], "truth": {"title": "T", "year": "2000"}}
        for key, field in (("a", "year"), ("b", "address"))
    ]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    (tmp_path / "s.bib").write_text(bib, encoding="utf-8")
    with closing(crossref_server.Scholars(*works)) as service:
        (tmp_path / "c.toml").write_text(_settings(service), encoding="utf-8")
        [done] = await asyncio.to_thread(verification.measure, tmp_path, ["s"], {"c": tmp_path / "c.toml"})
    assert (done.restored, done.unrecorded) == ({"a": True}, frozenset("b"))


async def test_a_check_that_is_broken_off_begins_anew_and_is_not_made_twice(tmp_path):
    works = [crossref_server.work(f"10.1/{it}", f"The {it} work of an author", "Doe", "J.", 2000) for it in "abcdef"]
    bib = "".join(f"@article{{{it['DOI'][-1]}, title = {{{it['title'][0]}}}, author = {{Doe, J.}}, year = 2000,"
                  f" doi = {{{it['DOI']}}}}}\n" for it in works)  # fmt: skip
    with closing(crossref_server.Scholars(*works)) as service:
        (tmp_path / "c.toml").write_text(_settings(service), encoding="utf-8")
        cases = [Case("s", it["DOI"][-1], "R1", "silent", False, (), None) for it in works]
        done = await verification.run("c", (tmp_path / "c.toml",) * 2, {"s": bib}, cases, stop=1)
    assert (done.accused, done.abstained, done.again, done.completed) == (frozenset(), frozenset(), 0, frozenset())
    assert done.requests >= len(service.asked) >= len(works)


def test_a_doi_where_the_truth_names_none_is_no_harm(tmp_path):
    truth = {"title": "Attention Is All You Need", "authors": ["A. Vaswani"], "year": "2017", "venue": "NeurIPS"}
    added = BIB.replace("journal = {NeurIPS}", "journal = {NeurIPS}, doi = {10.1/a}")
    wrong = BIB.replace("2017", "2018")
    for more, after, harmed in ((truth, added, False), (truth, wrong, True), (truth | {"doi": "10.1/b"}, added, False)):
        case = Case("s", "a", "R1", "silent", False, (), verification._record(more))
        read = verification._entries({"s": BIB}), verification._entries({"s": after})
        assert verification._is_harmed(case, *read) is harmed

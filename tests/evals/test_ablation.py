import json

from citelsp.cli import main
from citelsp.corpus import fitted_weights, search_place
from citelsp.corpus.index import Corpus
from citelsp.corpus.pool import Stage
from citelsp.corpus.work import Work
from citelsp.corpus.work_features import NAMES
from citelsp.evals import prediction
from citelsp.workspace.question import read_marked

WORKS = [
    Work("sentence", "Gradient descent with momentum", "Momentum helps gradient descent.", year=2001),
    Work("title", "Glaciers under warming", "Ice melts.", year=2002),
    Work("paragraph", "Satellite altimetry of heights", "Heights are measured by radar.", year=2003),
    Work("near", "Optimizers with momentum and radar", year=2010, references=("cited",)),
    Work("cited", "An unrelated heading", year=2004),
    Work("other", "Feeding habits of fish", year=2005),
]
TEXT = r"Altimetry gives heights. We follow gradient descent with momentum \cite<>."


def found(corpus, stage):
    asked = read_marked(TEXT, title="Glaciers", date="2020")
    ranked = search_place.rank(corpus.catalogue(), asked, stage=stage)
    return set(corpus.store.ids([it.n for it in ranked.pool.works]))


def test_each_stage_finds_what_those_before_it_cannot(place):
    with Corpus(place) as corpus:
        pools = {stage: found(corpus, stage) for stage in Stage}
    assert pools[Stage.SENTENCE] == {"sentence", "near"}
    assert pools[Stage.TITLE] - pools[Stage.SENTENCE] == {"title"}
    assert pools[Stage.VARIANTS] - pools[Stage.TITLE] == {"paragraph"}
    assert pools[Stage.GRAPH] - pools[Stage.VARIANTS] == {"cited"}
    assert pools[Stage.GRAPH] == pools[Stage.WEIGHTS] == pools[Stage.PRIORS]


def test_fusion_alone_ranks_before_weights_do(place):
    with Corpus(place) as corpus:
        fused = search_place.rank(corpus.catalogue(), read_marked(TEXT, title="Glaciers"), stage=Stage.GRAPH)
        assert list(fused.order) == list(range(len(fused.pool.works)))


def test_priors_alone_are_missing_before_the_last_stage():
    last, before = (fitted_weights.weights_at(it, "passage").weights for it in (Stage.PRIORS, Stage.WEIGHTS))
    missing = {name for name, one, other in zip(NAMES, last, before, strict=True) if one != other}
    assert last == fitted_weights.fitted_weights("passage").weights
    assert missing == {"recent", "age"}
    assert all(before[NAMES.index(it)] == 0 for it in missing)


def test_without_the_title_the_manuscript_is_still_never_found(place):
    with Corpus(place) as corpus:
        asked = read_marked(TEXT, title="Gradient descent with momentum")
        for stage in Stage:
            names = corpus.store.ids(
                [it.n for it in search_place.rank(corpus.catalogue(), asked, stage=stage).pool.works]
            )
            assert "sentence" not in names


def test_one_table_says_what_each_stage_adds_to_each_set(tmp_path, place, capsys):
    title = {"title": "Glaciers", "text": TEXT, "date": "2020"}
    rows = [
        {"id": "a", "set": "words", "gold": ["sentence"], **title},
        {"id": "b", "set": "graph", "gold": ["cited"], **title},
    ]
    file, out = tmp_path / "asked.jsonl", tmp_path / "out"
    file.write_text("".join(json.dumps(it) + "\n" for it in rows), encoding="utf-8")
    assert main(["eval", "positions", str(file), "--corpus", str(place), "--out", str(out), "--ablation"]) == 0
    printed = capsys.readouterr().out
    table = [[cell.strip() for cell in it.strip("|").split("|")] for it in printed.splitlines() if it.startswith("|")]
    assert table[0] == ["set", "up to", "n", "R@1", "R@10", "R@100"]
    stages = ["sentence", "+ title", "+ variants", "+ graph", "+ weights", "+ priors"]
    assert [it[:3] for it in table[2:]] == [[name, it, "1"] for name in ("words", "graph") for it in stages]
    reached = [it[5].split()[0] for it in table[2:]]
    assert reached == ["100.0"] * 6 + ["0.0"] * 3 + ["100.0"] * 3
    assert "without fitted weights" in printed and fitted_weights.fitted_on() in printed
    assert (out / "report.md").read_text("utf-8") in printed
    assert set(prediction.read(out / "predictions-sentence.jsonl")) == {"a", "b"}

import json
from math import log2

import pytest

from citelsp.cli import main
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.evals import manuscripts, prediction, questions
from citelsp.evals.prediction import PredictedWork, Prediction

WORKS = [
    Work("adam", "Adam: A Method for Stochastic Optimization", "We introduce Adam. It needs little memory.", year=2014),
    Work("lstm", "Long Short-Term Memory", "Learning to store information over long time intervals.", year=1997),
    Work("gan", "Generative Adversarial Nets", year=2014),
    Work("fish", "Feeding Habits of Freshwater Fish", year=1980),
]
ASKED = [
    {"id": "a", "text": r"We use the Adam optimizer \cite<>.", "title": "Deep nets", "gold": ["adam"], "cluster": "p"},
    {"id": "b", "text": r"Long short-term memory \cite<> is used.", "title": "Deep nets", "gold": ["lstm"]},
    {"id": "c", "text": r"Fish eat plants \cite<>.", "title": "Ponds", "gold": ["no such work"]},
]


def written(path, rows):
    path.write_text("".join(json.dumps(it) + "\n" for it in rows), encoding="utf-8")
    return path


def asked(tmp_path, rows):
    return questions.read(written(tmp_path / "asked.jsonl", rows))


def test_equivalent_works_count_once_and_every_metric_is_by_hand(tmp_path):
    works = [{"ids": ["a", "a2"], "titles": ["First Work"]}, {"ids": [], "titles": ["Second Work"]}]
    (question,) = asked(tmp_path, [{"id": "q", "text": r"x \cite<>", "gold_works": works}])
    offers = (
        PredictedWork("x", "Other"),
        PredictedWork("a2", "?"),
        PredictedWork("a", "First work"),
        PredictedWork("z", "Second  Work!"),
    )
    (one,) = prediction.judge([question], {"q": Prediction("q", offers)})
    assert one.matched == (None, 0, None, 1)
    found = prediction.values(one)
    assert [found[it] for it in ("R@1", "R@2", "R@5", "Hit@1", "Hit@10")] == [0, 0.5, 1, 0, 1]
    assert found["MRR@10"] == 0.5
    assert found["NDCG@10"] == pytest.approx((1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3)))
    assert found["PACA@20"] == pytest.approx(19 / 20 + 17 / 20)


def test_a_question_without_an_answer_counts_as_a_miss(tmp_path):
    found = prediction.means(prediction.judge(asked(tmp_path, ASKED[:1]), {}))
    assert found["R@100"].mean == found["PACA@20"].mean == 0


def test_entropy_of_what_is_listed_and_share_of_what_does_not_exist(tmp_path):
    offers = (PredictedWork("a", "A"), PredictedWork("b", "B"), PredictedWork("c", "C"), PredictedWork("d", "D"))
    answers = prediction.judge(asked(tmp_path, ASKED[:1]), {"a": Prediction("a", offers)})
    assert prediction.diversity(answers, {"a": "cs", "b": "cs", "c": "bio", "d": "bio"}) == 1
    assert prediction.hallucinated_share(answers, lambda it: it.id != "d") == 0.25


def test_positions_are_predicted_and_written_with_a_report(tmp_path, place, capsys):
    file = written(tmp_path / "asked.jsonl", ASKED)
    assert main(["eval", "positions", str(file), "--corpus", str(place), "--out", str(tmp_path / "out")]) == 0
    found = prediction.read(tmp_path / "out" / "predictions.jsonl")
    assert [found[it].offers[0].id for it in "abc"] == ["adam", "lstm", "fish"]
    page = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert page in capsys.readouterr().out and "| asked | 3 | 66.7" in page
    assert (tmp_path / "out" / "report.html").exists()


def test_a_manuscript_cites_what_is_right_at_its_other_places(tmp_path, place):
    rows = [
        {"id": "a", "text": r"x \cite<>", "title": "One", "gold": ["adam"]},
        {"id": "b", "text": r"x \cite<>", "title": "One", "gold": ["lstm", "gan"]},
        {"id": "again", "text": r"x \cite<>", "title": "One", "gold": ["adam"]},
        {"id": "c", "text": r"x \cite<>", "title": "Two", "gold": ["fish"]},
        {"id": "late", "text": r"x \cite<>", "title": "One", "gold": ["none"]},
        {"id": "known", "text": r"x \cite<>", "title": "Three", "gold": [], "cites": ["Anything"]},
    ]
    places = asked(tmp_path, rows)
    with Corpus(place) as corpus:
        found = {it.id: it.asked.cites for it in manuscripts.citing(corpus, places)}
    adam, lstm, gan, _ = (it.title for it in WORKS)
    assert found == {
        "a": (lstm, gan),
        "b": (adam,),
        "again": (lstm, gan),
        "late": (adam, lstm, gan),
        "c": (),
        "known": ("Anything",),
    }


def test_what_is_cited_elsewhere_votes_for_what_is_cited_with_it(tmp_path):
    citing = [Work(f"r{it}", f"Topic {it}", year=2001, references=("rivers", "ice")) for it in range(9)]
    citing += [Work(f"s{it}", f"Topic {it}", year=2001, references=("seas", "salt")) for it in range(9, 18)]
    others = [Work(f"o{it}", f"Another {it}", year=2001) for it in range(2500)]  # a smaller corpus has no such votes
    sought = [Work(it, f"Water of {it}", year=2000) for it in ("rivers", "seas", "ice", "salt")]
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([*sought, *citing, *others])
    rows = [
        {"id": "a", "text": r"There is water \cite<>.", "title": "Water", "gold": ["seas"]},
        {"id": "b", "text": r"It melts \cite<>.", "title": "Water", "gold": ["salt"]},
    ]
    where = [str(written(tmp_path / "asked.jsonl", rows)), "--corpus", str(tmp_path / "corpus"), "--out", str(tmp_path)]

    def first(*options):
        assert main(["eval", "positions", *where, *options]) == 0
        return prediction.read(tmp_path / "predictions.jsonl")["a"].offers[0].id

    assert (first(), first("--cites")) == ("rivers", "seas")


def test_a_whole_reference_list_is_predicted(tmp_path, place, capsys):
    abstract = "We train long short-term memory. Steps are taken by stochastic optimization."
    row = {"id": "l", "title": "On training", "abstract": abstract, "gold": ["adam", "lstm"]}
    file = written(tmp_path / "lists.jsonl", [row])
    assert main(["eval", "lists", str(file), "--corpus", str(place), "--out", str(tmp_path)]) == 0
    assert {it.id for it in prediction.read(tmp_path / "predictions.jsonl")["l"].offers[:2]} == {"adam", "lstm"}
    capsys.readouterr()


def test_citeme_names_works_by_title_and_forbids_the_source(tmp_path, place, capsys):
    head = "id,excerpt,target_paper_title,target_paper_url,source_paper_title,source_paper_url,year,split\n"
    line = '7,"We use Adam [CITATION] here.",ADAM: a method for stochastic optimization,,Feeding Habits,,2020,test\n'
    (tmp_path / "citeme.csv").write_text(head + line, encoding="utf-8")
    (question,) = questions.read(tmp_path / "citeme.csv")
    assert question.text == r"We use Adam \cite<> here." and question.exclude == ("Feeding Habits",)
    arguments = ["eval", "citeme", str(tmp_path / "citeme.csv"), "--corpus", str(place), "--out", str(tmp_path)]
    assert main(arguments) == 0
    assert "| citeme | 1 | 100.0" in capsys.readouterr().out


def test_two_systems_are_compared_question_by_question(tmp_path, place, capsys):
    file = written(tmp_path / "asked.jsonl", ASKED)
    other = written(tmp_path / "other.jsonl", [{"id": it["id"], "candidates": []} for it in ASKED])
    given = ["--corpus", str(place), "--out", str(tmp_path), "--versus", str(other)]
    assert main(["eval", "positions", str(file), *given]) == 0
    assert "Against other.jsonl, paired" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [("nonsense", "not a JSON object"), ('{"text": "x"}', "has no 'id'"), ('{"id": 1, "text": "x"}', "holds no")],
)
def test_what_cannot_be_asked_is_said(tmp_path, place, capsys, line, said):
    (tmp_path / "asked.jsonl").write_text(line, encoding="utf-8")
    given = ["--corpus", str(place), "--out", str(tmp_path)]
    assert main(["eval", "positions", str(tmp_path / "asked.jsonl"), *given]) == 2
    assert said in capsys.readouterr().err


HEAD = "id,excerpt,target_paper_title,source_paper_title,year\n"


def test_a_table_takes_no_other_answers(tmp_path, place, capsys):
    path = tmp_path / "citeme.csv"
    path.write_text(f"{HEAD}1,Adam [CITATION] is used,Adam,Nets,2019\n", encoding="utf-8")
    (tmp_path / "gold.jsonl").write_text('{"id": "1", "gold": ["gan"]}\n', encoding="utf-8")
    arguments = ["eval", "citeme", str(path), "--gold", str(tmp_path / "gold.jsonl"), "--corpus", str(place)]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    assert "citeme.csv has its answers itself" in capsys.readouterr().err


def test_excerpts_without_a_mark_are_left_out(tmp_path):
    path = tmp_path / "citeme.csv"
    path.write_text(f"{HEAD}1,Adam [CITATION] is used,Adam,Nets,2019\n2,No mark here,Adam,Nets,2019\n3\n")
    told = []
    assert [it.id for it in questions.read(path, warn=told.append)] == ["1"]
    assert len(told) == 2
    assert all("the text holds no [CITATION]; it is left out" in it for it in told)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("asked.csv", HEAD.encode() + b"1,\xff [CITATION],Adam,Nets,2019\n"),
        ("asked.csv", HEAD.encode() + b'1,"' + b"x [CITATION]" * 20_000),
        ("asked.jsonl", b'{"id": "\xff"}\n'),
        ("asked.jsonl", b'{"id": "a", "text": "x \\\\cite<>", "gold": "adam"}\n'),
        ("asked.jsonl", b'{"id": "a", "text": "x \\\\cite<>", "gold": [1]}\n'),
        ("asked.jsonl", b'{"id": "a", "text": "x \\\\cite<>", "gold_works": ["adam"]}\n'),
        ("asked.jsonl", b'{"id": ["a"], "text": "x \\\\cite<>"}\n'),
        ("asked.jsonl", b'{"id": ' + b"[" * 100_000),
    ],
)
def test_questions_of_another_form_are_said(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(questions.EvaluationFileError, match="asked"):
        questions.read(tmp_path / name)


@pytest.mark.parametrize(("content", "why"), [(None, "cannot be read"), ('{"gold": ["adam"]}\n', "a line has no 'id'")])
def test_what_is_wrong_with_the_answers_is_said_of_their_file(tmp_path, content, why):
    if content:
        (tmp_path / "gold.jsonl").write_text(content)
    with pytest.raises(questions.EvaluationFileError, match=rf"gold\.jsonl: {why}"):
        questions.read(written(tmp_path / "asked.jsonl", ASKED), tmp_path / "gold.jsonl")


def test_predictions_of_another_form_are_said(tmp_path):
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"id": "a", "candidates": ["adam"]}\n')
    with pytest.raises(questions.EvaluationFileError, match="not predictions"):
        prediction.read(path)


def test_any_line_separator_may_stand_in_a_predicted_title(tmp_path):
    path = tmp_path / "predictions.jsonl"
    given = Prediction("a", (PredictedWork("x", "One\u2028title"),))
    path.write_text("".join(prediction.lines([given])), encoding="utf-8")
    assert prediction.read(path) == {"a": given}


@pytest.mark.parametrize("every", ["0", "-1"])
def test_every_nth_question_is_one_at_least(tmp_path, place, capsys, every):
    file = str(written(tmp_path / "asked.jsonl", ASKED))
    assert main(["eval", "positions", file, "--corpus", str(place), "--out", str(tmp_path), "--every", every]) == 3
    assert f"{every} is not a number greater than 0" in capsys.readouterr().err

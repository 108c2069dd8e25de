import json

import pytest

from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.evals import page, questions
from lab import answering, bars

THINGS = ("airships", "beehives", "comets", "dykes", "engines", "fjords", "glaciers", "harps")
WORKS = [
    Work(it, f"Measuring {it}", f"We measure {it} from afar and say how {it} move." if n % 2 else "", year=2015)
    for n, it in enumerate(THINGS)
]


@pytest.fixture
def found(tmp_path):
    lines = [
        {"id": it, "set": "citerag", "title": "Large things", "gold": [it], "text": rf"One measures {it} \cite<>."}
        for it in (*THINGS, "unheld")
    ]
    path = tmp_path / "asked.jsonl"
    path.write_text("".join(json.dumps(it) + "\n" for it in lines), encoding="utf-8")
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add(WORKS)
        return answering.measure(corpus, questions.read(path))


def test_places_whose_work_is_there_are_answered_and_not_without_it(found):
    assert [it.rules.question.id for it in found] == list(THINGS)
    values = answering.values(found)
    assert (values["right first"], values["abstaining without"], values["misquoted"]) == (100, 100, 0)
    assert answering.values([it for it in found if it.has_abstract])["gain"] == 0


def test_what_is_asked_of_answers(found):
    sets = {name: answering.values(places) for name, places in answering.by_set(found)}
    assert list(sets) == ["citerag", "citerag, with abstract"]
    short = [it.what for it in bars.answered(sets) if not it.reached]
    assert short == []
    sets["citerag"] |= {"abstaining without": 79, "gain, most": -0.1}
    assert [it.what for it in bars.answered(sets) if not it.reached] == [
        "citerag: R@1 minus that of the corpus alone, upper end of the interval",
        "citerag, by rules: abstaining without",
    ]
    assert "| citerag, with abstract | 4 | 100.0 % |" in page.markdown("", [answering.section(found, "")])

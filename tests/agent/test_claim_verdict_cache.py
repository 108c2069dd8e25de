"""Verdicts of a model that are remembered between runs, by all that they rest on."""

from dataclasses import replace

import pytest

from citelsp.agent.claim_verdict_cache import Judgements, Ruling
from citelsp.base.settings import LanguageModel
from citelsp.bibliography.record import Record
from citelsp.knowledge import Evidence
from citelsp.sources.answer_cache import Cache
from citelsp.workspace.question import Question

QUESTION = Question("Memory is scarce. Adam needs little memory ", " and is popular. Others need more.")
RECORD = Record("corpus", "adam", "Adam: A Method for Stochastic Optimization")
TEXT = (Evidence("It needs little memory.", "abstract", "corpus"),)
RULING = Ruling("supported", "It needs “little” memory.", "says so")


@pytest.fixture
def cache(tmp_path):
    cache = Cache(tmp_path / "answers")
    yield cache
    cache.close()


@pytest.fixture
def known(cache):
    return Judgements(cache, LanguageModel("http://localhost:1/v1", "m"))


async def test_a_ruling_comes_back_as_it_was_written(known):
    key = known.key(QUESTION, RECORD, TEXT)
    assert await known.get(key) is None
    await known.put(key, RULING)
    assert await known.get(key) == RULING


async def test_what_is_no_ruling_is_none(known, cache):
    for text in ("", "no JSON", "[]", '{"verdict": "supported"}'):
        await cache.put_text("judgement", "k", text, 60.0)
        assert await known.get("k") is None


def test_whatever_else_is_asked_is_asked_anew(known, cache):
    first = known.key(QUESTION, RECORD, TEXT)
    others = [
        known.key(replace(QUESTION, before="Adam needs no memory "), RECORD, TEXT),
        known.key(replace(QUESTION, after=" and is slow."), RECORD, TEXT),
        known.key(QUESTION, replace(RECORD, title="Another Title"), TEXT),
        known.key(QUESTION, RECORD, ()),
        known.key(QUESTION, RECORD, (replace(TEXT[0], quote="It needs much memory."),)),
        known.key(QUESTION, RECORD, (replace(TEXT[0], where="Introduction"),)),
        Judgements(cache, LanguageModel("http://localhost:1/v1", "n")).key(QUESTION, RECORD, TEXT),
        Judgements(cache, LanguageModel("http://localhost:2/v1", "m")).key(QUESTION, RECORD, TEXT),
    ]
    assert len({first, *others}) == 9
    assert known.key(replace(QUESTION, before="A word more here. Adam needs little memory "), RECORD, TEXT) == first


def test_a_work_is_judged_whatever_signs_its_text_holds(known):
    half = (replace(TEXT[0], quote="half \ud800 a sign"),)
    assert known.key(QUESTION, RECORD, half) == known.key(QUESTION, RECORD, half) != known.key(QUESTION, RECORD, TEXT)

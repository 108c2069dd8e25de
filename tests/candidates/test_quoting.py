"""A passage is looked for when somebody looks at a work, and not for each list."""

import time

import pytest

from citelsp.candidates import candidate_set, gather, quoting
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.workspace.question import read_marked

QUESTION = read_marked("Tidewater glaciers calve where they float \\cite<>.")
WORDS = "harps oars sirens sailors storms reefs tides keels masts ropes".split()


@pytest.fixture
def corpus(tmp_path):
    def text(number):
        """That only one work has, and only its full text answers the question."""
        rest = (f"The {WORDS[it % 10]} of {WORDS[it % 7]} number {it * number} sang." for it in range(1500))
        return "\n\n".join((f"Where tidewater glaciers float they calve, we find {number} times.", *rest))

    with Corpus(tmp_path / "corpus", create=True) as found:
        found.add(Work(f"w{it}", f"How Glaciers Calve, Volume {it}", text=text(it)) for it in range(1, 11))
        yield found


def test_each_work_of_a_list_is_quoted_from_its_full_text(corpus):
    found = candidate_set.suggest(gather.gather_locally(QUESTION, corpus))
    assert {it.evidence for it in found.candidates} == {()}
    for it in quoting.quote_each(QUESTION, found, corpus).candidates:
        [passage] = it.evidence
        assert (passage.where, passage.source) == ("full text", "corpus")
        assert passage.quote == f"Where tidewater glaciers float they calve, we find {it.record.id[1:]} times."


def test_a_list_reads_no_full_text(corpus):
    candidate_set.suggest(gather.gather_locally(QUESTION, corpus))
    began = time.thread_time()
    found = candidate_set.suggest(gather.gather_locally(QUESTION, corpus))
    listed = time.thread_time() - began
    began = time.thread_time()
    quoting.quote_each(QUESTION, found, corpus)
    assert listed < (time.thread_time() - began) / 3

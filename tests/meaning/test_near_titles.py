"""How near the author's own titles lie to a place, and what that does to the list of entries."""

import json
import sqlite3

import pytest

from citelsp.base.settings import Embeddings, Settings
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.candidates import entries, near_trees
from citelsp.corpus import trees
from citelsp.corpus.place_query import Query
from citelsp.corpus.ranking_endpoints import helpers
from citelsp.investigate import search
from citelsp.meaning.near_titles import TitleVectors
from citelsp.workspace import question as questions
from fixture_projects import world
from tiny_model import write_model

np = pytest.importorskip("numpy")
pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

CATS, BOATS = {"cat", "cats", "feline"}, {"boat", "ships", "sea"}
REFS = """%% refs.bib
@misc{ships, title = {Ships at Sea}, year = 2001}
@misc{cats, title = {Cats and their Ways}, year = 2001}
@misc{harps, title = {Harps and their Ways}, year = 2001}
"""


def asked(text):
    it = world(f"%% a.tex\n{text}\n{REFS}")
    question = questions.placeholder_question(it.project, it.cursor[0], it.project.placeholder_at(*it.cursor))
    return it.project, question


@pytest.fixture
def made(tmp_path, monkeypatch):
    """made() → helpers with a model on this machine, its vectors cached in a folder."""
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    folder, told = write_model(tmp_path / "tiny", CATS, BOATS), []

    def make(**more):
        return helpers(Settings(embeddings=Embeddings(model=str(folder)), offline=True, **more), told.append)

    make.told, make.folder = told, folder
    return make


def titles(project):
    return [it.entry.title for it in project.entries()]


async def test_an_entry_that_means_the_same_comes_first(made):
    project, question = asked(r"The ways of a feline \cite<|>.")
    query = Query(question)
    near = await search.learn_near([question], titles(project), made())
    keys = [it.key for it in entries.find_answering(project, Libraries(), query, near)]
    assert keys[0] == "cats"
    by_name = dict(zip(titles(project), near.compare(titles(project)), strict=True))
    assert by_name["Cats and their Ways"][0] > by_name["Harps and their Ways"][0]


async def test_nearness_makes_entries_as_likely_as_they_were_found_right(made, monkeypatch):
    project, question = asked(r"The ways of a feline \cite<|>.")
    near = await search.learn_near([question], titles(project), made())

    def first():
        return entries.find_answering(project, Libraries(), Query(question), near)[0]

    cautious = first()
    monkeypatch.setattr(near_trees, "slope", lambda: 1.0)
    assert first().key == cautious.key == "cats"
    # Among three entries “none of these” is likelier: a smaller slope draws both towards one half.
    assert first().chance < cautious.chance < 0.5


async def test_without_a_model_the_list_is_what_it_was(made):
    project, question = asked(r"The ways of a feline \cite<|>.")
    from citelsp.corpus.ranking_endpoints import Helpers

    assert await search.learn_near([question], titles(project), Helpers()) is None
    before = entries.find_answering(project, Libraries(), Query(question))
    assert before == entries.find_answering(project, Libraries(), Query(question), None)


async def test_what_is_not_learnt_lies_in_the_middle(made):
    _, question = asked(r"A feline \cite<|>.")
    found = made()
    assert search.known_near(question, found) is None
    near = await search.learn_near([question], ["Cats and their Ways", "Ships at Sea"], found)
    rows = near.compare(["Cats and their Ways", "Never learnt", "Ships at Sea"])
    assert rows[0][0] > rows[1][0] == 0.0 > rows[2][0]
    assert near.compare(["Never learnt"]) == [(0.0, 0.0, 0.0)]
    assert search.known_near(question, found) == near


async def test_a_question_is_ready_before_the_titles_are_learnt(made):
    project, question = asked(r"A feline \cite<|>.")
    found, seen = made(), []
    await search.learn_near([question], titles(project), found, lambda: seen.append(search.known_near(question, found)))
    assert [it.count for it in seen] == [0]


async def test_titles_are_learnt_once_for_all_processes(made):
    project, question = asked(r"A feline \cite<|>.")
    await search.learn_near([question], titles(project), made())
    again, made_now = TitleVectors(made().embedder.remote.vectors), []
    assert again.unknown(titles(project)) == []
    again.ask(["a feline"], lambda it: np.ones((len(it), 3), np.float32))
    assert again.known(["a feline"]).count == 3 and not made_now


@pytest.mark.parametrize("harm", [lambda it: it.write_bytes(b"no database" * 500), lambda it: half(it)])
async def test_a_damaged_cache_is_an_empty_one(made, harm):
    project, question = asked(r"A feline \cite<|>.")
    await search.learn_near([question], titles(project), made())
    name = made().embedder.remote.vectors
    harm(TitleVectors(name)._path)
    assert TitleVectors(name).unknown(titles(project)) == titles(project)
    near = await search.learn_near([question], titles(project), made())
    assert near.count == 3 and not made.told


def half(path):
    with sqlite3.connect(path) as disk:
        disk.execute("UPDATE titles SET vector = substr(vector, 1, 2) WHERE rowid = 1")
    disk.close()


@pytest.mark.parametrize("is_asked_first", [True, False])
def test_a_damaged_vector_that_is_read_alone_is_made_again(tmp_path, is_asked_first):
    def make(texts):
        return np.ones((len(texts), 3), np.float32)

    TitleVectors("model", tmp_path).add(["Ships at Sea"], make)
    half(TitleVectors("model", tmp_path)._path)
    vectors = TitleVectors("model", tmp_path)
    if is_asked_first:
        vectors.ask(["a boat"], make)
        assert vectors.unknown(["Ships at Sea"]) == ["Ships at Sea"]
    else:
        vectors.unknown(["Ships at Sea"])  # nothing says yet how long a vector is
        vectors.ask(["a boat"], make)
    vectors.add(["Cats and their Ways", "Harps"], make)
    near = vectors.known(["a boat"])
    assert near.compare(["Ships at Sea", "Cats and their Ways", "Harps"]) == [(0.0,), (0.0,), (0.0,)]
    assert vectors.unknown(["Ships at Sea", "Harps"]) == ["Ships at Sea"]


async def test_a_model_that_cannot_be_used_is_told_once_and_words_decide(made):
    project, question = asked(r"The ways of a feline \cite<|>.")
    (made.folder / "model.onnx").write_bytes(b"cut off")
    found = made()
    for _ in range(3):
        assert await search.learn_near([question], titles(project), found) is None
    [told] = made.told
    assert "cannot be used as a model" in told and told.endswith("only keyword search is used")


def test_the_trees_that_ship_know_the_features():
    count = len(entries.FEATURES) + len(entries.VIEWS)
    raw = json.loads(near_trees._FILE.read_text(encoding="utf-8"))
    forest = trees.read(near_trees._FILE)
    assert len(forest.trees) == len(raw["trees"]) > 20
    assert 0 < near_trees.slope() == raw["slope"] < 1
    for tree in forest.trees:
        nodes, leaves = len(tree.features), len(tree.leaves)
        assert leaves == nodes + 1 and all(0 <= it < count for it in tree.features)
        assert sorted({*tree.left, *tree.right} - {0}) == sorted({*range(-leaves, 0), *range(1, nodes)})


def test_nearness_never_speaks_against_an_entry():
    """What is nearer is likelier, other things being equal."""
    row = [0.0] * len(entries.FEATURES)
    added = [near_trees.sum_trees([*row, it, it, it]) for it in (-2.0, -1.0, 0.0, 1.0, 2.0, 4.0)]
    assert added == sorted(added) and added[-1] > added[0]

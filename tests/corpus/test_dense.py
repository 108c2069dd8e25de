import asyncio

import numpy as np
import pytest

from citelsp.base.settings import Embeddings
from citelsp.corpus import dense, search_place
from citelsp.corpus.dense import Vectors
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.sources.model_endpoints import Embedder, EndpointError
from citelsp.workspace.question import Question
from model_endpoints import Meanings, Transport

WORKS = [Work("cat", "Cats and their ways"), Work("dog", "Dogs and their ways"), Work("car", "Engines of cars")]


def embedder(meanings, **more):
    return Embedder(Embeddings("http://models.test/v1", "small", **more), Transport(meanings))


async def update(corpus, embedder):
    """How many works were embedded."""
    told = [0]
    done = await dense.update(corpus, embedder, dense.list_waiting(corpus, embedder.vectors), told.append)
    assert told[-1] == done
    return done


async def nearest(corpus, embedder, query):
    vector = dense.Vector(embedder.vectors, await embedder.query(query))
    return corpus.store.ids(dense.Nearest(corpus, vector).works())


async def test_only_what_changed_is_embedded_again(corpus, meanings):
    remote = embedder(meanings)
    assert await update(corpus, remote) == 3
    corpus.add([Work("dog", "Dogs, second edition"), *WORKS[2:]])
    assert await update(corpus, remote) == 1
    assert meanings.asked[-1][1] == {"model": "small", "input": ["Dogs, second edition"]}
    assert await update(corpus, remote) == 0


async def test_half_a_vector_of_a_killed_writer_is_not_read(corpus, meanings):
    remote = embedder(meanings)
    await update(corpus, remote)
    with (Vectors.open_named(corpus, "small").directory / "bytes").open("ab") as rows:
        rows.write(b"\1\2\3")
    corpus.add([Work("new", "Dogs too")])
    assert await update(corpus, remote) == 1
    assert await nearest(corpus, remote, "feline") == ["cat"]
    assert dense.count(corpus, "small") == 4


async def test_killed_before_its_first_vector(corpus, meanings):
    directory = Vectors.open_named(corpus, "small").directory
    directory.mkdir()
    (directory / "size").write_text("")
    assert await update(corpus, embedder(meanings)) == 3


@pytest.mark.parametrize("size", ["x", "-1", "99999999999", "\xff"])
async def test_vectors_of_a_damaged_size_are_computed_anew(corpus, meanings, size):
    remote = embedder(meanings)
    await update(corpus, remote)
    (Vectors.open_named(corpus, "small").directory / "size").write_text(size, encoding="latin-1")
    assert await nearest(corpus, remote, "feline") == []
    assert await update(corpus, remote) == 3
    assert await nearest(corpus, remote, "feline") == ["cat"]


async def test_killed_between_the_size_and_the_first_vector(corpus, meanings):
    """The model may have been replaced since by one of other vectors."""
    remote = embedder(meanings)
    directory = Vectors.open_named(corpus, "small").directory
    directory.mkdir()
    (directory / "size").write_text("7")
    assert await update(corpus, remote) == 3
    assert await nearest(corpus, remote, "feline") == ["cat"]


async def test_the_last_vector_of_a_work_counts(corpus, meanings):
    remote = embedder(meanings)
    await update(corpus, remote)
    corpus.add([Work("car", "The cat on the engine")])
    await update(corpus, remote)
    assert set(await nearest(corpus, remote, "feline")) == {"cat", "car"}
    corpus.remove(["car"])
    assert dense.count(corpus, "small") == 2


async def test_two_who_embed_at_once_lose_nothing(corpus, meanings):
    corpus.add([Work(f"w{number}", f"Feline number {number}") for number in range(300)])
    with Corpus(corpus.path) as other:
        await asyncio.gather(update(corpus, embedder(meanings)), update(other, embedder(meanings)))
    assert dense.count(corpus, "small") == 303
    assert (await nearest(corpus, embedder(meanings), "dogs"))[0] == "dog"


async def test_prefixes_are_written_before_works_and_queries(corpus, meanings):
    remote = embedder(meanings, query_prefix="query: ", work_prefix="passage: ")
    await update(corpus, remote)
    await remote.query("feline")
    assert meanings.embedded() == [f"passage: {it.title}" for it in WORKS] + ["query: feline"]
    assert dense.count(corpus, "small") == 0, "other prefixes, other vectors"


async def test_vectors_of_another_length_are_refused(corpus, meanings):
    await update(corpus, embedder(meanings))
    with pytest.raises(EndpointError, match=r"have 1 numbers now and had 3: delete .*vectors-"):
        await update_changed(corpus)
    assert dense.count(corpus, "small") == 3


async def update_changed(corpus):
    corpus.add([Work("new", "Something new")])
    await update(corpus, embedder(Meanings()))


@pytest.mark.parametrize(("meant", "first"), [("feline", "cat"), ("dogs", "dog")])
async def test_of_two_works_that_the_words_fit_alike_the_nearer_comes_first(corpus, meanings, meant, first):
    remote = embedder(meanings)
    await update(corpus, remote)
    vector = dense.Vector(remote.vectors, await remote.query(meant))
    question = Question(before="Everybody has their ways", after="")
    ranked = search_place.rank(corpus.catalogue(), question, near=dense.Nearest(corpus, vector))
    assert corpus.store.ids([ranked.pool.works[ranked.order[0]].n]) == [first]
    first_chance, second_chance, *_ = (ranked.probabilities[it] for it in ranked.order)
    assert first_chance > second_chance


def many(corpus, count, size=96):
    """Vectors of works by chance, some near each other, and those that queries were made of."""
    drawn = np.random.default_rng(7)
    themes = drawn.normal(size=(40, size))
    rows = themes[drawn.integers(0, 40, count)] + drawn.normal(size=(count, size)) + 0.5
    corpus.add(Work(f"w{at}", f"Work {at}") for at in range(count))
    numbers = corpus.store.numbers([f"w{at}" for at in range(count)])
    Vectors.open_named(corpus, "many").append([(numbers[f"w{at}"], 0) for at in range(count)], rows)
    return [row + drawn.normal(size=size) for row in rows[::300]]


def test_one_bit_a_number_finds_what_all_numbers_find(corpus, monkeypatch):
    queries, found = many(corpus, 3000), []
    monkeypatch.setattr(dense, "NEAREST", 100)
    for exact in (10_000, 1_000):
        monkeypatch.setattr(dense, "EXACT", exact)
        monkeypatch.setattr(dense, "_RESCORED", 500)
        found.append([dense.Nearest(corpus, dense.Vector("many", it)).works() for it in queries])
    shared = [len({*one} & {*other}) / max(1, len(one)) for one, other in zip(*found, strict=True)]
    assert sum(shared) / len(shared) >= 0.96
    assert [it[0] for it in found[0]] == [it[0] for it in found[1]]


def test_numbers_too_small_to_have_a_size_still_have_a_sign(monkeypatch):
    monkeypatch.setattr(dense, "_SIFTED", 1)
    query = np.full(64, 0.1)
    query[0] = 10
    alike, unlike = np.ones(64), np.full(64, -1)
    unlike[0] = 1
    signs = dense.Signs(np.ones(64), dense._pack_signs(np.stack([unlike, alike])))
    assert list(signs.nearest(query, 1)) == [1]


def test_as_many_are_found_as_are_asked_for(corpus, monkeypatch):
    queries = many(corpus, 300)
    monkeypatch.setattr(dense, "_SIFTED", 10)
    assert len(Vectors.open_named(corpus, "many").signs(300).nearest(queries[0], 50)) == 50


def test_vectors_added_meanwhile_are_compared_too(corpus, monkeypatch):
    queries = many(corpus, 1200)
    monkeypatch.setattr(dense, "EXACT", 100)
    vector = dense.Vector("many", queries[0])
    dense.Nearest(corpus, vector).works()
    corpus.add([Work("new", "A new one")])
    [number] = corpus.store.numbers(["new"]).values()
    Vectors.open_named(corpus, "many").append([(number, 0)], [queries[0]])
    assert dense.Nearest(corpus, vector).works()[0] == number


def test_vectors_added_while_they_are_compared_change_nothing(corpus, monkeypatch):
    queries = many(corpus, 1200)
    monkeypatch.setattr(dense, "EXACT", 100)
    vector = dense.Vector("many", queries[0])
    before = dense.Nearest(corpus, vector).works()
    dense._compute_signs.cache_clear()
    [first] = corpus.store.numbers(["cat"]).values()  # before all others, whose positions it shifts
    compute = dense._compute_signs

    def append_first(vectors, count, changed):
        vectors.append([(first, 0), (5_000, 0)], [queries[1], queries[0]])
        return compute(vectors, count, changed)

    monkeypatch.setattr(dense, "_compute_signs", append_first)
    assert dense.Nearest(corpus, vector).works() == before


def test_how_near_works_lie_is_known_of_those_with_a_vector(corpus):
    queries = many(corpus, 50)
    numbers = corpus.store.numbers(["w0", "w1", "cat"])
    asked = dense.Nearest(corpus, dense.Vector("many", queries[0] / np.linalg.norm(queries[0])))
    one, other, without = asked.nearness([numbers["w0"], numbers["w1"], numbers["cat"]])
    assert one > other and without is None


def test_vectors_of_0_2_are_searched_and_added_to(corpus):
    drawn = np.random.default_rng(3).normal(size=(4, 8)).astype(np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    corpus.add([Work("fish", "Fish")])
    cat, dog, fish, new = corpus.store.numbers(["cat", "dog", "fish", "car"]).values()
    vectors = Vectors.open_named(corpus, "old")
    vectors.directory.mkdir()
    (vectors.directory / "size").write_text("8", encoding="ascii")
    (vectors.directory / "rows").write_bytes(drawn[:3].astype("<f2").tobytes())
    (vectors.directory / "keys").write_bytes(np.array([(cat, 1), (dog, 2), (fish, 3)], "<u4").tobytes())
    vectors.append([(new, 4)], drawn[3:])
    assert vectors.marks() == {cat: 1, dog: 2, fish: 3, new: 4}
    assert {it.name for it in vectors.directory.iterdir()} == {"size", "rows", "keys"}
    for row, number in zip(drawn, (cat, dog, fish, new), strict=True):
        near = dense.Nearest(corpus, dense.Vector("old", row))
        assert near.works()[0] == number
        assert near.nearness([number]) == pytest.approx([1.0], abs=0.001)

import shutil

import pytest

from citelsp.corpus import citation_words, learn_citations, search_place
from citelsp.corpus.dense import Nearest, Vectors
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.corpus.store import CorpusError
from citelsp.corpus.work import Work
from citelsp.workspace.question import Question
from synonyms import CONCEPTS, made


def nothing(*_):
    pass


def interrupt(*_):
    raise KeyboardInterrupt


def learnt_files(place):
    return sorted(it.name for it in place.iterdir() if it.name.startswith((citation_words.FILE, "vectors-")))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    place = tmp_path_factory.mktemp("corpus")
    with Corpus(place, create=True) as corpus:
        corpus.add(made())
    return place


@pytest.fixture(scope="module")
def learnt(written, tmp_path_factory):
    place = shutil.copytree(written, tmp_path_factory.mktemp("learnt") / "corpus")
    with Corpus(place) as corpus:
        learn_citations.learn(corpus, 1, nothing)
    return place


def test_papers_without_a_common_word_are_too_little_to_learn_from(tmp_path):
    works = [Work(f"w{n}", f"Unique{n}x words{n}y", references=(f"w{(n + 1) % 150}",)) for n in range(150)]
    with Corpus(tmp_path / "new", create=True) as corpus:
        corpus.add(works)
        with pytest.raises(CorpusError, match="no word is shared"):
            learn_citations.learn(corpus, 1, nothing)


@pytest.fixture
def corpus(written, tmp_path):
    with Corpus(shutil.copytree(written, tmp_path / "corpus")) as opened:
        yield opened


@pytest.fixture
def taught(learnt, tmp_path):
    with Corpus(shutil.copytree(learnt, tmp_path / "taught")) as opened:
        yield opened


def test_citations_teach_which_words_mean_the_same(taught, corpus):
    known = citation_words.describe(taught)
    assert known.is_used and known.gains.places > 50
    assert known.gains.among_ten[1] > known.gains.among_ten[0] + 0.1
    question = Question("xword2 xword13 yword28", "", title="Of words")
    vector, weight = citation_words.find_direction(taught, Query(question))
    nearest = taught.store.ids(Nearest(taught, vector).works()[:12])
    assert {it.partition("w")[0] for it in nearest} == {"t42"}, "of the topic, whichever words they use"
    assert weight > 0 and citation_words.find_direction(corpus, Query(question)) is None


def test_what_was_learnt_ranks_without_any_model(taught, corpus):
    question = Question("xword2 xword13 yword28", "", title="Of words")
    before, after = (
        [it.record.id.partition("w")[0] for it in search_place.suggest(it, question, k=12).candidates]
        for it in (corpus, taught)
    )
    assert after.count("t42") > before.count("t42")


@pytest.mark.slow
def test_what_brings_nothing_is_not_used_and_takes_no_room(tmp_path):
    with Corpus(tmp_path, create=True) as corpus:
        corpus.add(made(is_telling=False))
        known = learn_citations.learn(corpus, 1, nothing)
        assert known.gains.places > 50 and not known.is_used
        assert citation_words.describe(corpus) == known
        assert learnt_files(tmp_path) == [citation_words.FILE]
        assert (tmp_path / citation_words.FILE).stat().st_size < 1000
        assert citation_words.find_direction(corpus, Query(Question("xword2 xword13"))) is None


@pytest.mark.parametrize("when", ["citations", "works", "places held out"])
def test_interrupted_all_is_as_it_was(corpus, when):
    def interrupt(what, _):
        if what == when:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn_citations.learn(corpus, 1, interrupt)
    assert learnt_files(corpus.path) == []


def test_learning_again_in_vain_leaves_what_was_learnt_before(taught):
    before = learnt_files(taught.path)

    def interrupt(what, _):
        if what == "works":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn_citations.learn(taught, 2, interrupt)
    assert learnt_files(taught.path) == before
    assert citation_words.find_direction(taught, Query(Question("xword2")))


@pytest.mark.slow
def test_vectors_of_a_killed_process_go_with_the_next(corpus):
    with corpus.store.writing():
        corpus.store.set_state("citation vectors", "killed")
    Vectors.open_named(corpus, "killed").append([(1, 1)], [[0.0, 1.0]])
    learn_citations.learn(corpus, 1, nothing)
    assert not Vectors.open_named(corpus, "killed").directory.exists()
    assert len(learnt_files(corpus.path)) == 2


@pytest.mark.slow
def test_two_do_not_learn_at_once_and_the_same_seed_teaches_the_same(corpus, taught):
    refusals = []

    def learn_as_well(what, _):
        if what == "works":
            with Corpus(corpus.path) as other, pytest.raises(CorpusError) as refusal:
                learn_citations.learn(other, 2, nothing)
            refusals.append(str(refusal.value))

    learn_citations.learn(corpus, 1, learn_as_well)
    assert set(refusals) == {"another process learns from this corpus's citations: try again when it has finished"}
    assert citation_words.describe(corpus) == citation_words.describe(taught)
    assert learnt_files(corpus.path) == learnt_files(taught.path)
    with pytest.raises(KeyboardInterrupt):  # the next may begin: it is not refused, but interrupted
        learn_citations.learn(corpus, 1, interrupt)


@pytest.mark.parametrize(
    "damage", [lambda it: it[: len(it) // 2], lambda _: b"[" * 20_000, lambda _: b"", lambda _: b"{}\n"]
)
def test_a_damaged_file_counts_as_not_there(taught, damage):
    path = taught.path / citation_words.FILE
    path.write_bytes(damage(path.read_bytes()))
    assert citation_words.find_direction(taught, Query(Question("xword2"))) is None
    assert search_place.suggest(taught, Question("xword2 xword13 yword28")).candidates


def test_works_that_are_added_get_their_vectors(taught):
    taught.add([Work("new", "Yword2 yword13 xword28 of today")])
    citation_words.give_missing_vectors(taught)
    vector, _ = citation_words.find_direction(taught, Query(Question("xword2 xword13 yword28", title="Of words")))
    assert "new" in taught.store.ids(Nearest(taught, vector).works()[:13])


def test_too_few_citations_are_said(tmp_path):
    with Corpus(tmp_path, create=True) as corpus:
        corpus.add(list(made())[:100])
        with pytest.raises(CorpusError, match=r"references are known of \d+ papers .*: 100 are needed"):
            learn_citations.learn(corpus, 1, nothing)
    assert learnt_files(tmp_path) == []


def test_a_hundred_citing_papers_are_enough_though_some_are_held_out(tmp_path):
    words = "parsing grammar treebank corpus syntax semantics dialogue speech".split()
    works = [
        Work(f"w{n}", f"{words[n % 8]} {words[n % 7]} of {words[n % 5]}", references=(f"w{(n + 1) % 100}",))
        for n in range(100)
    ]
    with Corpus(tmp_path, create=True) as corpus:
        corpus.add(works)
        assert learn_citations.learn(corpus, 1, nothing).citing == 90


def hostile():
    """Works that cite themselves, each other in circles, what is not there, and everything; titles of anything."""
    ids = [f"h{it}" for it in range(150)]
    titles = [
        "",
        "\0",
        "xword2 " * 5000,
        "\N{RIGHT-TO-LEFT OVERRIDE}\u2028\x85",
        "…",
        "a" * 90_000,
        "\n\n{}",
        "名前 の 無い",
    ]
    for at, id_ in enumerate(ids):
        cited = ids if at % 10 == 0 else (id_, ids[at - 1], f"absent{at}")
        text = titles[at % len(titles)]
        yield Work(id_, f"{text} {at % 3}", f"{text} Word. " * 2, year=9999 - at, references=tuple(cited))


@pytest.mark.slow
def test_a_hostile_corpus_teaches_in_bounds(tmp_path):
    with Corpus(tmp_path, create=True) as corpus:
        corpus.add(hostile())
        known = learn_citations.learn(corpus, 1, nothing)
        assert known.citing >= 100
        assert citation_words.describe(corpus) == known


@pytest.mark.slow
def test_a_model_on_this_machine_may_be_the_start(corpus):
    asked = []

    def start(words):
        asked.extend(words)
        # To the model the two words of a concept are alike before anything is learnt.
        return [[float(it[1:] == f"word{at}") for at in range(CONCEPTS)] for it in words]

    known = learn_citations.learn(corpus, 1, nothing, start)
    assert known.is_used and len(asked) == known.words

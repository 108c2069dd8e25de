import os
import random
import shutil
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.corpus import imports, index, passages
from citelsp.corpus.index import Corpus
from citelsp.corpus.store import CorpusError
from citelsp.corpus.word_index import Engine, Page
from citelsp.corpus.work import Work, from_mapping, is_after, to_mapping

ADAM = Work(
    "adam",
    "Adam: A Method for Stochastic Optimization",
    "First-order gradients.",
    ("Diederik Kingma",),
    2014,
    arxiv="1412.6980",
)
TREC = Work("trec", "The Text Retrieval Conference", "Evaluating search engines.", year=1993, doi="10.1000/trec")
SGD = Work("sgd", "A Stochastic Approximation Method", year=1951, references=("adam", "unknown"))
WORKS = [ADAM, TREC, SGD]


def titles(found):
    return [it.record.title for it in found]


def test_search_finds_words_of_title_and_abstract(corpus):
    assert titles(corpus.search("optimizing gradient")) == [ADAM.title]
    assert titles(corpus.search("search engine")) == [TREC.title]
    assert titles(corpus.search("the of and")) == []


def test_a_compound_is_found_however_it_is_written(tmp_path):
    found = {"Relative Self-Attention", "Self Attention for Images", "Selfattention in Practice"}
    others = {"The Selfish Gene", "Attention Spans", "A Keyboard Is Learnt", "Key Exchange on a Board"}
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([Work(title, title) for title in sorted(found | others)])
        for query in ("self-attention", "self attention", "selfattention", "Self\u2010Attention"):
            assert set(titles(corpus.search(query))[:3]) == found, query
        assert titles(corpus.search("keyboard")) == ["A Keyboard Is Learnt"]
        corpus.remove(["Selfattention in Practice"])
        assert "Relative Self-Attention" in titles(corpus.search("selfattention"))[:2]


def test_what_another_process_commits_while_a_corpus_is_opened_is_found(tmp_path, monkeypatch):
    with Corpus(tmp_path, create=True) as another:
        another.add([ADAM])

        def open_engine(directory):
            engine = Engine(directory)
            another.add([TREC])
            return engine

        monkeypatch.setattr(index, "Engine", open_engine)
        with Corpus(tmp_path) as corpus:
            assert titles(corpus.search("search engine")) == [TREC.title]


def test_lookup_by_every_name(corpus):
    for asked in ({"id": "adam"}, {"arxiv": "1412.6980"}, {"title": "ADAM – a method for stochastic optimization."}):
        assert titles(corpus.lookup(**asked)) == [ADAM.title]
    assert titles(corpus.lookup(doi="10.1000/TREC")) == [TREC.title]
    assert titles(corpus.lookup(title="Adam: a method for stochastic optimisation")) == [ADAM.title]
    assert corpus.lookup(title="Adam: a method") == []
    assert corpus.lookup(id="unknown") == []


def test_a_work_is_found_by_its_title_if_its_id_is_only_cited(corpus):
    corpus.add([Work("survey", "A Survey of Everything", references=("adam-2014",))])
    assert corpus.lookup(id="adam-2014") == []
    assert titles(corpus.lookup(id="adam-2014", title=ADAM.title)) == [ADAM.title]


def test_adding_again_changes_only_what_changed(corpus):
    renamed = Work("trec", "A Conference on Retrieval")
    added = corpus.add([ADAM, renamed])
    assert (added.new, added.changed, added.same) == (0, 1, 1)
    assert titles(corpus.search("conference")) == [renamed.title]
    assert corpus.lookup(title=TREC.title) == []
    assert corpus.info().works == 3


def test_references_are_followed_both_ways(corpus):
    numbers = corpus.store.numbers(["adam", "sgd"])
    assert corpus.store.cited_by(numbers["adam"]) == [numbers["sgd"]]
    assert corpus.store.cited_counts(list(numbers.values()), since=1940, until=1960) == {numbers["adam"]: (1, 1)}
    assert corpus.store.cited_counts(list(numbers.values()), since=1960, until=1960) == {numbers["adam"]: (1, 0)}
    assert corpus.store.cited_counts(list(numbers.values()), since=1940, until=1950) == {}
    corpus.add([Work("sgd", SGD.title, year=1951)])
    assert corpus.store.cited_by(numbers["adam"]) == []


def test_another_reader_sees_each_commit(corpus):
    with closing(Corpus(corpus.path)) as reader:
        corpus.add([Work("new", "Transformers")])
        assert titles(reader.search("transformer")) == ["Transformers"]


def test_what_was_read_before_a_source_failed_is_kept(corpus):
    def failing():
        yield Work("half", "Half a Batch")
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        corpus.add(failing())
    assert titles(corpus.search("batch")) == ["Half a Batch"]
    assert corpus.info().works == 4


def test_a_lost_word_index_is_rebuilt(corpus):
    corpus.close()
    shutil.rmtree(next(corpus.path.glob("words-*")))
    with closing(Corpus(corpus.path)) as opened:
        assert titles(opened.search("stochastic gradients")) == [ADAM.title, SGD.title]
        assert opened.engine.search("citing", {"stochast": 1.0}, 5)


def test_what_cannot_be_written_is_named_and_nothing_is_lost(corpus):
    meta = next(corpus.path.glob("words-*")) / "works" / "meta.json"
    written = meta.read_bytes()
    meta.unlink()
    meta.mkdir()  # no file can take its place
    with pytest.raises(CorpusError, match=r"cannot write to .*corpus: Failed to open"):
        corpus.add([Work("new", "Transformers")])
    meta.rmdir()
    meta.write_bytes(written)
    assert corpus.info().works == 3
    corpus.add([Work("new", "Transformers")])
    assert titles(corpus.search("transformers")) == ["Transformers"]


def test_words_committed_by_a_writer_that_died_are_not_seen_and_then_mended(corpus):
    directory = next(corpus.path.glob("words-*"))
    engine = Engine(directory)
    with engine.writing() as writer:
        writer.add([Page(99, "Orphaned Words", "", cites=False)])
        writer.commit()
    with closing(Corpus(corpus.path)) as opened:
        assert opened.search("orphaned") == []
        opened.add([Work("new", "Transformers")])
        assert opened.engine.size == 4


def test_words_of_a_first_writer_that_died_are_mended_by_one_that_had_opened_before(tmp_path):
    with Corpus(tmp_path / "new", create=True) as corpus, Corpus(tmp_path / "new") as opened:
        with corpus._engine.writing() as writer:
            writer.add([Page(1, "Orphaned Words", "", cites=False)])
            writer.commit()
        opened.add([Work("new", "Transformers")])
        assert opened.engine.size == 1
        assert opened.search("orphaned") == []


def test_a_file_that_is_merged_away_meanwhile_has_no_size(corpus, monkeypatch):
    is_file = Path.is_file

    def vanish(path):
        found = is_file(path)
        if path.suffix == ".gone":
            path.unlink()
        return found

    before = corpus.info().bytes
    (corpus.path / "segment.gone").write_bytes(b"words")
    monkeypatch.setattr(Path, "is_file", vanish)
    assert corpus.info().bytes == before


def test_killed_while_writing_it_opens_as_before(corpus, tmp_path):
    script = tmp_path / "killed.py"
    script.write_text(
        textwrap.dedent("""\
            import os, sys
            from pathlib import Path
            from citelsp.corpus.index import Corpus
            from citelsp.corpus.work import Work

            def works():
                yield from (Work(f"w{n}", f"Doomed number {n}") for n in range(6000))
                os._exit(9)

            Corpus(Path(sys.argv[1])).add(works())
            """),
        encoding="utf-8",
    )
    ended = subprocess.run(
        [sys.executable, script, corpus.path], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False
    )
    assert ended.returncode == 9
    with closing(Corpus(corpus.path)) as opened:
        assert opened.search("doomed") == []
        assert opened.add([TREC, Work("new", "Transformers")]).new == 1


def test_what_is_not_a_corpus_is_refused(tmp_path):
    with pytest.raises(CorpusError, match="there is no corpus"):
        Corpus(tmp_path)
    (tmp_path / "works.sqlite").write_text("something else entirely, long enough to be looked at" * 50)
    with pytest.raises(CorpusError, match="is not a corpus"):
        Corpus(tmp_path)


def test_a_corpus_that_cannot_be_opened_now_is_not_called_another_file(corpus):
    corpus.close()
    corpus.path.joinpath("works.sqlite-wal").unlink(missing_ok=True)
    corpus.path.joinpath("works.sqlite-wal").mkdir()
    with pytest.raises(CorpusError, match=r"works\.sqlite cannot be opened: unable to open"):
        Corpus(corpus.path)


def test_a_later_format_is_refused(corpus):
    import sqlite3

    with closing(sqlite3.connect(corpus.path / "works.sqlite")) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(CorpusError, match="has format 99"):
        Corpus(corpus.path)


@pytest.mark.parametrize("damaged", ["*.term", "*.store", "meta.json", "*.*"])
@pytest.mark.parametrize("left", [0, 7, -2])
def test_a_damaged_word_index_is_named_and_made_anew(corpus, damaged, left):
    words = next(corpus.path.glob("words-*"))
    corpus.add([TREC])
    corpus.close()
    for file in words.rglob(damaged):
        if file.suffix != ".lock":
            file.write_bytes(file.read_bytes()[:left])
    with pytest.raises(CorpusError, match="delete it, and it will be rebuilt"):
        Corpus(corpus.path)
    shutil.rmtree(words)
    with closing(Corpus(corpus.path)) as opened:
        assert opened.search(TREC.title)


@pytest.mark.skipif(os.name == "nt", reason="permissions are POSIX")
def test_it_is_private_to_the_user(corpus):
    assert corpus.path.stat().st_mode & 0o077 == 0
    assert (corpus.path / "works.sqlite").stat().st_mode & 0o077 == 0


def test_json_lines_are_read_one_by_one():
    problems = []
    lines = [
        b'{"id": "a", "title": "One", "year": "1999-05", "arxiv": "arXiv:0704.0001v2"}\n',
        b"\n",
        b"{\n",
        b"[]\n",
        b'{"id": 3}',
    ]
    read = list(imports.from_jsonl(lines, "works.jsonl", problems.append))
    assert read == [Work("a", "One", year=1999, arxiv="0704.0001")]
    assert [it.split(": ")[0] for it in problems] == ["works.jsonl:3", "works.jsonl:4", "works.jsonl:5"]


def test_a_work_without_id_is_known_by_its_identifier():
    for doi in ("https://doi.org/10.1/X", "https://www.doi.org/10.1/X", "DOI: 10.1/X", "doi:10.1/X"):
        assert from_mapping({"title": "T", "doi": doi}).id == "doi:10.1/x"
    assert from_mapping({"title": "T"}).id == from_mapping({"title": "t"}).id
    assert from_mapping({"title": "A\x1b[2J \u202enet", "id": "\x9b1"}) == Work("1", "A[2J net")


def test_years_and_dates_that_are_none_are_left_out():
    assert from_mapping({"title": "T", "year": "²⁰¹⁹"}).year is None
    assert from_mapping({"title": "T", "year": True}).year is None
    dates = ["2019", "2019-05", "2019-05-17", "2019-05-17T10:00:00Z", "2019-13", "May 2019", "soon", "²⁰¹⁹"]
    read = [from_mapping({"title": "T", "date": it}).date for it in dates]
    assert read == ["2019", "2019-05", "2019-05-17", "2019-05-17", "2019", "", "", ""]


@pytest.mark.parametrize(
    "written", ["1706.03762v5", "https://arxiv.org/pdf/1706.03762v5.pdf", "arXiv:1706.03762", "arXiv: 1706.03762"]
)
def test_an_arxiv_id_is_read_without_its_version(written):
    assert from_mapping({"title": "T", "arxiv": written}).arxiv == "1706.03762"


def test_dates_compare_to_the_month_where_both_know_it():
    assert Work("a", "A", year=2018, arxiv="1706.03762").published == "2017-06"
    assert Work("a", "A", year=2010, arxiv="1706.03762").published == "2010"
    assert is_after("2017-06", "2017-05")
    assert not is_after("2017-06", "2017")
    assert not is_after("", "2017")


FULL = """Opening words of a paper that are long enough.

1 Introduction

Retrieval of citations has a long history. It began with card catalogues kept in drawers.

2.1 Training Details

We used zeppelins for the hydrogen experiments, which nobody had tried before us.

References

[1] A. Author. Never to be indexed at all, however long this line may be.
"""


def test_full_text_is_found_by_its_passages(corpus):
    corpus.add([Work("full", "Airships", text=FULL)])
    number = corpus.store.numbers(["full"])["full"]
    assert [n for n, _ in corpus.engine.search("passage", {"zeppelin": 1.0}, 5)] == [number]
    assert [n for n, _ in corpus.engine.search("intro", {"catalogu": 1.0}, 5)] == [number]
    assert corpus.engine.search("intro", {"zeppelin": 1.0}, 5) == []
    assert corpus.engine.search("passage", {"index": 1.0}, 5) == []


def test_passages_know_their_section_and_are_verbatim():
    found = list(passages.split(FULL))
    assert [it.section for it in found] == ["", "Introduction", "Training Details"]
    assert all(it.text in FULL for it in found)


@pytest.mark.parametrize(
    "heading",
    ["## Literature Cited", "6. Works cited", "REFERENCES AND NOTES", "IV. Notes and references", "Références :"],
)
def test_passages_end_where_the_reference_list_begins_whatever_it_is_called(heading):
    assert list(passages.split(FULL.replace("\nReferences\n", f"\n{heading}\n"))) == list(passages.split(FULL))


@given(st.text(alphabet="ab .\n#1A", max_size=3000))
def test_passages_are_substrings_of_bounded_length(text):
    for passage in passages.split(text):
        assert passage.text in text
        assert len(passage.text) <= 2400


def run(script, *arguments, **options):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)]
    return subprocess.Popen(command, env=environment, **options)


ADDING = """
    import sys, time
    from pathlib import Path
    from citelsp.corpus.index import Corpus
    from citelsp.corpus.work import Work

    with Corpus(Path(sys.argv[1]), create=True) as corpus:
        for start in range(0, 300, 100):
            name = sys.argv[2]
            corpus.add(Work(f"{name}{n}", f"Title number {n} by {name}") for n in range(start, start + 100))
"""


@pytest.mark.slow
def test_two_processes_add_at_once_and_nothing_is_lost(tmp_path):
    both = [run(ADDING, tmp_path / "corpus", name) for name in ("left", "right")]
    assert [it.wait() for it in both] == [0, 0]
    with closing(Corpus(tmp_path / "corpus")) as opened:
        assert (opened.info().works, opened.engine.size) == (600, 600)


CREATING = """
    import sys
    from pathlib import Path
    from citelsp.corpus.index import Corpus

    sys.stdin.read()
    for number in range(30):
        Corpus(Path(sys.argv[1], str(number)), create=True).close()
"""


@pytest.mark.slow
def test_processes_that_make_one_corpus_wait_for_each_other(tmp_path):
    makers = [run(CREATING, tmp_path, stdin=subprocess.PIPE) for _ in range(3)]
    for maker in makers:
        maker.stdin.close()
    assert [maker.wait() for maker in makers] == [0, 0, 0]


ADDING_ON = """
    import itertools, sys
    from pathlib import Path
    from citelsp.corpus.index import Corpus
    from citelsp.corpus.work import Work

    with Corpus(Path(sys.argv[1]), create=True) as corpus:
        for start in itertools.count(int(sys.argv[2]), 50):
            corpus.add(Work(f"w{n}", f"Airships of the year {n}") for n in range(start, start + 50))
            print(start + 50, flush=True)
"""


@pytest.mark.slow
def test_killed_at_any_moment_it_holds_what_was_committed(tmp_path):
    place, chance, works = tmp_path / "corpus", random.Random(0), 0  # noqa: S311
    for _ in range(4):
        with run(ADDING_ON, place, works, stdout=subprocess.PIPE) as adding:
            told = [adding.stdout.readline()]
            time.sleep(0.1 * chance.random())
            adding.kill()
            told += adding.stdout.readlines()
        said = int([it for it in told if it.endswith(b"\n")][-1])
        with closing(Corpus(place)) as opened:
            works = opened.info().works
            assert works in (said, said + 50)  # killed between the commit and what is said of it
            assert len(opened.search("airship", limit=10_000)) == works


def test_killed_while_removing_it_opens_as_before(corpus):
    script = """
        import os, sys
        from pathlib import Path
        from citelsp.corpus.index import Corpus

        corpus = Corpus(Path(sys.argv[1]))
        corpus.store.set_state = lambda *_: os._exit(9)
        corpus.remove(["adam"])
    """
    assert run(script, corpus.path).wait() == 9
    with closing(Corpus(corpus.path)) as opened:
        assert opened.info().works == 3
        opened.add([Work("new", "Transformers")])
        assert titles(opened.search("stochastic gradients")) == [ADAM.title, SGD.title]


def test_removed_works_are_gone(corpus):
    assert corpus.remove(["adam", "unknown"]) == ["adam"]
    assert corpus.search("gradients") == []
    assert (corpus.info().works, corpus.engine.size) == (2, 2)
    assert corpus.remove(["sgd"]) == ["sgd"]
    assert corpus.info().citations == 0
    assert corpus.add([ADAM]).new == 1


def test_compacted_and_exported_it_says_the_same(corpus, tmp_path):
    corpus.add([Work("full", "Airships", text=FULL)])
    before = list(corpus.works())
    corpus.compact()
    assert list(corpus.works()) == before
    assert titles(corpus.search("gradients")) == [ADAM.title]
    with closing(Corpus(tmp_path / "other", create=True)) as other:
        other.add([found for it in before if isinstance(found := from_mapping(to_mapping(it)), Work)])
        assert list(other.works()) == before


def test_versions_of_a_preprint_are_one_work():
    first, second = (from_mapping({"title": "Attention", "arxiv": f"arXiv:1706.03762{it}"}) for it in ("v1", "v2"))
    assert first == second
    assert first.id == "arxiv:1706.03762"

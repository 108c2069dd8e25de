"""What citelsp remembers is bounded by bytes, whatever it is given."""

import ast
import gc
import threading
import time
import tracemalloc
import weakref
from dataclasses import dataclass, replace

import pytest

import module_map
from citelsp import syntax
from citelsp.base import bounds
from citelsp.base.footprint import MB, Shelf, remember, size
from citelsp.base.settings import Settings
from citelsp.base.text import Document, Span
from citelsp.bibliography.completion_search import libraries
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import titles
from citelsp.corpus import words
from citelsp.features.code_actions import CodeAction
from citelsp.features.values import Change
from citelsp.knowledge import Answers, Candidate, Knowledge, Suggestion
from citelsp.server.state import in_flight
from citelsp.server.state.in_flight import Asking
from citelsp.server.state.lists import Basis, Listed
from citelsp.server.state.offered_actions import Offered
from citelsp.server.state.projects import Moment
from citelsp.server.state.shown_works import ShownWorks
from citelsp.server.wire.documents import OpenDocuments
from citelsp.server.wire.to_lsp import Places
from citelsp.workspace.files import DiskFiles
from citelsp.workspace.question import Question
from fixture_projects import project_of
from syntax_trees import statements

FEW = 32  # texts that a cache may hold however long they are


@dataclass(frozen=True, slots=True)
class Pair:
    left: str
    right: tuple[str, ...]


@pytest.mark.parametrize(
    ("value", "least"), [("a" * 1000, 1000), (Pair("a" * 500, ("b" * 500,)), 1000), ({"a": ["b" * 1000]}, 1000)]
)
def test_a_size_counts_what_a_value_is_made_of(value, least):
    assert least < size(value) < least + 700


def test_a_size_ends_and_counts_nothing_that_all_share():
    circle = ["a"]
    circle.append(circle)
    assert size(circle) < size(["a"]) + 200
    assert size((size, str)) == size(()) + 16


def test_a_shelf_gives_up_the_oldest_but_never_the_newest():
    shelf = Shelf(2000)
    assert [shelf.put(it, "x" * 500) for it in "ab"] == [[], []]
    assert shelf.put("a", "x" * 500) == []  # the newest again
    assert shelf.put("c", "x" * 500) == ["b"]
    assert shelf.put("d", "x" * 5000) == ["a", "c"]
    shelf.drop("d")
    assert shelf.put("e", "x" * 500) == []


def test_a_shelf_may_have_a_number_of_places():
    shelf = Shelf(MB, 2)
    assert [shelf.put(it, it) for it in "abc"] == [[], [], ["a"]]


def test_an_answer_is_remembered_until_newer_ones_need_its_place():
    asked = []

    @remember(10_000)
    def doubled(text):
        asked.append(text[0])
        return 2 * text

    texts = [letter * 2000 for letter in "abc"]
    assert [doubled(it) for it in (texts[0], texts[0], *texts, texts[0])] == [
        2 * it for it in (texts[0], texts[0], *texts, texts[0])
    ]
    assert asked == ["a", "b", "c", "a"]
    doubled.cache_clear()
    doubled(texts[0])
    assert asked[4:] == ["a"]


def test_threads_may_ask_together():
    @remember(20_000)
    def told(number):
        return "x" * number

    def ask():
        wrong.extend(it for it in range(3000) if len(told(it % 70)) != it % 70)

    wrong = []
    threads = [threading.Thread(target=ask) for _ in range(4)]
    for it in threads:
        it.start()
    for it in threads:
        it.join()
    assert not wrong


@pytest.mark.slow
def test_long_titles_are_not_all_remembered():
    tracemalloc.start()
    try:
        for number in range(13):  # without a bound as many MB
            titles.comparable(f"{number} {'a' * 10**6}")
        assert tracemalloc.get_traced_memory()[0] < 9 * MB
    finally:
        tracemalloc.stop()
        titles.comparable.cache_clear()


def test_what_is_too_long_for_a_word_is_not_remembered():
    before = words._stem_if_telling.cache_info().currsize
    assert words.stems(f"unheardof {'q' * 1000}") == ["unheardof", "q" * 1000]
    assert words._stem_if_telling.cache_info().currsize == before


def remembering():
    """The functions that functools remembers more than a few answers of."""
    for path in sorted((module_map.ROOT / "citelsp").rglob("*.py")):
        for node in statements(path):
            for mark in getattr(node, "decorator_list", ()):
                name, _, most = ast.unparse(mark).rstrip(")").replace("maxsize=", "").partition("(")
                if name in ("cache", "lru_cache") and node.args.args and int(most or FEW + 1) > FEW:
                    yield f"{path.stem}.{node.name}"


def test_no_function_remembers_texts_by_their_number():
    of_our_own = {
        "venue_names._spellings",
        "codec._fields",
        "datamodel._model",
        "footprint._parts",
        "markup.pattern_of",
    }
    # Of services and fields.
    of_our_own |= {"verdict_cache._shared_names", "verdict_cache._shared_origins", "verdict_cache._shared_ruling"}
    of_our_own |= {"service_specs.find_spec"}
    # For as long as one question takes.
    of_our_own |= {"roots.is_own", "include_graph.find_meant", "include_graph.has_bibliography", "entries.own_key"}
    of_our_own |= {"unincluded_chapters.has_own_main"}
    assert set(remembering()) == of_our_own | {
        "entry._read_alone",
        "encode_tex._encoded",
        "words._stem_if_telling",
    }  # short texts


def candidate(number, abstract):
    return Candidate(Record("library", f"k{number}", "A Title", abstract=abstract))


def test_lists_are_remembered_by_what_they_hold():
    lists, basis = Listed(), Basis((), -1, Answers())
    questions = [Question(str(it)) for it in range(50)]
    for number, question in enumerate(questions):
        lists.keep(question, Settings(), basis, Suggestion((candidate(number, "x" * MB),)))
    assert size(lists.shown) < 5 * MB
    assert lists.known(questions[-1].key, basis) and not lists.known(questions[0].key, basis)
    assert lists._bases.keys() == lists.asked.keys() == lists.shown.keys()


def test_what_no_longer_fits_is_forgotten_and_older_snapshots_stay():
    shelf, known = Shelf(3 * MB), {}
    snapshots = [known := shelf.joined(known, {str(it): candidate(it, "x" * MB)}) for it in range(4)]
    assert [list(it) for it in snapshots] == [["0"], ["0", "1"], ["1", "2"], ["2", "3"]]
    assert shelf.joined(known, known) == known


def test_works_that_were_shown_are_remembered_by_what_they_hold():
    shown = ShownWorks()
    for number in range(20):
        work = replace(candidate(number, "x" * MB), key="")
        shown.show([work])
        shown.learn(str(number), [work])
    assert size(shown._works) < 9 * MB and size(shown._looked_up) < 9 * MB
    assert shown.looked_up("19") and not shown.looked_up("0")


def test_what_was_asked_about_long_ago_is_not_noted():
    asking = Asking()
    asking.tried = {"old": time.monotonic() - in_flight.PATIENCE - 1, "new": time.monotonic()}
    asking.note(["now"])
    assert asking.tried.keys() == {"new", "now"}
    assert asking.rested("old") and not asking.rested("now")


def test_offered_actions_do_not_keep_the_texts_of_their_time():
    project = project_of({"main.tex": "A text.\n"})
    places = Places(project, OpenDocuments(), {}, "utf-16")
    moment = Moment(project, Knowledge(), "/ws/main.tex", Span(0, 0), places, {})
    offered, action = Offered(), CodeAction("Fix", "quickfix", "safe", Change(()))
    number, alive = offered.keep(moment, action), weakref.ref(project)
    del project, places, moment
    gc.collect(1)
    assert alive() is None
    assert offered.action_of(number).action is action


def test_closed_files_are_remembered_by_their_length(tmp_path, monkeypatch):
    monkeypatch.setattr(bounds, "CACHED_TEXT", 50_000)
    files, alive = DiskFiles([str(tmp_path)]), []
    for number in range(10):
        (tmp_path / f"{number}.tex").write_text("x" * 10_000)
        alive.append(weakref.ref(files.read(str(tmp_path / f"{number}.tex"))))
    gc.collect(1)
    assert [it() is not None for it in alive] == 5 * [False] + 5 * [True]


def test_libraries_are_remembered_by_their_entries(monkeypatch):
    monkeypatch.setattr(libraries, "_MOST_BYTES", 5 * libraries._BYTES_PER_ENTRY)
    known = libraries.Libraries()
    three = syntax.parse(Document("/a.bib", "@book{a}\n@book{b}\n@book{c}\n", "bibtex")).entries
    first = known.library_of("/a.bib", three, {})
    assert known.library_of("/a.bib", three, {}) is first
    known.library_of("/b.bib", three, {})
    assert known.library_of("/a.bib", three, {}) is not first

"""What is read of a work, and from where."""

from contextlib import closing
from dataclasses import replace

import pytest

from agent_works import Shelf, candidate
from citelsp.agent import actions
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.knowledge import Evidence

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."
LONG = [Evidence(f"{number} {'x' * 998}", "Methods" if number < 5 else "Results", "x.org") for number in range(7)]
QUIET = candidate("A quiet work on trout")


async def test_the_abstract_stands_before_what_services_read(environment):
    place = environment(TEXT, services=Shelf(passages=[Evidence("Trout eat.", "2", "x.org")], notes=("x: slow",)))
    found = await actions.read_text(place, candidate("Trout", source="dblp", abstract="Of trout."))
    assert found.passages == (Evidence("Of trout.", "abstract", "dblp"), Evidence("Trout eat.", "2", "x.org"))
    assert (found.notes, found.requests) == (("x: slow",), 1)
    assert (await actions.read_text(environment(TEXT), QUIET)).passages == ()


async def test_services_are_not_asked_for_a_text_that_the_corpus_has(environment):
    services = Shelf(passages=LONG)
    place = environment(TEXT, services=services)
    named = candidate("Another title", identifiers=Identifiers(arxiv="1412.6980"), abstract="Somebody's abstract.")
    found = (await actions.read_text(place, named)).passages
    assert [it.where for it in found] == ["abstract", "Introduction", "Algorithm", "Experiments"]
    assert found[0].quote.startswith("We introduce Adam, an algorithm")  # the longer one
    assert (found[1].source, services.asked) == ("corpus", [])


async def test_of_another_work_with_the_same_short_title_nothing_is_read(environment, tmp_path):
    with closing(Corpus(tmp_path / "c", create=True)) as corpus:
        corpus.add([Work("dl", "Deep Learning", "A book on nets.", authors=("Ian Goodfellow",), year=2016)])
        place = replace(environment(TEXT), corpus=corpus)
        book = candidate("Deep learning", authors=(Name("Goodfellow", "Ian"),), years=(2016,))
        article = candidate("Deep learning", authors=(Name("LeCun", "Yann"),), years=(2015,))
        passages = [(await actions.read_text(place, it)).passages for it in (book, article)]
    assert passages == [(Evidence("A book on nets.", "abstract", "corpus"),), ()]


async def test_of_a_work_of_the_corpus_without_a_text_its_abstract_is_read_and_services_are_asked(environment):
    place = environment(TEXT, services=Shelf(passages=LONG[:1]))
    found = (await actions.read_text(place, candidate("Feeding habits of freshwater fish"))).passages
    assert found == (Evidence("Trout eat flies.", "abstract", "corpus"), LONG[0])


@pytest.mark.parametrize(
    ("named", "linked"),
    [
        ({"source": "corpus", "id": "adam"}, ["rmsprop", "sgd"]),
        ({"source": "openalex", "id": "adam"}, []),
        ({"identifiers": Identifiers(arxiv="1412.6980")}, ["rmsprop", "sgd"]),
        ({"title": "adam, a method for stochastic optimization"}, ["rmsprop", "sgd"]),
        ({"title": "Adam"}, []),
    ],
)
async def test_a_work_is_found_in_the_corpus_by_its_own_id_an_identifier_or_its_title(environment, named, linked):
    work = candidate(**{"title": "A title that nobody has", **named})
    found = (await actions.expand_references(environment(TEXT), work)).works
    assert sorted(it.record.id for it in found) == linked
    assert {it.origins for it in found} <= {("corpus",)}


async def test_links_are_asked_of_services_only_where_the_corpus_knows_none(environment):
    services = Shelf(candidate("Somebody's work"))
    place = environment(TEXT, services=services)
    adam, lstm = (candidate("x", source="corpus", id=it) for it in ("adam", "lstm"))
    await actions.expand_references(place, adam)
    await actions.expand_citations(place, adam)
    assert services.asked == []
    await actions.expand_references(place, lstm)
    await actions.expand_citations(place, lstm)
    assert [it[0] for it in services.asked] == ["references", "citations"]


async def test_linked_works_stand_by_how_much_they_share_with_the_sentence(environment):
    works = candidate("Fish"), candidate("Optimizers", abstract="Little memory."), candidate("The Adam optimizer")
    place = environment(TEXT, services=Shelf(*works))
    found = (await actions.expand_references(place, QUIET)).works
    assert [it.record.title for it in found] == ["Optimizers", "The Adam optimizer", "Fish"]


class Counting(Shelf):
    """Notes how many works are asked for; has more than anybody wants."""

    def __init__(self):
        super().__init__(*(candidate(f"Kind {it} of memory", quote="It is a memory.") for it in range(400)))
        self.limits = {}

    async def search(self, words, limit):
        self.limits["search"] = limit
        return await super().search(words, limit)

    async def snippets(self, words, limit):
        self.limits["snippets"] = limit
        return await super().snippets(words, limit)

    async def references(self, record, limit):
        self.limits["references"] = limit
        return await super().references(record, limit)


async def test_of_everything_so_many_works_are_listed(environment):
    services = Counting()
    place = environment(TEXT, services=services, library=lambda _words, _limit: services.works)
    answers = {
        "search": await actions.search(place, "memory"),
        "words": await actions.search_words(place, "memory"),
        "snippets": await actions.search_text_snippet(place, "memory"),
        "references": await actions.expand_references(place, QUIET),
        "library": await actions.search_library(place, "memory"),
    }
    listed = {name: len(it.works) for name, it in answers.items()}
    assert listed == {"search": 20, "words": 10, "snippets": 6, "references": 10, "library": 10}
    assert services.limits == {"search": 25, "snippets": 12, "references": 300}
    assert {name: it.requests for name, it in answers.items()} == dict.fromkeys(answers, 1) | {"library": 0}


async def test_the_library_is_asked_with_the_words_for_as_many_works_as_are_listed(environment):
    asked = []
    place = environment(TEXT, library=lambda words, limit: asked.append((words, limit)) or [])
    await actions.search_library(place, "little memory")
    assert asked == [("little memory", 10)]


async def test_without_a_corpus_the_place_is_not_matched_and_that_is_said(environment):
    place = type(environment(TEXT))(environment(TEXT).question)
    found = await actions.match_place(place)
    assert (found.works, found.notes) == ((), ("there is no local corpus",))
    assert len((await actions.match_place(environment(TEXT), 2)).works) == 2


async def test_what_earlier_runs_found_comes_back_without_their_probabilities(environment):
    earlier = [replace(candidate(it), probability=0.8) for it in ("A first work", "Training deep networks")]
    found = (await actions.recall(environment(TEXT, earlier=tuple(earlier)))).works
    assert [(it.record.title, it.probability) for it in found] == [("A first work", None)]

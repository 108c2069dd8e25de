from contextlib import closing
from dataclasses import replace

import pytest

from citelsp.corpus import fitted_weights, graph, passages, pool, work_features
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.corpus.pool import reciprocal_ranks
from citelsp.corpus.search_place import answer, suggest
from citelsp.corpus.words import hyphenated_compounds
from citelsp.corpus.work import Work
from citelsp.corpus.work_features import NAMES
from citelsp.workspace.question import Question, read_marked

WORKS = [
    Work("adam", "Adam: A Method for Stochastic Optimization", "We introduce Adam. It needs little memory.", year=2014),
    Work("lstm", "Long Short-Term Memory", "Learning to store information over long time intervals.", year=1997),
    Work("gan", "Generative Adversarial Nets", year=2014, arxiv="1406.2661"),
    Work("survey", "A Survey of Optimizers for Deep Learning", year=2019, references=("adam", "sgd")),
    Work("other", "Training Deep Networks with Optimizers", year=2018, references=("adam",)),
    Work("sgd", "A Stochastic Approximation Method", year=1951),
    Work("fish", "Feeding Habits of Freshwater Fish", year=1980),
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    with closing(Corpus(tmp_path_factory.mktemp("corpus"), create=True)) as opened:
        opened.add(WORKS)
        yield opened


def ids(suggestion):
    return [it.record.id for it in suggestion.candidates]


def test_the_work_meant_comes_first(corpus):
    found = suggest(
        corpus, read_marked(r"Steps are taken by the Adam optimizer \cite<> for ten epochs.", title="Deep networks")
    )
    assert ids(found)[0] == "adam"
    assert not found.abstained
    assert found.candidates[0].origins == ("corpus",)


def test_a_compound_with_a_hyphen_finds_works_that_write_it_as_one_word(tmp_path):
    works = ["Semisupervised Embeddings", "Covid19 and Travel", "Ponies"]
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([Work(it, it) for it in works])
        assert ids(suggest(corpus, read_marked(r"We train semi-supervised \cite<>.")))[0] == works[0]
        assert ids(suggest(corpus, read_marked(r"This spread with COVID-19 \cite<>.")))[0] == works[1]


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("semi-supervised learning", ["semisupervis"]),
        ("COVID-19", ["covid19"]),
        ("k-nearest-neighbour", ["nearestneighbour"]),
        ("over\u2010smoothing", ["oversmooth"]),
        ("a t-test, -x and well- or ill-", []),
    ],
)
def test_words_with_a_hyphen_are_compounds(text, joined):
    assert list(hyphenated_compounds(text)) == joined


def test_a_quote_may_write_a_compound_as_one_word():
    abstract = "We show how ponies are trained in the open. A semisupervised way of doing so is what we prefer."
    work = Work("ponies", "Ponies", abstract)
    query = Query(read_marked(r"Many train in a semi-supervised manner \cite<>."))
    assert passages.best(work, query, lambda _: 1.0).quote == "A semisupervised way of doing so is what we prefer."


def test_probabilities_fall_and_stay_within_one(corpus):
    found = suggest(corpus, read_marked(r"An LSTM with long short-term memory \cite<> is used."))
    chances = [it.probability for it in found.candidates]
    assert chances == sorted(chances, reverse=True)
    assert ids(found)[0] == "lstm"
    assert all(0 < it < 1 for it in chances)


def test_evidence_is_quoted_character_by_character(corpus):
    found = suggest(corpus, read_marked(r"An optimizer that needs little memory \cite<>."))
    texts = {it.id: {"title": it.title, "abstract": it.abstract} for it in WORKS}
    for candidate in found.candidates:
        (quoted,) = candidate.evidence
        assert quoted.quote
        assert quoted.quote in texts[candidate.record.id][quoted.where]
    assert found.candidates[0].evidence[0].quote == "It needs little memory."


@pytest.mark.parametrize(
    ("date", "seen"),
    [
        ("2014-05", False),
        ("2014-06", True),
        ("2014", True),
        ("2013", False),
        ("", True),
        ("05/2013", True),
        ("²⁰¹³", True),
    ],
)
def test_nothing_later_than_the_manuscript(corpus, date, seen):
    found = suggest(corpus, read_marked(r"Generative adversarial nets \cite<> produce images.", date=date))
    assert ("gan" in ids(found)) == seen


def test_never_the_manuscript_itself_nor_what_is_excluded(corpus):
    text = r"The Adam method \cite<> for stochastic optimization."
    assert "adam" not in ids(suggest(corpus, read_marked(text, title="Adam - a method for stochastic optimization")))
    for name in ("adam", "Adam: a method for stochastic optimization"):
        assert "adam" not in ids(suggest(corpus, read_marked(text), exclude=[name]))


def test_no_record_whose_title_holds_the_manuscripts(tmp_path):
    own = "Feeding habits of freshwater fish in northern lakes"
    works = [Work("venue", f"{own} Feeding habits, Journal of Fish"), Work("fish", "Feeding Habits of Fish")]
    with closing(Corpus(tmp_path, create=True)) as opened:
        opened.add(works)
        text = r"The feeding habits of fish \cite<> change."
        assert ids(suggest(opened, read_marked(text, title=own))) == ["fish"]
        assert set(ids(suggest(opened, read_marked(text, title="Feeding habits")))) == {"venue", "fish"}


def test_references_of_near_works_are_followed(corpus):
    found = suggest(corpus, read_marked(r"There are many optimizers \cite<>.", title="Deep learning"))
    assert {"adam", "sgd"} <= set(ids(found))


def test_what_is_cited_with_what_the_manuscript_cites_comes_first(tmp_path):
    heard, unheard = "Glaciers Flow", "Glaciers Flow and Ice Melts"
    citing = [
        Work(f"c{at}", f"Unrelated Topic {at}", year=2015, references=("cited", "heard", f"x{at}")) for at in range(9)
    ]
    works = [Work("cited", "Snow", year=2000), Work("heard", heard, year=2001), Work("unheard", unheard, year=2001)]
    text = r"Since glaciers flow and ice melts \cite<>, the sea rises."
    with closing(Corpus(tmp_path, create=True)) as opened:
        opened.add([*works, *citing])

        def votes(cites):
            catalogue, question = opened.catalogue(), read_marked(text, cites=cites)
            rule = pool.barrier(catalogue, "2020", "", ())
            found = pool.gather(catalogue, Query(question), rule)
            rows = work_features.rows(catalogue, Query(question), found, 2020)
            return {it.title: row[NAMES.index("rare_bibliography")] for it, row in zip(found.works, rows, strict=True)}

        known = votes(["SNOW", "a work that the corpus does not hold"])
        assert known[heard] > 0 == known[unheard]
        assert not known.get("Snow")  # found among the manuscript's own entries
        assert not any(votes([]).values())


def test_a_title_like_those_cited_nearest_speaks_for_a_work_and_no_server_is_told_them(tmp_path):
    works = [Work("theme", "Syntax of fjords", year=2001), Work("other", "Syntax of words", year=2001)]
    question = read_marked(r"This is the syntax \cite<> of them.", cites=("Ice in Fjords", *["Words"] * 20))
    with closing(Corpus(tmp_path, create=True)) as opened:
        opened.add(works)
        query, rule = Query(question), pool.Barrier()
        found = pool.gather(opened.catalogue(), query, rule)
        rows = work_features.rows(opened.catalogue(), query, found, rule.year)
    speaks = {it.title: row[NAMES.index("title~cites")] for it, row in zip(found.works, rows, strict=True)}
    assert speaks["Syntax of fjords"] > 0
    assert query.cites["word"] == 2.0  # however often it is cited
    assert 0 < query.cites["ice"] <= 1.0
    assert not {"ice", "fjord", "word"} & query.stems
    assert not Query(replace(question, cites=())).cites


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A corpus of so many works that it is no collection."""
    others = [Work(f"o{it}", f"Another {it}", year=2001) for it in range(2500)]
    with closing(Corpus(tmp_path_factory.mktemp("large"), create=True)) as opened:
        opened.add([*WORKS, *others])
        yield opened


def test_a_corpus_that_lacks_what_is_cited_already_is_less_sure_that_it_has_the_work_meant(large):
    place = read_marked(r"Steps are taken by the Adam optimizer \cite<> for ten epochs.", title="Deep networks")

    def suggested(*cites, hint=""):
        return suggest(large, replace(place, cites=cites, hint=hint)).candidates

    unknown = ("Of Kings", "Of Queens", "Of Castles")
    whole, half, little = suggested("Another 7"), suggested("Another 7", *unknown[:2]), suggested("Another 7", *unknown)
    odds = [it[0].probability / (1 - it[0].probability) for it in (whole, half, little)]
    assert odds[1] == pytest.approx(odds[0] * 2 / 4) and odds[2] == pytest.approx(odds[0] * 2 / 5)
    assert [it.record.id for it in whole] == [it.record.id for it in half] == [it.record.id for it in little]
    # What the author writes tells whether the work is there.
    by_hint = [suggested(*cites, hint="Adam")[0].probability for cites in (("Another 7",), ("Another 7", *unknown))]
    assert by_hint[0] == pytest.approx(by_hint[1])


def test_a_collection_is_as_sure_whatever_it_lacks(corpus):
    place = read_marked(r"Steps are taken by the Adam optimizer \cite<>.", title="Deep networks")
    first, again = (suggest(corpus, replace(place, cites=it)).candidates[0] for it in ((), ("Of Kings",)))
    assert first.probability == again.probability


def test_nothing_fits(corpus):
    found = suggest(corpus, read_marked(r"Quasars \cite<> emit radiation.", title="Radio astronomy"))
    assert (found.abstained, found.candidates) == (True, ())
    assert suggest(corpus, Question(before="")).abstained


async def test_a_batch_query_is_answered(corpus):
    asked = {"id": "q", "title": None, "text": r"adversarial nets \cite<>", "date": None, "exclude": []}
    found, first = await answer(corpus, asked, k=1)
    assert ids(found) == ["gan"]
    assert first[0] == "gan"


async def test_a_batch_query_may_exclude_and_cite_by_numbers(corpus):
    found, _ = await answer(corpus, {"text": r"the Adam optimizer \cite<>", "exclude": [7], "cites": [8]})
    assert ids(found)[0] == "adam"


def test_the_clause_before_the_marker():
    query = Query(read_marked(r"We use SGD [REF], momentum and the Adam optimizer \cite<>. More."))
    assert query.clause.split() == ["the", "Adam", "optimizer"]
    assert "sgd" in query.view("sentence")
    assert "more" not in query.view("sentence")


def test_hint_words_count_in_every_view():
    query = Query(Question("We train it", hint="adaptive moments"))
    assert all("moment" in query.view(it) for it in ("sentence", "near", "clause", "fading", "context"))


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        (r"As Lee (2002) and others said, it works (\cite<>; Roe and Poe, 1999a, 2001).", {"lee": 1, "roe": 1}),
        (r"Lee et al., 2002, fly. Roe, Poe, and Doe [1999] too \cite<>. So does Bo (2003).", {"lee": 0.5, "roe": 1}),
        (r"In 1990 it was the 5000 Section of Lee \cite<>.", {"in": 1}),
    ],
)
def test_what_the_text_names_by_author_and_year(text, cited):
    assert {name: share for (name, _), share in Query(read_marked(text)).cited.items()} == cited


@pytest.mark.parametrize(
    ("text", "title", "kind"),
    [
        (r"Which works introduced Adam? \cite<>", "", "question"),
        (r"We train with Adam \cite<>. It converges.", "", "untitled"),
        (r"We train with Adam \cite<>. It converges.", "Deep networks", "excerpt"),
        (r"We train with Adam \cite<>. " + "It converges. " * 40, "Deep networks", "passage"),
    ],
)
def test_what_is_known_of_the_place(text, title, kind):
    assert Query(read_marked(text, title=title)).kind == kind
    assert fitted_weights.fitted_weights(kind).weights


def test_a_work_that_the_sentence_names_beside_the_place_is_not_the_one_meant(tmp_path):
    works = [Work(it, "Airships with hydrogen", authors=[f"{it.title()}, Ann"], year=1890) for it in ("lee", "roe")]
    with closing(Corpus(tmp_path, create=True)) as opened:
        opened.add(works)
        for named, other in (("Lee", "roe"), ("Roe", "lee")):
            place = read_marked(rf"Airships are lifted by hydrogen ({named} and Poe, 1890; \cite<>).")
            assert ids(suggest(opened, place)) == [other, named.casefold()]


def test_later_works_take_no_place_in_the_pool(tmp_path):
    later = [Work(f"w{n}", "Airships with hydrogen", year=2020) for n in range(80)]
    with closing(Corpus(tmp_path, create=True)) as opened:
        opened.add([*later, Work("early", "Airships before hydrogen was known", year=1890)])
        query = Query(read_marked(r"Airships with hydrogen \cite<>."))
        (found,) = pool.gather(opened.catalogue(), query, pool.Barrier("1900"), limit=2).works
        assert found.year == 1890


def test_reciprocal_ranks_add_up():
    fused = reciprocal_ranks([([1, 2], 1.0), ([2], 0.5)])
    assert fused == {1: 1 / 61, 2: 1 / 62 + 0.5 / 61}


def test_the_title_is_quoted_where_nothing_else_matches():
    quoted = passages.best(WORKS[2], Query(read_marked(r"images \cite<>")), lambda _: 1.0)
    assert (quoted.quote, quoted.where) == ("Generative Adversarial Nets", "title")


METHODS = """2 Methods

Flights lasted hours. The zeppelin carried hydrogen for its lift.

3 Results

Nothing burned at all in any of our many flights.
"""


def test_evidence_from_the_full_text_names_its_section(tmp_path):
    with closing(Corpus(tmp_path, create=True)) as opened:
        opened.add([Work("air", "Airships", text=METHODS)])
        (candidate,) = suggest(opened, read_marked(r"Hydrogen lifts a zeppelin \cite<>.")).candidates
    (quoted,) = candidate.evidence
    assert (quoted.quote, quoted.where) == ("The zeppelin carried hydrogen for its lift.", "Methods")


def test_two_features_may_weigh_together():
    weights = fitted_weights.weights_by_name({"plain": 1.0, "cover_near*recent": 2.0})
    row = [{"plain": 3.0, "cover_near": 0.5, "recent": 4.0}.get(it, 0.0) for it in NAMES]
    assert weights.score(row) == 3.0 + 2.0 * 0.5 * 4.0
    assert weights.by_name() == {"plain": 1.0, "cover_near*recent": 2.0}


def test_before_the_priors_nothing_is_weighed_that_holds_one():
    names = fitted_weights.weights_at(pool.Stage.WEIGHTS, "passage").by_name()
    assert names
    assert not [it for it in names if {"recent", "age"} & set(it.split("*"))]


def test_what_assures_of_the_first_work_raises_all_probabilities():
    weights = fitted_weights.weights_by_name({"plain": 1.0}).with_line({"named": 0.5})
    rows = [[float(it == "named") * held for it in NAMES] for held in (0.0, 2.0)]
    assert weights.probabilities([1.0, 1.0], rows, 9) == pytest.approx([0.5, 0.5])
    unsure, sure = (weights.probabilities([1.0, 0.0], order, 9)[0] for order in (rows, rows[::-1]))
    assert 0.5 < unsure < sure


def test_a_work_is_surer_by_its_score_by_its_lead_and_among_fewer():
    weights = fitted_weights.weights_by_name({"plain": 1.0}).with_line({}, none=3.0, works=1000, fewer=0.2)

    def first(*scores, works=1000):
        return weights.probabilities(scores, [[0.0] * len(NAMES)] * len(scores), works)[0]

    assert first(2.0) < 0.5 < first(4.0) < first(5.0)
    assert first(4.0, 3.0) < first(4.0, 1.0) < first(4.0)
    assert first(4.0, works=100) > first(4.0, works=500) > first(4.0) == first(4.0, works=10**6)


@pytest.mark.parametrize("kind", ["passage", "excerpt", "untitled", "question", "collection"])
def test_the_weights_that_come_along_are_surer_by_lead_and_among_fewer(kind):
    def first(second, works):
        return fitted_weights.fitted_weights(kind).probabilities([6.0, second], [[0.0] * len(NAMES)] * 2, works)[0]

    assert first(5.0, 500_000) < first(1.0, 500_000)
    assert first(5.0, 5_000) >= first(5.0, 500_000)


def test_an_author_named_anywhere_speaks_for_a_work(tmp_path):
    works = [
        Work("a", "A grammar of syntax", authors=("Ann Aaker",)),
        Work("b", "A grammar of syntax of verbs", authors=("Bo Bell",)),
    ]
    text = rf"Bell found them first. {'Much else is said. ' * 30} This is the syntax \cite<>."
    with closing(Corpus(tmp_path, create=True)) as opened:
        opened.add(works)
        place = read_marked(text)
        found = pool.gather(opened.catalogue(), Query(place), pool.barrier(opened.catalogue(), "", "", ()))
        rows = work_features.rows(opened.catalogue(), Query(place), found, 9999)
    named = {work.n: row[NAMES.index("author_anywhere")] for work, row in zip(found.works, rows, strict=True)}
    assert sorted(named.values()) == [0.0, 1.0]


@pytest.mark.parametrize(
    ("text", "sentence", "clause", "last"),
    [
        (r"With Adam or plain descent, all nets learn by GANs \cite<>.", 1, 0, 0),
        (r"We train it by Adam for a good many more epochs \cite<>.", 1, 1, 0),
        (r"We train it by the Adam optimizer \cite<>.", 1, 1, 1),
        (r"Adam was first. We train it by descent \cite<>.", 0, 0, 0),
    ],
)
def test_the_name_before_a_colon_counts_more_the_nearer_it_is_written(corpus, text, sentence, clause, last):
    speaks = speaking(corpus, text)
    names = [speaks["adam"][it] > 0 for it in ("short_name", "clause_name", "last_name")]
    assert names == [sentence, clause, last]


def test_a_work_holds_more_of_what_is_asked_for_the_nearer_its_words_are(corpus):
    near, far = (
        speaking(corpus, text)["adam"]
        for text in (
            r"Noise, drift and bias trouble us. We choose stochastic optimization \cite<>.",
            r"In stochastic optimization there are noise, drift, bias and many other troubles of nets \cite<>.",
        )
    )
    assert near["held_near"] > far["held_near"] > 0
    assert near["held_clause"] > far["held_clause"]


def test_a_name_in_the_clause_is_found_in_an_abstract(tmp_path):
    works = [Work("a", "A grammar", "We present ParseIt."), Work("b", "A grammar of verbs", "We present verbs.")]
    with closing(Corpus(tmp_path, create=True)) as opened:
        opened.add(works)
        speaks = speaking(opened, r"A grammar is made by ParseIt \cite<>.")
    assert speaks["a"]["named_abstract"] > speaks["b"]["named_abstract"] == 0


def test_what_a_deeper_search_finds_comes_after_what_is_left(corpus):
    query, rule = Query(read_marked(r"Stochastic optimization of deep networks \cite<>.")), pool.Barrier()
    found = pool.gather(corpus.catalogue(), query, rule, limit=1)
    first, *rest = sorted(found.fused, key=found.fused.__getitem__, reverse=True)
    assert pool.find_next_best(corpus.catalogue(), query, found, rule, 2) == rest[:2]
    assert first == found.works[0].n


def speaking(corpus, text):
    """What speaks for each work at a place, by id and name of the feature."""
    query, rule = Query(read_marked(text)), pool.Barrier()
    found = pool.gather(corpus.catalogue(), query, rule)
    rows = work_features.rows(corpus.catalogue(), query, found, rule.year)
    names = corpus.store.ids([it.n for it in found.works])
    return {name: dict(zip(NAMES, row, strict=True)) for name, row in zip(names, rows, strict=True)}


def test_ballots_count_less_where_few_of_the_nearest_were_there_in_time(tmp_path):
    def said(name, *, later):
        early = Work("early", "Optimizers of networks", year=2000, references=("cited",))
        late = [Work(f"late{it}", f"Optimizers of networks {it}", year=2020) for it in range(later)]
        with closing(Corpus(tmp_path / name, create=True)) as opened:
            opened.add([Work("cited", "Steepest descent", year=1950), early])
            opened.add([replace(it, references=("fish",)) for it in late])
            query = Query(read_marked("Optimizers", title="Training"))
            found = pool.gather(opened.catalogue(), query, pool.barrier(opened.catalogue(), "2010", "", ()))
            return found.fused[opened.store.numbers(["cited"])["cited"]]

    assert said("one in eight", later=7) == pytest.approx(said("all", later=0) / 2)


def test_works_near_a_place_tell_what_is_cited_beside_its_best_matches(corpus):
    catalogue = corpus.catalogue()
    adam, sgd, survey, other = (catalogue.numbers([it])[it] for it in ("adam", "sgd", "survey", "other"))
    near = {"context": [(survey, 2.0), (other, 1.0)]}
    seeds = graph.seeds([(adam, 3.0)], [])
    votes = graph.estimate_ballots(catalogue, near, seeds, lambda _: True)["beside"]
    assert {n for n, vote in votes.items() if vote > 1e-9} == {sgd}

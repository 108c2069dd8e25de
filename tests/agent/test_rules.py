"""What is asked before anything is known of a place."""

from dataclasses import replace

from agent_works import Shelf
from citelsp.agent import rules
from citelsp.agent.environment import Environment
from citelsp.workspace.question import read_marked

TEXT = (
    r"We train the deep networks of all our colleagues with the Adam optimizer and a warm restart schedule of cosine "
    r"annealing, which needs little memory \cite<> for ten epochs."
)
RARE = {"adam": 9.0, "anneal": 8.0, "cosin": 7.0, "restart": 6.0, "memori": 5.0}


def opening(question, **more):
    place = Environment(question, services=Shelf(), rarities=RARE, **more)
    return [(it.name, it.arguments.get("query")) for it in rules.opening_actions(place)]


def test_services_are_asked_for_the_clause_and_the_rarest_words_around_the_place():
    question = read_marked(TEXT, title="Training deep networks", date="")
    assert opening(question) == [
        ("search_words", "needs little memory"),
        ("search_words", "train deep adam restart cosine annealing memory"),
        ("search_words", "cosine annealing memory"),
        ("search_text_snippet", "needs little memory"),
    ]


def test_what_the_author_wrote_into_the_place_comes_first():
    question = replace(read_marked(TEXT, title="", date=""), hint="decoupled decay")
    assert opening(question)[0] == ("search_words", "decoupled decay")

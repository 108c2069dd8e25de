"""Any bytes with any status and headers: every adapter answers found, absent or unavailable, and accuses nobody.

`--thorough` tries twenty times as many.
"""

import random

import pytest

from citelsp.base.settings import Service
from citelsp.investigate import fulltexts
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.sources import codec
from citelsp.sources.client import Client
from citelsp.sources.fulltext import FullText
from citelsp.sources.model_endpoints import EndpointError
from function_network import QUICK, Web, local, reply
from mutated_answers import Answer, mutated, retyped
from service_answers import ASKED

KEYED = ("dblp", "dblp_sparql", "pubmed", "inspire", "ads", "openreview", "zbmath", "semantic_scholar")
SETTINGS = local(
    services={it: Service(True, f"http://127.0.0.1/{it}", key="user:key") for it in KEYED}, email="me@example.org"
)
STEPS = ("dblp pairs", "openreview login", "pubmed found")  # after which a further request is made
EXAMPLES = 12


async def answered(asked, answer):
    """What the adapter makes of this answer, after good ones to the requests before it."""
    earlier = [] if asked.first is None else [asked.first]
    web = Web(lambda _: reply(earlier.pop()) if earlier else answer.response())
    client = Client(SETTINGS, transport=web, retry=QUICK)
    try:
        said = await asked.call(client)
    except EndpointError as error:
        said = Unavailable("endpoint", str(error))
    finally:
        await client.aclose()
    if isinstance(said, FullText):
        fulltexts.read(said)
    return list(said.values()) if isinstance(said, dict) else said if isinstance(said, list) else [said]


@pytest.fixture
def dice(request):
    """(a seeded die, how often to throw it)"""
    return random.Random(7), EXAMPLES * 40 ** request.config.getoption("--thorough")  # noqa: S311  nothing secret


@pytest.mark.parametrize("name", [it for it in ASKED if it not in STEPS])
async def test_a_good_answer_is_read(name):
    asked = ASKED[name]
    said = await answered(asked, Answer(asked.payload().encode(), headers={"content-type": asked.kind}))
    assert said
    assert not [it for it in said if isinstance(it, Absent | Unavailable | None)]


@pytest.mark.parametrize("name", ASKED)
async def test_no_answer_raises(name, dice):
    asked = ASKED[name]
    for _ in range(dice[1]):
        answer = mutated(asked.payload(), asked.kind, dice[0])
        for it in await answered(asked, answer):
            if isinstance(it, Found):
                assert codec.lookup(it.source, codec.dumps(it)) == it


@pytest.mark.parametrize("name", [it for it in ASKED if not it.startswith("fulltext")])
async def test_an_answer_of_another_form_is_not_absence(name, dice):
    asked = ASKED[name]
    for _ in range(dice[1]):
        answer = retyped(asked.payload(), asked.kind, dice[0])
        assert not [it for it in await answered(asked, answer) if isinstance(it, Absent)], answer.content[-9000:]

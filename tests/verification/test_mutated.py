"""A right reference is not accused, whatever form the services' answers have taken; `--thorough` tries more."""

import json
import random

import pytest

from citelsp.base.settings import Service
from citelsp.sources.ask_services import Sources
from citelsp.verification.ask import verify
from function_network import QUICK, Web, local, reply
from mutated_answers import Answer, retyped
from service_answers import ARXIV, ASKED, DOI, PAGES, PAPER, TITLE, VENUE, YEAR
from written_references import cited

ACCUSING = {"mismatch", "conflict", "not-found", "retracted"}
PATHS = {  # how an address begins → the answer there
    "/crossref/works/": "crossref one",
    "/crossref/works": "crossref search",
    "/openalex/works/": "openalex one",
    "/openalex/works": "openalex search",
    "/semantic_scholar/graph/v1/paper/search/match": "semantic_scholar match",
    "/semantic_scholar/graph/v1/paper/search": "semantic_scholar search",
    "/semantic_scholar/graph/v1/paper/batch": "semantic_scholar batch",
    "/dblp/search": "dblp search",
    "/arxiv/api/query": "arxiv one",
    "/europepmc/search": "europepmc search",
    "/doi/doiRA": "doi agencies",
    "/datacite/dois/": "datacite one",
    "/datacite/dois": "datacite search",
}
NAMED = {"doi": {"doi": DOI}, "arxiv": {"eprint": ARXIV, "archiveprefix": "arXiv"}, "title": {}}
RIGHT = {
    "title": TITLE, "author": "Doe, Jane and Berg, Jan", "journal": VENUE, "year": str(YEAR), "volume": "7",
    "number": "2", "pages": PAGES.replace("-", "--"), "booktitle": None,
}  # fmt: skip


def world(broken, dice):
    """The services; of one, or of all for "", most answers have taken another form."""

    def answer(request):
        name = next((it for start, it in PATHS.items() if request.url.path.startswith(start)), "")
        if not name:
            return reply({}, 503)
        good = json.dumps([PAPER]) if name.endswith("batch") else ASKED[name].payload()
        kind = ASKED[name].kind if name in ASKED else "application/json"
        wrong = name.startswith(broken) and dice.random() < 0.7
        return (
            retyped(good, kind, dice) if wrong else Answer(good.encode(), headers={"content-type": kind})
        ).response()

    return answer


async def kinds(entry, broken, dice, directory):
    services = {"dblp": Service(True, "http://127.0.0.1/dblp")}
    sources = Sources(local(services=services), directory=directory, transport=Web(world(broken, dice)))
    sources.client.retry = QUICK
    sources.client.cache = None
    found = [verdict async for _, verdict in verify([entry], sources)]
    await sources.aclose()
    return found


@pytest.mark.parametrize("name", NAMED)
async def test_the_world_as_it_is_confirms_it(name, tmp_path):
    entry = cited("article", **RIGHT, **NAMED[name])
    assert [it.kind for it in await kinds(entry, "none", random.Random(0), tmp_path)] == ["verified"]  # noqa: S311


@pytest.mark.parametrize("broken", ["", "crossref", "openalex", "semantic_scholar", "arxiv", "doi", "datacite"])
async def test_answers_of_another_form_accuse_nobody(broken, tmp_path, request):
    dice = random.Random(3)  # noqa: S311  nothing secret
    for number in range(6 * 50 ** request.config.getoption("--thorough")):
        entry = cited("article", **RIGHT, **NAMED[dice.choice(list(NAMED))])
        for verdict in await kinds(entry, broken, dice, tmp_path / str(number)):
            assert verdict.kind not in ACCUSING, (verdict.reason, verdict.differences)

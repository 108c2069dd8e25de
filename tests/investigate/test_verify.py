"""Verdicts learnt by a project: at once what is kept, the rest as it comes, and no question asked twice."""

import pytest

import fixture_projects
from citelsp.base.settings import Settings
from citelsp.investigate import verify
from citelsp.investigate.cached_verdicts import index_by_content, recall
from citelsp.knowledge import Knowledge
from citelsp.sources.ask_services import Sources
from function_network import QUICK, Web, local, page, reply

TITLE = "Neural Language Models"
FIXTURE = r"""
%% main.tex
\cite{bengio, twin, other}
%% refs.bib
@article{bengio, author = {Bengio, Yoshua}, title = {Neural Language Models}, year = 2003, doi = {10.1000/lm}}
@article{twin, title = {Neural Language Models}, author = {Bengio, Yoshua}, doi = {10.1000/lm}, year = 2003}
@article{other, author = {Bengio, Yoshua}, title = {Neural Language Models}, year = 1999, doi = {10.1000/lm}}
@article{idle, author = {Nobody}, title = {Never Cited by Anyone at All}, year = 2003}
"""


def crossref(request):
    if not request.url.path.startswith("/crossref/works"):
        return page(status=503)
    work = {
        "DOI": "10.1000/lm", "title": [TITLE], "type": "journal-article", "issued": {"date-parts": [[2003]]},
        "author": [{"family": "Bengio", "given": "Yoshua"}],
    }  # fmt: skip
    return reply({"message": work if request.url.path.count("/") > 2 else {"items": [work]}})


@pytest.fixture
async def asked(tmp_path):
    """asked(handler) → Sources, with one cache for all."""
    opened = []

    def start(handler, settings=None):
        found = Sources(settings or local(), directory=tmp_path, transport=Web(handler))
        found.client.retry = QUICK
        opened.append(found)
        return found

    yield start
    for it in opened:
        await it.aclose()


def places():
    project = fixture_projects.world(FIXTURE).project
    return verify.find_cited(project)


async def learnt(places, sources, knowledge=None):
    reports = []
    snapshots = [
        it async for it in verify.verify(places, sources, knowledge or Knowledge(), lambda *it: reports.append(it))
    ]
    return snapshots, reports


def test_only_cited_entries_are_meant():
    assert [it.node.key for it in places()] == ["bengio", "other", "twin"]
    project = fixture_projects.world(FIXTURE).project
    assert len(verify.find_cited(project, "refs.bib")) == 3
    assert not verify.find_cited(project, "elsewhere.bib")


async def test_a_snapshot_for_each_content(asked):
    snapshots, reports = await learnt(places(), asked(crossref))
    assert [len(it.verdicts) for it in snapshots] == [1, 2]
    assert reports == [(0, 2), (1, 2), (2, 2)]
    assert sorted(it.kind for it in snapshots[-1].verdicts.values()) == ["mismatch", "verified"]


def shown(knowledge):
    return {key: (it.kind, it.record, it.differences) for key, it in knowledge.verdicts.items()}


async def test_what_is_known_is_not_asked_again(asked):
    [*_, knowledge], _ = await learnt(places(), asked(crossref))
    again = asked(crossref)
    assert await learnt(places(), again, knowledge) == ([], [(2, 2)])
    recalled = await recall(index_by_content(places()), again.client.cache, Knowledge())
    assert shown(recalled) == shown(knowledge)
    assert not again.client.transport.requests


async def test_what_could_not_be_asked_is_asked_again(asked):
    down = asked(lambda _: page(status=503))
    [*_, knowledge], _ = await learnt(places(), down)
    assert {it.kind for it in knowledge.verdicts.values()} == {"unchecked"}
    assert not (await recall(index_by_content(places()), down.client.cache, Knowledge())).verdicts
    _, reports = await learnt(places(), asked(crossref), knowledge)
    assert reports[0] == (0, 2)


async def test_offline_asks_nobody(asked):
    sources = asked(crossref, Settings(offline=True))
    [*_, knowledge], _ = await learnt(places(), sources)
    assert {it.kind for it in knowledge.verdicts.values()} == {"unchecked"}
    assert not sources.client.transport.requests

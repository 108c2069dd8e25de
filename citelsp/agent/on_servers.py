"""Corpora on servers, as the actions ask them beside the embedded one: by the place, and by words for it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from citelsp.agent import service_queries
from citelsp.agent.environment import Answer, Environment, join_candidates
from citelsp.corpus.words import title_key
from citelsp.corpus.work import are_one_work
from citelsp.knowledge import Candidate

_MOST_LISTED = 10  # works of one server


async def search(environment: Environment, words: str = "", limit: int = _MOST_LISTED) -> Answer:
    """Ask all corpora on servers for works that fit the place; an empty answer if no servers are set.

    Each work is there once, those of the server that the settings name first before all others.  `words`, if there are
    any, stand in for the author's hint; if a server is on another machine, only those that may leave this one are sent,
    to all servers.  Each server gives at most `limit` works.  The notes name the servers that did not answer;
    `requests` counts the requests to other machines.
    """
    servers = environment.servers
    question = environment.question
    if not servers.corpora:
        return Answer()
    if words:
        may_leave = service_queries.limit_query(environment, words) if servers.on_other_machines() else words
        question = replace(question, hint=may_leave)
    answers = await servers.answers(question, sorted(environment.exclude), limit, environment.helpers)
    candidates: list[Candidate] = []
    for answer in answers:
        candidates += [_name_server(candidate, answer.name) for candidate in answer.candidates]
    missing = tuple(f"the corpus {it.name} did not answer: {it.why}" for it in answers if it.why)
    return Answer(tuple(_join_same(candidates)), notes=missing, requests=len(servers.on_other_machines()))


def _name_server(work: Candidate, server: str) -> Candidate:
    """Note in the record from which corpus the candidate is, since an id names a work only within one corpus."""
    return replace(work, record=replace(work.record, source=server))


def join_rankings(of_this_machine: Sequence[Candidate], of_servers: Sequence[Candidate]) -> list[Candidate]:
    """Join two rankings, each work once: the most probable first; if servers have none, the other keeps its order."""
    works = _join_same([*of_this_machine, *of_servers])
    return sorted(works, key=lambda it: -(it.probability or 0.0)) if of_servers else works


def _join_same(works: Sequence[Candidate]) -> list[Candidate]:
    """Join works of one title into one, which has the place of the first; the others keep theirs.

    Works with one short title are joined only if `are_one_work` finds that they are one.
    """
    joined: list[Candidate] = []
    places: dict[str, list[int]] = defaultdict(list)  # in `joined`, by title
    for work in works:
        title = title_key(work.record.title)
        place = next((it for it in places[title] if are_one_work(joined[it].record, work.record)), None)
        if place is None:
            places[title].append(len(joined))
            joined.append(work)
        else:
            joined[place] = join_candidates(joined[place], work)
    return joined

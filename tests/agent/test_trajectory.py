import asyncio
import json
import os
from dataclasses import replace

import pytest

from agent_works import Script, Shelf, candidate
from citelsp.agent import story, trajectory
from citelsp.agent.chat import Chat
from citelsp.agent.habits import Memory
from citelsp.agent.loop import find_works
from citelsp.agent.model import Model
from citelsp.agent.rules import Rules
from citelsp.agent.steps import Action, Limits
from citelsp.base.settings import LanguageModel
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from model_server import completion, serving

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."


def same(found, again):
    return replace(found, usage={}) == replace(again, usage={}) and found.usage["turns"] == again.usage["turns"]


async def written(environment, policy, folder, limits=Limits(), **more):  # noqa: B008
    writer = trajectory.Writer(folder)
    found = await find_works(environment(TEXT, **more), policy, limits, journal=writer)
    return found, writer.path


async def test_rules_replayed_give_the_same(environment, tmp_path):
    work = candidate("Rules of optimization", abstract="Memory is little.", authors=(Name("Doe", "J"),), years=(2001,))
    work = replace(work, record=replace(work.record, identifiers=Identifiers(doi="10.1/a"), citation_count=0))
    found, path = await written(environment, Rules(), tmp_path, services=Shelf(work, notes=("dblp: 500",)))
    assert same(found, await trajectory.replay(trajectory.read(path)))


class Remembering(Rules):
    async def propose(self, run):
        self.run = run
        return await super().propose(run)


async def test_what_was_asked_is_read_back_whole(environment, tmp_path):
    policy = Remembering()
    place, limits = environment(TEXT, exclude=frozenset({"lstm", "gan"})), Limits(turns=3, tokens=900, seconds=60.0)
    place = replace(place, question=replace(place.question, cites=("a", "b"), near=(("a", 2),)))
    writer = trajectory.Writer(tmp_path)
    await find_works(place, policy, limits, journal=writer)
    (run,) = trajectory.read(writer.path)
    assert (run.policy, run.question, run.exclude, run.limits) == ("rules", place.question, place.exclude, limits)
    assert run.rarities == {it: place.rarity(it) for it in place.sought}
    assert len(run.steps) > 1 and run.steps == policy.run.steps
    assert run.stopped is not None and run.usage["turns"] == len(run.steps)


async def test_a_model_s_run_replayed_gives_the_same(environment, tmp_path):
    words = completion(json.dumps({"choice": "", "words": "small memories"}))
    choice = completion(json.dumps({"choice": "W6", "sure": "clear"}))
    async with serving(words, completion("Hm."), choice) as server:
        chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"))
        found, path = await written(environment, Model(chat), tmp_path, services=Shelf(candidate("Memories")))
        await chat.aclose()
    assert (found.candidates[0].record.title, found.usage["turns"]) == ("Memories", 3)
    assert same(found, await trajectory.replay(trajectory.read(path)))


@pytest.mark.parametrize("limits", [Limits(turns=1), Limits(requests=1), Limits(seconds=0.2)])
async def test_a_run_that_a_limit_ended_too(environment, tmp_path, limits):
    class Slow(Shelf):
        async def search(self, words, limit):
            if limits.seconds < 1:
                await asyncio.Event().wait()
            return await super().search(words, limit)

    script = Script([Action("match_place")], [Action("search", {"query": "x"})], [Action("search", {"query": "x"})])
    found, path = await written(environment, script, tmp_path, limits, services=Slow())
    assert "limit" in found.reason
    assert same(found, await trajectory.replay(trajectory.read(path)))


async def test_a_cancelled_run_is_kept_as_far_as_it_came(environment, tmp_path):
    stuck = asyncio.Event()

    class Stuck(Script):
        async def propose(self, run):
            if run.steps:
                stuck.set()
                await asyncio.Event().wait()
            return await super().propose(run)

    task = asyncio.ensure_future(written(environment, Stuck([Action("match_place")]), tmp_path))
    await asyncio.wait_for(stuck.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (path,) = tmp_path.glob("*.jsonl")
    with path.open("a", encoding="utf-8") as file:
        file.write('{"turn": {"act')
    kept = trajectory.read(path)
    assert [(len(it.steps), it.stopped) for it in kept] == [(1, None)]
    assert "cancelled" in story.explain(kept)
    assert (await trajectory.replay(kept)).candidates[0].record.id == "adam"


@pytest.mark.parametrize("content", ["", "{", '{"version": 99}', '{"version": 1}', "null", "[]\n[]"])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "x.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(trajectory.UnreadableTrajectoryError):
        trajectory.read(path)


async def test_nothing_is_lost_where_nothing_can_be_written(environment, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    found, path = await written(environment, Rules(), tmp_path / "file" / "below")
    assert path is None
    assert found.candidates


async def test_files_are_private_and_few(environment, tmp_path):
    for number in range(505):
        (tmp_path / f"2000{number:04d}.jsonl").write_text("", encoding="utf-8")
    _, path = await written(environment, Rules(), tmp_path)
    assert len(list(tmp_path.glob("*.jsonl"))) == 500
    assert os.name != "posix" or path.stat().st_mode & 0o077 == 0
    assert all(json.loads(it) for it in path.read_text(encoding="utf-8").splitlines())


async def test_a_file_s_lines_are_the_place_each_step_and_the_end(environment, tmp_path):
    place = environment(TEXT, exclude=frozenset({"lstm", "gan"}))
    place = replace(place, question=replace(place.question, beside=frozenset({"b", "a"})))
    writer = trajectory.Writer(tmp_path / "state" / "runs")
    work = candidate("Of memory", quote="So.", authors=(Name("Lee"),))
    policy = Script([Action("search_library", {"query": "x"})], [Action("select", {"id": "W1"})])
    await find_works(replace(place, library=lambda _words, _limit: [work]), policy, journal=writer)
    first, step, _, last = map(json.loads, writer.path.read_text(encoding="utf-8").splitlines())
    assert (first["version"], first["policy"], first["exclude"]) == (4, "script", ["gan", "lstm"])
    assert first["question"]["beside"] == ["a", "b"]
    (seen,) = step["observations"]
    record = seen["works"][0]["record"]
    assert set(record) >= {"source", "id", "title", "identifiers", "citation_count", "authors"}
    assert not {"venue", "abstract", "updates", "origins"} & set(record)
    assert (last["stopped"], last["abstained"], last["titles"]) == ("", False, ["Of memory"])
    assert last["usage"]["turns"] == 2
    assert writer.path.parent == tmp_path / "state" / "runs"


async def test_further_runs_go_to_the_file_of_the_earlier_ones_if_it_is_still_there(environment, tmp_path):
    _, path = await written(environment, Rules(), tmp_path)
    again = trajectory.Writer(tmp_path, str(path))
    await find_works(environment(TEXT), Rules(), journal=again)
    assert again.path == path and len(trajectory.read(path)) == 2
    path.unlink()
    other = trajectory.Writer(tmp_path, str(path))
    assert other.path is None
    await find_works(environment(TEXT), Rules(), journal=other)
    assert other.path != path and len(trajectory.read(other.path)) == 1


async def test_what_is_no_trajectory_is_called_so(environment, tmp_path):
    path = tmp_path / "x.jsonl"
    for content, said in [
        ('{"version": 2}\n', f"{path} was recorded by another version of citelsp: search again"),
        ('{"turn": {}}\n{"version": 4}\n', f"{path} is not a recorded search"),
        ('{"version": 4}\n', f"{path} is not a recorded search"),
        ("{\n", f"{path} is not a recorded search"),
    ]:
        path.write_text(content, encoding="utf-8")
        with pytest.raises(trajectory.UnreadableTrajectoryError) as caught:
            trajectory.read(path)
        assert str(caught.value) == said
    with pytest.raises(trajectory.UnreadableTrajectoryError, match="there is no "):
        trajectory.read(tmp_path / "none.jsonl")


async def test_of_a_replay_the_cost_is_the_one_that_it_had(environment, tmp_path):
    found, path = await written(environment, Rules(), tmp_path)
    (run,) = trajectory.read(path)
    dear = replace(run, usage={**run.usage, "usd": 9.0, "seconds": 77.0})
    again = await trajectory.replay([dear])
    assert (again.usage["usd"], again.usage["seconds"]) == (9.0, 77.0)
    assert again.usage["turns"] == found.usage["turns"]


async def test_a_long_run_is_replayed_whole_whatever_its_limits_were(environment, tmp_path):
    turns = [[Action("match_place")], *[[Action("search", {"query": "x"})]] * 3, [Action("select", {"id": "W2"})]]
    found, path = await written(environment, Script(*turns), tmp_path)
    (run,) = trajectory.read(path)
    limited = replace(run, limits=Limits(turns=1, tokens=1, usd=1e-9, seconds=1e-9, requests=1))
    assert same(found, await trajectory.replay([limited]))

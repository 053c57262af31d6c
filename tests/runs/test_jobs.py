"""The scheduler with real worker processes: order, turns, limits, ends and faults."""

import asyncio
import os
import signal
import weakref
from collections.abc import Awaitable, Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from app.runs import local_workers
from app.runs.jobs import Busy, Jobs, Run
from app.runs.local_workers import LocalWorkers
from tests.reader import Counting, Reader, eventually, numbers, undisturbed
from tests.tiers import first
from tests.training_example import PartedExample, TrainingExample


@pytest.fixture(scope="module", autouse=True)
def without_engine() -> Iterator[None]:
    """Workers do not load the engine, which takes seconds and is needed by none of these runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_workers, "is_complete", lambda: False)
        yield


@pytest.fixture(scope="module")
def workers() -> Iterator[LocalWorkers]:
    backend = LocalWorkers(2)
    backend.warm()
    yield backend
    backend.close()


@pytest.fixture(scope="module")
def worker() -> Iterator[LocalWorkers]:
    backend = LocalWorkers(1)
    backend.warm()
    yield backend
    backend.close()


def open_run(jobs: Jobs, reader: Reader, name: str = "somebody", **settings: object) -> Run:
    return jobs.open(name, TrainingExample, settings, reader.deliver, reader.is_watched)


def play(backend: LocalWorkers, story: Callable[[Jobs, Counting], Awaitable[None]], **limits: Any) -> None:
    """Tell a story to a scheduler of its own, and see that nothing is left under way."""

    async def whole() -> None:
        counting = Counting(backend)
        jobs = Jobs(counting, **{"frames_per_second": 60, **limits})
        try:
            await story(jobs, counting)
        finally:
            jobs.close()
            await eventually(lambda: not counting.under_way)

    asyncio.run(whole())


def test_a_run_streams_every_step_in_order_up_to_the_last(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader, seed=3)
        await reader.until("ready")
        assert reader.steps == [0]
        run.play()
        assert run.playing
        await reader.until("finished")
        assert not run.playing
        assert reader.steps == sorted(set(reader.steps))
        assert reader.steps[:2] == [0, 1]
        assert len(reader.steps) > 10
        assert numbers(reader) == undisturbed(seed=3)

    play(workers, story)


def test_a_run_that_waits_for_the_engine_says_so_and_begins_when_it_is_there(workers: LocalWorkers) -> None:
    waits = ["The engine is being compiled."]

    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        open_run(jobs, reader)
        await reader.until("waiting")
        assert reader.updates[-1].status.message == waits[0]
        waits[0] = "Soon."
        await eventually(lambda: reader.updates[-1].status.message == "Soon.")
        assert not counting.begun
        waits[0] = ""
        await reader.until("ready")
        assert reader.steps == [0]

    play(workers, story, awaited=lambda simulation: waits[0] if simulation is TrainingExample else "")


def test_a_run_that_is_paused_before_its_code_is_compiled_gets_its_first_picture(workers: LocalWorkers) -> None:
    waits = ["Soon."]

    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader)
        run.play()
        await eventually(lambda: reader.updates and reader.updates[-1].status.message == "Soon.")
        run.pause()
        waits[0] = ""
        await reader.until("ready")
        assert (reader.steps, run.playing) == ([0], False)

    play(workers, story, awaited=lambda simulation: waits[0])


def test_the_first_picture_comes_even_before_anybody_watches(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        reader.watching = False
        open_run(jobs, reader)
        await reader.until("ready")
        assert reader.steps == [0]

    play(workers, story)


def test_step_takes_exactly_that_many_steps(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader)
        run.step()
        await reader.until("paused")
        assert reader.steps == [0, 1]
        run.step(3)
        run.step(4)
        await reader.until_step(8)
        await reader.until("paused")
        assert reader.steps[-1] == 8
        run.step()
        await eventually(lambda: reader.steps[-1] > 8)
        assert reader.steps[-1] == 9

    play(workers, story)


def test_step_while_playing_ends_so_many_steps_after_what_was_under_way(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader, step_seconds=0.02, length=10_000)
        run.play()
        await reader.until_step(5)
        await eventually(lambda: counting.under_way)
        under_way = reader.steps[-1] + counting.under_way[0].steps
        run.step(2)
        await reader.until("paused")
        assert reader.steps[-1] == under_way + 2

    play(workers, story)


def test_pause_stays_where_it_is(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader, step_seconds=0.01, length=10_000)
        run.play()
        await reader.until_step(10)
        await eventually(lambda: counting.under_way)
        run.pause()
        await reader.until("paused")
        assert not counting.under_way
        assert reader.states.count("paused") == 1
        assert reader.updates[-1].frame
        begun = len(counting.begun)
        beside = Reader()
        open_run(jobs, beside, "another").play()
        await beside.until("finished")
        assert [work.settings for work in counting.begun[begun:]].count({"step_seconds": 0.01, "length": 10_000}) == 0
        position = reader.steps[-1]
        run.step()
        await eventually(lambda: reader.steps[-1] != position)
        assert reader.steps[-1] == position + 1

    play(workers, story)


def test_restart_drops_what_is_under_way_and_goes_on_playing(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader, seed=1, step_seconds=0.02)
        run.play()
        await reader.until_step(5)
        await eventually(lambda: counting.under_way)
        count = len(reader.frames)
        run.restart({"seed": 2})
        await reader.until("finished")
        after = reader.frames[count:]
        assert {frame.results["seed"] for frame in after} == {2}
        assert after[0].step == 0
        assert numbers(reader) == undisturbed(seed=2)

    play(workers, story)


def test_restart_drops_what_has_just_come_back(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader, seed=1)
        await reader.until("ready")
        counting.at_end = lambda: run.restart({"seed": 2})
        run.step()
        await eventually(lambda: reader.frames[-1].results["seed"] == 2)
        assert reader.steps == [0, 0]

    play(workers, story)


def test_the_last_of_many_restarts_counts_and_none_piles_up(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader)
        for seed in range(100):
            run.restart({"seed": seed, "start_seconds": 0.05})
            await asyncio.sleep(0)
        await eventually(lambda: reader.frames and reader.frames[-1].results["seed"] == 99)
        assert reader.updates[-1].status.state == "ready"
        assert counting.most == 1
        assert len(counting.begun) < 10

    play(workers, story)


def test_restarting_twice_does_not_save_a_long_chunk_from_its_end(worker: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader, before = Reader(), Reader()
        open_run(jobs, before)
        await before.until("ready")
        run = open_run(jobs, reader, start_seconds=10)
        await eventually(lambda: counting.under_way)
        run.restart()
        await asyncio.sleep(0)
        run.restart({})
        await reader.until("ready")
        assert reader.frames[-1].results["worker"] != before.frames[-1].results["worker"]

    play(worker, story)


def test_a_finished_run_plays_again_only_after_a_restart(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader, length=3)
        run.play()
        await reader.until("finished")
        run.play()
        run.step()
        assert not run.playing
        run.restart()
        await reader.until("ready")
        assert reader.steps[-1] == 0
        run.play()
        await reader.until("finished")
        assert reader.steps[-1] == 3

    play(workers, story)


@pytest.mark.exhaustive
def test_a_slow_run_takes_fewer_steps_for_each_picture(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        fast, slow = Reader(), Reader()
        open_run(jobs, fast, length=300).play()
        run = open_run(jobs, slow, length=300)
        run.speed = 0.25
        run.play()
        await fast.until("finished")
        await slow.until_step(10)
        assert max(after - before for before, after in pairwise(fast.steps)) > 1
        assert {after - before for before, after in pairwise(slow.steps)} == {1}
        for share in (0, -1, 2, float("nan")):
            with pytest.raises(ValueError, match="is not over 0"):
                run.speed = share

    play(workers, story)


def test_a_run_that_diverges_says_so(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader, trouble="diverge", trouble_at=7)
        run.play()
        await reader.until("diverged")
        assert reader.steps[-1] == 7
        assert not run.playing

    play(workers, story)


def test_readers_take_turns_however_many_runs_they_have(worker: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        many, one = [Reader(), Reader(), Reader()], Reader()
        for reader in many:
            open_run(jobs, reader, "many", step_seconds=0.002, length=1_000_000).play()
        open_run(jobs, one, "one", step_seconds=0.002, length=1_000_000).play()
        await eventually(lambda: all(reader.steps[-1:] > [0] for reader in [*many, one]))
        before = [len(reader.frames) for reader in [*many, one]]
        await eventually(lambda: sum(len(reader.frames) for reader in [*many, one]) - sum(before) >= 60)
        *of_many, of_one = (len(reader.frames) - so_far for reader, so_far in zip([*many, one], before, strict=True))
        assert sum(of_many) <= 1.3 * of_one + 2
        assert max(of_many) - min(of_many) <= 2

    play(worker, story, frames_per_second=1000)


def test_a_waiting_run_gets_its_place(worker: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        blocking = [open_run(jobs, Reader(), name, start_seconds=10) for name in ("a", "b")]
        await eventually(lambda: len(counting.under_way) == 2)
        first, second = Reader(), Reader()
        open_run(jobs, first, "c")
        open_run(jobs, second, "d")
        await first.until("waiting")
        await second.until("waiting")
        assert first.updates[-1].status.place == 0
        assert second.updates[-1].status.place == 1
        for run in blocking:
            run.close()
        await first.until("ready")
        await second.until("ready")

    play(worker, story)


def test_work_stops_when_nobody_watches(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        left, other = Reader(), Reader()
        run = open_run(jobs, left, seed=1, step_seconds=0.01, length=10_000)
        run.play()
        open_run(jobs, other, "another", step_seconds=0.01, length=10_000).play()
        await left.until_step(5)
        left.watching = False
        begun = len(counting.begun)
        await left.until("paused")
        assert not run.playing
        assert sum(work.settings["seed"] == 1 for work in counting.begun[begun:] if "seed" in work.settings) == 0
        left.watching = True
        before = left.steps[-1]
        run.play()
        await left.until_step(before + 1)

    play(workers, story)


def test_a_run_that_waits_is_tried_to_say_how_long_it_takes(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader, length=200, step_seconds=0.1)
        assert run.duration is None
        await eventually(lambda: run.duration)
        assert 20 <= run.duration < 60  # 200 steps of a tenth of a second, and what a frame costs
        assert (reader.steps, run.status.state) == ([0], "ready")
        run.step()
        await eventually(lambda: reader.steps == [0, 1])
        assert run.duration is None

    play(workers, story)


def test_a_failed_trial_is_not_reported(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader, trouble="raise", trouble_at=1)
        await eventually(lambda: not run.wants_trial and run.status.state == "ready" and reader.frames)
        assert run.duration is None
        run.play()
        await reader.until("failed")

    play(workers, story)


def test_a_run_that_is_paused_before_it_was_tried_takes_no_step(worker: LocalWorkers) -> None:
    """Its trial waits for a worker when its reader skips to the end of a stored run, which pauses it."""

    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader)
        await reader.until("ready")
        others = [open_run(jobs, Reader(), name, step_seconds=0.4) for name in ("one", "other")]
        for other in others:
            other.play()
        loop = asyncio.get_running_loop()
        await eventually(lambda: loop.time() > run.not_before and len(counting.under_way) == 2)
        assert run.wants_trial
        run.pause()
        for other in others:
            other.close()
        await eventually(lambda: not counting.under_way)
        assert run.status.state == "ready"
        run.play()
        await reader.until("finished")

    play(worker, story)


@pytest.mark.exhaustive
def test_a_long_chunk_is_given_up_when_nobody_watches(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader, step_seconds=10)
        await reader.until("ready")
        run.play()
        await eventually(lambda: counting.under_way)
        reader.watching = False
        await eventually(lambda: not counting.under_way)
        assert not run.playing
        assert reader.steps == [0]

    play(workers, story)


def test_a_page_that_cannot_say_whether_it_is_watched_is_not(
    workers: LocalWorkers, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = jobs.open("somebody", TrainingExample, {}, reader.deliver, lambda: 1 // 0 > 0)
        run.play()
        await eventually(lambda: reader.frames and not run.playing)
        assert reader.steps == [0]

    play(workers, story)
    assert "ZeroDivisionError" in caplog.text


def test_the_next_chunk_waits_for_the_page(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        slow, other = Reader(), Reader()
        slow.gate = asyncio.Event()
        open_run(jobs, slow, seed=1).play()
        open_run(jobs, other, "another", seed=2).play()
        await eventually(lambda: slow.frames)
        await other.until("finished")
        assert sum(work.settings["seed"] == 1 for work in counting.begun) == 1
        slow.gate.set()
        await slow.until("finished")

    play(workers, story)


def test_one_run_has_one_chunk_under_way_and_all_have_one_more_than_workers(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        readers = [Reader() for _ in range(6)]
        for seed, reader in enumerate(readers):
            open_run(jobs, reader, str(seed), seed=seed, length=50).play()
        for seed, reader in enumerate(readers):
            await reader.until("finished")
            assert numbers(reader) == undisturbed(seed=seed, length=50)
        assert counting.most == workers.workers + 1

    play(workers, story)


def test_a_killed_worker_costs_nothing_but_time(workers: LocalWorkers, tmp_path: Path) -> None:
    """Both are killed at a gate, where they surely compute, and which is open when the chunk is computed again."""

    async def story(jobs: Jobs, counting: Counting) -> None:
        for seed in range(0, 6, 2):
            readers = {number: Reader() for number in (seed, seed + 1)}
            gates = {number: tmp_path / str(number) for number in readers}
            for number, reader in readers.items():
                open_run(jobs, reader, str(number), seed=number, trouble_at=20, gate=str(gates[number])).play()
            await eventually(lambda gates=gates: all(gate.with_suffix(".reached").exists() for gate in gates.values()))
            for pid in workers.pids():
                os.kill(pid, signal.SIGKILL)
            for gate in gates.values():
                gate.touch()
            for number, reader in readers.items():
                await reader.until("finished")
                assert "retried" in reader.states
                assert reader.steps == sorted(set(reader.steps))
                assert numbers(reader) == undisturbed(seed=number)

    play(workers, story)


@pytest.mark.exhaustive
def test_workers_killed_while_one_computes_and_the_other_idles_cost_nothing_but_time(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        for seed in range(5):
            reader = Reader()
            open_run(jobs, reader, seed=seed, step_seconds=0.01).play()
            await reader.until_step(3)
            await eventually(lambda: counting.under_way)
            for pid in workers.pids():
                os.kill(pid, signal.SIGKILL)
            await reader.until("finished", "failed")
            assert reader.states[-1] == "finished"
            assert numbers(reader) == undisturbed(seed=seed)

    play(workers, story)


def test_a_chunk_that_kills_its_worker_once_is_repeated_to_the_same_bits(workers: LocalWorkers, tmp_path: Path) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        settings = {"seed": 5, "trouble_at": 20, "kill_once": str(tmp_path / "killed")}
        open_run(jobs, reader, **settings).play()
        await reader.until("finished")
        assert (tmp_path / "killed").exists()
        assert reader.states.count("retried") == 1
        assert numbers(reader) == undisturbed(**settings)

    play(workers, story)


def test_parts_are_computed_at_the_same_time_to_the_same_bits(workers: LocalWorkers, tmp_path: Path) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        settings = {"seed": 3, "diary": str(tmp_path / "diary")}
        jobs.open("somebody", PartedExample, settings, reader.deliver, reader.is_watched).play()
        await reader.until("finished")
        assert reader.steps == sorted(set(reader.steps))
        assert numbers(reader) == PartedExample(seed=3).compute()["walk"].tobytes()

    play(workers, story)
    places: dict[str, dict[str, str]] = {}
    for line in (tmp_path / "diary").read_text().splitlines():
        part, step, process = line.split()
        places.setdefault(step, {})[part] = process
    assert any(place["first"] != place["second"] for place in places.values())


def test_of_a_chunk_in_parts_only_the_part_that_was_lost_is_computed_again(
    workers: LocalWorkers, tmp_path: Path
) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        settings = {"diary": str(tmp_path / "diary"), "trouble_at": 20, "kill_once": str(tmp_path / "killed")}
        jobs.open("somebody", PartedExample, settings, reader.deliver, reader.is_watched).play()
        await reader.until("finished")
        assert reader.states.count("retried") == 1
        assert numbers(reader) == PartedExample(seed=0).compute()["walk"].tobytes()

    play(workers, story)
    begun = [line.rpartition(" ")[0] for line in (tmp_path / "diary").read_text().splitlines()]
    twice = {chunk for chunk in begun if begun.count(chunk) == 2}
    assert len(twice) == 1
    assert twice.pop().startswith("first ")


def test_runs_in_parts_leave_a_worker_to_others(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        readers = [Reader() for _ in range(3)]
        for seed, reader in enumerate(readers):
            settings = {"seed": seed, "step_seconds": 0.005}
            jobs.open(str(seed), PartedExample, settings, reader.deliver, reader.is_watched).play()
        for seed, reader in enumerate(readers):
            await reader.until("finished")
            assert numbers(reader) == PartedExample(seed=seed).compute()["walk"].tobytes()
        assert counting.most <= workers.workers + 1

    play(workers, story)


def test_a_part_that_fails_ends_the_run_and_the_other_parts(
    workers: LocalWorkers, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader, other = Reader(), Reader()
        jobs.open("somebody", PartedExample, {"trouble": "raise"}, reader.deliver, reader.is_watched).play()
        await reader.until("failed")
        assert reader.updates[-1].status.message == "ArithmeticError: the walk has lost its way"
        open_run(jobs, other, "another").play()
        await other.until("finished")

    play(workers, story)
    assert "in advance" in caplog.text


def test_a_poisoned_chunk_ends_its_own_run_and_no_other(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        poisoned, others = Reader(), [Reader() for _ in range(3)]
        run = open_run(jobs, poisoned, trouble="kill")
        run.play()
        for seed, reader in enumerate(others):
            open_run(jobs, reader, str(seed), seed=seed, step_seconds=0.01).play()
        await poisoned.until("failed")
        assert "retried" in poisoned.states
        assert "Two worker processes in a row ended" in poisoned.updates[-1].status.message
        assert poisoned.steps[-1] < 3
        for seed, reader in enumerate(others):
            await reader.until("finished")
            assert "retried" not in reader.states
            assert numbers(reader) == undisturbed(seed=seed)
        run.play()
        assert not run.playing
        run.restart({"length": 2})
        await poisoned.until("ready")

    play(workers, story)


def test_an_exception_ends_its_own_run_with_its_message(
    workers: LocalWorkers, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        failing, at_start, other = Reader(), Reader(), Reader()
        open_run(jobs, failing, trouble="raise").play()
        open_run(jobs, at_start, trouble="raise", trouble_at=0)
        open_run(jobs, other, "another").play()
        await failing.until("failed")
        await at_start.until("failed")
        assert failing.updates[-1].status.message == "ArithmeticError: the walk has lost its way"
        assert at_start.frames == []
        await other.until("finished")

    play(workers, story)
    assert "in advance" in caplog.text
    assert "in start" in caplog.text


def test_what_cannot_be_sent_to_a_worker_fails_with_a_message(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        open_run(jobs, reader, seed=(x for x in ()))
        await reader.until("failed")
        assert "could not be computed" in reader.updates[-1].status.message

    play(workers, story)


def test_a_page_that_cannot_take_an_update_loses_its_run_and_no_other(
    workers: LocalWorkers, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_update: object) -> None:
        raise LookupError("the page is gone")

    async def story(jobs: Jobs, counting: Counting) -> None:
        other = Reader()
        run = jobs.open("somebody", TrainingExample, {}, broken, lambda: True)
        open_run(jobs, other).play()
        await eventually(lambda: run.closed)
        await other.until("finished")

    play(workers, story)
    assert "the page is gone" in caplog.text


def test_over_a_limit_no_run_is_opened_until_there_is_room(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        first = open_run(jobs, Reader(), "a")
        open_run(jobs, Reader(), "a")
        with pytest.raises(Busy, match="This page already has 2 simulations"):
            open_run(jobs, Reader(), "a")
        open_run(jobs, Reader(), "b")
        with pytest.raises(Busy, match="Many simulations are running"):
            open_run(jobs, Reader(), "c")
        first.close()
        open_run(jobs, Reader(), "a")
        jobs.close()
        with pytest.raises(Busy, match="stopping"):
            open_run(jobs, Reader(), "a")

    play(workers, story, per_reader=2, in_all=3)


def test_a_closed_run_ignores_what_comes_late(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader)
        await reader.until("ready")
        run.close()
        run.close()
        run.play()
        run.step()
        run.pause()
        run.restart({})
        run.speed = 0.5
        assert not run.playing
        assert len(counting.begun) == 1

    play(workers, story)


@pytest.mark.parametrize("moment", first(1, ["under way", "ready", "waiting for the page", "slow", "finished"]))
def test_nothing_is_left_of_a_closed_run(workers: LocalWorkers, moment: str, collect: Callable[[], int]) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader, step_seconds=0.05, length=3)
        await reader.until("ready")
        if moment == "under way":
            run.play()
            await eventually(lambda: counting.under_way)
        elif moment == "waiting for the page":
            reader.gate = asyncio.Event()
            run.play()
            await reader.until("running")
        elif moment == "slow":
            run.speed = 0.001
            run.play()
            await reader.until_step(1)
        elif moment == "finished":
            run.play()
            await reader.until("finished")
        run.close()
        left = weakref.ref(run), weakref.ref(reader)
        del run, reader
        counting.begun.clear()

        def is_released() -> bool:
            collect()
            return not any(ref() for ref in left)

        await eventually(is_released)

    play(workers, story)


def test_a_step_does_not_wait_for_the_pace_of_a_slow_run(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        run = open_run(jobs, reader)
        run.speed = 0.0001
        run.play()
        await reader.until_step(1)
        run.step()
        await reader.until("paused")
        assert reader.steps == [0, 1, 2]
        run.play()
        await reader.until_step(3)
        run.restart()
        await eventually(lambda: reader.steps[-2:] == [0, 1])

    play(workers, story)


def test_what_was_computed_of_a_run_is_where_another_begins(workers: LocalWorkers) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        first, second = Reader(), Reader()
        run = open_run(jobs, first, seed=5)
        await first.until("ready")
        assert run.packed() is None
        run.step(7)
        await first.until("paused")
        packed = run.packed()
        run.close()
        settings = {"seed": 5}
        other = jobs.open("somebody", TrainingExample, settings, second.deliver, second.is_watched, packed)
        await second.until("paused")
        assert second.steps == [7]
        other.play()
        await second.until("finished")
        assert numbers(second) == undisturbed(seed=5)
        assert other.packed() is None
        other.restart(settings)
        await second.until("ready")
        assert second.steps[-1] == 0

    play(workers, story)


@pytest.mark.parametrize("damage", [b"", b"\n", b'{"parts": 1, "check": 0}\n', b'{"parts": [["", 3, []]], "check": 0}'])
def test_a_run_whose_beginning_is_damaged_begins_anew(workers: LocalWorkers, damage: bytes) -> None:
    async def story(jobs: Jobs, counting: Counting) -> None:
        reader = Reader()
        jobs.open("somebody", TrainingExample, {}, reader.deliver, reader.is_watched, damage)
        await reader.until("ready")
        assert reader.steps == [0]

    play(workers, story)

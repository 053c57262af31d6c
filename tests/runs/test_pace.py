"""How many steps go into a chunk."""

import pytest

from app.runs.pace import GROWTH, LONGEST_CHUNK, SHORTEST_CHUNK, SHORTEST_RUN, Load, Pace
from sims.chunks.chunk import Chunk
from sims.contract.frame import Frame

ALONE = Load(workers=2, runs=1, period=1 / 15)
FOREVER = 10**9


def measured(steps: int, step_seconds: float, overhead: float = 0.0) -> Chunk:
    return Chunk(b"", Frame({}), steps * step_seconds + overhead, steps * step_seconds)


def settled(step_seconds: float, overhead: float = 0.0, load: Load = ALONE) -> float:
    """The steps of a chunk once the pace no longer changes."""
    pace = Pace()
    steps = 0.0
    for _ in range(30):
        steps = pace.steps(load, FOREVER)
        pace.learn(int(steps), measured(int(steps), step_seconds, overhead))
    return steps


def test_the_first_chunk_is_one_step() -> None:
    assert Pace().steps(ALONE, FOREVER) == 1


@pytest.mark.parametrize("step_seconds", [1e-6, 1e-4, 3e-3])
def test_chunks_settle_at_their_length(step_seconds: float) -> None:
    assert settled(step_seconds) * step_seconds == pytest.approx(min(LONGEST_CHUNK, 2 / 15))


def test_growth_is_gradual() -> None:
    pace = Pace()
    pace.learn(1, measured(1, 1e-6))
    assert pace.steps(ALONE, FOREVER) == GROWTH


def test_a_slow_step_is_a_chunk_of_its_own() -> None:
    assert settled(2.0) == 1


def test_a_picture_takes_at_most_half_of_the_time() -> None:
    assert settled(1e-3, overhead=0.2) * 1e-3 == pytest.approx(0.2)
    assert settled(1e-3, overhead=0.01) * 1e-3 == pytest.approx(LONGEST_CHUNK - 0.01)


def test_chunks_get_shorter_with_more_runs_up_to_a_limit() -> None:
    lengths = [Load(2, runs, 1 / 15).chunk_seconds for runs in (0, 1, 3, 5, 100)]
    assert lengths[0] == lengths[1] == LONGEST_CHUNK
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[3] == pytest.approx(2 / 15 / 5)
    assert lengths[4] == SHORTEST_CHUNK


def test_a_short_run_lasts_long_enough_to_be_watched() -> None:
    pace = Pace()
    for _ in range(5):
        pace.learn(100, measured(100, 1e-6))
    assert 300 / pace.steps(ALONE, 300) * ALONE.period == pytest.approx(SHORTEST_RUN, rel=0.05)


def test_a_chunk_without_steps_teaches_nothing() -> None:
    pace = Pace()
    pace.learn(0, measured(0, 0.0, overhead=3.0))
    assert pace.steps(ALONE, FOREVER) == 1


def test_steps_too_quick_to_be_measured_are_no_error() -> None:
    pace = Pace()
    pace.learn(5, measured(5, 0.0))
    assert pace.steps(ALONE, FOREVER) == 5 * GROWTH


def test_a_run_takes_as_long_as_its_chunks() -> None:
    pace = Pace()
    assert pace.duration(ALONE, 600) is None
    pace.learn(1, measured(1, 0.5, overhead=0.1))
    assert pace.duration(ALONE, 600) == pytest.approx(600 * 0.6)
    pace.learn(1, measured(1, 1e-6))
    assert pace.duration(ALONE, 600) == pytest.approx(SHORTEST_RUN, rel=0.1)

"""Two roofs and what stands below them, with times made up: medians, ranges, shares and where a sum becomes little."""

from collections.abc import Sequence

import numpy as np
import pytest

from sims.instruments.costs.timed_operations import OPERATIONS
from sims.simulations.costs import roofline
from sims.simulations.costs.roofline import SIZES, SQUARE, TIMES_OVER, WIDTHS, Roofline, Timed, little_from

BANDWIDTH, PEAK = 20e9, 100e9
"""Bytes and operations in a second, of a machine that is made up"""

SLOWER = (1.0, 3.0, 2.0, 1.5, 5.0)
"""By how much each round is slower than the machine can"""


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose operations take as long as the slower of its two parts, in rounds that get in each other's way."""

    def time(name: str, size: int, numbers: int) -> float:
        if name == "update":
            return 2 * size / BANDWIDTH
        if name == "square":
            return 2 * size**3 / PEAK
        operation = OPERATIONS[name]
        return max(operation.work(numbers, size) / PEAK, operation.traffic(numbers, size) / BANDWIDTH)

    def times(tasks: Sequence[tuple[str, int]], numbers: int) -> list[float]:
        return [time(name, size, numbers) for name, size in tasks]

    monkeypatch.setattr(roofline, "timings", times)


def slowed(simulation: Roofline) -> Timed:
    whole = simulation.advance(simulation.start(), 10**6).seconds
    items = len(whole) // TIMES_OVER
    return Timed(tuple(seconds * SLOWER[at // items] for at, seconds in enumerate(whole)))


def test_roofs_are_the_fastest_and_points_the_median() -> None:
    simulation = Roofline()
    frame = simulation.frame(slowed(simulation))
    assert frame["roofs"] == pytest.approx([20, 100])
    assert frame["traffic"] == pytest.approx(np.full(len(SIZES), 20))
    # The median round is twice as slow, the slowest five times.
    ridge = PEAK / BANDWIDTH
    bound = np.where(frame["intensity"] < ridge, 20 * frame["intensity"], 100)
    assert frame["speeds"] == pytest.approx(bound / 2)
    assert frame["times_high"] == pytest.approx(5 * frame["times_low"])
    assert frame["times"] == pytest.approx(2 * frame["times_low"])
    assert SQUARE in WIDTHS


def test_the_share_of_a_sum_falls_as_the_width_grows() -> None:
    simulation = Roofline(width=2048)
    frame = simulation.compute()
    moved, work = 12 * 2**24, 2 * 2048 * 2**24
    assert frame.results["share"] == pytest.approx(moved / BANDWIDTH / (work / PEAK))
    assert frame.results["in_place_time"] == pytest.approx(1e3 * moved / BANDWIDTH)
    # 12 bytes at 20 GB/s against 2 · width operations at 100 billion in a second: 30 / width.
    assert frame.results["little_from"] == 512
    assert little_from(frame) == 512
    assert "moves 201 MB for 16.8 million operations" in simulation.describe(frame)


def test_a_narrower_stream_is_read_off_the_same_run() -> None:
    wide, narrow = Roofline(width=2048), Roofline(width=32)
    frame = wide.compute()
    assert narrow.reread(frame).results == narrow.compute().results
    assert narrow.reread(frame).results["share"] > frame.results["share"]


def test_where_a_sum_is_never_little_no_width_is_named() -> None:
    simulation = Roofline()
    frame = simulation.compute()
    frame["times"][list(OPERATIONS).index("in_place")] *= 1e3
    assert np.isnan(little_from(frame))


def test_the_first_round_fills_the_picture() -> None:
    simulation = Roofline()
    begun = simulation.frame(simulation.start())
    assert np.isnan(begun["times"]).all()
    assert begun.results["share"] == 0
    assert "Nothing is fully timed" in simulation.describe(begun)
    state = simulation.advance(simulation.start(), begun.steps // TIMES_OVER)
    frame = simulation.frame(state)
    assert np.isfinite(frame["times"]).all()
    assert frame.results["rounds"] == 1

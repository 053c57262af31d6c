"""Euler steps: the values of the page's worked example, and the first order."""

import pytest

from sims.numbers.arithmetic import euler


@pytest.mark.parametrize(("blocks", "end"), [(1, 0), (2, 0.25), (4, 0.3164), (10, 0.3487), (100, 0.3660)])
def test_the_ends_are_the_known_ones(blocks: int, end: float) -> None:
    assert euler.end(rate=1.0, blocks=blocks) == pytest.approx(end, abs=5e-5)
    assert euler.factor(rate=1.0, blocks=blocks) ** blocks == pytest.approx(end, abs=5e-5)


def test_twice_the_blocks_are_half_as_far_off() -> None:
    assert euler.limit(rate=1.0) == pytest.approx(0.3679, abs=5e-5)
    assert euler.off(rate=1.0, blocks=100) / euler.off(rate=1.0, blocks=200) == pytest.approx(2, abs=0.02)

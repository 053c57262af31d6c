"""H-01 once more: a sum in place keeps what the usual sum keeps, to the byte."""

from sims.numbers.memory.in_place import POINTS, WIDTH, kilobytes
from sims.simulations.costs.memory import Memory


def test_in_place_or_not_the_same_bytes_wait() -> None:
    usual = Memory(depth=9, width=WIDTH, batch=POINTS).compute()
    assert kilobytes(depth=9) == usual.results["residual_turn"] == usual.results["plain_turn"]

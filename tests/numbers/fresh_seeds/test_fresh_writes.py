"""Numbers of ten fresh seeds about writes, from a dye that is made up."""

import numpy as np
import pytest

from sims.numbers.fresh_seeds import fresh_writes


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two branches write 1, 1, 1 and 2 (the second −2) in one seed, and the same to all in another; half of the first
    arrives in the first seed, and all in the second."""
    dye = np.zeros((2, 2, 3, 4))
    dye[0, 0, 1], dye[0, 0, 2], dye[0, 1, 2] = [1, 1, 1, 2], [2.5, 0, 0, 0], [1, 1, 1, -2]
    dye[1, 0, 1] = dye[1, 0, 2] = dye[1, 1, 2] = 3
    monkeypatch.setattr(fresh_writes, "_dye", lambda _form: dye)


def test_the_share_of_the_largest_amount() -> None:
    assert fresh_writes.value("mhc", "share", "highest") == pytest.approx(0.4)
    assert fresh_writes.value("mhc", "share", "lowest") == pytest.approx(0.25)


def test_what_arrives_of_the_first_half_of_the_branches() -> None:
    assert fresh_writes.value("mhc", "arrives", "lowest") == pytest.approx(0.5)
    assert fresh_writes.value("mhc", "arrives", "highest") == pytest.approx(1)

"""Numbers of the blocks that learn to forget: of ten seeds, and of the block that is asked for."""

import pytest

from sims.instruments.training.trained_to_forget import Forgotten
from sims.numbers.networks import forgetting


def test_the_worst_and_the_best_seed_of_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    harms = {"delta": 0.1, "raw": 0.2}
    monkeypatch.setattr(forgetting, "forget", lambda block, seed: Forgotten(harms[block] + seed, seed / 2, 5))
    forgetting._outcomes.cache_clear()
    assert forgetting.share(block="delta") == 29.1
    assert forgetting.share(block="raw", statistic="lowest") == 20.2
    assert forgetting.share(block="raw", what="harm", statistic="median") == 12.25
    assert forgetting.parameters(block="raw") == 5
    forgetting._outcomes.cache_clear()

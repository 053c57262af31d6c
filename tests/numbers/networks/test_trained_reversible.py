"""Numbers of the trained reversible stack: before and after, by precision and seed."""

import pytest

from sims.instruments.training.trained_coupling import Reversal
from sims.numbers.networks import trained_reversible


def test_before_and_after_are_not_mixed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def of_seed(seed: int) -> tuple[Reversal, Reversal]:
        return Reversal({"float16": 1.0 + seed}, 0.25, 2.0), Reversal({"float16": 10.0 + seed}, 0.5, 0.1)

    monkeypatch.setattr(trained_reversible, "before_and_after", of_seed)
    trained_reversible._outcomes.cache_clear()
    assert trained_reversible.error(precision="float16", trained=False, statistic="highest") == 30
    assert trained_reversible.error(precision="float16") == 34.5
    assert trained_reversible.strength(trained=True) == 0.5
    assert trained_reversible.strength(trained=False) == 0.25
    trained_reversible._outcomes.cache_clear()

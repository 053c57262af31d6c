"""How often somebody may do a thing: so often at once, and so often in the long run."""

import pytest

from app.server.http import rate as rate_module
from app.server.http.rate import RateLimit, RateLimits


def test_a_burst_is_allowed_and_then_a_rate() -> None:
    now = [0.0]
    rate = RateLimit(2.0, 3, clock=lambda: now[0])
    assert [rate.allows() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [rate.allows() for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [rate.allows() for _ in range(4)] == [True, True, True, False]


def test_each_has_a_rate_of_its_own() -> None:
    rates = RateLimits(1, 2, lambda: 0.0)
    assert [rates.allows(client) for client in "aaabba"] == [True, True, False, True, True, False]


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_module, "REMEMBERED", 2)
    rates = RateLimits(1, 1, lambda: 0.0)
    assert [rates.allows(client) for client in "abbcba"] == [True, True, False, True, False, True]

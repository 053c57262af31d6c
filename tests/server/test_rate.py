"""How often somebody may do a thing: so often at once, and so often in the long run."""

from app.server.rate import Rate


def test_a_burst_is_allowed_and_then_a_rate() -> None:
    now = [0.0]
    rate = Rate(2.0, 3, clock=lambda: now[0])
    assert [rate.allows() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [rate.allows() for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [rate.allows() for _ in range(4)] == [True, True, True, False]

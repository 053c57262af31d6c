"""The throttle of a drag, and the values it can set."""

from app.pictures.base.dragging import Throttle, snap


def test_a_second_value_has_to_wait() -> None:
    throttle = Throttle(seconds=1000)
    assert throttle.allows()
    assert not throttle.allows()


def test_without_a_wait_everything_passes() -> None:
    throttle = Throttle(seconds=0)
    assert all(throttle.allows() for _ in range(3))


def test_a_drag_sets_twentieths_within_the_bounds() -> None:
    assert (snap(0.77, -2, 2), snap(-9, -2, 2), snap(9, -2, 2)) == (0.75, -2, 2)

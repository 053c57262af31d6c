"""The pace of a drag, and the values it can set."""

from app.pictures.dragging import DragPace, within


def test_a_second_value_has_to_wait() -> None:
    pace = DragPace(seconds=1000)
    assert pace.allows()
    assert not pace.allows()


def test_without_a_wait_everything_passes() -> None:
    pace = DragPace(seconds=0)
    assert all(pace.allows() for _ in range(3))


def test_a_drag_sets_twentieths_within_the_bounds() -> None:
    assert (within(0.77, -2, 2), within(-9, -2, 2), within(9, -2, 2)) == (0.75, -2, 2)

"""The pace of a drag."""

from app.pictures.dragging import DragPace


def test_a_second_value_has_to_wait() -> None:
    pace = DragPace(seconds=1000)
    assert pace.allows()
    assert not pace.allows()


def test_without_a_wait_everything_passes() -> None:
    pace = DragPace(seconds=0)
    assert all(pace.allows() for _ in range(3))

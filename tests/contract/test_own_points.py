"""The reader's own points survive their way through a link, and clicks change them as they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.contract import own_points
from sims.contract.own_points import CLASSES, MOST, REACH, added, admit, erased, parse
from sims.data.datasets import source

TEXT = "a0000b9999c5049"
places = st.floats(-REACH, REACH, exclude_max=True)


def test_a_text_encodes_places_and_classes() -> None:
    points, classes = parse(TEXT)
    assert points == pytest.approx(np.array([[-1.98, -1.98], [1.98, 1.98], [0.02, -0.02]]))
    assert classes.tolist() == [0, 1, 2]


def test_an_empty_text_means_no_points() -> None:
    points, classes = parse("")
    assert points.shape == (0, 2)
    assert classes.shape == (0,)


@given(st.sampled_from(CLASSES), places, places)
def test_a_new_point_is_where_it_was_put(kind: str, x: float, y: float) -> None:
    points, classes = parse(added(TEXT, kind, x, y))
    assert np.abs(points[-1] - (x, y)).max() <= 0.5 * 2 * REACH / own_points.CELLS + 1e-9
    assert classes[-1] == CLASSES.index(kind)
    assert len(points) == 4


@pytest.mark.parametrize("place", [(REACH, 0.0), (0.0, -REACH - 0.01), (1e300, 0.0), (float("nan"), 0.0)])
def test_nothing_is_added_outside_the_square(place: tuple[float, float]) -> None:
    assert added(TEXT, "a", *place) == TEXT


def test_nothing_is_added_to_a_full_text() -> None:
    assert added("a5050" * MOST, "a", 0, 0) == "a5050" * MOST


def test_the_nearest_point_is_erased_if_it_is_near() -> None:
    assert erased(TEXT, 0.0, 0.0, within=0.15) == "a0000b9999"
    assert erased(TEXT, 1.0, 0.0, within=0.15) == TEXT
    assert erased("", 0.0, 0.0, within=0.15) == ""


@given(st.text(max_size=40) | st.from_regex(own_points.TEXT, fullmatch=True))
def test_what_is_admitted_is_the_beginning_of_the_text(text: str) -> None:
    admitted, left = admit(text)
    assert admitted + left == text
    assert len(parse(admitted)[0]) == len(admitted) // 5


def test_the_dataset_is_the_points_and_needs_two_classes() -> None:
    data = source("own", points=TEXT).load()
    assert data.train_labels.tolist() == [0, 1, 2]
    assert data.classes == 3
    with pytest.raises(ValueError, match="two classes"):
        source("own", points="a0000a1111").load()

"""Published errors: a mark for each number, its words beside it, and a strip for what is only known to lie above."""

import numpy as np
import pytest

from app.pictures.charts.error_by_depth import ErrorByDepth
from sims.simulations.depth.published import Published


def shown(table: str, folklore: bool = False) -> ErrorByDepth:
    picture = ErrorByDepth("Errors")
    picture.show(Published(table=table, folklore=folklore).compute())
    return picture


def test_every_number_is_where_its_depth_and_its_error_are() -> None:
    data = shown("cifar10").sources["residual"].data
    places = dict(zip(data["depth"].tolist(), data["y"].tolist(), strict=True))
    assert places[110] == 6.43
    assert places[1202] == 7.93
    assert list(places) == sorted(places)


def test_the_best_and_the_deepest_network_are_the_largest_words() -> None:
    words = shown("cifar10").words["residual"].data
    large = [text for text, size in zip(words["text"], words["size"], strict=True) if size == "17px"]
    assert large == ["6.43%", "7.93%"]


def test_a_lower_bound_lies_beyond_the_break_and_no_number_does() -> None:
    picture = shown("cifar10", folklore=True)
    head = picture.gap.data["y"][0]
    assert picture.sources["bound"].data["y"].tolist() > [head]
    assert max(picture.sources[name].data["y"].max() for name in ("residual", "folklore")) < head
    assert picture.figure.y_range.end > picture.sources["bound"].data["y"][0]
    assert picture.words["plain"].data["text"] == ["plain over 60%"]


def test_where_there_is_no_bound_the_axis_is_not_broken() -> None:
    picture = shown("imagenet-depth")
    assert picture.gap.data == {"x": [], "y": []}
    assert len(picture.sources["bound"].data["y"]) == 0


@pytest.mark.parametrize(("folklore", "crosses"), [(False, 0), (True, 11)])
def test_what_circulates_is_marked_and_said_to_be_in_no_paper(folklore: bool, crosses: int) -> None:
    picture = shown("cifar10", folklore)
    assert len(picture.sources["folklore"].data["y"]) == crosses
    assert picture.words["soft"].data["text"] == ["circulates, not in the paper"] * folklore


def test_only_a_spread_that_was_published_has_a_bar() -> None:
    data = shown("cifar10").sources["residual"].data
    at = data["depth"].tolist().index(110)
    assert (data["low"][at], data["mean"][at], data["high"][at]) == pytest.approx((6.45, 6.61, 6.77))
    assert np.isfinite(data["mean"]).tolist() == [depth == 110 for depth in data["depth"]]

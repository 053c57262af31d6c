"""Several seeds become a median and a range, in numbers and in words."""

import numpy as np
import pytest

from sims.contract.bands import band, read, reading, spread
from sims.contract.frame import Frame


@pytest.fixture
def frame() -> Frame:
    return Frame(band(np.array([[0.5, 0.1, 0.9], [0.002, 0.0, 0.25]]), "error", "error", "share", "record"))


def test_a_band_is_the_median_and_the_whole_range(frame: Frame) -> None:
    median, low, high = read(frame, "error")
    np.testing.assert_array_equal(median, [0.5, 0.002])
    np.testing.assert_array_equal(low, [0.1, 0.0])
    np.testing.assert_array_equal(high, [0.9, 0.25])


def test_one_number_of_a_band_is_read_at_its_end_or_elsewhere(frame: Frame) -> None:
    assert [reading(frame, "error", statistic) for statistic in ("median", "lowest", "highest")] == [0.002, 0.0, 0.25]
    assert reading(frame, "error", "highest", 0) == 0.9
    with pytest.raises(KeyError, match="mean"):
        reading(frame, "error", "mean")


def test_words_name_the_last_point_and_its_range_for_several_seeds(frame: Frame) -> None:
    assert spread(frame, "error", 3) == "0.2% (0.0% to 25% over 3 seeds)"
    assert spread(frame, "error", 1) == "0.2%"


def test_words_do_not_give_a_range_of_equal_numbers() -> None:
    frame = Frame(band(np.array([[0.0001, 0.0, 0.0002]]), "error", "error", "share", "record"))
    assert spread(frame, "error", 3) == "0.0% (all 3 seeds)"

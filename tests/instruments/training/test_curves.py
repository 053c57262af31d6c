"""Records become bands and medians over the seeds."""

import numpy as np

from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, advance, start
from sims.engines.state import ANSWERS
from sims.instruments.training.curves import LABELS, TRAINING, record_band, record_bands, record_medians

RUN = advance(start(Architecture(4, 8), Recipe(record_every=3), source("spirals"), (0, 1, 2)), 7)


def test_a_band_holds_every_record_under_the_name_it_is_given() -> None:
    band = record_band(RUN.records, "train_error", "wrong", "plain: ")
    errors = np.stack([record.train_error for record in RUN.records])
    assert list(band) == ["wrong", "wrong_low", "wrong_high"]
    np.testing.assert_array_equal(band["wrong"].values, np.median(errors, axis=1))
    np.testing.assert_array_equal(band["wrong_high"].values, errors.max(axis=1))
    assert band["wrong_low"].label == "plain: training error, lowest seed"
    assert band["wrong"].unit == "share of wrong answers"


def test_several_curves_have_a_prefix_in_common() -> None:
    assert tuple(LABELS) == ANSWERS
    assert list(record_bands(RUN.records, "plain_"))[::3] == [f"plain_{answer}" for answer in ANSWERS]
    assert list(record_bands(RUN.records, curves=TRAINING))[::3] == list(TRAINING)


def test_the_present_is_the_last_moment_whether_it_is_a_record_or_not() -> None:
    assert [moment.step for moment in RUN.moments] == [0, 3, 6, 7]
    assert [moment.step for moment in advance(RUN, 2).moments] == [0, 3, 6, 9]
    medians = record_medians(RUN.moments, "weight_gradients")
    np.testing.assert_array_equal(medians[-1], np.median(RUN.now.weight_gradients, axis=0))
    assert medians.shape == (4, 4)

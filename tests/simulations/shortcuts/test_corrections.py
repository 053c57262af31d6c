"""The chain: a residual stack keeps what went in, and a plain one does not."""

import numpy as np
import pytest

from sims.simulations.shortcuts.corrections import Corrections


@pytest.mark.parametrize("seed", range(5))
def test_the_digit_stays_visible_with_skips_only(seed: int) -> None:
    """Five random stacks at the page's strength."""
    frame = Corrections(seed=seed).compute()
    assert frame.results["residual_cosine"] > 0.6
    assert abs(float(frame.results["plain_cosine"])) < 0.4


def test_the_stream_is_its_input_plus_all_corrections() -> None:
    frame = Corrections(depth=8).compute()
    images = frame["residual_images"]
    np.testing.assert_allclose(images[0] + np.diff(images, axis=0).sum(axis=0), images[-1], atol=1e-12)


def test_strength_zero_copies_or_silences() -> None:
    frame = Corrections(strength=0.0).compute()
    np.testing.assert_array_equal(frame["residual_images"][-1], frame["residual_images"][0])
    assert not frame["plain_images"][1:].any()
    assert frame["plain_cosines"][-1] == 0


@pytest.mark.parametrize("digit", range(10))
def test_a_relu_end_only_adds(digit: int) -> None:
    assert Corrections(ending="relu", digit=digit).compute().results["lowest_increment"] >= 0
    assert float(Corrections(digit=digit).compute().results["lowest_increment"]) < 0


def test_strong_corrections_drown_the_input() -> None:
    weak, strong = (
        Corrections(depth=12, strength=strength).compute().results["residual_cosine"] for strength in (0.1, 1.0)
    )
    assert float(weak) > 0.9 > 0.5 > float(strong)

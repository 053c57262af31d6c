"""The delta skip: the example that is worked by hand, and what β = 0, 1 and 2 are."""

import numpy as np
import pytest

from sims.simulations.wiring import delta
from sims.simulations.wiring.delta import BESIDE_K, Delta

BY_HAND = {
    (0.0, 0.0): (1.0, 2.0),
    (0.5, 0.0): (0.34, 1.12),
    (1.0, 0.0): (-0.32, 0.24),
    (2.0, 0.0): (-1.64, -1.52),
    (1.0, 3.0): (1.48, 2.64),
}
"""(β, v) → the image of (1, 2) with k = (0.6, 0.8)"""


@pytest.mark.parametrize(("beta", "value"), BY_HAND)
def test_the_worked_example(beta: float, value: float) -> None:
    image = [delta.image(beta=beta, value=value, coordinate=index) for index in (1, 2)]
    np.testing.assert_allclose(image, BY_HAND[beta, value], atol=1e-14)
    assert delta.length(beta=beta, value=value) == pytest.approx(np.linalg.norm(image), rel=1e-14)
    assert delta.along(beta=beta, value=value) == pytest.approx(BESIDE_K @ image, abs=1e-14)


@pytest.mark.parametrize(("beta", "value"), BY_HAND)
def test_the_picture_has_the_numbers_of_the_worked_example(beta: float, value: float) -> None:
    frame = Delta(beta=beta, value=value, angle=float(np.rad2deg(np.arctan2(0.8, 0.6))), x1=1.0, x2=2.0).compute()
    np.testing.assert_allclose(frame["image"], BY_HAND[beta, value], atol=1e-12)
    np.testing.assert_allclose(frame["x"] + frame["erased"] + frame["written"], frame["image"], atol=1e-14)


def test_overwriting_puts_the_value_where_something_else_was():
    assert delta.along(beta=1.0, value=3.0) == 3
    assert delta.along(beta=1.0, value=0.0) == 0


@pytest.mark.parametrize("angle", [0, 20, 97, 180])
def test_a_reflection_keeps_every_length(angle: int) -> None:
    results = Delta(beta=2.0, value=0.0, angle=angle).compute().results
    assert results["length_after"] == pytest.approx(results["length_before"], rel=1e-12)
    assert delta.length(beta=2.0) == pytest.approx(5**0.5, rel=1e-12)


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0, 1.5, 2.0])
def test_eigenvalues_are_one_and_one_minus_beta(beta: float) -> None:
    results = Delta(beta=beta, angle=71).compute().results
    assert results["lowest_eigenvalue"] == pytest.approx(1 - beta, abs=1e-12)
    assert results["highest_eigenvalue"] == pytest.approx(1, abs=1e-12)
    assert delta.eigenvalue(beta=beta) == pytest.approx(1 - beta, abs=1e-12)


def test_a_long_chain_settles_where_erasing_and_writing_are_equal():
    assert delta.settled(beta=1.0, value=3.0) == 3
    assert delta.chain(beta=1.0, value=3.0) == pytest.approx(3, rel=0.05)
    assert delta.law(beta=1.0, value=3.0) == pytest.approx(3, rel=1e-3)
    low, high = (
        delta.chain(beta=1.0, value=3.0, erasing=False, statistic=statistic) for statistic in ("lowest", "highest")
    )
    assert low < delta.law(beta=1.0, value=3.0, erasing=False) < high

"""Chapter 0's main comparison, over the very seeds that the page shows."""

import numpy as np
import pytest

from sims.kept import results
from sims.simulations.degradation import Degradation, first_to_last_gradient, held_out_error, training_error


def test_ch0_plain_networks_degrade_and_residual_ones_do_not() -> None:
    """All five seeds of each: the page's curve. A-03; and A-05: the contrast dwarfs 4–5% against 7–8%."""
    assert training_error(depth=8, skip=False, statistic="highest") < 0.05
    assert training_error(depth=20, skip=False, statistic="lowest") > training_error(
        depth=56, skip=True, statistic="highest"
    )
    assert training_error(depth=56, skip=False, statistic="lowest") > 0.5
    assert training_error(depth=56, skip=True, statistic="highest") < 0.05


def test_ch0_it_is_no_overfitting() -> None:
    """The deep plain network is bad on both; the shallow one only on what it has not seen."""
    assert held_out_error(depth=56, skip=False) > held_out_error(depth=8, skip=False) > 0.3


def test_ch0_the_gap_is_widest_where_the_fit_is_good() -> None:
    """The order that the page asks for: 8 layers overfit most, and 56 hardly at all."""
    gaps = [held_out_error(depth=d, skip=False) - training_error(depth=d, skip=False) for d in (8, 2, 56)]
    assert gaps[0] > gaps[1] + 0.1
    assert gaps[1] > gaps[2] + 0.1


def test_ch0_the_drawn_curve_rises_between_8_and_56_layers() -> None:
    errors = [training_error(depth=depth, skip=False) for depth in (2, 8, 20, 32, 56)]
    assert max(errors[:2]) < 0.05 < errors[2] < 0.5 < errors[3] < errors[4]


def test_ch0_batch_norm_makes_the_early_bars_huge() -> None:
    """A-06, measured; the growth per layer is derived in `sims.numbers.worked`."""
    assert 1 < first_to_last_gradient(depth=8, skip=False) < 5
    assert first_to_last_gradient(depth=56, skip=False) > 1e3
    assert first_to_last_gradient(depth=56, skip=True) < 10


def test_plain_and_residual_start_from_the_same_weights_and_have_the_same_number() -> None:
    states = Degradation(depth=20, width=16, seeds=2).start()
    np.testing.assert_array_equal(states["plain"].parameters, states["residual"].parameters)


@pytest.mark.parametrize("networks", ["plain", "residual"])
def test_one_network_alone_gives_the_same_numbers_as_both_together(networks: str) -> None:
    settings = {"depth": 8, "width": 16, "seeds": 1, "training_steps": 200}
    both = Degradation(**settings)
    alone = Degradation(**settings, networks=networks)
    together = both.frame(both.advance(both.start(), 20))
    single = alone.frame(alone.advance(alone.start(), 20))
    name = f"{networks}_train_loss"
    np.testing.assert_array_equal(together[name], single[name])
    assert {each.split("_")[0] for each in single.quantities} == {networks, "steps"}


def test_real_digits_show_the_same_ordering() -> None:
    frame = results.finished(Degradation(depth=56, data="digits", seeds=2))
    assert frame["plain_test_error_low"][-1] > 0.5
    assert frame["residual_test_error_high"][-1] < 0.15

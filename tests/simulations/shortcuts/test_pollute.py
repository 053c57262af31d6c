"""What stands on the skip, and what it does (C-10)."""

import pytest

from sims.simulations.shortcuts import pollute
from sims.simulations.shortcuts.pollute import POLLUTANTS, Pollute


def test_c_10_powers_of_lambda():
    assert pollute.power(factor=0.9, count=54) == pytest.approx(0.00338, abs=1e-5)
    assert pollute.power(factor=1.1, count=54) == pytest.approx(172, abs=1)


@pytest.fixture(scope="module")
def errors():
    """Training error of the worst and of the best seed with 24 blocks, 3 seeds, half of the usual steps."""
    values = {}
    for name in ("nothing", "dropout", "scale"):
        frame = Pollute(pollutant=name, factor=0.5, blocks=24, training_steps=100).compute()
        values[name] = float(frame["polluted_error_low"][-1]), float(frame["polluted_error_high"][-1])
    return values


@pytest.mark.exhaustive
def test_c_10_a_clean_skip_trains_and_half_or_dropout_does_not(errors):
    assert errors["nothing"][1] < 0.2
    assert errors["scale"][0] > errors["nothing"][1] + 0.2
    assert errors["dropout"][0] > 0.5


@pytest.mark.parametrize("name", POLLUTANTS)
def test_every_pollutant_trains_or_diverges_at_the_ends_of_its_controls(name):
    for settings in ({"factor": 1.2, "initialization": "he", "final_norm": False}, {"factor": 0.5, "dropped": 0.1}):
        simulation = Pollute(
            pollutant=name, blocks=4, learning_rate=1.0, optimizer="momentum", seeds=1, training_steps=100, **settings
        )
        frame = simulation.frame(simulation.advance(simulation.start(), 10))
        assert simulation.describe(frame).endswith(".")
        assert frame.step == 10


def test_both_networks_start_with_the_same_layers():
    simulation = Pollute(pollutant="dropout", blocks=4, seeds=1)
    clean, polluted = simulation.start().values()
    assert (clean.parameters == polluted.parameters).all()


def test_nothing_on_the_skip_is_the_clean_network():
    frame = Pollute(pollutant="nothing", blocks=4, seeds=1, training_steps=100).compute()
    assert (frame["clean_loss"] == frame["polluted_loss"]).all()


@pytest.mark.exhaustive
def test_c_10_a_norm_behind_54_sums_trains_and_fails_where_the_clean_skip_does() -> None:
    """C-10: at the page's rate from branches that start at zero; not at three times the rate, nor from He's weights."""
    for name in ("norm", "nothing"):
        assert pollute.training_error(pollutant=name, statistic="highest") < 0.1
        assert pollute.training_error(pollutant=name, learning_rate=0.01, statistic="lowest") > 0.8
        assert pollute.training_error(pollutant=name, initialization="he", statistic="lowest") > 0.8


@pytest.mark.exhaustive
def test_c_10_the_librarys_weights_tell_a_norm_from_a_clean_skip() -> None:
    norm, clean = (pollute.training_error(pollutant=name, initialization="default") for name in ("norm", "nothing"))
    assert clean < norm < 0.2

"""What simulations share they share to the letter."""

import pytest

from sims import registry
from sims.contract import usual_parameters
from sims.contract.usual_parameters import ACTIVATIONS, INITIALIZATIONS, OPTIMIZERS

WORDS = {"optimizer": OPTIMIZERS, "initialization": INITIALIZATIONS, "activation": ACTIVATIONS}


def test_an_option_is_worded_alike_wherever_it_is_offered() -> None:
    count = 0
    for name, simulation in registry.simulations().items():
        for control, words in WORDS.items():
            if control in simulation.param:
                for value, label in zip(
                    simulation.param[control].objects, simulation.param[control].names, strict=True
                ):
                    assert words.get(value, label) == label, (name, control)
                    assert value in words or label not in words.values(), (name, control)
                    count += value in words
    assert count > len(OPTIMIZERS) + len(INITIALIZATIONS)


def test_options_come_in_the_order_they_were_named() -> None:
    assert usual_parameters.optimizer("adam", "adam", "sgd").objects == ["adam", "sgd"]
    assert usual_parameters.optimizer("adam").objects == list(OPTIMIZERS)


def test_an_unknown_option_or_default_is_an_error() -> None:
    with pytest.raises(KeyError, match="lion"):
        usual_parameters.optimizer("adam", "lion")
    with pytest.raises(ValueError, match="does not accept"):
        usual_parameters.optimizer("lion", "adam")

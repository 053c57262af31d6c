"""Choices of a network: what they imply, and which of them are refused."""

from typing import Any

import pytest

from sims.engines.perceptrons.architecture import Architecture


@pytest.mark.parametrize(
    ("unit", "blocks"), [("pre-activation", 54), ("one-layer", 54), ("two-layer", 27), ("original", 27)]
)
def test_fifty_six_layers_are_stem_head_and_blocks(unit: Any, blocks: int) -> None:
    assert Architecture(56, unit=unit).blocks == blocks


@pytest.mark.parametrize(("factor", "number"), [("1", 1.0), ("1/sqrt(blocks)", 0.25), ("1/blocks", 0.0625)])
def test_the_branch_factor_counts_blocks(factor: Any, number: float) -> None:
    assert Architecture(34, unit="two-layer", branch_factor=factor).factor == number


def test_a_dense_stream_grows() -> None:
    assert Architecture(12, 32, skip="dense", growth=4).last_width == 72
    assert Architecture(12, 32).last_width == 32


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"depth": 1}, "depth 1 is not 2"),
        ({"depth": 9, "unit": "original"}, "plus 2 for each block"),
        ({"width": 0}, "at least 1"),
        ({"skip": "teleport"}, "skip is 'teleport', but must be one of none, additive"),
        ({"unit": "original", "depth": 8, "norm": "pre-layer"}, "after every linear layer"),
        ({"unit": "original", "depth": 8, "skip": "highway"}, "an additive skip or none"),
        ({"unit": "two-layer", "depth": 8, "skip": "dense"}, "branches of one layer"),
        ({"skip": "dense", "norm": "post-layer"}, "no sum"),
        ({"skip": "none", "branch_factor": "1/blocks"}, "needs an additive skip"),
        ({"initialization": "zero-last", "unit": "one-layer"}, "passes no gradient"),
        ({"initialization": "zero-last", "unit": "two-layer", "skip": "rezero"}, "learns nothing"),
        ({"initialization": "zero-last", "unit": "two-layer", "skip": "none"}, "cuts the network in two"),
        ({"initialization": "zero-last", "unit": "two-layer", "norm": "batch"}, "divide zero by zero"),
        ({"initialization": "looks-linear", "width": 31}, "even ReLU layer"),
        ({"initialization": "looks-linear", "activation": "tanh"}, "even ReLU layer"),
        ({"initialization": "looks-linear", "skip": "dense"}, "layers of one width"),
    ],
)
def test_what_does_not_fit_together_is_refused_in_words(choices: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Architecture(**{"depth": 8, **choices})

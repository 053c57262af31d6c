"""Rank collapse: attention alone makes tokens one, skips slow it down (E-10)."""

import numpy as np
import pytest

from sims.simulations.theories.rank import DEEPEST, Rank, likeness


def test_e_10_four_layers_without_skips_make_tokens_one_in_every_start() -> None:
    assert likeness(layer=4, skip=False, statistic="lowest") > 0.99
    assert likeness(layer=4, skip=False, feed=True, statistic="lowest") > 0.99


def test_e_10_with_skips_four_layers_leave_tokens_apart_in_every_start() -> None:
    assert likeness(layer=4, skip=True, statistic="highest") < 0.6
    assert likeness(layer=4, skip=True, feed=True, statistic="highest") < 0.7


@pytest.mark.parametrize("layer", [0, 5, DEEPEST])
def test_a_frame_s_tables_are_those_of_the_chosen_layer(layer: int) -> None:
    frame = Rank(layer=layer).compute()
    for name in ("plain", "residual"):
        table = frame[f"{name}_table"]
        others = table[~np.eye(len(table), dtype=bool)]
        assert frame.results[name] == pytest.approx(others.mean())
        assert frame[f"{name}_mean"][layer] == pytest.approx(others.mean())
    assert f"layer {layer}" in Rank(layer=layer).describe(frame) or not layer

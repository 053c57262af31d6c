"""Projections are cheap at changes of shape, and dear on every shortcut of a bottleneck network."""

import pytest

from sims.simulations.shortcuts.projection import Projection, share


def test_everywhere_they_take_a_ninth_of_a_basic_network_at_most():
    results = Projection(kind="basic", blocks=18).compute().results
    assert results["a_share"] == 0
    assert 0 < results["b_share"] < results["c_share"] < 1 / 9


def test_everywhere_they_nearly_double_a_bottleneck_network():
    """He et al. 1512.03385, section 4.1: with projections for identities, time and size of such a network double."""
    assert 0.9 < Projection(kind="bottleneck", blocks=18).compute().results["c_share"] < 16 / 17
    assert share("B", kind="bottleneck", blocks_per_stage=18) < 0.1


@pytest.mark.parametrize(("kind", "changes"), [("basic", 2), ("bottleneck", 3)])
def test_the_sentence_says_how_many_blocks_change_the_shape(kind, changes):
    simulation = Projection(kind=kind, blocks=3)
    assert simulation.describe(simulation.compute()).startswith(f"Of 9 blocks, {changes} change the shape.")

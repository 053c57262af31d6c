"""The run beside the chart: the recommended order, at its depth, keeps stream and gradients in sight."""

import itertools

import numpy as np
import pytest
import torch

from sims.builder.advice import KINDS, PLACES, TROUBLES
from sims.data.datasets import Source
from sims.engines.perceptrons import Architecture, Recipe, predict, start
from sims.pytorch.models.networks import network, ordered_parameters
from sims.simulations.design_choices.decision import Decision

WAYS = [
    way for way in itertools.product(KINDS, (2, 48), PLACES, TROUBLES) if way[0] == "transformer" or way[2] == "branch"
] + [("transformer", 300, place, "nothing") for place in PLACES]


@pytest.mark.parametrize(("kind", "blocks", "place", "trouble"), WAYS)
def test_each_recommended_stack_has_a_stream_and_gradients_in_sight(
    kind: str, blocks: int, place: str, trouble: str
) -> None:
    simulation = Decision(kind=kind, blocks=blocks, place=place, trouble=trouble, seeds=1)
    frame = simulation.frame(simulation.start())
    assert 0.1 < float(frame.results["largest_stream"]) < 100
    assert np.isfinite(frame["gradients"]).all()
    if trouble == "no-norm":
        assert not frame["gradients"].any()  # behind a factor of zero, at first only the factors have a gradient
        frame = simulation.frame(simulation.advance(simulation.start(), 3))
    assert (frame["gradients"] > 0).all()
    assert frame["gradients"].max() < 1e4 * frame["gradients"].min()


def test_negative_control_without_norm_or_factor_the_stream_leaves_that_range() -> None:
    unscaled = Architecture(depth=2 + 2 * 96, width=32, unit="two-layer", norm="none", initialization="he")
    run = start(unscaled, Recipe("adam", 1e-3, 64), Source("teacher"), (0,))
    assert not run.now.activations.max() < 100


def test_its_run_learns() -> None:
    simulation = Decision(blocks=12)
    frame = simulation.compute()
    assert frame["losses"][-5:].mean() < frame["losses"][:5].mean() - 0.2
    assert "its loss went from" in simulation.describe(frame)


def test_f_10_the_stand_in_of_deepnorm_is_the_formula_of_deepnorm() -> None:
    """LN(αx + F) = LN(x + F/α): the stand-in writes it the second way."""
    simulation = Decision(kind="transformer", blocks=32, place="stream", seeds=1)
    run = simulation.start()
    points = run.source.load().test_inputs[:20]
    model = network(run.architecture, points.shape[1], 10).double()
    torch.nn.utils.vector_to_parameters(torch.from_numpy(run.parameters[0].astype(float)), ordered_parameters(model))
    stem, *blocks, head = model
    alpha = (2 * 32) ** 0.25
    h = stem(torch.from_numpy(points.astype(float)))
    for block in blocks:
        h = torch.nn.functional.layer_norm(alpha * h + block[0].branch(h), (32,))
    np.testing.assert_allclose(predict(run, points)[0], head(h).detach().numpy(), rtol=0, atol=1e-3)

"""Blocks that are left out in a step: the same numbers as a torch network whose branches are switched by hand."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, start
from sims.engines.perceptrons.stochastic_depth import STREAM, Thinned, thinned
from sims.engines.segment import batches
from sims.pytorch.models.networks import network, ordered_parameters
from tests.tiers import first

NET = Architecture(depth=7, width=10, norm="pre-layer")
ENDS_IN_RELU = replace(NET, unit="one-layer")


# Kernels in double precision take long to compile, so only `make test-all` does.
PRECISIONS = [(np.float32, 1e-5), (np.float64, 1e-10)]
"""Precision of a run, and its largest difference from torch's"""


def begin(
    optimizer: str = "adam",
    last: float = 0.5,
    every: int = 4,
    architecture: Architecture = NET,
    precision: type[np.floating] = np.float32,
) -> Thinned:
    recipe = Recipe(optimizer, 0.01, 32, record_every=every)  # type: ignore[arg-type]
    return thinned(start(architecture, recipe, source("spirals"), (3, 4), precision), last)


def forward(model: torch.nn.Sequential, factors: np.ndarray, inputs: torch.Tensor) -> torch.Tensor:
    stream, after = model[0](inputs), 1 + len(factors)
    for block, factor in zip(model[1:after], factors, strict=True):
        stream = stream + float(factor) * block.branch(stream)
    return model[after:](stream)


@pytest.mark.parametrize(("precision", "tolerance"), first(1, PRECISIONS))
@pytest.mark.parametrize("architecture", [NET, ENDS_IN_RELU], ids=lambda architecture: architecture.unit)
@pytest.mark.parametrize(
    ("optimizer", "torchs"), [("sgd", torch.optim.SGD), ("adam", lambda p, lr: torch.optim.Adam(p, lr))]
)
def test_it_takes_the_steps_of_a_torch_network_with_switched_branches(
    optimizer: str, torchs: object, architecture: Architecture, precision: type[np.floating], tolerance: float
) -> None:
    before = begin(optimizer, architecture=architecture, precision=precision)
    after = before.onward(6)
    data = before.run.source.load()
    for row, seed in enumerate(before.run.seeds):
        model = network(architecture, data.features, data.classes).double()
        vector_to_parameters(
            torch.tensor(before.run.parameters[row, : -NET.blocks], dtype=torch.float64), ordered_parameters(model)
        )
        steps = torchs(ordered_parameters(model), lr=0.01)  # type: ignore[operator]
        chosen = batches(before.run.recipe, seed, len(data.train_labels), 0, 6)
        for step in range(6):
            stays = np.random.default_rng((seed, STREAM, step + 1)).random(NET.blocks) < before.survival
            steps.zero_grad()
            logits = forward(model, stays, torch.tensor(data.train_inputs[chosen[step]], dtype=torch.float64))
            torch.nn.functional.cross_entropy(logits, torch.tensor(data.train_labels[chosen[step]])).backward()
            steps.step()
        mine = torch.tensor(after.run.parameters[row, : -NET.blocks], dtype=torch.float64)
        assert torch.allclose(parameters_to_vector(ordered_parameters(model)), mine, rtol=0, atol=tolerance)


@pytest.mark.parametrize(("precision", "tolerance"), first(1, PRECISIONS))
def test_records_ask_the_whole_network_with_branches_scaled_by_their_probability(
    precision: type[np.floating], tolerance: float
) -> None:
    after = begin(precision=precision).onward(4)
    data = after.run.source.load()
    model = network(NET, data.features, data.classes).double()
    vector_to_parameters(
        torch.tensor(after.run.parameters[0, : -NET.blocks], dtype=torch.float64), ordered_parameters(model)
    )
    logits = forward(model, after.survival, torch.tensor(data.train_inputs, dtype=torch.float64))
    loss = torch.nn.functional.cross_entropy(logits, torch.tensor(data.train_labels)).item()
    assert [record.step for record in after.run.records] == [0, 4]
    assert after.run.now.train_loss[0] == pytest.approx(loss, rel=tolerance)


def test_chunks_of_any_size_give_the_same_bits_and_a_sure_block_is_never_left_out() -> None:
    assert np.array_equal(begin().onward(2).onward(3).run.parameters, begin().onward(5).run.parameters)
    sure = begin(last=1.0)
    assert np.array_equal(sure.survival, np.ones(NET.blocks))


def test_the_rule_of_linear_decay_ends_at_the_chosen_probability() -> None:
    assert begin(last=0.5).survival == pytest.approx([0.9, 0.8, 0.7, 0.6, 0.5])


def test_networks_that_cannot_be_thinned_are_refused() -> None:
    state = start(replace(NET, norm="batch"), Recipe("sgd", 0.01, 32), source("spirals"), (0,))
    with pytest.raises(ValueError, match="batch norm"):
        thinned(state, 0.5)
    with pytest.raises(ValueError, match="up to 1"):
        thinned(start(NET, Recipe("sgd", 0.01, 32), source("spirals"), (0,)), 0.0)

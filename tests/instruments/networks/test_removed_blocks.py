"""A block that is switched off hands on its input to the last bit, in every kind of network."""

from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.utils import vector_to_parameters

from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.networks.removed_blocks import errors_without, without
from sims.pytorch.models.networks import network, ordered_parameters

KINDS: dict[str, dict[str, Any]] = {
    "plain": {"skip": "none"},
    "residual": {"skip": "additive"},
    "scaled": {"skip": "additive", "branch_factor": "1/blocks"},
    "Pre-LN": {"skip": "additive", "norm": "pre-layer", "final_norm": True},
    "Post-LN": {"skip": "additive", "norm": "post-layer"},
    "ReZero": {"skip": "rezero"},
    "highway": {"skip": "highway"},
    "dense": {"skip": "dense"},
}


def trained(kind: str) -> TrainingState:
    architecture = Architecture(depth=6, width=12, **KINDS[kind])
    return advance(start(architecture, Recipe("adam", 0.01, None), source("spirals"), (0, 1)), 12)


def errors_of_the_torch_network(run: TrainingState, block: int) -> list[float]:
    """The same network in torch, its block taken out of the stack by hand."""
    data = run.source.load()
    inputs = torch.tensor(data.train_inputs, dtype=torch.float32)
    errors = []
    for row in run.parameters:
        model = network(run.architecture, data.features, data.classes)
        vector_to_parameters(torch.tensor(row), ordered_parameters(model))
        stem, *blocks, head = model
        stream = stem(inputs)
        for number, module in enumerate(blocks):
            if number != block:
                stream = module(stream)
            elif run.architecture.skip == "dense":
                stream = torch.cat([stream, torch.zeros(len(stream), run.architecture.growth)], dim=1)
            elif run.architecture.norm == "post-layer":
                stream = torch.nn.functional.layer_norm(stream, stream.shape[1:])
        answers = head(stream).argmax(1).numpy()
        errors.append(float((answers != data.train_labels).mean()))
    return errors


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_block_it_is_the_torch_network_without_it(kind: str) -> None:
    run = trained(kind)
    for block in (0, 3):
        wrong = errors_without(run, [[block]])[0]
        assert wrong == pytest.approx(errors_of_the_torch_network(run, block), abs=1.5 / 256)


def test_nothing_switched_off_changes_nothing_and_the_run_is_left_alone() -> None:
    run = trained("highway")
    before = run.parameters.copy()
    assert np.array_equal(without(run, []), before)
    assert not np.array_equal(without(run, [1]), before)
    assert np.array_equal(run.parameters, before)


def test_blocks_that_cannot_pass_on_their_input_are_refused() -> None:
    for choices in ({"norm": "batch"}, {"unit": "original"}, {"skip": "none", "activation": "tanh"}):
        architecture = Architecture(depth=6, width=12, **choices)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="switched off"):
            without(start(architecture, Recipe("adam", 0.01, None), source("spirals"), (0,)), [0])

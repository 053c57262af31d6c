"""A run of an ancestor is what torch's own optimizer makes of the same batches, however it is cut."""

import numpy as np
import pytest
import torch

from sims.data.datasets import source
from sims.instruments.training.ancestor_run import BATCH, advance, begin
from sims.pytorch.models.ancestors import AncestorStack, losses

SPIRALS = source("spirals")


def test_a_run_begins_measured():
    run = begin("pre", SPIRALS, 2, 0.003, (0, 1))
    assert run.steps == (0,)
    assert run.losses[0].shape == run.errors[0].shape == (2,)
    assert run.parameters == sum(weight[0].size for weight in run.weights.values())


def test_cuts_do_not_matter_and_the_old_run_stays():
    run = begin("resnet", SPIRALS, 2, 0.003, (0, 1))
    before = {name: weight.copy() for name, weight in run.weights.items()}
    whole, cut = advance(run, 6, 3), advance(advance(run, 1, 3), 5, 3)
    assert whole.steps == cut.steps == (0, 3, 6)
    for name, weight in whole.weights.items():
        assert np.array_equal(weight, cut.weights[name])
        assert np.array_equal(run.weights[name], before[name])
    assert advance(whole, 0, 3) is whole


def test_it_is_adam_on_the_same_batches():
    run = begin("rezero", SPIRALS, 2, 0.01, (4,))
    data = SPIRALS.load()
    network = AncestorStack("rezero", {name: torch.tensor(weight) for name, weight in run.weights.items()})
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    order = np.random.default_rng((4, 1, 0)).permutation(len(data.train_labels))
    for step in range(2):
        chosen = order[None, step * BATCH : (step + 1) * BATCH]
        optimizer.zero_grad()
        answers = network(torch.tensor(data.train_inputs[chosen]))
        losses(answers, torch.tensor(data.train_labels[chosen])).sum().backward()
        optimizer.step()
    for name, weight in advance(run, 2, 1).weights.items():
        assert weight == pytest.approx(network.weights[name].detach().numpy(), abs=1e-6)

"""The uses of sublayers against the engine's own predictions, and where the answer is known."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from sims.comparisons.placements import transformer
from sims.data.datasets import source
from sims.engines import transformers
from sims.engines.recipe import Recipe
from sims.instruments.networks.block_uses import uses
from sims.pytorch.models.transformer_network import TransformerNetwork

TASK = source("digits", points=128)
POINTS, LABELS = TASK.load().train_inputs[:64], TASK.load().train_labels[:64]


@pytest.fixture(scope="module", params=["pre", "peri", "deep"])
def trained(request):
    network = transformer(request.param, 4, tokens=8, initialization="xavier")
    run = transformers.start(network, Recipe("adam", 0.003, 32, record_every=60), TASK, (0, 1))
    return transformers.advance(run, 60)


@pytest.mark.parametrize("seed", [0, 1])
def test_with_every_sublayer_it_is_the_engines_own_network(trained, seed):
    actual = uses(trained, seed, POINTS, LABELS)
    answers = transformers.predict(trained, POINTS)[seed].argmax(axis=1)
    assert actual.whole == (answers != LABELS).mean()
    assert actual.exits[-1] == actual.pruned[0] == actual.whole


def test_without_all_of_them_the_head_reads_the_embedding(trained):
    actual = uses(trained, 0, POINTS, LABELS)
    assert actual.pruned[-1] == actual.exits[0]


def test_the_last_one_left_out_is_an_exit_in_front_of_it(trained):
    actual = uses(trained, 0, POINTS, LABELS)
    assert actual.without[-1] == actual.exits[-2]


def test_a_branch_of_zeros_adds_nothing_and_is_not_missed(trained):
    data = TASK.load()
    network = TransformerNetwork(trained.architecture, data.features, data.classes)
    vector_to_parameters(torch.tensor(trained.parameters[0]), network.ordered_parameters())
    with torch.no_grad():
        for parameter in network.sublayers.parameters():
            parameter.zero_()
        row = parameters_to_vector(network.ordered_parameters()).numpy()
    actual = uses(replace(trained, parameters=row[None]), 0, POINTS, LABELS)
    np.testing.assert_array_equal(actual.shares, 0)
    np.testing.assert_array_equal(actual.without, actual.whole)

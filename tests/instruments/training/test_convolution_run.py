"""A run of a convolutional network: against torch's own loop, however it is cut, with both statistics of BatchNorm."""

import pickle

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from sims.data.datasets import digits
from sims.instruments.training.convolution_run import BATCH, ConvolutionRun, Setup, advance, batches, begin, restored

SETUP = Setup(8, 4, True, 0.1, 5)


@pytest.fixture(scope="module")
def run() -> ConvolutionRun:
    return advance(begin(SETUP), 12, look_every=6)


def test_the_steps_are_those_of_torchs_own_loop(run: ConvolutionRun) -> None:
    data, start = digits(), begin(SETUP)
    network = restored(start)
    optimizer = torch.optim.SGD(network.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    images = torch.tensor(data.train_inputs).reshape(-1, 1, 8, 8)
    for batch in batches(start, data, 12):
        optimizer.zero_grad()
        cross_entropy(network(images[batch]), torch.tensor(data.train_labels)[batch]).backward()
        optimizer.step()
    for name, weight in network.state_dict().items():
        assert np.array_equal(run.weights[name], weight.numpy()), name


def test_a_run_is_the_same_however_it_is_cut_and_survives_a_pickle(run: ConvolutionRun) -> None:
    cut = begin(SETUP)
    for steps in (5, 1, 6):
        cut = advance(pickle.loads(pickle.dumps(cut)), steps, look_every=6)
    assert [look.step for look in cut.looks] == [look.step for look in run.looks] == [0, 6, 12]
    assert all(np.array_equal(cut.weights[name], run.weights[name]) for name in run.weights)
    assert cut.looks[-1].own_error == run.looks[-1].own_error


def test_every_pass_shows_every_image_at_most_once_in_a_new_order() -> None:
    data = digits()
    per_pass = len(data.train_labels) // BATCH
    first, second = batches(begin(SETUP), data, 2 * per_pass).reshape(2, -1)
    assert len(set(first.tolist())) == len(first) == per_pass * BATCH
    assert first.tolist() != second.tolist()


def test_a_look_has_both_statistics_and_changes_nothing(run: ConvolutionRun) -> None:
    data, look = digits(), run.looks[-1]
    network = restored(run)
    images = torch.tensor(data.train_inputs).reshape(-1, 1, 8, 8)
    norms = [module for module in network.modules() if isinstance(module, nn.BatchNorm2d)]
    inputs_of: dict[nn.Module, torch.Tensor] = {}
    for norm in norms:
        norm.register_forward_hook(lambda module, inputs, _output: inputs_of.update({module: inputs[0]}))
    for mode, error in ((False, look.kept_error), (True, look.own_error)):
        network.train(mode)
        with torch.no_grad():
            wrong = network(images).argmax(1).numpy() != data.train_labels
        assert wrong.mean() == pytest.approx(error, abs=1e-9)
    for place, norm in enumerate(norms):
        own = inputs_of[norm].var(dim=(0, 2, 3))
        running = torch.tensor(run.weights[[name for name in run.weights if name.endswith("running_var")][place]])
        assert look.lag[place] == pytest.approx(float((running / own).log().mean().div(2).exp()), rel=1e-3)
        assert look.gains[place] == pytest.approx(float(norm.weight.detach().square().mean().sqrt()), rel=1e-6)
        assert look.shifts[place] == pytest.approx(float(norm.bias.detach().mean()), rel=1e-5, abs=1e-8)


def test_a_look_has_a_gradient_for_every_layer(run: ConvolutionRun) -> None:
    data, network = digits(), restored(run)
    images = torch.tensor(data.train_inputs[:BATCH]).reshape(-1, 1, 8, 8)
    network.train()
    cross_entropy(network(images), torch.tensor(data.train_labels[:BATCH])).backward()
    layers = [module for module in network.modules() if isinstance(module, nn.Conv2d | nn.Linear)]
    assert len(run.looks[-1].gradients) == len(layers) == 8
    for ours, layer in zip(run.looks[-1].gradients, layers, strict=True):
        assert layer.weight.grad is not None
        assert ours == pytest.approx(float(layer.weight.grad.norm()), rel=1e-5)

"""Blocks taken out and moved: the orders, and the answers against the network's own layers."""

import numpy as np
import pytest
import torch

from sims.data.datasets import digits
from sims.instruments.networks.changed_blocks import ASKED, errors, stages, swapped, swaps, without
from sims.instruments.training.convolution_run import ConvolutionRun, Setup, advance, begin, restored


@pytest.fixture(scope="module")
def run() -> ConvolutionRun:
    return advance(begin(Setup(14, 4, True, 0.1, 0)), 8, look_every=100)


def test_blocks_that_change_shapes_stay() -> None:
    assert stages(20) == [[0, 1, 2], [4, 5], [7, 8]]
    assert swaps(20) == [(0, 1), (1, 2), (4, 5), (7, 8)]
    assert sum(map(len, stages(56))) == 25


def test_orders() -> None:
    assert without(14, [1, 5]) == [0, 2, 3, 4]
    assert swapped(20, [(0, 1), (1, 2)]) == [1, 2, 0, 3, 4, 5, 6, 7, 8]


def test_the_order_of_training_is_the_network_itself_and_others_are_its_layers_by_hand(run: ConvolutionRun) -> None:
    images, labels = torch.tensor(digits().train_inputs[:ASKED]).reshape(-1, 1, 8, 8), digits().train_labels[:ASKED]
    network = restored(run)
    network.eval()
    actual = errors(run, [without(14, []), without(14, [3]), swapped(14, [(0, 1)])])
    with torch.no_grad():
        stem, first, second, *rest, head = network
        whole = network(images)
        x = second(first(stem(images)))
        less = head(rest[3](rest[2](rest[0](x))))
        other = first(second(stem(images)))
        for layer in rest:
            other = layer(other)
        theirs = [(logits.argmax(1).numpy() != labels).mean() for logits in (whole, less, head(other))]
    np.testing.assert_allclose(actual, theirs, atol=1e-12)


def test_a_branch_without_weights_can_be_missed_in_a_residual_network(run: ConvolutionRun) -> None:
    silent = {name: 0 * weight if name.startswith("4.norm2.") else weight for name, weight in run.weights.items()}
    silent["4.norm2.running_var"] = run.weights["4.norm2.running_var"]
    still = ConvolutionRun(run.setup, silent, run.velocities, run.step, run.looks)
    whole, less = errors(still, [without(14, []), without(14, [3])])
    assert whole == less

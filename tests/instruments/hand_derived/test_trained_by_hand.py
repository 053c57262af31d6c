"""The toy that trains by hand: its task, its whole gradient against torch's autograd, and how it learns."""

from types import SimpleNamespace as Tensors

import numpy as np
import pytest
import torch
from torch.nn import functional

from sims.instruments.hand_derived.block_operations import EPSILON
from sims.instruments.hand_derived.trained_by_hand import DIGITS, Setup, advanced, begin, loss_and_gradients, sequences
from tests.instruments.hand_derived.test_block_plan import torch_block


def test_every_place_requires_a_sum_with_its_neighbor():
    digits, answers = sequences(np.random.default_rng(0), 50)
    np.testing.assert_array_equal(answers[:, 1:], (digits[:, 1:] + digits[:, :-1]) % DIGITS)
    np.testing.assert_array_equal(answers[:, 0], 2 * digits[:, 0] % DIGITS)


@pytest.mark.parametrize("arrangement", ["pre", "post"])
def test_every_gradient_of_the_network_is_autograds(arrangement):
    setup = Setup(blocks=3, arrangement=arrangement)
    weights = begin(setup, 1).weights
    digits, answers = sequences(np.random.default_rng(2), 4)
    loss, gradients = loss_and_gradients(setup, weights, digits, answers)
    leaves = {name: torch.tensor(weight, requires_grad=True) for name, weight in weights.items()}
    stream = leaves["embedding"][torch.tensor(digits)]
    for block in range(3):
        mine = {name.partition(".")[2]: leaf for name, leaf in leaves.items() if name.startswith(f"{block}.")}
        stream = torch_block(arrangement, stream, Tensors(**mine))
    scores = functional.rms_norm(stream, (stream.shape[-1],), leaves["gain"], eps=EPSILON) @ leaves["logits"]
    expected = functional.cross_entropy(scores.flatten(0, 1), torch.tensor(answers).flatten())
    assert loss == pytest.approx(expected.item(), rel=1e-10)
    expected.backward()
    for name, leaf in leaves.items():
        assert np.linalg.norm(gradients[name] - leaf.grad.numpy()) < 1e-9 * np.linalg.norm(leaf.grad.numpy()), name


@pytest.mark.parametrize(("optimizer", "rate"), [("adam", 0.01), ("momentum", 0.3)])
def test_right_gradients_learn_the_task(optimizer, rate):
    learner = advanced(begin(Setup(blocks=2, optimizer=optimizer, learning_rate=rate), 0), 150, 50)
    assert learner.losses[-1] < 0.3 < learner.losses[0]
    assert learner.steps == (0, 50, 100, 150)
    assert learner.cosines == pytest.approx([1.0] * 4)


def test_the_same_seed_begins_alike_with_every_bug():
    one, other = (begin(Setup(bug=bug), 3) for bug in ("none", "skips"))
    for name, weight in one.weights.items():
        np.testing.assert_array_equal(weight, other.weights[name])
    assert one.losses == other.losses

"""A run of tall stacks: against torch's own loop, however it is cut; what it measures, against autograd."""

import pickle

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from sims.comparisons.trained_recipes import RECIPES, setup
from sims.data.datasets import digits
from sims.instruments.training.seed_batches import seed_batches
from sims.instruments.training.stack_run import BATCH, LOOKED_AT, StackRun, advance, begin, network

SEEDS = (3, 8)


def untrained(recipe: str = "fixup") -> StackRun:
    return begin(setup(recipe, 4, 0.01, SEEDS))


@pytest.fixture(scope="module")
def run() -> StackRun:
    return advance(untrained(), 12, look_every=6)


def test_the_steps_are_those_of_torchs_own_loop_for_each_seed_alone(run: StackRun) -> None:
    data = digits()
    images, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    for at, seed in enumerate(SEEDS):
        alone = begin(setup("fixup", 4, 0.01, (seed,)))
        stack = network(alone.setup, alone.weights)
        optimizer = torch.optim.Adam(stack.parameters(), 0.01)
        for batch in seed_batches((seed,), len(labels), BATCH, 0, 12):
            optimizer.zero_grad()
            cross_entropy(stack(images[batch])[0][0], labels[batch[0]]).backward()
            optimizer.step()
        for name, weight in stack.weights.items():
            assert run.weights[name][at] == pytest.approx(weight.detach().numpy()[0], abs=2e-4), name


def test_a_run_is_the_same_however_it_is_cut_and_survives_a_pickle(run: StackRun) -> None:
    cut = untrained()
    for steps in (5, 1, 6):
        cut = advance(pickle.loads(pickle.dumps(cut)), steps, look_every=6)
    assert cut.steps == run.steps == (0, 6, 12)
    assert all(np.array_equal(cut.weights[name], run.weights[name]) for name in run.weights)
    assert np.array_equal(cut.losses, run.losses)
    assert np.array_equal(cut.now.gradient, run.now.gradient)


def test_a_run_stays_as_it_is_when_it_goes_on(run: StackRun) -> None:
    before = pickle.dumps(run)
    advance(run, 3, look_every=1)
    assert pickle.dumps(run) == before


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_is_measured_is_what_autograd_says(recipe: str) -> None:
    start = untrained(recipe)
    data, stacks = digits(), network(start.setup, start.weights)
    images = torch.tensor(data.train_inputs[:LOOKED_AT]).expand(len(SEEDS), -1, -1)
    labels = torch.tensor(data.train_labels[:LOOKED_AT])
    answers, streams = stacks(images)
    for at in range(len(SEEDS)):
        loss = cross_entropy(answers[at], labels)
        assert start.losses[0][at] == pytest.approx(loss.item(), rel=1e-5)
        tensors = [*streams, stacks.weights["first"], stacks.weights["last"]]
        *gradients, first, last = torch.autograd.grad(loss, tensors, retain_graph=True)
        sizes = [gradient[at].norm().item() for gradient in gradients]
        assert start.start.gradient[at] == pytest.approx(np.array(sizes) / sizes[-1], rel=1e-4)
        streamed = [stream[at].norm().item() for stream in streams]
        assert start.start.stream[at] == pytest.approx(np.array(streamed) / streamed[0], rel=1e-4)
        assert start.start.first[at] == pytest.approx([matrix.norm().item() for matrix in first[at]], rel=1e-4)
        assert start.start.last[at] == pytest.approx([matrix.norm().item() for matrix in last[at]], rel=1e-4)

"""Runs are values that go on where they were, and looks measure what they say."""

import numpy as np
import pytest
import torch

from sims.comparisons.placings import PLACINGS, setup
from sims.data.datasets import digits
from sims.instruments.training.placed_run import BATCH, LOOKED_AT, advance, batches, begin
from sims.pytorch.stacks.placed_stacks import PlacedStacks

BLOCKS = 4


@pytest.mark.parametrize("name", PLACINGS)
def test_a_run_is_the_same_however_it_is_cut(name: str) -> None:
    begun = begin(setup(name, 1.0, BLOCKS, 0.003, (0, 5)))
    whole = advance(begun, 6, 3)
    cut = advance(advance(begun, 2, 3), 4, 3)
    assert whole.steps == cut.steps == (0, 3, 6)
    assert begun.step == 0
    for key, weight in whole.weights.items():
        assert np.array_equal(weight, cut.weights[key]), key


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PLACINGS)
def test_training_lowers_the_loss_of_every_seed(name: str) -> None:
    run = advance(begin(setup(name, 1.0, BLOCKS, 0.003, (0, 1))), 40, 40)
    assert (run.now.loss < 0.7 * run.start.loss).all()


@pytest.mark.parametrize("name", PLACINGS)
def test_a_look_measures_branch_and_stream(name: str) -> None:
    run = begin(setup(name, 2.0, BLOCKS, 0.001, (0, 1)))
    network = PlacedStacks({key: torch.tensor(weight) for key, weight in run.weights.items()}, run.setup.placing)
    images = torch.tensor(digits().train_inputs[:LOOKED_AT]).expand(2, -1, -1)
    passed = network(images)
    for seed in range(2):
        for block in range(BLOCKS):
            stream, carried, added = (
                getattr(passed, name)[block][seed].detach().numpy() for name in ("streams", "carried", "added")
            )
            assert run.now.stream[seed, block] == pytest.approx(np.square(stream).mean(), rel=1e-4)
            ratio = np.linalg.norm(added) / np.linalg.norm(carried)
            assert run.now.update[seed, block] == pytest.approx(ratio, rel=1e-4)


def test_the_sphere_starts_with_small_steps() -> None:
    run = begin(setup("sphere", 1.0, BLOCKS, 0.001, (0,)))
    assert (run.weights["alpha"] == np.float32(1 / BLOCKS)).all()


def test_batches_differ_by_seed_and_step_and_hold_every_image_once() -> None:
    (one, other), later = batches((0, 1), 200, 2, 2)
    assert len(set(one)) == len(set(other)) == BATCH
    assert not np.array_equal(one, other)
    assert not np.array_equal(one, later[0])
    assert one.tolist() == np.random.default_rng((0, 1, 3)).permutation(200)[:BATCH].tolist()

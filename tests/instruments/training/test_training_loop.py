"""The loop against torch's own: its steps, its looks, and what it leaves behind."""

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from sims.instruments.training.seed_tensors import arrays, tensors
from sims.instruments.training.training_loop import SeedRun, steps_taken, train

BATCHES = [(torch.full((2, 3), float(step)), torch.full((2,), step - 2.0)) for step in range(5)]


@dataclass(frozen=True)
class Example(SeedRun):
    """Two seeds of a linear unit, and where it was looked at: step and weights."""

    looks: tuple[tuple[int, float], ...] = ()


BEGUN = Example({"w": np.array([[1.0, 2.0, 3.0], [-1.0, 0.5, 0.0]], np.float32)}, {}, 0)


def parameters(run: SeedRun) -> nn.ParameterDict:
    return nn.ParameterDict({name: nn.Parameter(weight) for name, weight in tensors(run.weights).items()})


def losses(weights: nn.ParameterDict, inputs: Tensor, targets: Tensor) -> Tensor:
    return ((weights["w"] * inputs).sum(dim=1) - targets).square()


def with_look(run: Example) -> Example:
    return replace(run, looks=(*run.looks, (run.step, float(run.weights["w"][0, 0]))))


def trained(run: Example, batches: list[tuple[Tensor, Tensor]]) -> Example:
    weights = parameters(run)
    return train(run, weights, 0.1, batches, lambda *batch: losses(weights, *batch), 2, with_look)


def test_steps_and_looks_are_those_of_a_loop_by_hand() -> None:
    weights = parameters(BEGUN)
    optimizer = torch.optim.Adam(weights.parameters(), 0.1)
    looks = []
    for step, batch in enumerate(BATCHES, 1):
        optimizer.zero_grad()
        losses(weights, *batch).sum().backward()
        optimizer.step()
        if step % 2 == 0:
            looks.append((step, weights["w"][0, 0].item()))
    run = trained(BEGUN, BATCHES)
    assert (run.step, run.looks) == (5, tuple(looks))
    assert np.array_equal(run.weights["w"], arrays(weights)["w"])
    assert np.array_equal(run.moments["w"][1], optimizer.state[weights["w"]]["exp_avg_sq"].numpy())


def test_a_run_can_be_cut_anywhere_and_stays_as_it_is() -> None:
    before = BEGUN.weights["w"].copy()
    whole, cut = trained(BEGUN, BATCHES), trained(trained(BEGUN, BATCHES[:1]), BATCHES[1:])
    assert np.array_equal(BEGUN.weights["w"], before)
    assert np.array_equal(whole.weights["w"], cut.weights["w"])
    assert np.array_equal(whole.moments["w"], cut.moments["w"])
    assert whole.looks == cut.looks


def test_without_batches_a_run_is_itself() -> None:
    assert trained(BEGUN, []) is BEGUN


def test_it_takes_any_optimizer_and_a_single_loss() -> None:
    weight = nn.Parameter(torch.tensor(1.0))
    optimizer = torch.optim.SGD([weight], 0.5)
    steps = steps_taken(optimizer, [(torch.tensor(2.0), torch.tensor(0.0))] * 2, lambda x, y: weight * x - y, 7)
    assert list(steps) == [8, 9]
    assert weight.item() == -1

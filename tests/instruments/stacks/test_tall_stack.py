"""Random stacks against PyTorch's autograd, in every recipe."""

import numpy as np
import pytest
import torch

from sims.comparisons.scalings import SCALINGS, scaled
from sims.instruments.stacks.tall_stack import POINTS, WIDTH, Rules, inputs_and_top, passes, weights

BLOCKS = 7
RECIPES = {name: scaling.rules(BLOCKS) for name, scaling in SCALINGS.items()} | {"alpha": scaled(0.5)}


def layer_norm(x: torch.Tensor, is_there: bool) -> torch.Tensor:
    return torch.nn.functional.layer_norm(x, (WIDTH,)) if is_there else x


def by_autograd(rules: Rules, start: str, seed: int) -> dict[str, np.ndarray]:
    """The same network, written down anew, in double precision."""
    inputs, top = (torch.tensor(array, dtype=torch.float64) for array in inputs_and_top(seed))
    matrices = torch.tensor(weights(seed, BLOCKS, start, rules), dtype=torch.float64, requires_grad=True)
    factors = torch.tensor(
        [rules.branch * (block + 1) ** -rules.fading for block in range(BLOCKS)],
        dtype=torch.float64,
        requires_grad=True,
    )
    h = inputs.requires_grad_()
    streams = [h]
    for block in range(BLOCKS):
        x = layer_norm(rules.before * h, rules.norm_in)
        branch = torch.relu(x @ matrices[block, 0].T) @ matrices[block, 1].T
        h = layer_norm(rules.skip * h + factors[block] * layer_norm(branch, rules.norm_out), rules.norm_sum)
        h.retain_grad()
        streams.append(h)
    (h * top).sum().backward()
    return {
        "stream": np.array([stream.detach().square().mean().sqrt() for stream in streams]),
        "gradient": np.array([stream.grad.square().mean().sqrt() for stream in streams]),
        "first": matrices.grad[:, 0].flatten(1).norm(dim=1).numpy(),
        "last": matrices.grad[:, 1].flatten(1).norm(dim=1).numpy(),
        "factor": factors.grad.abs().numpy(),
    }


@pytest.mark.parametrize("start", ["full", "default"])
@pytest.mark.parametrize("recipe", RECIPES)
def test_every_number_of_a_pass_is_autograds(recipe: str, start: str) -> None:
    actual = passes(RECIPES[recipe], start, BLOCKS, 3)
    for name, expected in by_autograd(RECIPES[recipe], start, 3).items():
        # A derivative that is a sum of terms of both signs has the rounding of the terms.
        room = 1e-4 * max(expected.max(), 1e-12)
        assert getattr(actual, name) == pytest.approx(expected, rel=2e-4, abs=room), name


def test_a_stack_that_overflows_ends_there_and_has_no_gradient() -> None:
    actual = passes(scaled(1.0), "full", 400, 0)
    assert 200 < actual.overflow < 300
    assert np.isfinite(actual.stream[: actual.overflow]).all()
    assert np.isnan(actual.stream[actual.overflow :]).all()
    assert np.isnan(actual.gradient).all()


def test_a_shorter_stack_is_the_foot_of_a_taller_one() -> None:
    tall, short = (passes(Rules(norm_in=True), "full", blocks, 1) for blocks in (40, 10))
    assert tall.stream[:11] == pytest.approx(short.stream)
    assert tall.cosine[:11] == pytest.approx(short.cosine)


def test_the_inputs_are_of_size_one_and_nearly_alike() -> None:
    cosines = []
    for seed in range(20):
        inputs, top = inputs_and_top(seed)
        assert np.sqrt(np.mean(inputs**2, axis=1)) == pytest.approx(np.ones(POINTS), rel=1e-5)
        assert np.sqrt(np.mean(top**2)) == pytest.approx(1, rel=1e-5)
        cosines.append(passes(Rules(), "full", 1, seed).cosine[0])
    assert np.mean(cosines) == pytest.approx(0.9, abs=0.02)

"""Stacks with their norms in seven places are what torch's own layers make, in answers and in gradients."""

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from sims.comparisons.placings import PLACINGS
from sims.pytorch.stacks.placed_stacks import PlacedStacks, losses
from sims.pytorch.stacks.tall_stacks import initial_weights

SEEDS, BLOCKS, WIDTH, PIXELS, CLASSES, IMAGES = 2, 3, 8, 5, 4, 6


def drawn() -> dict[str, Tensor]:
    """Weights of all seeds, in double precision."""
    starts = [initial_weights(seed, BLOCKS, WIDTH, PIXELS, CLASSES, 0.7, 1.3) for seed in range(SEEDS)]
    weights = {name: torch.stack([one[name] for one in starts]).double() for name in starts[0]}
    alpha = torch.rand(SEEDS, BLOCKS, WIDTH, generator=torch.Generator().manual_seed(3)).double()
    return weights | {"alpha": alpha}


def plainly(name: str, weights: dict[str, Tensor], images: Tensor, seed: int) -> Tensor:
    """One network of one seed, module by module, each placement as its formula has it."""
    layer, rms = nn.LayerNorm(WIDTH, elementwise_affine=False), nn.RMSNorm(WIDTH, elementwise_affine=False)

    def linear(matrix: Tensor) -> nn.Linear:
        module = nn.Linear(matrix.shape[1], matrix.shape[0], bias=False).double()
        module.weight.data = matrix
        return module

    h = layer(linear(weights["stem"][seed])(images))
    for at in range(BLOCKS):
        f = nn.Sequential(linear(weights["first"][seed, at]), nn.ReLU(), linear(weights["last"][seed, at]))
        alpha = weights["alpha"][seed, at]
        h = {
            "pre": lambda h, f=f: h + f(layer(h)),
            "scaled": lambda h, f=f, at=at: h + f(layer(h) / (at + 1) ** 0.5),
            "peri": lambda h, f=f: h + layer(f(layer(h))),
            "output": lambda h, f=f: h + rms(f(h)),
            "post": lambda h, f=f: layer(h + f(h)),
            "deep": lambda h, f=f: layer(BLOCKS**0.25 * h + f(h)),
            "sphere": lambda h, f=f, alpha=alpha: rms(h + alpha * (rms(f(h)) - h)),
        }[name](h)
    top = h if name in ("post", "deep", "sphere") else layer(h)
    return linear(weights["head"][seed])(top) + weights["bias"][seed]


def network(name: str) -> tuple[PlacedStacks, dict[str, Tensor], Tensor]:
    weights = drawn()
    if name != "sphere":
        del weights["alpha"]
    images = torch.randn(SEEDS, IMAGES, PIXELS, generator=torch.Generator().manual_seed(9)).double()
    return PlacedStacks(weights, PLACINGS[name].placing(BLOCKS)), drawn(), images


@pytest.mark.parametrize("name", PLACINGS)
def test_answers_are_those_of_torchs_layers(name: str) -> None:
    stacks, weights, images = network(name)
    passed = stacks(images)
    assert (len(passed.streams), len(passed.added), len(passed.carried)) == (BLOCKS + 1, BLOCKS, BLOCKS)
    for seed in range(SEEDS):
        torch.testing.assert_close(passed.answers[seed], plainly(name, weights, images[seed], seed))


@pytest.mark.parametrize("name", PLACINGS)
def test_gradients_are_those_of_each_network_alone(name: str) -> None:
    stacks, weights, images = network(name)
    labels = torch.arange(SEEDS * IMAGES).reshape(SEEDS, IMAGES) % CLASSES
    losses(stacks(images).answers, labels).sum().backward()
    for seed in range(SEEDS):
        alone = PlacedStacks(
            {key: weight[seed : seed + 1].detach().clone() for key, weight in stacks.weights.items()}, stacks.placing
        )
        cross_entropy(alone(images[seed : seed + 1]).answers[0], labels[seed]).backward()
        inputs = images[seed].clone().requires_grad_()
        (theirs,) = torch.autograd.grad(plainly(name, weights, inputs, seed).sum(), inputs)
        ours_at = images[seed : seed + 1].clone().requires_grad_()
        (ours,) = torch.autograd.grad(alone(ours_at).answers.sum(), ours_at)
        torch.testing.assert_close(ours[0], theirs)
        for key, weight in stacks.weights.items():
            torch.testing.assert_close(weight.grad[seed], alone.weights[key].grad[0])


@pytest.mark.parametrize("name", PLACINGS)
def test_gradients_of_the_weights_are_those_of_finite_differences(name: str) -> None:
    stacks, _, images = network(name)
    first = stacks.weights["first"].detach().clone().requires_grad_()

    def answers(matrix: Tensor) -> Tensor:
        return torch.func.functional_call(stacks, {"weights.first": matrix}, (images,)).answers

    assert torch.autograd.gradcheck(answers, first)


@pytest.mark.parametrize("name", PLACINGS)
def test_what_is_added_leads_from_one_stream_to_the_next(name: str) -> None:
    stacks, _, images = network(name)
    passed = stacks(images)
    for below, carried, added, above in zip(
        passed.streams[:-1], passed.carried, passed.added, passed.streams[1:], strict=True
    ):
        torch.testing.assert_close(carried, stacks.placing.skip * below)
        if name in ("pre", "scaled", "peri", "output"):
            torch.testing.assert_close(carried + added, above)

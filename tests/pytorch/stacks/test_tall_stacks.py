"""Stacks side by side are the networks that torch's own layers make, one for each seed, in answers and in gradients."""

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from sims.pytorch.stacks.tall_stacks import BlockRules, TallStacks, initial_weights

SEEDS, BLOCKS, WIDTH, PIXELS, CLASSES, IMAGES = 2, 3, 8, 5, 4, 6


def drawn() -> dict[str, Tensor]:
    """Weights of all seeds, in double precision; biases and factors are no zeros, so that they matter."""
    starts = [initial_weights(seed, BLOCKS, WIDTH, PIXELS, CLASSES, 0.7, 1.3) for seed in range(SEEDS)]
    return {name: torch.stack([one[name] for one in starts]).double() for name in starts[0]}


def learned(width: int, count: int) -> Tensor:
    return torch.randn(SEEDS, BLOCKS, width, generator=torch.Generator().manual_seed(count)).double()


CASES = {
    "constants": ((), BlockRules((0.5, 0.3, 0.2))),
    "norm in front": ((), BlockRules((1.0,) * 3, norm_in=True)),
    "norm of the sum": ((), BlockRules((1.0,) * 3, skip=1.7, norm_sum=True)),
    "factor per block": (("factor", 1), BlockRules((1.0,) * 3)),
    "factor per channel": (("factor", WIDTH), BlockRules((1.0,) * 3, norm_in=True)),
    "fixup": (("biases", 4), BlockRules((1.0,) * 3)),
}


def plainly(weights: dict[str, Tensor], rules: BlockRules, images: Tensor, seed: int) -> Tensor:
    """One network, module by module."""
    norm = nn.LayerNorm(WIDTH, elementwise_affine=False)

    def linear(matrix: Tensor) -> nn.Linear:
        module = nn.Linear(matrix.shape[1], matrix.shape[0], bias=False).double()
        module.weight.data = matrix
        return module

    h = linear(weights["stem"][seed])(images)
    for block in range(BLOCKS):
        a, b, c, d = weights["biases"][seed, block] if "biases" in weights else torch.zeros(4).double()
        branch = nn.Sequential(linear(weights["first"][seed, block]))((norm(h) if rules.norm_in else h) + a)
        branch = linear(weights["last"][seed, block])(nn.ReLU()(branch + b) + c) * rules.constants[block]
        if "factor" in weights:
            branch = branch * weights["factor"][seed, block]
        h = rules.skip * h + branch + d
        h = norm(h) if rules.norm_sum else h
    return linear(weights["head"][seed])(norm(h) if rules.norm_in else h) + weights["bias"][seed]


@pytest.mark.parametrize("case", CASES)
def test_answers_are_those_of_torchs_layers(case: str) -> None:
    more, rules = CASES[case]
    weights = drawn() | ({more[0]: learned(more[1], 7)} if more else {})
    images = torch.randn(SEEDS, IMAGES, PIXELS).double()
    answers, streams = TallStacks(weights, rules)(images)
    assert len(streams) == BLOCKS + 1
    for seed in range(SEEDS):
        assert torch.allclose(answers[seed], plainly(weights, rules, images[seed], seed), atol=1e-12)


@pytest.mark.parametrize("case", ["fixup", "factor per channel", "norm of the sum"])
def test_gradients_are_those_of_finite_differences(case: str) -> None:
    more, rules = CASES[case]
    weights = drawn() | ({more[0]: learned(more[1], 7)} if more else {})
    images, labels = torch.randn(SEEDS, IMAGES, PIXELS).double(), torch.zeros(SEEDS, IMAGES, dtype=torch.long)
    names = list(weights)

    def loss(*values: Tensor) -> Tensor:
        network = TallStacks(weights, rules)
        answers, _streams = torch.func.functional_call(
            network, {f"weights.{name}": value for name, value in zip(names, values, strict=True)}, (images,)
        )
        return network.losses(answers, labels).sum()

    torch.autograd.gradcheck(loss, [weight.clone().requires_grad_() for weight in weights.values()], atol=1e-6)


def test_each_seed_has_its_own_loss() -> None:
    answers = torch.randn(SEEDS, IMAGES, CLASSES)
    labels = torch.randint(CLASSES, (SEEDS, IMAGES))
    losses = TallStacks(drawn(), BlockRules((1.0,) * 3)).losses(answers, labels)
    assert losses.tolist() == pytest.approx([float(cross_entropy(answers[s], labels[s])) for s in range(SEEDS)])


def test_a_branch_keeps_the_mean_square_of_what_it_gets() -> None:
    weights = initial_weights(0, 200, 64, PIXELS, CLASSES, 1.0, 1.0)
    x = torch.randn(200, 64, 1, generator=torch.Generator().manual_seed(1))
    branch = weights["last"] @ torch.relu(weights["first"] @ x)
    assert float(branch.square().mean() / x.square().mean()) == pytest.approx(1, abs=0.1)

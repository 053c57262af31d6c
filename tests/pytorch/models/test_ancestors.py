"""Stacks of ancestors are the networks that the site's own blocks and torch's own layers make, in answers and in
gradients, one for each seed."""

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from sims.comparisons.ancestors import ANCESTORS
from sims.engines.deep_norm import skip_factor
from sims.pytorch.layers import blocks
from sims.pytorch.models.ancestors import APPENDED, GATE_BIAS, GATES, AncestorStack, batch_norm, initial_weights, losses

SEEDS, BLOCKS, WIDTH, FEATURES, CLASSES, POINTS = 2, 3, 8, 5, 4, 6


def drawn(kind: str) -> dict[str, Tensor]:
    """Weights of all seeds in double precision; no bias or factor is 0, so that each matters."""
    seeds = [initial_weights(kind, seed, BLOCKS, WIDTH, FEATURES, CLASSES) for seed in range(SEEDS)]
    random = torch.Generator().manual_seed(7)
    return {
        name: torch.stack([one[name] for one in seeds]).double() + 0.1 * torch.randn(1, generator=random).double()
        for name in seeds[0]
    }


def linear(matrix: Tensor, bias: Tensor) -> nn.Linear:
    module = nn.Linear(matrix.shape[1], matrix.shape[0]).double()
    module.weight.data, module.bias.data = matrix, bias
    return module


class Network(nn.Module):
    """One network of one seed, block by block."""

    def __init__(self, kind: str, weights: dict[str, Tensor]) -> None:
        super().__init__()
        self.kind, self.own = kind, weights
        self.stem = linear(weights["stem"], weights["stem_bias"])
        self.head = linear(weights["head"], weights["head_bias"])
        self.blocks = nn.ModuleList([self.block(at) for at in range(BLOCKS)] if kind != "lstm" else [])
        if kind == "lstm":
            self.cells = nn.ModuleList([self.cell(at) for at in range(BLOCKS)])

    def layer(self, name: str, at: int) -> nn.Linear:
        return linear(self.own[name][at], self.own[f"{name}_bias"][at])

    def cell(self, at: int) -> nn.LSTMCell:
        """torch's own cell. Its forget gate is held open, as there was none in 1997, and its input is nothing."""
        cell = nn.LSTMCell(1, WIDTH).double()
        for parameter in cell.parameters():
            parameter.data.zero_()
        for place, name in ((0, "input"), (2, "candidate"), (3, "output")):
            rows = slice(place * WIDTH, (place + 1) * WIDTH)
            cell.weight_hh.data[rows] = self.own[name][at]
            cell.bias_hh.data[rows] = self.own[f"{name}_bias"][at]
        cell.bias_hh.data[WIDTH : 2 * WIDTH] = 1e3
        return cell

    def block(self, at: int) -> nn.Module:
        if self.kind in APPENDED:
            layer = linear(self.own[f"append{at}"], self.own[f"append{at}_bias"])
            inside = (
                nn.Sequential(layer, nn.Tanh())
                if self.kind == "cascade"
                else nn.Sequential(blocks.BatchNorm(layer.in_features), nn.ReLU(), layer)
            )
            return blocks.Dense(inside)
        first, last = self.layer("first", at), self.layer("last", at)
        two = nn.Sequential(first, nn.ReLU(), last)
        match self.kind:
            case "plain" | "direct":
                return blocks.Plain(nn.Sequential(two, nn.ReLU()))
            case "highway":
                result = blocks.Highway(nn.Sequential(two, nn.ReLU()), WIDTH)
                result.gate = self.layer("gate", at)
                return result
            case "resnet":
                norms = blocks.BatchNorm(WIDTH), blocks.BatchNorm(WIDTH)
                inside = nn.Sequential(first, norms[0], nn.ReLU(), last, norms[1])
                return nn.Sequential(blocks.Residual(inside), nn.ReLU())
            case "identity":
                norms = blocks.BatchNorm(WIDTH), blocks.BatchNorm(WIDTH)
                return blocks.Residual(nn.Sequential(norms[0], nn.ReLU(), first, norms[1], nn.ReLU(), last))
            case "rezero":
                result = blocks.ReZero(two)
                result.factor.data = self.own["factor"][at]
                return result
            case "pre":
                return blocks.PreNorm(two, WIDTH)
            case _:
                return blocks.DeepNorm(two, WIDTH, skip_factor(BLOCKS))

    def forward(self, x: Tensor) -> Tensor:
        h = torch.relu(self.stem(x))
        if self.kind == "lstm":
            memory, h = h, torch.tanh(h)
            for cell in self.cells:
                h, memory = cell(torch.zeros(len(x), 1).double(), (h, memory))
            return self.head(h)
        for block in self.blocks:
            h = block(h)
        if self.kind == "pre":
            h = blocks.LayerNorm(WIDTH)(h)
        answers = self.head(h)
        return answers + x @ self.own["direct"].T if self.kind == "direct" else answers


@pytest.mark.parametrize("kind", ANCESTORS)
def test_a_stack_is_the_networks_of_its_seeds(kind):
    weights = drawn(kind)
    points = torch.randn(SEEDS, POINTS, FEATURES, generator=torch.Generator().manual_seed(1)).double()
    labels = torch.randint(CLASSES, (SEEDS, POINTS), generator=torch.Generator().manual_seed(2))
    stack = AncestorStack(kind, weights)
    answers = stack(points)
    seed_losses = losses(answers, labels)
    seed_losses.sum().backward()
    for seed in range(SEEDS):
        network = Network(kind, {name: weight[seed].clone() for name, weight in weights.items()})
        plainly = network(points[seed])
        torch.testing.assert_close(answers[seed], plainly)
        loss = cross_entropy(plainly, labels[seed])
        torch.testing.assert_close(seed_losses[seed], loss)
        loss.backward()
        for name, layer in (("stem", network.stem), ("head", network.head)):
            torch.testing.assert_close(stack.weights[name].grad[seed], layer.weight.grad)
            torch.testing.assert_close(stack.weights[f"{name}_bias"].grad[seed], layer.bias.grad)
        if kind == "lstm":
            gradient = network.cells[0].weight_hh.grad[:WIDTH]
            torch.testing.assert_close(stack.weights["input"].grad[seed, 0], gradient)


@pytest.mark.parametrize("kind", ANCESTORS)
def test_every_weight_gets_a_gradient(kind):
    stack = AncestorStack(kind, drawn(kind))
    stack(
        torch.randn(SEEDS, POINTS, FEATURES, generator=torch.Generator().manual_seed(1)).double()
    ).square().sum().backward()
    assert all(weight.grad is not None for weight in stack.weights.values())


def test_seeds_differ_and_kinds_share_what_they_have_in_common():
    plain, pre = (initial_weights(kind, 3, BLOCKS, WIDTH, FEATURES, CLASSES) for kind in ("plain", "pre"))
    assert torch.equal(plain["stem"], pre["stem"])
    assert torch.equal(plain["first"], pre["first"])
    assert not torch.equal(plain["stem"], initial_weights("plain", 4, BLOCKS, WIDTH, FEATURES, CLASSES)["stem"])


def test_what_the_starts_are_known_for():
    assert (initial_weights("highway", 0, BLOCKS, WIDTH, FEATURES, CLASSES)["gate_bias"] == GATE_BIAS).all()
    assert (initial_weights("rezero", 0, BLOCKS, WIDTH, FEATURES, CLASSES)["factor"] == 0).all()
    assert set(GATES) == {"input", "candidate", "output"}
    wide = initial_weights("plain", 0, 1, 400, FEATURES, CLASSES)
    assert wide["first"].var().item() == pytest.approx(2 / 400, rel=0.02)
    with pytest.raises(KeyError):
        initial_weights("nobody", 0, BLOCKS, WIDTH, FEATURES, CLASSES)


def test_the_batch_norm_is_torchs():
    h = torch.randn(1, POINTS, WIDTH, generator=torch.Generator().manual_seed(5)).double()
    torch.testing.assert_close(batch_norm(h)[0], nn.BatchNorm1d(WIDTH, affine=False).double()(h[0]))

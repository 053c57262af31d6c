"""What an X-ray measures is what the instruments of the site measure."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, layer_norm

from sims.comparisons.placements import transformer
from sims.data.datasets import source
from sims.engines import transformers
from sims.engines.recipe import Recipe
from sims.instruments.networks.block_uses import uses
from sims.instruments.stacks.tall_stack import Rules, inputs_and_top, passes, weights
from sims.pytorch.models.transformer_network import TransformerNetwork
from sims.xray import xray
from sims.xray.measures import flat_units, measures, size
from sims.xray.tracer import Tracer

RULES = {
    "plain sum": Rules(),
    "branches times 0.1": Rules(branch=0.1),
    "Pre-LN": Rules(norm_in=True),
    "Peri-LN": Rules(norm_in=True, norm_out=True),
    "Post-LN": Rules(norm_sum=True),
    "skips times 0.9": Rules(skip=0.9),
}
BLOCKS, SEED = 30, 3


class Tower(nn.Module):
    """The stack of `tall_stack` in PyTorch"""

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self.weights, self.rules = nn.Parameter(torch.tensor(weights(SEED, BLOCKS, "full", rules))), rules

    def forward(self, h: Tensor) -> Tensor:
        rules = self.rules
        for one, two in self.weights.unbind(0):
            x = layer_norm(h, h.shape[-1:]) if rules.norm_in else h
            branch = torch.relu(x @ one.T) @ two.T
            branch = layer_norm(branch, h.shape[-1:]) if rules.norm_out else branch
            h = (h if rules.skip == 1 else rules.skip * h) + (branch if rules.branch == 1 else rules.branch * branch)
            h = layer_norm(h, h.shape[-1:]) if rules.norm_sum else h
        return h


@pytest.mark.parametrize("name", RULES)
def test_stream_gradient_and_likeness_are_those_of_the_tall_stack(name: str) -> None:
    rules, (inputs, top) = RULES[name], inputs_and_top(SEED)
    expected = passes(rules, "full", BLOCKS, SEED)
    x = torch.tensor(inputs, requires_grad=True)
    model = Tower(rules)
    with xray(model) as report:
        model(x).backward(torch.tensor(top))
    additions = report.additions
    assert len(additions) == BLOCKS
    entered = [addition.stream / abs(addition.factor) for addition in additions]
    np.testing.assert_allclose(entered[1:], expected.stream[1:-1], rtol=3e-6)
    if not rules.norm_sum:
        # The gradient at the top is that of a sum, and so has a size of 1 / √numbers there.
        np.testing.assert_allclose([a.gradient for a in additions[:-1]], expected.gradient[1:-1], rtol=1e-5)
        np.testing.assert_allclose([a.alike for a in additions], expected.cosine[1:], atol=1e-5)
        np.testing.assert_allclose([a.sum for a in additions], expected.stream[1:], rtol=3e-6)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["pre", "peri", "deep", "post"])
def test_shares_and_lesions_are_those_of_block_uses(name: str) -> None:
    task = source("digits", points=512)
    data = task.load()
    points, labels = data.train_inputs[:256], data.train_labels[:256]
    architecture = transformer(name, 8, width=16, hidden=32, tokens=8, heads=2, initialization="xavier")
    run = transformers.start(architecture, Recipe("adam", 0.003, 32, record_every=100), task, (0,))
    run = transformers.advance(run, 200)
    expected = uses(run, 0, points, labels)
    network = TransformerNetwork(architecture, data.features, data.classes)
    nn.utils.vector_to_parameters(torch.tensor(run.parameters[0]), network.ordered_parameters())
    x, y = torch.tensor(points), torch.tensor(labels)
    with xray(network) as report:
        cross_entropy(network(x), y).backward()
    rises = report.lesions(lambda: (network(x).argmax(1) != y).double().mean())
    np.testing.assert_allclose([addition.ratio for addition in report.additions], expected.shares, rtol=1e-5)
    if name in ("pre", "peri"):  # In the others, the instrument leaves out the norm after the sum and α as well.
        np.testing.assert_allclose(rises, expected.without - expected.whole, atol=1e-12)


def test_two_numbers_by_hand() -> None:
    stream, branch = torch.tensor([[3.0, 0.0], [0.0, 4.0]]), torch.tensor([[0.0, 4.0], [0.0, -1.0]])
    by_name = {name: float(value) for name, value in measures(stream, branch).items()}
    assert by_name["stream"] == pytest.approx((25 / 4) ** 0.5)
    assert by_name["branch"] == pytest.approx((17 / 4) ** 0.5)
    assert by_name["sum"] == pytest.approx((34 / 4) ** 0.5)
    assert by_name["ratio"] == pytest.approx((17 / 25) ** 0.5)
    assert by_name["cosine"] == pytest.approx(-4 / (25 * 17) ** 0.5)
    assert by_name["identity_share"] == pytest.approx(21 / 34)
    assert by_name["angle"] == pytest.approx(np.arccos(0.6) / np.pi / 2)
    assert by_name["largest"] == pytest.approx(4)
    assert by_name["alike"] == pytest.approx(0.8)


def test_sizes_neither_overflow_nor_vanish() -> None:
    huge = torch.full((2, 8), 1e30)
    assert float(measures(huge, huge)["sum"]) == pytest.approx(2e30)
    assert float(size(torch.full((5,), 1e-28))) == pytest.approx(1e-28, rel=1e-4)
    assert float(size(torch.zeros(5))) == 0
    assert float(size(torch.zeros(0))) == 0
    assert np.isnan(float(measures(torch.full((2, 2), torch.nan), torch.ones(2, 2))["sum"]))


def test_units_are_flat_only_over_many_rows() -> None:
    values = torch.randn(300, 4)
    values[:, 0] = -1
    assert float(flat_units("relu", torch.relu(values))) == 0.25
    assert float(flat_units("tanh", torch.tanh(20 * torch.ones(300, 4)))) == 1
    assert flat_units("relu", torch.relu(values[:200])) is None
    assert flat_units("gelu", values) is None


class Convolutions(nn.Module):
    """x + G(ReLU(F(x))) with two convolutions, of which most units can be dead"""

    def __init__(self, dimensions: int, dead: int = 0, width: int = 32) -> None:
        super().__init__()
        convolution = (nn.Conv1d, nn.Conv2d, nn.Conv3d)[dimensions - 1]
        self.one, self.two = (convolution(width, width, 3, padding=1) for _ in range(2))
        self.one.bias.data[:dead] = -100

    def forward(self, x: Tensor) -> Tensor:
        return x + self.two(torch.relu(self.one(x)))


class ChannelsLast(nn.Module):
    """The same with linear layers, for images whose channels come last"""

    def __init__(self, dead: int = 0, width: int = 32) -> None:
        super().__init__()
        self.norm, self.one, self.two = nn.LayerNorm(width), nn.Linear(width, width), nn.Linear(width, width)
        self.one.bias.data[:dead] = -100

    def forward(self, x: Tensor) -> Tensor:
        return x + self.two(torch.relu(self.one(self.norm(x))))


FORMS = {
    "1-D": (lambda dead: Convolutions(1, dead), (8, 32, 64)),
    "2-D": (lambda dead: Convolutions(2, dead), (8, 32, 8, 8)),
    "3-D": (lambda dead: Convolutions(3, dead), (8, 32, 4, 4, 4)),
    "channels last": (ChannelsLast, (4, 8, 8, 32)),
    "tokens": (ChannelsLast, (4, 64, 32)),
}


@pytest.mark.parametrize("form", FORMS)
def test_units_and_rows_lie_on_the_axes_of_the_layers(form: str) -> None:
    torch.manual_seed(0)
    block, shape = FORMS[form]
    model, x = nn.Sequential(block(24), block(0)), torch.randn(shape)
    with xray(model) as report, torch.no_grad():
        out = model(x)
        middle = model[0](x)
    first, last = report.additions
    assert first.flat == 0.75
    assert last.flat == 0

    def table(values: Tensor) -> Tensor:
        return values.flatten(1) if form.endswith("D") else values.reshape(-1, 32)

    turn = torch.cosine_similarity(table(x), table(middle)).acos().mean() / torch.pi
    assert first.angle == pytest.approx(float(turn), rel=1e-5)
    h = nn.functional.normalize(table(out))
    count = len(h)
    assert last.alike == pytest.approx(float((h @ h.T).sum() - count) / (count * (count - 1)), abs=1e-6)


class Stem(nn.Module):
    """Layers before a sum, through which its axis of channels is known, or not"""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind, self.convolution, self.linear = kind, nn.Conv1d(16, 32, 1), nn.Linear(16, 32)
        self.norm, self.whole = nn.BatchNorm1d(32), nn.LayerNorm((32, 6))
        self.last = nn.LayerNorm(32)
        self.branch = nn.Linear(2 * 32 * 6, 2 * 32 * 6)

    def forward(self, x: Tensor) -> Tensor:
        if self.kind == "convolution":
            h = self.whole(torch.relu(self.norm(self.convolution(x)))).clone()
        elif self.kind == "linear":
            h = torch.tanh(self.last(self.linear(x.transpose(1, 2)))).clone()
        else:  # transposed after the layer, so that nothing is known
            h = self.linear(x.transpose(1, 2)).transpose(1, 2)
        return h + self.branch(h.flatten()).view_as(h)


@pytest.mark.parametrize(("kind", "axis"), [("convolution", 1), ("linear", -1), ("transposed", None)])
def test_axes_are_followed_through_norms_and_activations(kind: str, axis: int | None) -> None:
    torch.manual_seed(0)
    tracer = Tracer(Stem(kind))
    with tracer:
        tracer.model(torch.randn(2, 16, 6))
    assert [addition.axis for addition in tracer.sums.values()] == [axis]

"""A lesion is what zeroed weights of a branch do, on the same random numbers, and leaves no trace."""

import copy
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from sims.engines.perceptrons import Architecture
from sims.pytorch.models.networks import network
from sims.xray import Report, xray
from sims.xray.about import XrayError
from tests.xray.small_forms import FORMS, Parts

POINTS = torch.randn(200, 2, generator=torch.Generator().manual_seed(0))
LABELS = (POINTS.prod(1) > 0).long()


@pytest.fixture
def trained() -> nn.Module:
    torch.manual_seed(0)
    architecture = Architecture(
        depth=10, width=16, unit="one-layer", skip="additive", norm="none", activation="relu", initialization="he"
    )
    model = network(architecture, 2, 2)
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(40):
        optimizer.zero_grad()
        cross_entropy(model(POINTS), LABELS).backward()
        optimizer.step()
    return model


def test_a_lesion_is_what_zeroed_weights_do(trained: nn.Module) -> None:
    """As `sims.instruments.networks.removed_blocks` switches an additive block off."""

    def wrong(model: nn.Module) -> float:
        return float((model(POINTS).argmax(1) != LABELS).double().mean())

    with xray(trained) as report:
        cross_entropy(trained(POINTS), LABELS).backward()
    rises = report.lesions(lambda: wrong(trained))
    expected = []
    for block in range(len(report.additions)):
        without = copy.deepcopy(trained)
        for parameter in without[1 + block].branch.parameters():
            parameter.data.zero_()
        expected.append(wrong(without) - wrong(trained))
    assert rises == expected
    assert report.whole == wrong(trained)
    assert [addition.lesion for addition in report.additions] == rises
    assert max(rises) > 0.01


@pytest.mark.parametrize("form", [form for form in FORMS if form.additions], ids=lambda form: form.name)
@pytest.mark.filterwarnings("ignore:None of the inputs have requires_grad")
def test_every_form_can_be_left_out(form) -> None:
    torch.manual_seed(0)
    model, x = Parts(form.function).eval(), torch.randn(3, 4, 8)
    with xray(model) as report, torch.no_grad():
        model(x)
    rises = report.lesions(lambda: model(x).square().mean())
    assert len(rises) == form.additions
    assert all(rise is not None and np.isfinite(rise) and rise != 0 for rise in rises)


def test_buffers_random_numbers_and_gradients_stay() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 8), Block(), Block())
    with xray(model) as report:
        model(POINTS).sum().backward()
    before = copy.deepcopy(model.state_dict())
    gradients = [parameter.grad.clone() for parameter in model.parameters() if parameter.grad is not None]
    state = torch.random.get_rng_state()
    first = report.lesions(lambda: model(POINTS).square().mean())
    assert first == report.lesions(lambda: model(POINTS).square().mean())
    assert torch.equal(state, torch.random.get_rng_state())
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    after = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    assert all(torch.equal(*pair) for pair in zip(gradients, after, strict=True))


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.branch = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.branch(x)


class Assigning(nn.Module):
    """Keeps a running mean by assignment, collects what it got, and has a mask that is one row, expanded"""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.Sequential(nn.Linear(2, 8), *(Plain() for _ in range(3)))
        self.register_buffer("mean", torch.zeros(2))
        self.register_buffer("seen", None)
        self.register_buffer("mask", torch.ones(1, 2).expand(200, 2))
        self.register_buffer("unknown", torch.full((1, 2), torch.nan).expand(3, 2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.mean = 0.5 * self.mean + 0.5 * x.detach().mean(0)
        self.seen = x if self.seen is None else torch.cat([self.seen, x])
        return self.blocks((x - self.mean) * self.mask)


class Plain(nn.Module):
    """A residual block of one linear map"""

    def __init__(self, noise: float = 0) -> None:
        super().__init__()
        self.noise, self.one, self.two = noise, nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.noise and self.training:
            x = x + self.noise * torch.randn_like(x)
        x = x + self.one(x)
        return x + self.two(x)


def zeroed(model: nn.Module, branches: list[nn.Linear], evaluate: Callable[[], float]) -> list[float]:
    """How much the evaluation rises with the weights of one branch at zero, each time from the same buffers."""
    buffers = dict(model.named_buffers())

    def value() -> float:
        for name, buffer in buffers.items():
            setattr(model, name, buffer.clone())
        return evaluate()

    whole, rises = value(), []
    for branch in branches:
        saved = copy.deepcopy(branch.state_dict())
        for parameter in branch.parameters():
            parameter.data.zero_()
        rises.append(value() - whole)
        branch.load_state_dict(saved)
    return rises


def test_buffers_that_are_assigned_or_expanded_are_restored() -> None:
    torch.manual_seed(0)
    model = Assigning()
    with xray(model) as report:
        model(POINTS + 2).sum().backward()
    before = dict(model.named_buffers())
    values = {name: buffer.clone() for name, buffer in before.items()}

    def evaluate() -> float:
        return float(model(POINTS + 2).square().mean())

    rises = report.lesions(evaluate)
    after = dict(model.named_buffers())
    assert after.keys() == before.keys()
    for name, buffer in after.items():
        assert buffer is before[name], name
        assert torch.equal(buffer.nan_to_num(), values[name].nan_to_num()), name
    branches = [map_ for block in model.blocks[1:] for map_ in (block.one, block.two)]
    with torch.no_grad():
        np.testing.assert_allclose(rises, zeroed(model, branches, evaluate), rtol=1e-5)


def test_a_sum_that_only_training_has_blames_no_other_branch() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 8), Plain(0.01), Plain())

    def evaluate() -> float:
        return float(model(POINTS).square().mean())

    with xray(model) as report:
        model(POINTS).sum().backward()
    model.eval()
    rises = report.lesions(evaluate)
    assert [addition.module for addition in report.additions] == ["1", "1", "2", "2"]
    assert rises[:2] == [None, None]
    with torch.no_grad():
        np.testing.assert_allclose(rises[2:], zeroed(model, [model[2].one, model[2].two], evaluate), rtol=1e-5)
    assert "2 of 4 sums have no lesion, because the evaluation adds otherwise" in report.findings()[-1].words
    with xray(model) as report, torch.no_grad():
        model(POINTS)
    assert None not in report.lesions(evaluate)


def test_what_goes_wrong_is_a_sentence() -> None:
    model = nn.Sequential(nn.Linear(2, 8), Block(), Block())
    with xray(model) as report:
        model(POINTS).sum().backward()
        with pytest.raises(XrayError, match="outside of its `with`"):
            report.lesions(lambda: 0.0)
    with pytest.raises(XrayError, match="returns one number"):
        report.lesions(lambda: model(POINTS))
    with pytest.raises(XrayError, match="read from a file"):
        Report.from_json(report.to_json()).lesions(lambda: 0.0)
    with pytest.raises(ZeroDivisionError):
        report.lesions(lambda: 1 / 0)
    assert report.lesions(lambda: model[0](POINTS).sum()) == [None, None]
    assert "did not reach 2 of 2" in report.findings()[-1].words


def test_a_lesion_that_runs_out_of_memory_is_left_out() -> None:
    model, calls = nn.Sequential(nn.Linear(2, 8), Block(), Block()), []

    def evaluate() -> float:
        calls.append(1)
        if len(calls) == 2:
            raise torch.cuda.OutOfMemoryError("out of memory")
        return float(model(POINTS).square().mean())

    with xray(model) as report:
        model(POINTS).sum().backward()
    rises = report.lesions(evaluate)
    assert rises[0] is None
    assert rises[1] is not None
    assert any("1 of 2 lesions ran out of memory" in finding.words for finding in report.findings())

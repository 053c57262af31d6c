"""A lesion is what zeroed weights of a branch do, on the same random numbers, and leaves no trace."""

import copy

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

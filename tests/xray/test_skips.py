"""Residual additions are found in whatever form they are written, and nothing else is."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from sims.xray import Report, xray
from tests.tiers import first
from tests.xray.autograd_witness import residual_sums
from tests.xray.own_networks import Own, own_networks
from tests.xray.small_forms import FORMS, Form, OpaqueBranch, Parts

WAYS = ("gradients", "none", "bfloat16")
WITHOUT_GRADIENT = ("checkpoint, reentrant", "custom Function that adds")
"""Their sums are made where no graph is: in a function without a module, and in a Function's forward."""


def seen(form: Form, way: str) -> Report:
    torch.manual_seed(0)
    model, x = Parts(form.function), torch.randn(3, 4, 8)
    around: dict[str, AbstractContextManager] = {
        "none": torch.no_grad(),
        "bfloat16": torch.autocast("cpu", torch.bfloat16),
    }
    with xray(model) as report, around.get(way, nullcontext()):
        y = model(x.requires_grad_(way == "gradients"))
        if way == "gradients":
            y.float().sum().backward()
    return report


@pytest.mark.filterwarnings("ignore:None of the inputs have requires_grad")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("form", FORMS, ids=[form.name for form in FORMS])
def test_a_form_is_found_or_not(form: Form, way: str) -> None:
    report = seen(form, way)
    assert len(report.additions) == form.additions
    assert {addition.kind for addition in report.additions} <= {form.kind}
    assert not [finding for finding in report.findings() if finding.name == "incomplete"]
    if way == "gradients" and form.name not in WITHOUT_GRADIENT:
        assert all(addition.gradient is not None for addition in report.additions)


def test_there_are_enough_forms_of_both_sorts() -> None:
    assert len(FORMS) >= 54
    assert len({form.name for form in FORMS}) == len(FORMS)
    assert sum(form.additions == 0 for form in FORMS) >= 14


def test_a_kernel_outside_of_torch_is_listed_and_its_module_is_a_branch() -> None:
    model = OpaqueBranch()
    with xray(model) as report:
        model(torch.randn(3, 4, 8))
    assert [addition.kind for addition in report.additions] == ["identity"]
    assert dict(report.opaque) == {"kernel": 1}
    assert [finding.name for finding in report.findings()] == ["opaque"]


OWN = list(own_networks())


def of_output(out: Any) -> Tensor:
    """A number that depends on all tensors of an output."""
    tensors = out.streams if hasattr(out, "streams") else [out] if isinstance(out, Tensor) else out
    first = tensors[0] if not isinstance(tensors[0], list) else tensors[0][0]
    return (out.answers if hasattr(out, "answers") else first).double().square().sum()


@pytest.mark.parametrize("own", first(12, OWN), ids=[own.name for own in OWN])
def test_every_network_of_this_project_has_the_additions_of_its_code(own: Own) -> None:
    torch.manual_seed(0)
    model, x = own.model(), own.input()
    with xray(model) as report:
        of_output(model(x)).backward()
    assert len(report.additions) == own.additions
    assert not report.opaque
    assert "incomplete" not in {finding.name for finding in report.findings()}


def test_all_networks_of_this_project_are_there() -> None:
    assert len(OWN) > 150
    assert len({own.name for own in OWN}) == len(OWN)


UNSEEN = ("checkpoint", "checkpoint, reentrant", "custom Function that adds", "F(x) += x")
"""Autograd's graph has no such sum before the backward pass, or hides it in one node of a view."""

WITNESSED = [form for form in FORMS if form.kind == "identity" and form.name not in UNSEEN]


@pytest.mark.parametrize("form", WITNESSED, ids=[form.name for form in WITNESSED])
def test_autograd_sees_the_same_identity_skips_in_small_forms(form: Form) -> None:
    torch.manual_seed(0)
    model, x = Parts(form.function), torch.randn(3, 4, 8, requires_grad=True)
    assert residual_sums(model(x).sum(), [x]) == form.additions


@pytest.mark.parametrize(
    "name", ["language additive", "perceptron additive, pre-layer, two-layer", "block Llama", "block parallel"]
)
def test_autograd_sees_the_same_identity_skips_in_networks(name: str) -> None:
    own = next(own for own in OWN if own.name == name)
    model, x = own.model(), own.input()
    inputs = [x.requires_grad_()] if x.is_floating_point() else []
    with xray(model) as report:
        out = model(x)
    assert {addition.kind for addition in report.additions} == {"identity"}
    assert residual_sums(out.sum(), inputs) == len(report.additions) == own.additions


class Skipping(nn.Module):
    """s(x) + F(x) twice, after a stem"""

    def __init__(self, skip: Callable[["Skipping", Tensor], Tensor], reentrant: bool = False) -> None:
        super().__init__()
        self.stem, self.one, self.two = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)
        self.register_buffer("k", torch.tensor(0.4))
        self.skip, self.reentrant = skip, reentrant

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        for _ in range(2):
            x = checkpoint(self.block, x, use_reentrant=True) if self.reentrant else self.block(x)
        return x

    def block(self, x: Tensor) -> Tensor:
        return self.skip(self, x) + self.two(torch.relu(self.one(x)))


def _copied_without_gradient(model: Skipping, x: Tensor) -> Tensor:
    with torch.no_grad():
        return 0.5 * x.clone()


CUT: dict[str, Callable[[Skipping, Tensor], Tensor]] = {
    "data": lambda model, x: x.data,
    "no_grad": _copied_without_gradient,
    "detach": lambda model, x: x.detach(),
}


@pytest.mark.parametrize("name", CUT)
def test_a_skip_without_a_gradient_is_detached_however_it_is_written(name: str) -> None:
    model, x = Skipping(CUT[name]), torch.randn(4, 8)
    with xray(model) as report:
        model(x).sum().backward()
    assert ["detach" in addition.on_skip for addition in report.additions] == [True, True]
    assert "detached" in {finding.name for finding in report.findings()}


@pytest.mark.parametrize("around", ["no_grad", "reentrant checkpoint"])
def test_a_pass_without_gradients_has_no_detached_skip(around: str) -> None:
    model = Skipping(lambda model, x: 0.5 * x.clone(), around == "reentrant checkpoint")
    x = torch.randn(4, 8, requires_grad=True)
    with xray(model) as report, torch.set_grad_enabled(around != "no_grad"):
        model(x)
    assert [addition.on_skip for addition in report.additions] == [("factor",), ("factor",)]


SCALED: dict[str, Callable[[Skipping, Tensor], Tensor]] = {
    "first": lambda model, x: model.k * x,
    "second": lambda model, x: x * model.k,
    "divided": lambda model, x: x / (1 / model.k),
}


@pytest.mark.parametrize("name", SCALED)
def test_a_factor_may_be_a_buffer(name: str) -> None:
    model, x = Skipping(SCALED[name]), torch.randn(4, 8)
    with xray(model) as report:
        model(x).sum().backward()
    assert [addition.kind for addition in report.additions] == ["scaled", "scaled"]
    assert [addition.factor for addition in report.additions] == pytest.approx([0.4, 0.4])

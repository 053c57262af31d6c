"""Every small form of a residual addition is found, with gradients, without, and in mixed precision; others are not."""

from contextlib import AbstractContextManager, nullcontext

import pytest
import torch

from sims.xray import Report, xray
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
    with xray(OpaqueBranch()) as report:
        report._source._model(torch.randn(3, 4, 8))  # type: ignore[union-attr]
    assert [addition.kind for addition in report.additions] == ["identity"]
    assert dict(report.opaque) == {"kernel": 1}
    assert [finding.name for finding in report.findings()] == ["opaque"]

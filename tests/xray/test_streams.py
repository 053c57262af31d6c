"""A stream goes on through what keeps it between two blocks, and ends where something else takes its place."""

from collections.abc import Callable
from dataclasses import asdict

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from sims.xray import Report, xray
from sims.xray.additions import MEASURES
from tests.xray.networks import points
from tests.xray.test_tracer import MODELS, loss_of
from tools.xray_networks import WIDTH, Block

BLOCKS = 5
PADDED = torch.tensor([[False, False, True], [False, True, True]])[..., None]

ORDER = torch.tensor([2, 0, 1])


class Between(nn.Module):
    """Blocks with an operation after each. The input has the shape (2, 3, WIDTH)."""

    def __init__(self, operation: Callable[["Between", Tensor], Tensor]) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))
        self.norm, self.map, self.other = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.register_buffer("kept", (~PADDED).float())
        self.operation = operation

    def forward(self, x: Tensor) -> Tensor:
        self.given = x
        for block in self.blocks:
            x = self.operation(self, block(x))
        return self.map(x)


def seen(model: nn.Module) -> Report:
    with xray(model) as report:
        model(torch.randn(2, 3, WIDTH)).square().sum().backward()
    assert len(report.additions) == BLOCKS
    return report


def assigned(model: Between, x: Tensor) -> Tensor:
    x[PADDED.expand_as(x)] = 0
    return x


def slice_assigned(model: Between, x: Tensor) -> Tensor:
    x[:, 2:] = 0.0
    return x


FILLS: dict[str, Callable[[Between, Tensor], Tensor]] = {
    "masked_fill": lambda model, x: x.masked_fill(PADDED, 0.0),
    "masked_fill_": lambda model, x: x.masked_fill_(PADDED, 0.0),
    "masked_fill with a computed mask": lambda model, x: x.masked_fill(model.kept == 0, 0.0),
    "where with a number": lambda model, x: torch.where(PADDED, 0.0, x),
    "where with zeros": lambda model, x: torch.where(PADDED, torch.zeros_like(x), x),
    "method where": lambda model, x: x.where(~PADDED, x.new_zeros(())),
    "assigned": assigned,
    "assigned to a slice": slice_assigned,
    "nan_to_num": lambda model, x: x.nan_to_num(0.0),
}

KEEPING: dict[str, tuple[Callable[[Between, Tensor], Tensor], tuple[str, ...]]] = {
    **{name: (operation, ("fill",)) for name, operation in FILLS.items()},
    "times a buffer": (lambda model, x: x * model.kept, ("gain",)),
    "a mask times a norm": (lambda model, x: (~PADDED).float() * model.norm(x), ("gate", "norm")),
    "a mask times a ReLU": (lambda model, x: (~PADDED).float() * torch.relu(x), ("gate", "activation")),
    "gate": (lambda model, x: torch.sigmoid(model.other(x)) * model.norm(x), ("gate", "norm")),
    "dropout": (lambda model, x: functional.dropout(x, 0.1), ("dropout",)),
    "dtype and back": (lambda model, x: x.double().contiguous().to(torch.float32), ()),
    "axes swapped and back": (lambda model, x: x.permute(2, 0, 1).contiguous().permute(1, 2, 0), ()),
    "the type of another tensor": (lambda model, x: x.type_as(model.given), ()),
    "the shape of another tensor": (lambda model, x: x.flatten(1).view_as(model.given), ()),
    "another order": (lambda model, x: x[:, ORDER], ()),
    "flip": (lambda model, x: x.flip(1), ()),
}
"""Operation → what the report says is on the stream"""


@pytest.mark.parametrize("name", KEEPING)
def test_a_stream_goes_on_through_what_keeps_it(name: str) -> None:
    operation, trunk = KEEPING[name]
    torch.manual_seed(0)
    report = seen(Between(operation))
    assert [len(stream.additions) for stream in report.streams] == [BLOCKS]
    assert [addition.trunk for addition in report.additions[1:]] == [trunk] * (BLOCKS - 1)
    assert {addition.kind for addition in report.additions} == {"identity"}


ENDING: dict[str, Callable[[Between, Tensor], Tensor]] = {
    "something else": lambda model, x: model.other(model.given),
    "something else in places": lambda model, x: torch.where(PADDED, model.other(model.given), x),
    "something else assigned": lambda model, x: x.clone().masked_scatter(PADDED, model.other(model.given)),
    "something else, gated": lambda model, x: torch.sigmoid(model.map(x)) * model.other(model.given),
    "two streams": lambda model, x: torch.where(PADDED, model.given, x),
    "the mean of all tokens": lambda model, x: x.mean(1, keepdim=True).masked_fill(PADDED, 0.0),
}


@pytest.mark.parametrize("name", ENDING)
def test_a_stream_ends_where_something_else_takes_its_place(name: str) -> None:
    torch.manual_seed(0)
    report = seen(Between(ENDING[name]))
    assert [len(stream.additions) for stream in report.streams] == [1] * BLOCKS


def test_a_mask_is_no_dropout() -> None:
    assert not any(addition.drops for addition in seen(Between(FILLS["masked_fill"])).additions)


def test_the_gradient_along_a_masked_stream_is_that_of_autograd() -> None:
    torch.manual_seed(0)
    model = Between(FILLS["masked_fill"])
    sums: list[Tensor] = []
    for block in model.blocks:
        block.register_forward_hook(lambda module, given, out: sums.append(out))
    with xray(model) as report:
        loss = model(torch.randn(2, 3, WIDTH)).square().sum()
        first, last = torch.autograd.grad(loss, [sums[0], sums[-1]], retain_graph=True)
        loss.backward()
    (stream,) = report.streams
    assert stream.gradient_ratio == pytest.approx(float(first.norm() / last.norm()), rel=1e-5)


def counted(model: nn.Module, calls: list[str]) -> None:
    """Backward hooks on every module, or on those with parts if the model adds in place, which torch forbids there."""
    for module in model.modules():
        if type(model).__name__ != "Dropping" or list(module.children()):
            module.register_full_backward_pre_hook(lambda *_: calls.append("before"))
            module.register_full_backward_hook(lambda *_: calls.append("after"))


@pytest.mark.filterwarnings("ignore:Full backward hook is firing")
@pytest.mark.parametrize("name", MODELS)
def test_backward_hooks_of_others_change_nothing(name: str) -> None:
    reports = []
    for hooked in (False, True):
        calls: list[str] = []
        torch.manual_seed(4)
        model, (x, _) = MODELS[name](), points()
        if hooked:
            counted(model, calls)
        with xray(model) as report:
            loss_of(model, x).backward()
        reports.append(report)
        assert bool(calls) == hooked
    plain, watched = ([asdict(addition) for addition in report.additions] for report in reports)
    assert plain
    for one, other in zip(plain, watched, strict=True):
        measured = [measure for measure in MEASURES if one[measure] is not None]
        expected = [one.pop(measure) for measure in measured]
        assert [other.pop(measure) for measure in measured] == pytest.approx(expected, rel=1e-5)
        for values in (one, other):  # a hook adds a view, and no finding asks for views
            values["read_by"] = [kind for kind in values["read_by"] if kind != "view"]
        assert one == other
    assert reports[0].contents.blocks == reports[1].contents.blocks
    assert not reports[1].opaque


def test_a_head_reads_a_masked_stream() -> None:
    """A missing final norm is seen behind a mask as it is without one."""
    model = Between(FILLS["masked_fill"])
    for block in model.blocks:
        block.pre = nn.LayerNorm(WIDTH)
    assert [finding.name for finding in seen(model).findings()] == ["no final norm"]

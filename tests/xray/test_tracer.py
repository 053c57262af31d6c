"""An X-ray changes nothing: not the loss, the gradients or the random numbers, and nothing stays on the model."""

import copy
import io
from collections.abc import Callable
from contextlib import nullcontext
from itertools import pairwise
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim.swa_utils import AveragedModel
from torch.utils.checkpoint import checkpoint

from sims.pytorch.models.cifar_shape import cifar_shape
from sims.xray import Report, xray
from tests.xray.networks import Transformer, points
from tools.xray_networks import Residual


class Dropping(nn.Module):
    """Attention, dropout, and additions in place"""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.head = nn.Linear(20, 16), nn.Linear(16, 10)
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(16, 2, 32, 0.2, batch_first=True) for _ in range(3))

    def forward(self, x: Tensor) -> Tensor:
        h = self.stem(x)[None]
        for layer in self.layers:
            h = layer(h)
            y = layer.linear2(torch.relu(layer.linear1(h)))
            y += h
            h = y
        return self.head(h[0])


class Repeated(nn.Module):
    """One block, called three times, and a head tied to the stem"""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Linear(20, 20)
        self.branch = nn.Sequential(nn.LayerNorm(20), nn.Linear(20, 20), nn.GELU(), nn.Linear(20, 20))
        self.head = nn.Linear(20, 20)
        self.head.weight = self.stem.weight

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        for _ in range(3):
            x = self.block(x)
        return self.head(x)

    def block(self, x: Tensor) -> Tensor:
        return x + self.branch(x)


class Checkpointed(Residual):
    def __init__(self, reentrant: bool | None) -> None:
        super().__init__(6, pre=True, final=True)
        self.reentrant = reentrant

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        for block in self.blocks:
            x = block(x) if self.reentrant is None else checkpoint(block, x, use_reentrant=self.reentrant)
        return self.head(self.final(x))


MODELS: dict[str, Callable[[], nn.Module]] = {
    "residual": lambda: Residual(6, pre=True, final=True),
    "dropout and in place": Dropping,
    "repeated and tied": Repeated,
    "checkpoint": lambda: Checkpointed(False),
    "checkpoint, reentrant": lambda: Checkpointed(True),
    "transformer": lambda: Transformer(2, True),
    "convolutions": lambda: cifar_shape(8, 4, True),
}


def loss_of(model: nn.Module, x: Tensor) -> Tensor:
    if isinstance(model, Transformer):
        return model()
    if isinstance(model, nn.Sequential):
        return model(x.unflatten(1, (1, 4, 5)).expand(-1, 3, -1, -1)).square().mean()
    return cross_entropy(model(x), x[:, :10].argmax(1))


def steps(name: str, watched: bool, count: int = 2) -> tuple[list[Tensor], nn.Module, Report | None]:
    """Losses, gradients and parameters of some steps, then a random number."""
    torch.manual_seed(4)
    model, (x, _) = MODELS[name](), points()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    values: list[Tensor] = []
    with xray(model) if watched else nullcontext() as report:
        for _ in range(count):
            optimizer.zero_grad()
            loss = loss_of(model, x)
            loss.backward()
            values += [loss.detach(), *(p.grad.clone() for p in model.parameters() if p.grad is not None)]
            optimizer.step()
    values += [parameter.detach().clone() for parameter in model.parameters()]
    return [*values, *model.buffers(), torch.rand(3)], model, report


@pytest.mark.parametrize("name", MODELS)
def test_loss_gradients_weights_and_random_numbers_stay_the_same(name: str) -> None:
    plain, _, _ = steps(name, False)
    watched, model, report = steps(name, True)
    assert len(plain) == len(watched)
    assert all(torch.equal(*pair) for pair in zip(plain, watched, strict=True))
    assert report
    assert report.additions
    assert not [finding for finding in report.findings() if finding.name == "incomplete"]
    nothing_stays(model)


def nothing_stays(model: nn.Module) -> None:
    fresh = set(vars(nn.Module()))
    for module in model.modules():
        for name, value in vars(module).items():
            if "hooks" in name and name in fresh:
                assert not value, name
    for parameter in model.parameters():
        assert not parameter._backward_hooks
        assert parameter._post_accumulate_grad_hooks is None


def attributes(model: nn.Module) -> list[set[str]]:
    return [set(vars(module)) for module in model.modules()]


def test_no_attribute_is_added_and_an_error_leaves_nothing() -> None:
    model, (x, _) = Residual(3), points()
    before = attributes(model)
    reports = []

    def fails() -> None:
        with xray(model) as report:
            reports.append(report)
            model(x)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert attributes(model) == before
    nothing_stays(model)
    assert len(reports[0].additions) == 3


def test_an_error_of_the_model_passes_through_as_it_is() -> None:
    model = Residual(3)
    with pytest.raises(RuntimeError, match="mat1 and mat2"), xray(model):
        model(torch.randn(3, 7))
    nothing_stays(model)


def test_hooks_of_others_stay() -> None:
    model, (x, _) = Residual(2), points()
    calls: list[int] = []
    model.stem.register_forward_hook(lambda *_: calls.append(1))
    model.head.weight.register_post_accumulate_grad_hook(lambda _: calls.append(2))
    with xray(model):
        model(x).sum().backward()
    model(x).sum().backward()
    assert calls == [1, 2, 1, 2]


def _saved_and_loaded(model: nn.Module) -> nn.Module:
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


@pytest.mark.parametrize("copied", [copy.deepcopy, AveragedModel, _saved_and_loaded])
def test_a_copy_made_during_an_x_ray_is_free_of_it(copied: Callable[[nn.Module], nn.Module]) -> None:
    model, (x, _) = Residual(3), points()
    with xray(model) as report:
        before = copied(model)
        model(x).sum().backward()
        after = copied(model)
        before(x), after(x)
    assert len(report.additions) == 3
    assert report.contents.passes == 1
    assert not [finding for finding in report.findings() if finding.name == "incomplete"]
    for other in (before, after):
        assert torch.equal(other(x), model(x))
        saved = io.BytesIO()
        torch.save(other, saved)
        assert b"xray.tracer" not in saved.getvalue()
    nothing_stays(model)


def test_checkpoints_have_the_gradients_of_the_stream() -> None:
    gradients = []
    for reentrant in (None, False, True):
        torch.manual_seed(0)
        model, (x, y) = Checkpointed(reentrant), points()
        with xray(model) as report:
            cross_entropy(model(x), y).backward()
        gradients.append([addition.gradient for addition in report.additions])
    assert gradients[0] == gradients[1] == gradients[2]
    assert len(gradients[0]) == 6
    assert None not in gradients[0]


def test_a_checkpoint_is_followed_under_torch_autograd_backward() -> None:
    torch.manual_seed(0)
    model, (x, y) = Checkpointed(False), points()
    with xray(model) as report:
        torch.autograd.backward(cross_entropy(model(x), y))
    assert len(report.additions) == 6
    assert all(addition.gradient is not None for addition in report.additions)


def test_a_block_that_is_called_again_adds_again() -> None:
    model = Repeated()
    with xray(model) as report:
        model(points()[0]).sum().backward()
    assert [(addition.module, addition.call, addition.place) for addition in report.additions] == [
        ("(model)", 0, 0),
        ("(model)", 0, 1),
        ("(model)", 0, 2),
    ]
    assert [addition.made_by for addition in report.additions] == ["branch"] * 3


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", [False, True])
@pytest.mark.filterwarnings("ignore")
def test_compiled_code_runs_as_it_was_written(part: bool) -> None:
    model, (x, _) = Residual(3, pre=True, final=True), points()
    watched: Any = model
    if part:
        model.blocks[1] = torch.compile(model.blocks[1])  # type: ignore[assignment]
    else:
        watched = torch.compile(model)
    with xray(watched) as report:
        watched(x).sum().backward()
    assert len(report.additions) == 3


def test_other_ways_to_run_a_model() -> None:
    model, (x, _) = Residual(3, pre=True, final=True), points()
    with xray(model) as report, torch.inference_mode():
        model(x)
    assert len(report.additions) == 3
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), 3).eval()
    with xray(encoder) as report, torch.no_grad():  # fused without an X-ray
        encoder(torch.randn(2, 5, 16))
    assert len(report.additions) == 6
    with xray(model.blocks[1]) as report:
        model(x).sum().backward()
    assert [addition.module for addition in report.additions] == ["(model)"]
    with xray(model) as report:
        model.blocks[0](torch.randn(5, 64)).sum().backward()
    assert [addition.module for addition in report.additions] == ["blocks.0"]
    half = Residual(3, pre=True).bfloat16()
    with xray(half) as report:
        half(x.bfloat16()).sum().backward()
    assert len(report.additions) == 3
    exported = torch.fx.symbolic_trace(Residual(3))
    with xray(exported) as report:
        exported(x).sum().backward()
    assert len(report.additions) == 3


def test_every_nth_pass_is_measured() -> None:
    torch.manual_seed(0)
    model, (x, _) = Residual(3), points()
    seen = []
    with xray(model, every=3, first=2) as report:
        for scale in range(1, 8):
            model(scale * x).sum().backward()
            seen.append(report.additions[0].stream)
    assert report.contents.passes == 7
    changed = [number for number, (one, two) in enumerate(pairwise(seen), 1) if one != two]
    assert changed == [1, 3, 6]


def test_gradients_of_several_losses_add_up() -> None:
    """As autograd adds them in the weights"""
    torch.manual_seed(0)
    model, (x, _) = Residual(3), points()
    with xray(model) as together:
        model(x).square().sum().backward()
    with xray(model) as apart:
        y = model(x).square()
        y[:, :4].sum().backward(retain_graph=True)
        y[:, 4:].sum().backward()
    expected = [addition.gradient for addition in together.additions]
    assert [addition.gradient for addition in apart.additions] == pytest.approx(expected, rel=1e-5)


def test_a_gradient_penalty_is_not_added_to_the_gradient_of_the_loss() -> None:
    torch.manual_seed(0)
    model, (x, _) = Residual(3), points()
    x.requires_grad_()
    reports = []
    for penalty in (False, True):
        with xray(model) as report:
            loss = model(x).square().sum()
            if penalty:
                torch.autograd.grad(loss, x, retain_graph=True)
            loss.backward()
        reports.append([addition.gradient for addition in report.additions])
    assert reports[0] == reports[1]


def test_no_tensor_of_the_pass_is_kept(collect: Callable[[], int]) -> None:
    import weakref

    model, (x, _) = Residual(3), points()
    kept: list[weakref.ref[Tensor]] = []
    model.blocks[1].register_forward_hook(lambda module, given, out: kept.append(weakref.ref(out)))
    with xray(model) as report:
        model(x)
        collect()
        assert kept[0]() is None
    assert report.additions

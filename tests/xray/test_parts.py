"""Parts of a model that somebody's own code calls one after the other are all followed."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from sims.xray import Report, xray
from tools.xray_networks import WIDTH, Residual


class Pair(nn.Module):
    """An encoder of two blocks and a decoder of three"""

    def __init__(self) -> None:
        super().__init__()
        self.encoder, self.decoder = Residual(2).blocks, Residual(3).blocks
        self.encode, self.decode = nn.Sequential(*self.encoder), nn.Sequential(*self.decoder)

    def forward(self, x: Tensor) -> Tensor:
        return self.decode(self.encode(x))


WAYS: dict[str, Callable[[Pair, Tensor], Tensor]] = {
    "one after the other": lambda model, x: model.decode(model.encode(x)),
    "one of them twice": lambda model, x: model.decode(model.encode(x[:2]) - model.encode(x[2:])),
    "one before the whole": lambda model, x: model(model.encode(x)),
    "a late block before the whole": lambda model, x: model(model.decoder[1](x)),
    "blocks in a loop": lambda model, x: model.decode(model.encoder[1](model.encoder[0](x))),
    "a detour": lambda model, x: model.decode(torch.from_numpy(model.encode(x).detach().numpy())),
}


def run(name: str, steps: int = 2, **values: int) -> tuple[Pair, Tensor, Report]:
    torch.manual_seed(0)
    model, x = Pair(), torch.randn(4, WIDTH)
    with xray(model, **values) as report:
        for _ in range(steps):
            WAYS[name](model, x).square().sum().backward()
    return model, x, report


@pytest.mark.parametrize("name", WAYS)
def test_every_part_is_found_in_the_order_of_the_passes(name: str) -> None:
    _, _, report = run(name)
    assert [addition.name for addition in report.additions] == [
        *(f"encoder.{number}" for number in range(2)),
        *(f"decoder.{number}" for number in range(3)),
    ]
    joined = name not in ("one of them twice", "a detour")
    assert [len(stream.additions) for stream in report.streams] == ([5] if joined else [2, 3])
    assert "incomplete" not in {finding.name for finding in report.findings()}


def test_a_part_that_is_called_later_is_followed_in_a_pass_that_is_measured() -> None:
    torch.manual_seed(0)
    model, x = Pair(), torch.randn(4, WIDTH)
    with xray(model, every=3) as report:
        for step in range(8):
            y = model.encode(x)
            (model.decode(y) if step > 3 else y).sum().backward()
    assert [len(stream.additions) for stream in report.streams] == [2, 3]
    assert all(addition.gradient is not None for addition in report.additions[2:])


@pytest.mark.parametrize("name", ["one of them twice", "one before the whole"])
def test_a_part_has_the_gradients_of_autograd(name: str) -> None:
    model, x, report = run(name)
    sums: list[Tensor] = []
    for block in model.decoder:
        block.register_forward_hook(lambda module, given, out: sums.append(out))
    gradients = torch.autograd.grad(WAYS[name](model, x).square().sum(), sums)
    expected = [float(gradient.square().mean().sqrt()) for gradient in gradients]
    assert [addition.gradient for addition in report.additions[2:]] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("name", ["one of them twice", "one before the whole"])
def test_lesions_leave_out_the_branches_of_every_part(name: str) -> None:
    model, x, report = run(name)
    lesions = report.lesions(lambda: WAYS[name](model, x).square().sum())
    with torch.no_grad():
        whole = float(WAYS[name](model, x).square().sum())
        expected = []
        for block in (*model.encoder, *model.decoder):
            weight, bias = block.two.weight.clone(), block.two.bias.clone()
            block.two.weight.zero_(), block.two.bias.zero_()
            expected.append(float(WAYS[name](model, x).square().sum()) - whole)
            block.two.weight.copy_(weight), block.two.bias.copy_(bias)
    assert lesions == pytest.approx(expected, rel=1e-4)

"""Reference solutions of the problem set, in the order of the problems."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn


class Residual(nn.Module):
    def __init__(self, branch: nn.Module) -> None:
        super().__init__()
        self.branch = branch

    def forward(self, x: Tensor) -> Tensor:
        return x + self.branch(x)


def start_at_zero(branch: nn.Sequential) -> None:
    for parameter in branch[-1].parameters():
        nn.init.zeros_(parameter)


def deepened(network: nn.Sequential, after: int, count: int) -> nn.Sequential:
    width = network[after - 1].out_features
    added: list[nn.Module] = []
    for _ in range(count):
        layer = nn.Linear(width, width)
        nn.init.eye_(layer.weight)
        nn.init.zeros_(layer.bias)
        added += [layer, nn.ReLU()]
    return nn.Sequential(*network[: after + 1], *added, *network[after + 1 :])


def gradient_ratio(blocks: Sequence[nn.Module], x: Tensor) -> float:
    start = x.detach().clone().requires_grad_()
    end = start
    for block in blocks:
        end = block(end)
    first, last = torch.autograd.grad(end.square().sum() / 2, [start, end])
    return float(first.norm() / last.norm())


def path_weights(gains: Sequence[float]) -> list[float]:
    weights = [1.0]
    for gain in gains:
        weights = [around + gain * through for around, through in zip([*weights, 0.0], [0.0, *weights], strict=True)]
    return weights


class PreLN(nn.Module):
    def __init__(self, width: int, branch: nn.Module) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.branch = branch

    def forward(self, x: Tensor) -> Tensor:
        return x + self.branch(self.norm(x))


class PostLN(nn.Module):
    def __init__(self, width: int, branch: nn.Module) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.branch = branch

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(x + self.branch(x))


def gradient_is_right(function: Callable[[Tensor], Tensor], x: Tensor) -> bool:
    point = x.detach().clone().requires_grad_()
    function(point).sum().backward()
    slopes = torch.zeros_like(x)
    for place in range(x.numel()):
        nudge = torch.zeros_like(x)
        nudge[place] = 1e-5
        slopes[place] = (function(x + nudge).sum() - function(x - nudge).sum()) / 2e-5
    return bool(torch.allclose(point.grad, slopes, rtol=1e-5, atol=1e-7))


def network(inputs: int, width: int, outputs: int, blocks: int, skip: bool) -> nn.Module:
    layers: list[nn.Module] = [nn.Linear(inputs, width)]
    for _ in range(blocks):
        branch = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
        for layer in (branch[0], branch[2]):
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)
        if skip:
            start_at_zero(branch)
        layers.append(Residual(branch) if skip else branch)
    return nn.Sequential(*layers, nn.Linear(width, outputs))

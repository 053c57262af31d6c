"""`python -m benchmarks xray`: what a training step costs while the X-ray measures it, over the same step without it.

Processor time on one thread; the two steps take turns. A step is a forward and a backward pass and one of SGD.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"

from collections.abc import Callable

import torch
from torch import nn

from benchmarks._figures import in_turns, note, ratios
from sims.pytorch.published.gpt2 import GPT2Block
from sims.pytorch.published.resnet import BasicBlock, Bottleneck
from sims.xray import xray

ROUNDS = 7


def resnet(block: type[BasicBlock] | type[Bottleneck], counts: tuple[int, ...], channels: int) -> nn.Module:
    """A ResNet for images (He et al. 1512.03385, table 1); `channels` of the first stage's outputs."""
    stem = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    blocks: list[nn.Module] = []
    width = 64
    for stage, count in enumerate(counts):
        outputs = channels * 2**stage
        for index in range(count):
            blocks.append(block(width, outputs, 2 if stage and not index else 1))
            width = outputs
    return nn.Sequential(*stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 100))


def gpt2(blocks: int, width: int) -> nn.Module:
    """Blocks of GPT-2 between an embedding and a head."""
    stack = [GPT2Block(width, width // 64) for _ in range(blocks)]
    return nn.Sequential(nn.Embedding(1000, width), *stack, nn.LayerNorm(width), nn.Linear(width, 1000))


SETTINGS: dict[str, tuple[Callable[[], nn.Module], Callable[[], torch.Tensor]]] = {
    "ResNet-18, 8 images of 64": (lambda: resnet(BasicBlock, (2, 2, 2, 2), 64), lambda: torch.randn(8, 3, 64, 64)),
    "ResNet-18, 8 images of 128": (lambda: resnet(BasicBlock, (2, 2, 2, 2), 64), lambda: torch.randn(8, 3, 128, 128)),
    "ResNet-50, 8 images of 64": (lambda: resnet(Bottleneck, (3, 4, 6, 3), 256), lambda: torch.randn(8, 3, 64, 64)),
    "GPT-2 blocks, 6 of width 384, 4 × 128 tokens": (lambda: gpt2(6, 384), lambda: torch.randint(1000, (4, 128))),
    "GPT-2 blocks, 12 of width 64, 4 × 32 tokens": (lambda: gpt2(12, 64), lambda: torch.randint(1000, (4, 32))),
}
GOAL = 1.2
"""For networks from ResNet-18 on; the last setting is smaller."""


def main() -> None:
    torch.set_num_threads(1)
    for name, (build, inputs) in SETTINGS.items():
        torch.manual_seed(0)
        model, x = build(), inputs()
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)

        def step(model: nn.Module = model, x: torch.Tensor = x, optimizer: torch.optim.SGD = optimizer) -> None:
            optimizer.zero_grad()
            model(x).float().square().mean().backward()
            optimizer.step()

        def measured(model: nn.Module = model, step: Callable[[], None] = step) -> None:
            with xray(model):
                step()

        seconds = in_turns({"step": step, "measured": measured}, ROUNDS)
        note(f"{name}: a step", [1e3 * value for value in seconds["step"]], "ms")
        goal = None if name == list(SETTINGS)[-1] else GOAL
        note(f"{name}: with the X-ray", ratios(seconds["measured"], seconds["step"]), "×", goal)

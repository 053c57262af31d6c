"""A reversible stack trained on the handwritten digits, and how exactly it recovers its input before and after."""

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sims.data.datasets import digits
from sims.instruments.costs.reconstruction import relative_error

if TYPE_CHECKING:
    from torch import Tensor, nn

WIDTH, BLOCKS, BATCH = 64, 16, 64
"""Width of the stream (both halves together), blocks of two branches each, and images in a batch"""

STEPS, LEARNING_RATE, STRENGTH = 300, 0.001, 0.25
"""Steps and learning rate of Adam, and the initial strength of the branches; see
`sims.pytorch.stacks.coupled_stacks.branches`"""

LOOKED_AT = 256
"""Number of training images, the first ones, whose streams are reconstructed"""


@dataclass(frozen=True)
class Reversal:
    """Measurements of a stack with given weights."""

    errors: dict[str, float]
    """Precision, as PyTorch calls it → root mean square of reconstructed minus given stream, over that of the given"""

    strength: float
    """Root mean square of a branch's output over that of its input, mean over all branches"""

    loss: float
    """Mean cross-entropy in nats on the reconstructed images"""


def before_and_after(seed: int, steps: int = STEPS) -> tuple[Reversal, Reversal]:
    """The same stack before the first step and after the last; a linear stem and head are trained with it."""
    import torch
    from torch.nn.functional import cross_entropy

    from sims.pytorch.stacks.coupled_stacks import branches
    from sims.pytorch.stacks.memory_stacks import Reversible

    data = digits()
    images, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        stem, head = torch.nn.Linear(data.features, WIDTH), torch.nn.Linear(WIDTH, data.classes)
    modules = [branch.float() for branch in branches(seed, BLOCKS, WIDTH // 2, STRENGTH)]
    stack = Reversible([*modules], [*modules])
    model = torch.nn.Sequential(stem, stack, head)
    looks = [_look(model, modules, images, labels)]
    optimizer = torch.optim.Adam(model.parameters(), LEARNING_RATE)
    for step in range(steps):
        chosen = np.random.default_rng((seed, 3, step)).choice(len(labels), BATCH, replace=False)
        optimizer.zero_grad()
        cross_entropy(model(images[chosen]), labels[chosen]).backward()
        optimizer.step()
    looks.append(_look(model, modules, images, labels))
    return looks[0], looks[1]


def _look(model: "nn.Sequential", modules: "list[nn.Module]", images: "Tensor", labels: "Tensor") -> Reversal:
    import torch
    from torch.nn.functional import cross_entropy

    from sims.pytorch.stacks.coupled_stacks import Coupled, undone

    with torch.no_grad():
        inputs = model[0](images[:LOOKED_AT])
        errors = {}
        for precision in ("float16", "float32", "float64"):
            kind = getattr(torch, precision)
            rounded = [deepcopy(module).to(kind) for module in modules]
            x = inputs.to(kind)
            errors[precision] = relative_error(undone(rounded, Coupled([*rounded], [*rounded])(x)), x)
        loss = float(cross_entropy(model(images[:LOOKED_AT]), labels[:LOOKED_AT]))
        halves, strengths = list(inputs.chunk(2, dim=1)), []
        for number, module in enumerate(modules):
            at = number % 2
            change = module(halves[1 - at])
            strengths.append(float(change.square().mean().sqrt() / halves[1 - at].square().mean().sqrt()))
            halves[at] = halves[at] + change
    return Reversal(errors, float(np.mean(strengths)), loss)

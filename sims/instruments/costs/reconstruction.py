"""How exactly a reversible stack recovers its input, how large the gradient error is, and how much memory it holds."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sims.instruments.costs.memory_meter import watch

if TYPE_CHECKING:
    from torch import Tensor

WIDTH, POINTS = 64, 64
"""Width of the stream (both halves together), and streams that pass a stack at once"""


@dataclass(frozen=True)
class Reconstruction:
    """One pass forward and back. Values that overflowed are NaN."""

    error: float
    """Root mean square of reconstructed minus given input, over that of the given one"""

    gradient_error: float
    """‖gradient by reconstruction − gradient by autograd‖ / ‖gradient by autograd‖, over all weights"""


def reconstruct(precision: str, blocks: int, strength: float, seed: int) -> Reconstruction:
    """Run a random stack in a precision of PyTorch, "float16" to "float64", used for weights, streams and all steps.

    Both gradients are those of the same loss: the sum of the outputs, each times a random number.
    """
    import torch

    from sims.pytorch.stacks.coupled_stacks import Coupled, branches, undone
    from sims.pytorch.stacks.memory_stacks import Reversible

    inputs, along = _points(precision, seed)
    with torch.no_grad():
        modules = [branch.to(getattr(torch, precision)) for branch in branches(seed, blocks, WIDTH // 2, strength)]
        restored = undone(modules, Coupled([*modules], [*modules])(inputs))
        error = relative_error(restored, inputs)
    slopes = []
    for kind in (Reversible, Coupled):
        model = kind([*modules], [*modules])
        slopes.append(torch.autograd.grad((model(inputs.requires_grad_()) * along).sum(), [*model.parameters()]))
    by_reconstruction, by_autograd = (torch.cat([slope.flatten() for slope in one]) for one in slopes)
    return Reconstruction(error, relative_error(by_reconstruction, by_autograd))


def there_and_back(precision: str, blocks: int, strength: float, seed: int, stream: np.ndarray) -> np.ndarray:
    """The output of the stack of `reconstruct` for one stream (WIDTH,), and the input computed back from it: (2, WIDTH)
    numbers in double precision. What overflowed is NaN."""
    import torch

    from sims.pytorch.stacks.coupled_stacks import Coupled, branches, undone

    kind = getattr(torch, precision)
    with torch.no_grad():
        modules = [branch.to(kind) for branch in branches(seed, blocks, WIDTH // 2, strength)]
        out = Coupled([*modules], [*modules])(torch.tensor(stream, dtype=torch.float64)[None].to(kind))
        both = torch.cat([out, undone(modules, out)]).double().numpy()
    return np.where(np.isfinite(both), both, np.nan)


def held(precision: str, blocks: int) -> tuple[int, int]:
    """The most bytes that such a stack holds at any moment for its backward pass: by ordinary autograd, and
    reversibly."""
    import torch

    from sims.pytorch.stacks.coupled_stacks import Coupled, branches
    from sims.pytorch.stacks.memory_stacks import Reversible

    inputs, _along = _points(precision, 0)
    modules = [branch.to(getattr(torch, precision)) for branch in branches(0, blocks, WIDTH // 2, 0.1)]
    ordinary, reversible = (watch(kind([*modules], [*modules]), modules, inputs).peak for kind in (Coupled, Reversible))
    return ordinary, reversible


def _points(precision: str, seed: int) -> "tuple[Tensor, Tensor]":
    import torch

    random = torch.Generator().manual_seed(seed + 10_000)
    numbers = torch.randn(2, POINTS, WIDTH, generator=random, dtype=torch.float64).to(getattr(torch, precision))
    return numbers[0], numbers[1]


def relative_error(computed: "Tensor", expected: "Tensor") -> float:
    """‖found − wanted‖ / ‖wanted‖ of tensors of one shape, in double precision; NaN where either is not finite."""
    exact, other = expected.double(), computed.double()
    if not (exact.isfinite().all() and other.isfinite().all()):
        return float("nan")
    return float((other - exact).norm() / exact.norm())

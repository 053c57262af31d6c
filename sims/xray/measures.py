"""What is measured of a sum while it happens, of an activation, and of a gradient.

Everything is returned as a tensor of no dimension, so that no device has to be waited for.
"""

import math

import torch
from torch import Tensor

SMALLEST = 1e-30
"""Keeps quotients finite; far below everything that is measured"""

ROUNDED, OVERFLOWS = 1e-12, 1e18
"""Norms between which the squares of single-precision numbers lose nothing that matters and do not overflow"""

ROWS = 256
"""Rows from which on a unit that is the same for all of them counts as flat"""

SATURATED = 0.99


def usual_axis(values: Tensor) -> int:
    """The axis of channels or features where nothing is known of it: 1 of images, else -1."""
    return 1 if values.ndim > 3 else -1


def rows(values: Tensor, axis: int | None = None) -> Tensor:
    """A matrix with one row for each token, whose features are on the last axis, or for each input of a convolution,
    whose channels are on axis 1: (rows, numbers)."""
    if values.ndim < 2:
        return values.reshape(1, -1)
    return values.flatten(1) if (axis or usual_axis(values)) == 1 else values.flatten(0, -2)


def measures(stream: Tensor, branch: Tensor, axis: int | None = None) -> dict[str, Tensor]:
    """Measure a sum of two tensors, of which the second may be broadcast to the shape of the first. `axis` is that of
    their channels (1) or features (-1).

    - stream, branch, sum: root mean squares
    - ratio: branch over stream
    - cosine: between stream and branch, over all numbers
    - identity_share: ⟨x, x + F⟩ / ‖x + F‖²; this and the share of F add to 1
    - angle: arccos(cos) / π between a row before and after the sum, mean over rows
    - largest: the largest size of a number of the sum
    - alike: mean cosine between two different rows of the sum
    """
    a, b = rows(stream.float(), axis), rows(branch.float().expand_as(stream), axis)
    scale = torch.maximum(largest(a), largest(b)).clamp_min(SMALLEST)  # squares of large numbers overflow
    a, b = a / scale, b / scale
    z = a + b
    aa, bb, ab = torch.linalg.vecdot(a, a), torch.linalg.vecdot(b, b), torch.linalg.vecdot(a, b)
    zz, count = (aa + bb + 2 * ab).clamp_min(0), a.numel()
    turn = ((aa + ab) / (aa * zz).clamp_min(SMALLEST).sqrt()).clamp(-1, 1).acos().mean() / torch.pi
    skip, other, both, total = aa.sum(), bb.sum(), ab.sum(), zz.sum()
    alike = (zz.clamp_min(SMALLEST).rsqrt() @ z / len(z)).square().sum()
    return {
        "stream": scale * (skip / count).sqrt(),
        "branch": scale * (other / count).sqrt(),
        "sum": scale * (total / count).sqrt(),
        "ratio": (other / skip).sqrt(),
        "cosine": both / (skip * other).sqrt(),
        "identity_share": (skip + both) / total,
        "angle": turn,
        "largest": scale * largest(z),
        "alike": (alike * len(a) - 1) / max(len(a) - 1, 1),
    }


def largest(values: Tensor) -> Tensor:
    """The largest size of a number."""
    return torch.linalg.vector_norm(values, torch.inf)


def size(values: Tensor) -> Tensor:
    """Root mean square; no square of a number as small as 1e-30 is lost."""
    values = values.detach()
    numbers = (values.coalesce().values() if values.is_sparse else values).float()
    if not numbers.numel():
        return torch.zeros((), device=values.device)
    if numbers.device.type == "cpu":  # where a look at the result waits for nothing, one pass over the numbers will do
        norm = torch.linalg.vector_norm(numbers)
        if ROUNDED < float(norm) < OVERFLOWS:
            return norm / math.sqrt(numbers.numel())
    scale = largest(numbers)
    return scale * (numbers / scale.clamp_min(SMALLEST)).square().mean().sqrt()


def flat_units(name: str, output: Tensor, axis: int | None = None) -> Tensor | None:
    """The share of units, of which each has a place on `axis`, that were zero (ReLU) or saturated (tanh, sigmoid) in
    every row; None for other activations and for fewer than `ROWS` rows."""
    units = (axis or usual_axis(output)) % max(output.ndim, 1)
    count = 0 if output.ndim < 2 else output.numel() // max(output.shape[units], 1)
    if name.rstrip("_") not in ("relu", "relu6", "tanh", "sigmoid") or count < ROWS:
        return None
    y, others = output.detach(), tuple(at for at in range(output.ndim) if at != units)
    if "relu" in name:
        return (y.amax(others) <= 0).float().mean()
    saturation = (y if "tanh" in name else 2 * y - 1).abs()
    return (saturation.amin(others) > SATURATED).float().mean()

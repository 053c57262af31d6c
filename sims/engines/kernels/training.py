"""What the training loops of the perceptrons and the transformers share: the kernels around a pass."""

import numpy as np

from sims.engines.kernels.compiled import enclosed
from sims.engines.kernels.negligible import faint
from sims.engines.kernels.optimizers import clip_and_update
from sims.engines.kernels.overflows import note_overflow
from sims.engines.kernels.sums import norm_of

Array = np.ndarray


@enclosed
def gather_labels(labels: Array, order: Array, out: Array) -> None:
    """out (B,) = the labels of the points in `order`."""
    for j in range(order.size):
        out[j] = labels[order[j]]


@enclosed
def root_mean_square(values: Array) -> float:
    """The root mean square of all numbers of a C-contiguous array of any shape."""
    return norm_of(values) / np.sqrt(values.size)


@enclosed
def needs_measuring(
    last: bool,
    mean: float,
    length: float,
    weight_gradients: Array,
    stream_gradients: Array,
    activations: Array,
) -> bool:
    """Whether the batch of a training step must be passed through once more, only to measure it.

    `mean` is the loss and `length` the norm of the gradient. If they are not finite, the measures tell in which block
    or layer that began; the `last` step has them already. If they are, measures that are `faint` are taken again, with
    all numbers. The measures are one-dimensional: one number for each layer, or for each place of the stream.
    """
    if not (np.isfinite(mean) and np.isfinite(length)):
        return not last
    return last and faint(weight_gradients, stream_gradients, activations)


@enclosed
def finish_step(
    optimizer: int,
    rates: Array,
    clip: float,
    first_step: int,
    step: int,
    mean: float,
    length: float,
    gradient: Array,
    weight_gradients: Array,
    activations: Array,
    parameters: Array,
    first: Array,
    second: Array,
    losses: Array,
    overflow: Array,
) -> None:
    """Update one seed's parameters and moments (P,), and write its loss to `losses` (steps,); if loss or gradient are
    not finite, note that in `overflow` (3,) instead. Without rates, update nothing."""
    if not (np.isfinite(mean) and np.isfinite(length)):
        note_overflow(first_step + step + 1, mean, length, weight_gradients, activations, overflow)
    elif step < rates.size:
        losses[step] = mean
        clip_and_update(
            optimizer, rates[step], clip, first_step + step + 1, length, gradient, parameters, first, second
        )

"""The kernels of a stack of square layers, without stem or head: forward, backward and update for every seed."""

import numpy as np

from sims.engines.kernels.activations import IDENTITY, activate, activate_back
from sims.engines.kernels.compiled import compiled, inlined
from sims.engines.kernels.elementwise import copy
from sims.engines.kernels.matmul import outer, product
from sims.engines.kernels.optimizers import update
from sims.engines.kernels.sums import norm_of

Array = np.ndarray


@inlined
def matrix(parameters: Array, layer: int, width: int) -> Array:
    """The weight matrix (width, width) of a layer, as a view."""
    size = width * width
    return parameters[layer * size : (layer + 1) * size].reshape(width, width)


@inlined
def activation_of(layer: int, layers: int, hidden: int) -> int:
    """Return the activation of a layer. The last one is linear, so that outputs can have any size."""
    return hidden if layer < layers - 1 else IDENTITY


@compiled
def forward(skip: bool, hidden: int, parameters: Array, streams: Array, values: Array, packed: Array) -> None:
    """streams[l + 1] = φ(W streams[l]), plus streams[l] with a skip; streams (layers + 1, w, B), values (layers, w, B).

    `values` keeps the branches for the backward pass; packed is scratch space of `matmul`.
    """
    layers, width = values.shape[0], values.shape[1]
    for layer in range(layers):
        after = streams[layer + 1]
        product(matrix(parameters, layer, width), streams[layer], parameters[:0], after[:0], packed, after)
        activate(activation_of(layer, layers, hidden), after, 0.0, values[layer])
        if skip:
            for i in range(width):
                for j in range(after.shape[1]):
                    after[i, j] = streams[layer, i, j] + values[layer, i, j]
        else:
            copy(values[layer], after)


@compiled
def loss_and_gradient(outputs: Array, targets: Array, change: Array) -> float:
    """Return the mean of (output − target)² over all numbers (w, B); write its gradient to `change`."""
    share, total = outputs.dtype.type(2 / outputs.size), 0.0
    for i in range(outputs.shape[0]):
        for j in range(outputs.shape[1]):
            gap = outputs[i, j] - targets[i, j]
            total += gap * gap
            change[i, j] = share * gap
    return total / outputs.size


@compiled
def backward(
    skip: bool,
    hidden: int,
    parameters: Array,
    streams: Array,
    values: Array,
    change: Array,
    branch_change: Array,
    packed: Array,
    gradient: Array,
) -> None:
    """Fill `gradient` (P,) from the gradient of the outputs in `change` (w, B), which becomes that of the inputs."""
    layers, width = values.shape[0], values.shape[1]
    for layer in range(layers - 1, -1, -1):
        copy(change, branch_change)
        activate_back(activation_of(layer, layers, hidden), values[layer], 0.0, branch_change)
        outer(branch_change, streams[layer], matrix(gradient, layer, width))
        # With a skip, the branch's gradient is added to the stream's; otherwise it replaces it.
        carried = change[: width if skip else 0]
        product(matrix(parameters, layer, width).T, branch_change, parameters[:0], carried, packed, change)


@compiled
def run(
    skip: bool,
    hidden: int,
    optimizer: int,
    rate: float,
    decay: float,
    learns: bool,
    first_step: int,
    targets: Array,
    parameters: Array,
    first: Array,
    second: Array,
    streams: Array,
    values: Array,
    change: Array,
    branch_change: Array,
    packed: Array,
    gradient: Array,
    losses: Array,
    lost: Array,
) -> None:
    """Take the steps first_step + 1, ... of every seed, in place, with all points in every step.

    The inputs are in streams[0]. parameters, first, second are (seeds, P). Before its update, every step writes its
    loss to losses (steps, seeds). If the network `learns`, the optimizer takes a step; then, in any case, the weights
    shrink by the factor 1 − rate·decay (decoupled weight decay, Loshchilov & Hutter 1711.05101). If a seed's loss or
    gradient is not finite, the step is written to lost (seeds,), and the seed keeps its parameters from then on.
    """
    shrink = parameters.dtype.type(1 - rate * decay)
    for seed in range(parameters.shape[0]):
        for step in range(losses.shape[0]):
            if lost[seed]:
                break
            forward(skip, hidden, parameters[seed], streams, values, packed)
            loss = loss_and_gradient(streams[values.shape[0]], targets, change)
            losses[step, seed] = loss
            if learns:
                backward(skip, hidden, parameters[seed], streams, values, change, branch_change, packed, gradient)
            if not np.isfinite(loss) or (learns and not np.isfinite(norm_of(gradient))):
                lost[seed] = first_step + step + 1
                break
            if learns:
                update(optimizer, rate, first_step + step + 1, gradient, parameters[seed], first[seed], second[seed])
            for i in range(parameters.shape[1]):
                parameters[seed, i] *= shrink

"""One linear layer, W x + b: its forward and backward pass, and views of its parameters."""

from typing import Any

import numpy as np

from sims.engines.kernels.compiled import enclosed, inlined
from sims.engines.kernels.matmul import outer, product
from sims.engines.kernels.sums import row_sum
from sims.engines.kernels.views import rows, view

Array = np.ndarray


@inlined
def weight(parameters: Array, table: Array, layer: int) -> Array:
    """The weight matrix (rows, columns) of a layer, as a view; table is (layers, 4): rows, columns, offset of the
    weight, offset of the bias or -1."""
    return view(parameters, table[layer, 2], (table[layer, 0], table[layer, 1]))


@inlined
def bias(parameters: Array, table: Array, layer: int) -> Array:
    """The bias (rows,) of a layer, as a view; empty where it has none."""
    start = table[layer, 3]
    return view(parameters, max(start, 0), (table[layer, 0] if start >= 0 else 0,))


@enclosed
def linear(weights: Array, biases: Array, inputs: Array, packed: Array, out: Array) -> None:
    """out (m, B) = weights (m, k) · inputs (k, B) + biases (m,); packed is scratch space of `product`."""
    # `base` is empty: the sums start from the biases.
    product(weights, inputs, biases, rows(out, 0), packed, out)


@enclosed
def linear_back(inputs: Array, change: Array, weights: Array, biases: Array) -> None:
    """Write the gradients of a layer's weights (m, k) and biases (m,), given that of its W x + b in `change` (m, B)."""
    outer(change, inputs, weights)
    for i in range(biases.size):
        biases[i] = row_sum(change, i)


@enclosed
def inputs_back(weights: Array, change: Array, base: Array, packed: Array, out: Array) -> None:
    """Write the gradient of x to `out` (k, B), given that of W x + b in `change` (m, B). Unless `base` (k, B) is empty,
    it is added; it may be `out` itself."""
    product(weights.T, change, view(change, 0, (0,)), base, packed, out)


@inlined
def layer_back(
    plan: Any,
    parameters: Array,
    layer: int,
    inputs: Array,
    change: Array,
    workspace: Any,
    gradient: Array,
    base: Array,
    out: Array,
) -> None:
    """Write the gradients of a layer's W (outputs, inputs) and b (outputs,) into `gradient` (parameters,), and that of
    x plus `base` to `out`. x is `inputs` (inputs, B), as are `base` and `out`; `change` (outputs, B) is the gradient of
    W x + b. `plan` and `workspace` are those of any engine."""
    linear_back(inputs, change, weight(gradient, plan.table, layer), bias(gradient, plan.table, layer))
    inputs_back(weight(parameters, plan.table, layer), change, base, workspace.packed, out)

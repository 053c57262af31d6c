"""Bytes that a forward pass keeps for the backward pass, counted in the arrays of our own trainers."""

from functools import cache

import numpy as np

from sims.data.datasets import Source
from sims.engines.perceptrons import plan as perceptrons
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.transformers import plan as transformers
from sims.engines.transformers.architecture import Transformer


@cache
def kept_bytes(architecture: Architecture | Transformer, source: Source, batch: int) -> int:
    """Return the bytes (single precision) that a training pass of one network over `batch` points keeps for its
    backward pass.

    Counted are the stream after every block, the outputs of every norm, layer, gate and attention, and the scales of
    the norms; not counted are the parameters, their gradients, and scratch space that the blocks share. A skip
    connection adds nothing: the stream before a block is kept anyway, as the input of its branch. Where a branch
    begins with its activation, what enters each layer is kept, and the stream or the branch's output only if a skip
    or a norm needs it.
    """
    data = source.load()
    dtype = np.dtype(np.float32)
    if isinstance(architecture, Transformer):
        transformer_plan = transformers.make_plan(architecture, data.features, data.classes)
        sublayers = transformers.make_workspace(architecture, transformer_plan, batch, True, dtype)
        arrays = [
            sublayers.stream,
            sublayers.normal,
            sublayers.scale,
            sublayers.joined,
            sublayers.joined_scale,
            sublayers.queries,
            sublayers.shares,
        ]
        arrays += [sublayers.mixed, sublayers.hidden, sublayers.final, sublayers.final_scale, sublayers.pooled]
        return sum(array.nbytes for array in arrays)
    plan = perceptrons.make_plan(architecture, data.features, data.classes)
    layers = perceptrons.make_workspace(plan, batch, True, dtype)
    if architecture.unit == "pre-activation":
        return _kept_where_activations_come_first(architecture, batch) * dtype.itemsize
    arrays = [layers.stream, layers.normal, layers.joined, layers.joined_scale, layers.gate]
    if architecture.norm != "none":
        arrays.append(layers.batch_scale if architecture.norm == "batch" else layers.point_scale)
    if architecture.final_norm:
        arrays += [layers.last, layers.final_scale]
    # A dense block's branch fills only the first rows of its slot; slot 0 belongs to the stem and holds h itself.
    rows = architecture.growth if architecture.skip == "dense" else architecture.width
    branches = layers.value[1:, :rows]
    return sum(array.nbytes for array in arrays) + branches.size * dtype.itemsize


def _kept_where_activations_come_first(a: Architecture, batch: int) -> int:
    """Return how many numbers a pass over `batch` points keeps: what `perceptrons.kernels.backward` reads."""
    growth = a.growth if a.skip == "dense" else 0
    entering = [a.width + growth * block for block in range(a.blocks + 1)]
    # Without a norm, the layers of a dense network read parts of one array; the head has an array of its own.
    read = entering[-2:] if growth and a.norm == "none" else entering
    normed = list(entering) if a.norm in ("batch", "layer") else []
    if a.norm in ("pre-layer", "peri-layer"):
        normed = entering[: a.blocks]
    if a.final_norm and a.norm not in ("batch", "layer"):
        normed.append(entering[-1])
    scales = sum(normed) if a.norm == "batch" else len(normed) * batch
    of_blocks = a.blocks * a.width
    count = sum(read) + sum(normed)
    if a.norm in ("post-layer", "peri-layer", "deep-norm"):
        count += of_blocks
        scales += a.blocks * batch
    if a.skip in ("highway", "linear") and a.norm not in ("post-layer", "deep-norm"):
        count += of_blocks
    # The output of the branch, and the gate or the factors of a dropout
    count += of_blocks * {"rezero": 1, "highway": 2, "dropout": 1}.get(a.skip, 0)
    return count * batch + scales

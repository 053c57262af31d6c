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
    connection adds nothing: the stream before a block is kept anyway, as the input of its branch.
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
    arrays = [layers.stream, layers.normal, layers.joined, layers.joined_scale, layers.gate]
    if architecture.norm != "none":
        arrays.append(layers.batch_scale if architecture.norm == "batch" else layers.point_scale)
    if architecture.final_norm:
        arrays += [layers.last, layers.final_scale]
    # A dense block's branch fills only the first rows of its slot; slot 0 belongs to the stem and holds h itself.
    rows = architecture.growth if architecture.skip == "dense" else architecture.width
    branches = layers.value[1:, :rows]
    return sum(array.nbytes for array in arrays) + branches.size * dtype.itemsize

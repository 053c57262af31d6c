"""How much a forward pass leaves behind for the backward pass: counted in the arrays of our own trainers."""

from functools import cache

import numpy as np

from sims.data.datasets import Source
from sims.engines.perceptrons import plan as perceptrons
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.transformers import plan as transformers
from sims.engines.transformers.architecture import Transformer


@cache
def kept_bytes(architecture: Architecture | Transformer, source: Source, batch: int) -> int:
    """Bytes (single precision) that a training pass of one network over `batch` points keeps for its backward pass.

    Counted are the stream after every block, what every norm, layer, gate and attention hands on, and the scales of
    the norms; not the parameters, their gradients, or scratch space that the blocks share. A skip connection adds
    nothing: the stream in front of a block is kept anyway, as the input of its branch.
    """
    data = source.load()
    kind = np.dtype(np.float32)
    if isinstance(architecture, Transformer):
        how = transformers.plan(architecture, data.features, data.classes)
        work = transformers.workspace(architecture, how, batch, True, kind)
        kept = [work.stream, work.normal, work.scale, work.joined, work.joined_scale, work.queries, work.shares]
        kept += [work.mixed, work.hidden, work.final, work.final_scale, work.pooled]
        return sum(each.nbytes for each in kept)
    plan = perceptrons.plan(architecture, data.features, data.classes)
    layers = perceptrons.workspace(plan, batch, True, kind)
    kept = [layers.stream, layers.normal, layers.joined, layers.joined_scale, layers.gate]
    if architecture.norm != "none":
        kept.append(layers.batch_scale if architecture.norm == "batch" else layers.point_scale)
    if architecture.final_norm:
        kept += [layers.last, layers.final_scale]
    # A dense block's branch fills only the first rows of its slot; slot 0 is the stem's, and h itself.
    rows = architecture.growth if architecture.skip == "dense" else architecture.width
    branches = layers.value[1:, :rows]
    return sum(each.nbytes for each in kept) + branches.size * kind.itemsize

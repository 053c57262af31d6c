"""Trained convolutional networks, evaluated with blocks removed or reordered (Veit et al. 1605.06431).

A block is the two convolutions that a skip spans. Blocks that change the image's size or the channels stay in place.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from sims.data.datasets import digits
from sims.instruments.training.convolution_run import ConvolutionRun, restored

ASKED = 512
"""Training images on which a network is evaluated: the first ones"""


def stages(depth: int) -> list[list[int]]:
    """The movable blocks of each stage, counted from 0 over all blocks of a network of 6n + 2 layers."""
    per_stage = (depth - 2) // 6
    return [list(range(stage * per_stage + (stage > 0), (stage + 1) * per_stage)) for stage in range(3)]


def swaps(depth: int) -> list[tuple[int, int]]:
    """Pairs of neighboring blocks that can change places."""
    return [pair for stage in stages(depth) for pair in pairwise(stage)]


def without(depth: int, blocks: Iterable[int]) -> list[int]:
    """The order of all blocks except some."""
    removed = set(blocks)
    return [block for block in range((depth - 2) // 2) if block not in removed]


def swapped(depth: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """The order after the blocks in these two places have changed places, one pair after the other."""
    order = list(range((depth - 2) // 2))
    for one, other in pairs:
        order[one], order[other] = order[other], order[one]
    return order


def errors(run: ConvolutionRun, orders: Sequence[Sequence[int]]) -> np.ndarray:
    """Share of the first `ASKED` training images misclassified, (orders,), with the blocks in each order in turn.

    BatchNorm uses the running statistics from training; nothing is trained again.
    """
    import torch
    from torch import nn

    data = digits()
    images = torch.tensor(data.train_inputs[:ASKED]).reshape(-1, 1, 8, 8)
    network = restored(run)
    network.eval()
    stem, *blocks, head = network
    error_rates = []
    with torch.no_grad():
        start = stem(images)
        for order in orders:
            answers = head(nn.Sequential(*(blocks[block] for block in order))(start)).argmax(1).numpy()
            error_rates.append(float((answers != data.train_labels[:ASKED]).mean()))
    return np.array(error_rates)

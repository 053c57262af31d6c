"""What each sublayer of a trained transformer is good for: how much it changes, and what is lost without it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sims.engines.state import TrainingState
from sims.engines.transformers.architecture import Transformer

if TYPE_CHECKING:
    from torch import Tensor

    from sims.pytorch.models.transformer_network import TransformerNetwork


@dataclass(frozen=True)
class Uses:
    """The measurements of one network; sublayers are counted from the input."""

    shares: np.ndarray
    """(sublayers,) ‖F‖ / ‖x‖: the branch's output over the stream that it is added to; root mean squares over points,
    tokens and width. For DeepNorm the stream includes its factor α."""
    turns: np.ndarray
    """(sublayers,) 1 − cos between the stream before and after a sublayer, mean over points and tokens (Men et al.
    2403.03853, equation 1)"""
    whole: float
    """Share of points misclassified by the whole network"""
    without: np.ndarray
    """(sublayers,) the same without each sublayer"""
    pruned: np.ndarray
    """(sublayers + 1,) the same without the first 0, 1, 2, … sublayers in the order of rising `turns`"""
    exits: np.ndarray
    """(sublayers + 1,) the same if the head reads the stream after the first 0, 1, 2, … sublayers"""


def uses(run: TrainingState[Transformer], seed: int, points: np.ndarray, labels: np.ndarray) -> Uses:
    """Measure the network with index `seed`, in PyTorch; points (points, features), labels (points,).

    A sublayer that is left out passes the stream on unchanged.
    """
    # Imported here because PyTorch takes seconds to load, and listing the simulations must not wait for it.
    import torch

    from sims.pytorch.models.transformer_network import TransformerNetwork

    data = run.source.load()
    network = TransformerNetwork(run.architecture, data.features, data.classes)
    torch.nn.utils.vector_to_parameters(torch.tensor(run.parameters[seed]), network.ordered_parameters())
    truth = torch.tensor(labels)

    def wrong(stream: "Tensor") -> float:
        return float((network.answer(stream).argmax(dim=1) != truth).double().mean())

    with torch.inference_mode():
        streams = network.streams(torch.tensor(points))
        depth = run.architecture.depth
        shares, turns, without = np.empty((3, depth))
        for at in range(depth):
            before, after = streams[at], streams[at + 1]
            shares[at] = _size(_branch(network, run.architecture, at, before)) / _size(run.architecture.carry * before)
            turns[at] = 1 - float(torch.cosine_similarity(before, after, dim=2).mean())
            without[at] = wrong(_through(network, before, at, [at]))
        order = np.argsort(turns, kind="stable")
        pruned = [wrong(_through(network, streams[0], 0, order[:count].tolist())) for count in range(depth + 1)]
        exits = [wrong(stream) for stream in streams]
    return Uses(shares, turns, exits[-1], without, np.array(pruned), np.array(exits))


def _size(values: "Tensor") -> float:
    return float(values.square().mean().sqrt())


def _branch(network: "TransformerNetwork", architecture: Transformer, at: int, stream: "Tensor") -> "Tensor":
    """What the branch of a sublayer adds to the stream."""
    sublayer = network.sublayers[at]
    if architecture.norm in ("pre-layer", "peri-layer"):
        added: Tensor = sublayer(stream) - stream
    else:
        added = sublayer.get_submodule("branch")(stream)
    return added


def _through(network: "TransformerNetwork", stream: "Tensor", start: int, gone: Iterable[int]) -> "Tensor":
    """The last stream, computed from the stream before sublayer `start`, skipping the sublayers in `gone`."""
    out = set(gone)
    for at in range(start, len(network.sublayers)):
        if at not in out:
            stream = network.sublayers[at](stream)
    return stream

"""Every edge of a small network: the features that flow along it, and the gradient that returns along it alone."""

from dataclasses import dataclass

import numpy as np

from sims.engines.perceptrons import TrainingState
from sims.engines.perceptrons.engine import outputs
from sims.engines.perceptrons.layout import make_layout
from sims.instruments.hand_derived.cross_entropy import cross_entropy
from sims.instruments.stacks.highway import sigmoid


@dataclass(frozen=True)
class Edge:
    """A connection from the output of block `source` (0: the stem) into block `target`, counted from 1.

    `route` is "branch", "skip", "carry" or "gate". `gradient` is the norm over the batch of the gradient along this
    edge alone. The gradient at a place of the stream is the vector sum over its outgoing edges.
    """

    source: int
    target: int
    route: str
    features: int
    gradient: float


@dataclass(frozen=True)
class Circuit:
    """All edges of a network, and the gradient of the stream that they add up to."""

    edges: tuple[Edge, ...]
    stream: np.ndarray
    """(blocks + 1,) norm of ∂L/∂h over the batch, after the stem and after each block"""
    openings: np.ndarray
    """(blocks,) mean opening of every gate; empty without gates"""
    loss: float
    """Mean cross-entropy over the training set, in nats"""


def circuit(run: TrainingState, seed: int = 0) -> Circuit:
    """Run one forward and one backward pass of a network over its whole training set, in double precision.

    The network is that of `run` with index `seed`: one-layer ReLU blocks, the ReLU first or last, without a norm;
    plain, additive, dense or highway (the formulas of `sims.engines.perceptrons.Architecture`). Raises ValueError for
    any other.
    """
    a = run.architecture
    if (a.layers_per_block, a.norm, a.activation) != (1, "none", "relu") or a.skip == "rezero" or a.final_norm:
        raise ValueError("edges are told apart in one-layer ReLU blocks without a norm")
    data = run.source.load()
    layout = make_layout(a, data.features, outputs(run.recipe, data))
    row = run.parameters[seed].astype(float)
    layers = [(layer.weights(row), layer.biases(row)) for layer in layout.layers]
    gates = [(gate.weights(row), gate.biases(row)) for gate in layout.gates]
    relu_first = a.unit == "pre-activation"
    stem = data.train_inputs @ layers[0][0].T + layers[0][1]
    streams = [stem if relu_first else np.maximum(stem, 0)]
    branches, opened = [], []
    for block in range(a.blocks):
        h = streams[-1]
        branch = (np.maximum(h, 0) if relu_first else h) @ layers[block + 1][0].T + layers[block + 1][1]
        branch = branch if relu_first else np.maximum(branch, 0)
        branches.append(branch)
        match a.skip:
            case "none":
                streams.append(branch)
            case "additive":
                streams.append(h + a.factor * branch)
            case "dense":
                streams.append(np.concatenate([h, branch], axis=1))
            case _:
                opening = sigmoid(h @ gates[block][0].T + gates[block][1])
                opened.append(opening)
                streams.append(h + opening * (branch - h))
    read = np.maximum(streams[-1], 0) if relu_first else streams[-1]
    losses, back = cross_entropy(read @ layers[-1][0].T + layers[-1][1], data.train_labels)
    gradient = back / len(losses) @ layers[-1][0]
    if relu_first:
        gradient = gradient * (streams[-1] > 0)
    norms, edges = [np.linalg.norm(gradient)], []
    for block in reversed(range(a.blocks)):
        h, branch, weights = streams[block], branches[block], layers[block + 1][0]
        slopes = (h if relu_first else branch) > 0
        if a.skip == "dense":
            passed, arriving = np.hsplit(gradient, [h.shape[1]])
            sent = _branch_back(arriving, weights, slopes, relu_first)
            edges += [*_by_source(sent, block + 1, a.width, a.growth), _edge(block, block + 1, "skip", passed)]
            gradient = passed + sent
        else:
            opening = opened[block] if a.skip == "highway" else np.array(a.factor if a.skip == "additive" else 1.0)
            routes = {"branch": _branch_back(gradient * opening, weights, slopes, relu_first)}
            if a.skip == "additive":
                routes["skip"] = gradient
            if a.skip == "highway":
                routes["carry"] = gradient * (1 - opening)
                routes["gate"] = (gradient * (branch - h) * opening * (1 - opening)) @ gates[block][0]
            edges += [_edge(block, block + 1, route, slope) for route, slope in routes.items()]
            gradient = np.sum(list(routes.values()), axis=0)
        norms.append(np.linalg.norm(gradient))
    openings = np.array([values.mean() for values in opened])
    return Circuit(tuple(reversed(edges)), np.array(norms[::-1]), openings, float(losses.mean()))


def _branch_back(arriving: np.ndarray, weights: np.ndarray, slopes: np.ndarray, relu_first: bool) -> np.ndarray:
    """Return the gradient before a branch, given that after it and the slopes of its ReLU."""
    return (arriving @ weights) * slopes if relu_first else (arriving * slopes) @ weights


def _edge(source: int, target: int, route: str, sent: np.ndarray) -> Edge:
    return Edge(source, target, route, sent.shape[1], float(np.linalg.norm(sent)))


def _by_source(sent: np.ndarray, target: int, width: int, growth: int) -> list[Edge]:
    """Split the gradient that a dense block sends back into the parts for each block whose output it has read."""
    pieces = np.hsplit(sent, [width + growth * block for block in range(target - 1)])
    return [_edge(source, target, "branch", piece) for source, piece in enumerate(pieces)][::-1]

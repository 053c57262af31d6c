"""What comes back along each edge is what torch's autograd sends along it, and nothing is lost between them."""

from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.utils import vector_to_parameters

from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.networks.edges import Circuit, circuit
from sims.pytorch.models.networks import network, ordered_parameters

SKIPS: tuple[Any, ...] = ("none", "additive", "dense", "highway")
UNITS: tuple[Any, ...] = ("pre-activation", "one-layer")


def trained(skip: Any, unit: Any = "pre-activation") -> TrainingState:
    architecture = Architecture(depth=6, width=7, growth=3, skip=skip, unit=unit, gate_bias=-1.0)
    return advance(start(architecture, Recipe("adam", 0.01, 32), source("spirals"), (0, 1)), 15)


def routes(graph: Circuit, target: int) -> dict[tuple[int, str], float]:
    return {(edge.source, edge.route): edge.gradient for edge in graph.edges if edge.target == target}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("skip", SKIPS)
def test_edges_are_those_of_torch(skip: Any, unit: Any) -> None:
    """The input of every block is handed to each of its routes as a copy of its own, whose gradient is then read."""
    run = trained(skip, unit)
    data = run.source.load()
    model = network(run.architecture, data.features, data.classes).double()
    vector_to_parameters(torch.tensor(run.parameters[1], dtype=torch.float64), ordered_parameters(model))
    relu_first = unit == "pre-activation"
    stem, *blocks = list(model)[: -2 if relu_first else -1]
    head = model[-2:] if relu_first else model[-1]
    stream = stem(torch.tensor(data.train_inputs, dtype=torch.float64))
    streams, copies = [stream], []
    for block in blocks:
        branch, pass_on, gate = (stream.clone() for _ in range(3))
        copies.append({"branch": branch, "pass": pass_on, "gate": gate})
        match skip:
            case "none":
                stream = block.branch(branch)
            case "additive":
                stream = pass_on + block.branch(branch)
            case "dense":
                stream = torch.cat([pass_on, block.branch(branch)], dim=1)
            case _:
                t = torch.sigmoid(block.gate(gate))
                stream = t * block.branch(branch) + (1 - t) * pass_on
        streams.append(stream)
    for tensor in (*streams, *(copy for group in copies for copy in group.values())):
        tensor.retain_grad()
    loss = torch.nn.functional.cross_entropy(head(stream), torch.tensor(data.train_labels))
    loss.backward()
    graph = circuit(run, seed=1)
    assert graph.loss == pytest.approx(loss.item(), rel=1e-10)
    assert graph.stream == pytest.approx([h.grad.norm().item() for h in streams], rel=1e-8)
    for block, copy in enumerate(copies):
        mine = routes(graph, block + 1)
        if skip == "dense":
            pieces = np.hsplit(copy["branch"].grad.numpy(), [7 + 3 * index for index in range(block)])
            assert [mine[s, "branch"] for s in range(block + 1)] == pytest.approx(
                [np.linalg.norm(piece) for piece in pieces], rel=1e-8
            )
            assert mine[block, "skip"] == pytest.approx(copy["pass"].grad.norm().item(), rel=1e-8)
            continue
        assert mine[block, "branch"] == pytest.approx(copy["branch"].grad.norm().item(), rel=1e-8)
        if skip == "additive":
            assert mine[block, "skip"] == pytest.approx(copy["pass"].grad.norm().item(), rel=1e-8)
        if skip == "highway":
            assert mine[block, "carry"] == pytest.approx(copy["pass"].grad.norm().item(), rel=1e-8)
            assert mine[block, "gate"] == pytest.approx(copy["gate"].grad.norm().item(), rel=1e-8)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("skip", SKIPS)
def test_the_stream_gets_what_the_trainer_says(skip: Any, unit: Any) -> None:
    """The engine's own record of a whole-batch run at step 0."""
    architecture = Architecture(depth=6, width=7, growth=3, skip=skip, unit=unit, gate_bias=-1.0)
    run = start(architecture, Recipe("sgd", 0.01, None), source("spirals"), (4,))
    assert circuit(run).stream == pytest.approx(run.now.stream_gradients[0], rel=1e-6)


def test_a_dense_block_has_an_edge_from_every_earlier_one() -> None:
    graph = circuit(trained("dense"))
    read = [edge for edge in graph.edges if edge.route == "branch"]
    assert [(edge.source, edge.target) for edge in read] == [
        (source, target) for target in range(1, 5) for source in range(target)
    ]
    assert [edge.features for edge in read if edge.target == 4] == [7, 3, 3, 3]


def test_other_networks_are_refused() -> None:
    with pytest.raises(ValueError, match="one-layer"):
        circuit(start(Architecture(depth=4, norm="batch"), Recipe(), source("spirals"), (0,)))

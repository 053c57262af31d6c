"""Gates and what gets past them, held against torch."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn.utils import vector_to_parameters

from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, advance, start
from sims.instruments.stacks import highway
from sims.pytorch.layers.blocks import Highway
from sims.pytorch.models.networks import network, ordered_parameters

NET = Architecture(depth=6, width=9, skip="highway", unit="one-layer", gate_bias=-1.5)


@pytest.mark.parametrize("norm", ["none", "pre-layer"])
def test_openings_are_those_of_the_torch_network(norm: str) -> None:
    recipe = Recipe("adam", 0.01, 32)
    run = advance(start(replace(NET, norm=norm), recipe, source("spirals"), (0, 5)), 10)
    data = run.source.load()
    for row, parameters in enumerate(run.parameters):
        model = network(run.architecture, data.features, data.classes).double()
        vector_to_parameters(torch.tensor(parameters, dtype=torch.float64), ordered_parameters(model))
        openings: list[float] = []
        for block in model.modules():
            if isinstance(block, Highway):
                block.gate.register_forward_hook(
                    lambda _m, _i, out, openings=openings: openings.append(torch.sigmoid(out).mean().item())  # type: ignore[misc]
                )
        model(torch.tensor(data.train_inputs, dtype=torch.float64))
        assert highway.openings(run)[row] == pytest.approx(openings, rel=1e-9)


def test_a_network_without_gates_is_refused() -> None:
    with pytest.raises(ValueError, match="gates"):
        highway.openings(start(Architecture(depth=4), Recipe(), source("spirals"), (0,)))


def test_g_20_the_carry_route_alone() -> None:
    assert highway.opening(bias=-2) == pytest.approx(0.1192, abs=5e-5)
    assert highway.carried(bias=-2, blocks=20) == pytest.approx(0.079, abs=5e-4)
    assert highway.carried(bias=0, blocks=20) == pytest.approx(0.5**20)
    assert highway.carried(bias=0, blocks=20) < 1e-4
    assert highway.opening(bias=800.0) == 1
    assert highway.opening(bias=-800.0) == 0


# These numbers are computed in double precision, whose kernels take long to compile.
@pytest.mark.exhaustive
def test_measured_gradients_agree_with_autograd_and_a_low_bias_keeps_them() -> None:
    architecture = Architecture(12, 32, skip="highway", unit="one-layer", gate_bias=-2.0)
    run = start(architecture, Recipe("sgd", 0.1, None), source("spirals"), (0,))
    data = run.source.load()
    model = network(architecture, data.features, data.classes).double()
    vector_to_parameters(torch.tensor(run.parameters[0], dtype=torch.float64), ordered_parameters(model))
    stem, *blocks, head = model
    first = stream = stem(torch.tensor(data.train_inputs, dtype=torch.float64)).detach().requires_grad_()
    for block in blocks:
        stream = block(stream)
    last = stream
    last.retain_grad()
    torch.nn.functional.cross_entropy(head(last), torch.tensor(data.train_labels)).backward()
    assert first.grad is not None
    assert last.grad is not None
    ratio = (first.grad.norm() / last.grad.norm()).item()
    assert highway.gradient_ratio(-2.0, 10, (0,))[0] == pytest.approx(ratio, rel=1e-6)
    assert highway.gradient_ratio(-4.0, 50, (0, 1)).min() > 0.2
    assert highway.gradient_ratio(0.0, 50, (0, 1)).max() < 1e-2


@pytest.mark.exhaustive
def test_the_table_says_how_far_the_seeds_spread() -> None:
    """At 20 layers a bias of 0 is not told apart from −1; −4 is told apart from both."""
    shut, ajar, open_ = (highway.gradient_ratio(bias, 20) for bias in (-4.0, -1.0, 0.0))
    assert len(open_) == 20
    assert open_.max() > ajar.min()
    assert shut.min() > max(ajar.max(), open_.max())
    assert highway.measured(bias=-4.0, blocks=20) == (
        f"{number(np.median(shut), 1)} ({number(shut.min(), 1)} to {number(shut.max(), 1)})"
    )

"""The listing of chapter 0 is the network that the page trains."""

import pytest
import torch
from torch import nn

from sims.engines.perceptrons import predict
from sims.pytorch.models.networks import ordered_parameters
from sims.pytorch.models.plain_or_residual import Network
from sims.simulations.depth.degradation import Degradation


@pytest.mark.parametrize(("name", "skip"), [("plain", False), ("residual", True)])
def test_ch0_the_listing_computes_what_the_page_trains(name: str, skip: bool) -> None:
    state = Degradation(depth=8, width=16, seeds=1).start()[name]
    points = state.source.load().test_inputs[:5]
    outputs = predict(state, points)
    model = Network(points.shape[1], 16, outputs.shape[2], depth=8, skip=skip)
    nn.utils.vector_to_parameters(torch.tensor(state.parameters[0]), ordered_parameters(model))
    with torch.no_grad():
        torch.testing.assert_close(model(torch.tensor(points)), torch.tensor(outputs[0]), rtol=1e-4, atol=1e-4)


def test_ch0_layers_that_copy_change_no_output_of_the_listing() -> None:
    """The special case is exact, since nothing behind a ReLU is negative."""
    torch.manual_seed(0)
    shallow, deep = Network(4, 8, 3, depth=4, skip=False), Network(4, 8, 3, depth=12, skip=False)
    carried = {name: value for name, value in shallow.state_dict().items() if not name.startswith("layers")}
    carried |= shallow.layers.state_dict(prefix="layers.")
    with torch.no_grad():
        for layer in deep.layers:
            layer.weight.copy_(torch.eye(8))
            layer.bias.zero_()
    deep.load_state_dict({**deep.state_dict(), **carried})
    x = torch.randn(5, 4)
    assert torch.equal(deep(x), shallow(x))

"""What concatenation buys, against torch and against the budget."""

import numpy as np
import pytest
import torch
from torch.nn.utils import vector_to_parameters

from sims.data.datasets import source
from sims.numbers.networks import equal_size
from sims.pytorch.layers.blocks import Dense
from sims.pytorch.models.networks import network, ordered_parameters


@pytest.mark.parametrize("skip", ["additive", "rezero", "dense"])
@pytest.mark.parametrize("most", [2000, 16000])
def test_nobody_exceeds_the_budget_and_nobody_wastes_a_fifth_of_it(skip: str, most: int) -> None:
    data, chosen = source("digits").load(), equal_size.network(skip, most)
    size = sum(parameter.numel() for parameter in network(chosen, data.features, data.classes).parameters())
    assert 0.8 * most < size <= most


def test_a_budget_that_nobody_meets_is_refused() -> None:
    with pytest.raises(ValueError, match="parameters"):
        equal_size.network("additive", 10)


def test_a_short_sighted_network_hides_what_is_older() -> None:
    run = equal_size.trained("dense", 2000, (0,))
    a, back = run.architecture, 3
    limited = equal_size.short_sighted(run, back)
    data = source("digits").load()
    model = network(a, data.features, data.classes).double()
    vector_to_parameters(torch.tensor(run.parameters[0], dtype=torch.float64), ordered_parameters(model))
    points = torch.tensor(data.test_inputs, dtype=torch.float64)
    stem, *blocks, activation, head = model
    features = [stem(points)]
    parts = [features[0].shape[1], *[a.growth] * a.blocks]

    def masked(inside: torch.Tensor) -> torch.Tensor:
        visible = inside.clone()
        hidden = len(features) - back
        visible[:, : sum(parts[: max(hidden, 0)])] = 0
        return visible

    for block in blocks:
        assert isinstance(block, Dense)
        stream = torch.cat(features, dim=1)
        *before, linear = block.branch
        for layer in before:
            stream = layer(stream)
        features.append(linear(masked(stream)))
    answers = head(masked(activation(torch.cat(features, dim=1)))).argmax(dim=1).numpy()
    assert float(np.mean(answers != data.test_labels)) == pytest.approx(float(limited.now.test_error[0]), abs=2 / 359)


FRESH = tuple(range(50, 60))
"""Seeds that no page uses"""


@pytest.mark.exhaustive
def test_a_dense_network_uses_what_is_many_blocks_old_and_its_head_most_of_all() -> None:
    whole = equal_size.trained("dense", 16000, FRESH)

    def error(back: int, head: bool) -> float:
        return float(np.median(equal_size.short_sighted(whole, back, head).now.test_error))

    assert error(4, True) > 0.5 > error(8, True) > error(16, True)
    assert error(4, True) > 2 * error(4, False) > 4 * error(17, False)


def test_the_head_can_be_left_alone() -> None:
    whole = equal_size.trained("dense", 2000, (0,))
    limited, layout = equal_size.short_sighted(whole, 2, head=False), equal_size.make_layout(whole.architecture, 64, 10)
    changed = [
        not np.array_equal(layer.weights(limited.parameters), layer.weights(whole.parameters))
        for layer in layout.layers
    ]
    assert changed == [False, False, False, *[True] * (whole.architecture.blocks - 2), False]


@pytest.mark.exhaustive
def test_concatenation_saves_nothing_here_and_a_start_at_zero_helps_with_few_parameters() -> None:
    """What chapter 5 says after its table, over ten seeds that no page uses."""

    def errors(skip: str, most: int) -> np.ndarray:
        return np.array(equal_size.trained(skip, most, FRESH).now.test_error)

    assert np.median(errors("rezero", 2000)) < np.median(errors("additive", 2000)) < np.median(errors("dense", 2000))
    for most in (4000, 8000, 16000):
        everybody = [errors(skip, most) for skip in ("additive", "dense", "rezero")]
        assert max(losses.min() for losses in everybody) < min(losses.max() for losses in everybody)


def test_percent_is_what_it_says() -> None:
    assert equal_size.forgetful_percent(back=4, most=2000) == pytest.approx(
        100 * float(equal_size.forgetful_error(back=4, most=2000))
    )

"""The memory by hand, against torch's autograd, and growth per year."""

import pytest
import torch

from sims.numbers.worked_examples.worked_history import carried, extrapolated, remembered, yearly

GATED = (0.5, -0.25, 0.1)


@pytest.mark.parametrize(("steps", "memory"), [(1, 2.5), (2, 2.25), (3, 2.35)])
def test_the_cell_of_1997_adds_up(steps, memory):
    assert remembered(start=2.0, forget=1.0, gated=GATED[:steps]) == pytest.approx(memory)


@pytest.mark.parametrize(("forget", "share"), [(1.0, 1.0), (0.9, 0.729), (0.5, 0.125)])
def test_what_the_carry_keeps_is_torchs_derivative(forget, share):
    start = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    memory = start
    for value in GATED:
        memory = forget * memory + value
    memory.backward()
    assert carried(forget=forget, steps=3) == pytest.approx(share)
    assert start.grad == pytest.approx(share)
    assert remembered(start=2.0, forget=forget, gated=GATED) == pytest.approx(memory.item())


def test_depth_grew_faster_than_it_went_on():
    assert yearly(first="alexnet", last="resnet") == pytest.approx((152 / 8) ** (1 / 3))
    assert extrapolated(first="alexnet", last="resnet", years=0) == pytest.approx(152)
    assert extrapolated(first="alexnet", last="resnet", years=1) == pytest.approx(152 * (152 / 8) ** (1 / 3))

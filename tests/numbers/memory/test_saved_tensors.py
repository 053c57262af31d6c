"""What PyTorch keeps, against a count by hand."""

import pytest

import sims.numbers.memory.saved_tensors as saved

POINTS = 256
MATRIX = 32 * POINTS * 4 / 1e3
"""Thousands of bytes of one activation of width 32 for all points, in single precision"""


def test_a_plain_network_keeps_the_result_of_every_layer_but_the_last():
    assert saved.kilobytes(entrant="plain", depth=8) == pytest.approx(9 * MATRIX)


def test_a_skip_over_a_single_relu_layer_makes_pytorch_keep_the_branch_too():
    assert saved.kilobytes(entrant="residual_relu", depth=8) == pytest.approx((9 + 8) * MATRIX)


def test_a_skip_over_a_branch_that_begins_with_its_relu_keeps_nothing_more():
    assert saved.kilobytes(entrant="residual", depth=8) == pytest.approx(9 * MATRIX)


def test_a_skip_over_two_layers_makes_it_keep_nothing_more():
    plain, residual = (saved.kilobytes(entrant=entrant, depth=8, two_layers=True) for entrant in ("plain", "residual"))
    assert plain == residual == pytest.approx((5 + 4) * MATRIX)


def test_concatenation_keeps_every_prefix():
    """A ReLU keeps its result, which is the next layer's input; what was concatenated before it can go."""
    widths = [32 + 8 * block for block in range(9)]
    assert saved.kilobytes(entrant="dense", depth=8) == pytest.approx(sum(widths) * POINTS * 4 / 1e3)


def test_a_transformer_keeps_more_than_a_residual_network_of_equal_depth():
    residual, transformer = (saved.kilobytes(entrant=entrant, depth=8) for entrant in ("residual", "transformer_pre"))
    assert transformer > residual

"""The factors of DeepNorm, against the paper's table and the block that readers copy."""

import pytest

from sims.engines.deep_norm import skip_factor, start_factor
from sims.pytorch.layers.transformer_blocks import DeepNormBlock


@pytest.mark.parametrize(("layers", "alpha", "beta"), [(12, 24**0.25, 96**-0.25), (96, 3.722, 0.190)])
def test_f_10_two_sums_to_a_layer(layers: int, alpha: float, beta: float) -> None:
    assert skip_factor(2 * layers) == pytest.approx(alpha, abs=1e-3)
    assert start_factor(2 * layers) == pytest.approx(beta, abs=1e-3)


def test_the_block_to_copy_has_the_same_factors() -> None:
    block = DeepNormBlock(width=256, heads=4, hidden=1024, causal=False, blocks=6)
    assert block.alpha == skip_factor(12)
    fan = 256 + 1024
    assert block.mlp.widen.weight.std().item() == pytest.approx(start_factor(12) * (2 / fan) ** 0.5, rel=0.02)


def test_a_network_without_blocks_has_factors_too() -> None:
    assert skip_factor(0) == skip_factor(1) == 1
    assert start_factor(0) == start_factor(1)

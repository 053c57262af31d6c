"""What PyTorch makes of the famous ratio (C-01)."""

import pytest

from sims.numbers.networks.torch_probe import famous_ratio, gradient_norm
from sims.simulations.norm_placement import probe


def test_c_01_pytorch_and_numpy_agree_on_what_is_no_round_off() -> None:
    for precision in ("float32", "float64"):
        ours = probe.input_gradient(loss="sum", placement="pre", precision=precision)
        assert gradient_norm("pre", precision) == pytest.approx(ours, rel=1e-5)


def test_c_01_in_pytorch_too_the_ratio_moves_by_orders_with_the_precision() -> None:
    assert 1e6 < famous_ratio("float32") < 1e10
    assert famous_ratio("float64") > 1e6 * famous_ratio("float32")

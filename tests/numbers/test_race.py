"""What the races of chapter 8 say, over the five seeds that the page shows."""

from sims.numbers import race


def test_g_15_networks_without_a_norm_survive_at_64_layers_too() -> None:
    """G-15: the residual network with Pre-LN is no lone survivor."""
    survivors = race.finishing(depth=64, group="all").split("; ")
    assert "residual, Pre-LN" in survivors
    assert {"dense", "ReZero"} & set(survivors)

"""What the races of chapter 8 say, over the five seeds that the page shows."""

from sims.numbers import race


def finishing(group: str) -> set[str]:
    """The entrants of whom "all", "some" or "no" seeds finish at 64 layers."""
    return set(race.finishing(depth=64, group=group).split("; "))


def test_g_15_networks_without_a_norm_survive_at_64_layers_too() -> None:
    """G-15: the residual network with Pre-LN is no lone survivor. Dense and ReZero, without any norm, finish with every
    seed as it does; four entrants finish with none, so that finishing is not to be had by chance."""
    assert finishing("all") == {"residual, Pre-LN", "dense", "ReZero"}
    assert finishing("no") == {"residual", "highway", "plain", "transformer, Post-LN"}


def test_g_15_the_rest_finishes_with_some_of_its_seeds() -> None:
    """G-15: the race ends less tidily than in the story: two entrants depend on the seed."""
    assert {name.rpartition(" (")[0] for name in finishing("some")} == {"residual, Post-LN", "transformer, Pre-LN"}

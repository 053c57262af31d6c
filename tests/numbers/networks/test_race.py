"""What the races of chapter 8 say, over the five seeds that the page shows, on both kinds of processors tried.

The two kinds, with registers of 256 and of 512 bits, end at the same bits.
"""

from typing import Any

import pytest

from sims.numbers.networks import race

pytestmark = pytest.mark.exhaustive


def finishing(group: str) -> set[str]:
    """The entrants of whom "all", "some" or "no" seeds finish at 64 layers."""
    return {name.rpartition(" (")[0] or name for name in str(race.finishing(depth=64, group=group)).split("; ")}


def test_g_22_networks_without_a_norm_survive_at_64_layers_too() -> None:
    """G-22: the residual network with Pre-LN is no lone survivor. Dense and ReZero, without any norm, finish with every
    seed as it does; three entrants finish with none, so that finishing is not to be had by chance."""
    assert finishing("all") >= {"residual, Pre-LN", "dense", "ReZero"}
    assert finishing("no") >= {"residual, ReLU last", "plain", "transformer, Post-LN"}


def test_g_22_the_rest_finishes_with_some_of_its_seeds() -> None:
    """G-22: the race ends less tidily than in the story: the outcome of some depends on the seed."""
    assert "transformer, Pre-LN" in finishing("some")
    assert finishing("some") <= {"residual", "transformer, Pre-LN", "highway"}


def test_the_order_at_32_layers_is_that_of_the_prediction() -> None:
    """What `p-winner` of chapter 8 asks: dense, the transformer with Pre-LN, plain."""
    entrants = ("dense", "transformer_pre", "plain")
    counts = [int(race.finishers(entrant=entrant, depth=32)) for entrant in entrants]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 5 > 0 == counts[-1]
    steps = [int(str(race.outcome(entrant=entrant, depth=32)).rpartition(" ")[2]) for entrant in entrants[:2]]
    assert steps == sorted(steps)


def test_a_relu_in_front_of_the_layer_lets_more_seeds_finish() -> None:
    """Twenty seeds that no race uses; the same parameters and initial weights."""
    assert int(race.fresh_finishers(entrant="residual_relu")) <= 3
    assert int(race.fresh_finishers(entrant="residual")) >= 6


RULES: list[dict[str, Any]] = [
    {"depth": 4},
    {"depth": 8},
    {"depth": 32},
    {"depth": 32, "initialization": "he"},
    {"depth": 64},
    {"depth": 32, "task": "digits"},
]
"""The rules in the table of chapter 8"""


def test_no_network_is_first_under_every_rule_and_the_plain_one_fails_under_three() -> None:
    """What chapter 8 says about its table of winners."""
    first = [set(str(race.usual(placed="first", **rules)).split("; ")) for rules in RULES]
    without = [set(str(race.usual(placed="no", **rules)).split("; ")) for rules in RULES]
    assert not set.intersection(*first)
    assert sum("plain" in names for names in first) == 2
    assert sum("plain" in names for names in without) == 3

"""Attention without skips makes tokens alike."""

from sims.numbers.networks.rank_collapse import TOKENS, difference


def test_e_10_pure_attention_makes_all_tokens_alike_and_a_skip_keeps_them_apart() -> None:
    without = [float(difference(layers=layers, skip=False)) for layers in (0, 1, 4)]
    assert abs(without[0] - (1 - 1 / TOKENS)) < 0.02
    assert 1e-4 < without[1] < 0.2
    assert without[2] < 1e-20
    assert float(difference(layers=12, skip=True)) > 0.7

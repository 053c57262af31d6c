"""The mask hides the future, and its absence shows."""

from sims.numbers.causality import leak


def test_g_06_the_future_is_seen_without_the_mask_only() -> None:
    for seed in range(3):
        assert leak(causal=True, seed=seed) == 0
        assert float(leak(causal=False, seed=seed)) > 0.1

"""The batches of several seeds."""

import numpy as np

from sims.instruments.training.seed_batches import fresh_batches, seed_batches

SEEDS, POINTS, BATCH = (3, 4), 200, 64
PER_PASS = POINTS // BATCH


def test_every_pass_shows_every_point_at_most_once_in_an_order_of_the_seeds_own() -> None:
    first = np.concatenate(seed_batches(SEEDS, POINTS, BATCH, 0, PER_PASS), axis=1)
    assert first.shape == (len(SEEDS), PER_PASS * BATCH)
    assert all(len(set(indices.tolist())) == PER_PASS * BATCH for indices in first)
    assert first[0].tolist() != first[1].tolist()


def test_they_are_the_same_however_a_run_is_cut_and_for_each_seed_alone() -> None:
    whole = seed_batches(SEEDS, POINTS, BATCH, 0, 2 * PER_PASS + 1)
    cut = [seed_batches(SEEDS, POINTS, BATCH, step, 1)[0] for step in range(len(whole))]
    assert np.array_equal(whole, cut)
    assert np.array_equal(whole[:, 1:], seed_batches(SEEDS[1:], POINTS, BATCH, 0, len(whole)))


def test_an_order_is_a_permutation_by_seed_and_pass() -> None:
    second = seed_batches(SEEDS, POINTS, BATCH, PER_PASS, PER_PASS)
    for at, seed in enumerate(SEEDS):
        order = np.random.default_rng((seed, 1, 1)).permutation(POINTS)[: PER_PASS * BATCH]
        assert second[:, at].ravel().tolist() == order.tolist()


def test_no_steps_need_no_batches() -> None:
    assert len(seed_batches(SEEDS, POINTS, BATCH, PER_PASS, 0)) == 0
    assert list(fresh_batches(SEEDS, 1, 4, 0, lambda random: random.permutation(POINTS))) == []


def test_fresh_batches_have_a_generator_for_each_seed_stream_and_step() -> None:
    drawn = list(fresh_batches(SEEDS, 2, 4, 3, lambda random: random.permutation(POINTS)))
    expected = [[np.random.default_rng((seed, 2, step)).permutation(POINTS) for seed in SEEDS] for step in (5, 6, 7)]
    assert np.array_equal(drawn, expected)

"""The stream as the trainer has it, told block by block."""

import numpy as np
import pytest

from sims.engines.perceptrons import Architecture, Recipe, advance, predict, start
from sims.instruments.stacks.streams import margin, streams

NETWORK = Architecture(8, 6, unit="two-layer", initialization="default", branch_factor="1/blocks")


def test_the_head_reads_the_last_stream_as_the_trainer_does() -> None:
    run = advance(start(NETWORK, Recipe("adam", 0.01, 16), "moons", (3, 4)), 20)
    points = run.source.load().train_inputs[:9]
    for seed in (0, 1):
        actual = streams(run, points, seed)
        assert actual.shape == (NETWORK.blocks + 1, 9, NETWORK.width)
        weights, bias = margin(run, seed)
        answers = predict(run, points)[seed]
        assert actual[-1] @ weights + bias == pytest.approx(answers[:, 1] - answers[:, 0], abs=1e-4)


def test_a_branch_of_zero_moves_nothing() -> None:
    still = Architecture(8, 6, unit="two-layer", initialization="zero-last")
    run = start(still, Recipe("adam", 0.01, 16), "moons", (0,))
    actual = streams(run, run.source.load().train_inputs)
    assert np.array_equal(actual, np.broadcast_to(actual[0], actual.shape))


def test_another_network_is_refused() -> None:
    run = start(Architecture(8, 6, skip="none", unit="two-layer"), Recipe("adam", 0.01, 16), "moons", (0,))
    with pytest.raises(ValueError, match="additive two-layer"):
        streams(run, np.zeros((1, 2)))

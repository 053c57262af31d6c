"""A contender keeps the time of every chunk, and of none in which a seed has stopped."""

import numpy as np

from sims.comparisons.contender import Contender
from sims.data.datasets import source
from sims.engines import dispatch
from sims.engines.perceptrons import Architecture, Recipe


def contender(rate: float, depth: int = 4) -> Contender:
    architecture = Architecture(depth=depth, skip="additive")
    return Contender(dispatch.start(architecture, Recipe("sgd", rate, None, record_every=5), source("spirals"), (0, 1)))


def test_a_contender_is_its_run_and_a_time_for_every_chunk() -> None:
    first = contender(0.01)
    after = first.onward(2).onward(3)
    assert np.array_equal(after.run.parameters, dispatch.advance(first.run, 5).parameters)
    assert len(after.seconds) == 2
    assert min(after.seconds) > 0
    assert after.onward(0) is after
    assert after.milliseconds == 1000 * min(after.seconds)


def test_a_chunk_in_which_a_seed_has_stopped_has_no_time() -> None:
    after = contender(1.0, depth=32).onward(30)
    assert any(after.run.overflows)
    assert after.seconds == ()
    assert after.milliseconds is None

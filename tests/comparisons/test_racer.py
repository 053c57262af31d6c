"""A racer is its run, cut where a record is due, with a map of the middle seed at each."""

from dataclasses import replace

import numpy as np

from sims.comparisons.racer import SIDE, Racer, entered
from sims.data.datasets import source
from sims.engines import dispatch
from sims.engines.perceptrons import Architecture, Recipe
from sims.instruments.networks.decision_map import decision_map
from sims.instruments.networks.watched_run import reach


def racer(task: str = "spirals") -> Racer:
    recipe = Recipe("adam", 0.01, None if task == "spirals" else 64, record_every=5)
    return entered(dispatch.start(Architecture(depth=6, skip="additive"), recipe, source(task), (0, 1, 2)))


def test_it_is_its_run_with_a_map_for_every_record_however_it_is_cut() -> None:
    first = racer()
    whole, cut = first.onward(12), first.onward(3).onward(4).onward(5)
    assert np.array_equal(whole.run.parameters, dispatch.advance(first.run, 12).parameters)
    assert len(whole.maps) == len(whole.run.records) == 3
    assert whole.maps[0].shape == (SIDE, SIDE)
    assert all(np.array_equal(one, other) for one, other in zip(whole.maps, cut.maps, strict=True))
    assert first.onward(0) is first


def test_its_map_is_that_of_the_seed_in_the_middle() -> None:
    run = racer().onward(20).run
    middle = int(np.argsort(-run.now.train_error, kind="stable")[1])
    one = replace(run, seeds=(middle,), parameters=run.parameters[[middle]])
    assert np.array_equal(racer().onward(20).maps[-1], decision_map(one, reach(run.source), SIDE))


def test_a_map_stays_as_it_was_at_the_finish() -> None:
    first = racer()
    records = (*first.run.records, *(replace(first.run.now, step=step, train_error=np.zeros(3)) for step in (5, 10)))
    across = replace(first, run=replace(first.run, records=records), maps=(first.maps[0], first.maps[0] + 1))
    assert np.array_equal(across.watched().maps[-1], first.maps[0] + 1)


def test_points_that_are_no_plane_have_no_map() -> None:
    assert racer("digits").onward(5).maps == ()

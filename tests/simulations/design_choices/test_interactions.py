"""Every skip with every norm: what a cell says is what that network does alone."""

import numpy as np
import pytest

from sims.data.datasets import source
from sims.engines.perceptrons import Recipe, advance, start
from sims.instruments.networks.watched_run import FITS
from sims.simulations.design_choices.interactions import IMPOSSIBLE, NORMS, SKIPS, Interactions, networks

QUICK = {"depth": 4, "training_steps": 300, "seeds": 2, "learning_rate": 0.03}


@pytest.fixture(scope="module")
def trained() -> Interactions:
    return Interactions(**QUICK)


def test_a_cell_holds_the_run_of_its_network_alone(trained: Interactions) -> None:
    frame = trained.compute()
    for skip, norm in (("none", "post-layer"), ("highway", "batch")):
        recipe = Recipe("adam", 0.03, 64, record_every=10)
        alone = advance(start(trained.architecture(skip, norm), recipe, source("spirals"), (0, 1)), 300)
        cell = list(SKIPS).index(skip), list(NORMS).index(norm)
        expected = [float(np.median(record.train_loss)) for record in alone.records]
        assert frame["loss"][cell].tolist() == expected
        assert frame["fits"][cell] == (alone.now.train_error <= FITS).sum()


def test_the_one_combination_that_does_not_exist_is_refused_by_the_engine_too(trained: Interactions) -> None:
    assert networks() == len(trained.start()) == len(SKIPS) * len(NORMS) - 1
    for skip, norm in IMPOSSIBLE:
        with pytest.raises(ValueError, match="no sum"):
            trained.architecture(skip, norm)


@pytest.mark.exhaustive
def test_a_network_that_runs_away_is_counted_and_explained() -> None:
    wild = Interactions(depth=32, learning_rate=0.1, optimizer="sgd", training_steps=300, seeds=1, initialization="he")
    frame = wild.compute()
    additive = frame["lost"][list(SKIPS).index("additive")]
    assert additive[list(NORMS).index("none")] == 1
    assert any("additive, no norm" in event.quantity for event in frame.diverged)
    assert frame["lost"].sum() == len(frame.diverged)


@pytest.mark.exhaustive
def test_what_a_norm_brings_depends_on_the_skip() -> None:
    """The chapter's readings of the table at 32 layers, on three seeds that the page does not use."""
    counts = Interactions(seed=10).compute()["fits"]
    of = {skip: dict(zip(NORMS, counts[row].tolist(), strict=True)) for row, skip in enumerate(SKIPS)}
    assert max(of["none"][norm] for norm in NORMS if norm != "batch") <= 1
    assert of["additive"] == {"none": 0, "batch": 3, "pre-layer": 3, "post-layer": 0}
    assert set(of["rezero"].values()) == {3}
    assert set(of["dense"].values()) == {3, -1}

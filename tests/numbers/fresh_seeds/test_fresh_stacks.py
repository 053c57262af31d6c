"""Numbers of ten fresh seeds of forms, towers, placements and ancestors: runs of the figures, read at their end."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sims.contract.frame import Frame, Quantity
from sims.numbers.fresh_seeds import fresh_ancestors, fresh_forms, fresh_norms, fresh_towers
from sims.numbers.fresh_seeds.seeds import SEEDS
from sims.simulations.depth.trained_towers import TrainedTowers
from sims.simulations.norm_placement.norms import Norms
from sims.simulations.wiring.ancestors import Ancestors

BY_SEED = np.arange(10.0)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    for kept in (fresh_forms._trained, fresh_towers._trained, fresh_norms._trained, fresh_ancestors._errors):
        kept.cache_clear()


def test_a_tower_is_read_at_its_top_and_its_foot(monkeypatch: pytest.MonkeyPatch) -> None:
    figure = TrainedTowers()
    assert (figure.depth, figure.training_steps) == (fresh_towers.BLOCKS, fresh_towers.STEPS)

    def advance(begun: Any, steps: int, look_every: int) -> SimpleNamespace:
        assert begun.blocks == figure.depth
        assert begun.seeds == SEEDS
        ends = np.stack([BY_SEED, BY_SEED + 100], axis=1)
        start, now = (SimpleNamespace(stream=ends + more, gradient=ends + more) for more in (0, 1000))
        return SimpleNamespace(losses=(BY_SEED - 1, BY_SEED), start=start, now=now)

    monkeypatch.setattr(fresh_towers, "begin", lambda setup: setup)
    monkeypatch.setattr(fresh_towers, "advance", advance)
    assert fresh_towers.reading(recipe="root", what="loss", statistic="highest") == 9
    assert fresh_towers.reading(recipe="root", what="stream", statistic="lowest") == 1100
    assert fresh_towers.reading(recipe="root", what="stream at the start") == 104.5
    assert fresh_towers.reading(recipe="root", what="gradient", statistic="highest") == 1009
    assert fresh_towers.reading(recipe="root", what="gradient at the start", statistic="lowest") == 0
    assert fresh_towers.faint(recipe="root") == 0
    assert fresh_towers.faint(recipe="root", trained=False) == 1


def test_a_placement_is_read_after_its_last_block(monkeypatch: pytest.MonkeyPatch) -> None:
    figure = Norms()
    constants = (fresh_norms.BLOCKS, fresh_norms.VARIANCE, fresh_norms.LEARNING_RATE, fresh_norms.STEPS)
    assert (figure.depth, figure.variance, figure.learning_rate, figure.training_steps) == constants
    ended = SimpleNamespace(now=SimpleNamespace(stream=np.stack([BY_SEED, BY_SEED + 50], axis=1)))
    monkeypatch.setattr(fresh_norms, "begin", lambda setup: setup)
    monkeypatch.setattr(fresh_norms, "advance", lambda _run, _steps, _look_every: ended)
    assert fresh_norms.stream(placing="pre", statistic="highest") == 59


def test_ancestors_that_fit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    figure = Ancestors()
    constants = (fresh_ancestors.BLOCKS, fresh_ancestors.LEARNING_RATE, fresh_ancestors.STEPS)
    assert (figure.depth, figure.learning_rate, figure.training_steps) == constants
    assert figure.task == "spirals"
    monkeypatch.setattr(fresh_ancestors, "begin", lambda *arguments: arguments)
    ended = SimpleNamespace(errors=(BY_SEED + 1, BY_SEED / 100))
    monkeypatch.setattr(fresh_ancestors, "advance", lambda _run, _steps, _look_every: ended)
    assert fresh_ancestors.fits(name="lstm") == int(sum(BY_SEED / 100 <= fresh_ancestors.FITS))
    assert fresh_ancestors.wrong(name="lstm", statistic="highest") == 0.09


def test_forms_are_those_of_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def frame(figure: Any, state: Any) -> Frame:
        calls.append((figure.own, figure.training_steps, state))
        return Frame(
            {
                f"static_moved{ending}": Quantity(np.array([0.0, end]), "", "", ("look",))
                for ending, end in (("", 0.04), ("_low", 0.03), ("_high", 0.05))
            },
            {},
            1,
            1,
            (),
        )

    monkeypatch.setattr(fresh_forms, "begin", lambda setup: setup)
    monkeypatch.setattr(fresh_forms.StreamForms, "advance", lambda _figure, state, _steps: state)
    monkeypatch.setattr(fresh_forms.StreamForms, "frame", frame)
    assert fresh_forms.value(form="static", what="moved", statistic="lowest") == 0.03
    assert fresh_forms.percent_moved(form="static") == 4
    assert [(own, steps) for own, steps, _ in calls] == [(6.0, 200)]
    assert {setup.seeds for setup in calls[0][2].values()} == {SEEDS}


@pytest.mark.exhaustive
def test_trained_mixes_stay_where_they_began() -> None:
    for own, low, high in ((6.0, 0.5, 1.0), (0.0, 0.0, 1e-3)):
        assert low <= float(fresh_forms.value(form="doubly", what="second", statistic="lowest", own=own))
        assert float(fresh_forms.value(form="doubly", what="second", statistic="highest", own=own)) <= high + 1e-9
    assert float(fresh_forms.value(form="free", what="moved", statistic="highest")) < 0.5
    assert float(fresh_forms.value(form="static", what="moved", statistic="highest")) < 0.2

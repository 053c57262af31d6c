"""The probes of trained designs: at which rates, and which numbers of which arrays."""

import json

import numpy as np
import pytest

from sims.instruments.replication import further_designs, trained_designs
from sims.numbers.fresh_seeds import compared_designs, fresh_probes
from sims.numbers.fresh_seeds.seeds import SEEDS
from sims.paths import CONTENT


def test_designs_are_probed_at_the_rates_that_other_seeds_chose():
    numbers = json.loads((CONTENT / "numbers.json").read_text(encoding="utf-8"))["numbers"]
    kept = {call: number["value"] for call, number in numbers.items()}
    designs = (compared_designs.BASELINE, *compared_designs.DESIGNS)
    assert {design: compared_designs.rate(kept, design=design) for design in designs} == fresh_probes.RATES


@pytest.mark.parametrize(("design", "runs"), [("looped", trained_designs), ("prores", further_designs)])
def test_numbers_come_from_the_training_of_ten_seeds(design, runs, monkeypatch):
    calls = []

    def trained(design, seeds, rates):
        calls.append((design, tuple(seeds), tuple(rates)))
        return runs.untrained(design, seeds)

    few = tuple(pieces[:2] for pieces in trained_designs.held_out())
    monkeypatch.setattr(trained_designs, "held_out", lambda: few)
    monkeypatch.setattr(runs, "trained", trained)
    fresh_probes._probed.cache_clear()
    probed = fresh_probes._probed(design)
    fresh_probes._probed.cache_clear()
    assert calls == [(design, SEEDS, (fresh_probes.RATES[design],) * len(SEEDS))]
    assert {len(values) for values in probed} == {len(SEEDS)}
    assert probed.early.shape == (len(SEEDS), trained_designs.BLOCKS + 1)
    assert (probed.later > 0).all()
    if design == "looped":
        assert np.array_equal(probed.swapping, probed.neighbors)
    else:
        assert not np.array_equal(probed.swapping, probed.neighbors)


def test_a_number_is_a_statistic_of_the_seeds(monkeypatch):
    rows = np.arange(10.0)
    probed = fresh_probes.Probed(rows, rows + 10, rows + 20, rows[:, None] + 100 * np.arange(7))
    monkeypatch.setattr(fresh_probes, "_probed", lambda _design: probed)
    assert fresh_probes.value(design="mhc", what="swapping", statistic="lowest") == 10
    assert fresh_probes.value(design="mhc", what="neighbors") == 24.5
    assert fresh_probes.early(design="mhc", after=3, statistic="highest") == 309

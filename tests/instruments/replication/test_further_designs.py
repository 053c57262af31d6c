"""The training of the further designs: that of the others, with branches that are switched on."""

import pytest
import torch

from sims.instruments.replication import further_designs as further
from sims.instruments.replication import trained_designs as runs
from sims.pytorch.models import further_wirings
from sims.pytorch.models.further_wirings import FURTHER_WIRINGS


@pytest.mark.parametrize("design", FURTHER_WIRINGS)
def test_seeds_and_rates_side_by_side_learn_as_if_they_were_alone(design):
    pieces = runs.held_out()[0][:4]
    together = further.trained(design, (5, 6), (0.004, 0.02), steps=3)
    alone = further.trained(design, (6,), (0.02,), steps=3)
    assert runs.losses(together, pieces)[1] == pytest.approx(runs.losses(alone, pieces)[0], rel=1e-4)
    assert runs.losses(alone, pieces) < runs.losses(further.untrained(design, (6,)), pieces)


def test_with_all_branches_on_from_the_start_it_is_the_training_of_pre_ln(monkeypatch):
    monkeypatch.setattr(further_wirings, "PER_BLOCK", 1e-9)
    ours, theirs = (one.trained(design, (0, 1), (0.008, 0.004), steps=3) for one, design in (
        (further, "prores"), (runs, "pre-ln"),
    ))  # fmt: skip
    for name, weight in theirs.weights.items():
        assert torch.equal(ours.weights[name], weight)


def test_all_branches_are_on_after_a_training_in_which_the_last_block_has_moved():
    model, start = further.trained("prores", (0,), (0.01,), steps=4), further.untrained("prores", (0,))
    symbols = torch.zeros(1, 1, 5, dtype=torch.long)
    logits = model(symbols)
    model.wire = start.wire
    torch.testing.assert_close(model(symbols), logits)
    assert not torch.equal(model.weights["down"][:, -1], start.weights["down"][:, -1])


def test_blocks_start_with_the_weights_of_the_other_designs():
    base = runs.untrained("pre-ln", (3,))
    for design in FURTHER_WIRINGS:
        model = further.untrained(design, (3,))
        assert all(torch.equal(weight, model.weights[name]) for name, weight in base.weights.items())


def test_an_unknown_design_is_an_error():
    with pytest.raises(KeyError):
        further.untrained("pre-ln", (0,))

"""The probes of depth, against the models taken apart by hand."""

from itertools import combinations

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from sims.instruments.replication import depth_probes as probes
from sims.instruments.replication import further_designs, trained_designs
from sims.pytorch.models.further_wirings import FURTHER_WIRINGS
from sims.pytorch.models.residual_models import ResidualModels
from sims.pytorch.models.residual_wirings import WIRINGS, normal

PIECES = trained_designs.held_out()[0][:4]

ALL = [*WIRINGS, *FURTHER_WIRINGS, "looped"]


def uneven(design: str) -> ResidualModels:
    """Two untrained models none of whose weights is 0 or equals another, so that every exchange shows."""
    runs = further_designs if design in FURTHER_WIRINGS else trained_designs
    model = runs.untrained(design, (0, 1))
    random = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for weight in model.weights.values():
            weight += 0.1 * torch.randn(weight.shape, generator=random)
    return model


def stream(model: ResidualModels, order: tuple[int, ...]) -> torch.Tensor:
    """(context, width) the last stream of the first model for the first piece, with Pre-LN, and the blocks in this
    order."""
    w = model.weights
    x = normal(w["symbols"][0][torch.tensor(PIECES[0, :-1])] + w["places"][0])
    branches = model.branches()
    for block in order:
        for branch in branches[2 * block : 2 * block + 2]:
            x = x + branch(normal(x)[None, None].expand(2, 1, -1, -1))[0, 0]
    return x


def test_blocks_that_trade_places_run_in_another_order():
    model = uneven("pre-ln")
    other = probes.swapped(model, 1, 4)
    symbols = torch.tensor(PIECES[:1, :-1]).expand(2, -1, -1)
    with torch.no_grad():
        torch.testing.assert_close(other.streams(symbols)[-1][0, 0], stream(model, (0, 4, 2, 3, 1, 5)))
        torch.testing.assert_close(model.streams(symbols)[-1][0, 0], stream(model, (0, 1, 2, 3, 4, 5)))


@pytest.mark.parametrize("design", ALL)
def test_an_exchange_moves_the_rows_of_two_blocks_and_a_second_one_undoes_it(design):
    model = uneven(design)
    blocks = model.weights["attend"].shape[1]
    one, other = (2, 4) if blocks > 4 else (0, 1)
    moved = probes.swapped(model, one, other)
    for name, weight in model.weights.items():
        rows = weight.shape[1]
        changed = (moved.weights[name] != weight).flatten(2).any(dim=2)
        assert torch.equal(changed[0], changed[1])
        found = changed[0].nonzero().flatten().tolist()
        if name in {"symbols", "places"}:
            assert not found
        elif rows == blocks:
            assert found == [one, other]
        elif name == "shares":
            assert found == [1, 3]
        elif name == "query":
            assert found == [5, 6, 9, 10]
        else:
            assert found == [2 * one, 2 * one + 1, 2 * other, 2 * other + 1]
    again = probes.swapped(moved, one, other)
    assert all(torch.equal(again.weights[name], weight) for name, weight in model.weights.items())


def test_what_one_block_lacks_stays_with_the_other():
    model = uneven("value-residual")
    moved = probes.swapped(model, 0, 3)
    assert torch.equal(moved.weights["shares"], model.weights["shares"])
    assert torch.equal(moved.weights["up"][:, 0], model.weights["up"][:, 3])


def test_an_exchange_with_keels_first_block_leaves_the_norm_after_attention_in_place():
    model = uneven("keel")
    moved = probes.swapped(model, 0, 3).weights["gain"]
    gains = model.weights["gain"]
    assert torch.equal(moved[:, [0, 6]], gains[:, [0, 6]])
    assert torch.equal(moved[:, [1, 7]], gains[:, [7, 1]])


def test_costs_are_those_of_every_pair():
    model = uneven("pre-ln")
    costs = probes.costs_of_swapping(model, PIECES)
    pairs = probes.pairs_of(model)
    assert pairs == list(combinations(range(6), 2))
    assert costs.shape == (2, len(pairs))
    with torch.no_grad():
        logits = model.head(stream(model, (0, 1, 5, 3, 4, 2)))[0, 0]
        rise = cross_entropy(logits, torch.tensor(PIECES[0, 1:])) - cross_entropy(
            model.head(stream(model, tuple(range(6))))[0, 0], torch.tensor(PIECES[0, 1:])
        )
    first = probes.costs_of_swapping(model, PIECES[:1])
    assert first[0, pairs.index((2, 5))] == pytest.approx(float(rise), abs=1e-5)
    assert probes.costs_of_swapping(uneven("looped"), PIECES).shape == (2, 1)


def test_effects_on_later_blocks_are_relative_changes_of_what_they_add():
    model = uneven("pre-ln")
    effects = probes.effects_on_later_blocks(model, PIECES)
    assert effects.shape == (2, 6, 6)
    assert np.isnan(effects[:, np.tril_indices(6)[0], np.tril_indices(6)[1]]).all()
    symbols = torch.tensor(PIECES[:, :-1]).expand(2, -1, -1)
    with torch.no_grad():
        silent = probes.swapped(model, 0, 0)
        silent.weights["out"][:, 1] = 0
        silent.weights["down"][:, 1] = 0
        added = [states[8] - states[6] for states in (model.streams(symbols), silent.streams(symbols))]
    lengths = (added[1] - added[0]).norm(dim=-1).mean(dim=(1, 2)) / added[0].norm(dim=-1).mean(dim=(1, 2))
    assert effects[:, 1, 3] == pytest.approx(lengths.numpy(), rel=1e-4)


@pytest.mark.parametrize("design", ALL)
def test_the_lens_ends_at_the_loss_and_begins_before_the_first_block(design):
    model = uneven(design)
    early = probes.early_losses(model, PIECES)
    assert early.shape == (2, model.blocks + 1)
    assert early[:, -1] == pytest.approx(trained_designs.losses(model, PIECES), rel=1e-6)
    w = model.weights
    with torch.no_grad():
        first = normal(w["symbols"][0][torch.tensor(PIECES[:, :-1])] + w["places"][0])
        logits = normal(first) @ w["symbols"][0].T
        before = cross_entropy(logits.flatten(0, 1), torch.tensor(PIECES[:, 1:]).flatten())
    if design not in {"siamesenorm"}:
        assert early[0, 0] == pytest.approx(float(before), rel=1e-5)

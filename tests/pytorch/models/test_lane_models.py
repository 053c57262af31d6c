"""Models in lanes that can be looked into against those of the comparison, and against a mix that is written out."""

import pytest
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from sims.pytorch.models.lane_models import LaneModels, flipped, started
from sims.pytorch.models.residual_models import ResidualModels, initial_weights
from sims.pytorch.models.residual_wirings import LANES, pre_ln

SHAPE = (2, 2, 8, 11, 5, 12)
"""Blocks, blocks with weights, width, symbols, context, hidden units"""


def weights(form: str) -> dict[str, Tensor]:
    """Those of two seeds, moved away from where they start."""
    random = torch.Generator().manual_seed(2)
    starts = [initial_weights(form, seed, *SHAPE) for seed in (0, 1)]
    return {
        name: torch.stack([one[name] + 0.2 * torch.randn(one[name].shape, generator=random) for one in starts])
        for name in starts[0]
    }


def symbols() -> Tensor:
    return torch.randint(0, 11, (2, 3, 5), generator=torch.Generator().manual_seed(1))


def models(form: str, rounds: int = 20, apart: bool = False) -> LaneModels:
    return LaneModels(form, rounds, apart, 2, 2, weights(form))


@pytest.mark.parametrize(("form", "rounds", "design"), [
    ("hyper-connections", 20, "hyper-connections"), ("mhc", 20, "mhc"), ("mhc", 0, "mhc-without-sinkhorn"),
])  # fmt: skip
def test_they_are_the_models_of_the_comparison(form: str, rounds: int, design: str) -> None:
    torch.testing.assert_close(models(form, rounds)(symbols()), ResidualModels(design, 2, 2, weights(form))(symbols()))


@pytest.mark.parametrize("form", ["hyper-connections", "mhc"])
def test_lanes_are_looked_at_without_changing_the_models(form: str) -> None:
    model = models(form)
    before = model(symbols())
    passed = model.passed(symbols())
    assert len(passed) == 5
    torch.testing.assert_close(model(symbols()), before)
    torch.testing.assert_close(model.head(passed[-1].lanes.mean(dim=-2)), before)
    torch.testing.assert_close(passed[0].mix, torch.eye(LANES).expand(2, 3, 5, -1, -1))


def test_a_branch_adds_the_same_vector_to_what_was_mixed() -> None:
    before, after = models("hyper-connections").passed(symbols())[:2]
    changes = (after.lanes - after.mix @ before.lanes).flatten(0, 2)
    assert torch.linalg.matrix_rank(changes, rtol=1e-4).max() == 1


def test_more_rounds_make_mixes_more_even() -> None:
    off = []
    for rounds in (0, 1, 3, 20):
        mixes = torch.stack([place.mix for place in models("mhc", rounds).passed(symbols())[1:]]).detach()
        off.append(max(float((mixes.sum(dim=at) - 1).abs().max()) for at in (-1, -2)))
    assert off == sorted(off, reverse=True)
    assert off[0] > 0.1
    assert off[-1] < 0.01


def test_lanes_start_as_copies_or_apart_with_the_same_mean() -> None:
    x = torch.randn(1_000, 400, generator=torch.Generator().manual_seed(4))
    copies, apart = started(x, apart=False), started(x, apart=True)
    torch.testing.assert_close(copies[:, 2], x)
    torch.testing.assert_close(apart.mean(dim=1), x)
    assert sorted(set((apart / x[:, None]).round(decimals=2).flatten().tolist())) == pytest.approx([-0.73, 2.73])
    cosines = torch.stack([cosine_similarity(apart[:, a], apart[:, b]).mean() for a in range(4) for b in range(a)])
    assert float(cosines.mean()) == pytest.approx(0, abs=0.02)


def test_half_of_the_signs_are_flipped_once() -> None:
    x = torch.randn(2, 3, 5, 8, generator=torch.Generator().manual_seed(5))
    first = next(flipped(pre_ln)(x, [], {}))
    assert sorted((first / x)[0, 0, 0].tolist()) == [-1] * 4 + [1] * 4
    torch.testing.assert_close(first.abs(), x.abs())
    torch.testing.assert_close(first / x, (first / x)[:1, :1, :1].expand_as(x))

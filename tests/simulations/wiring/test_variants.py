"""Seven ways on one budget: orderings that held over seeds that no page uses, and the budgets that are equal."""

import numpy as np
import pytest
import torch
from torch import nn

from sims.contract.frame import Frame
from sims.data.datasets import source
from sims.engines.perceptrons import Recipe, advance, start
from sims.engines.perceptrons.stochastic_depth import Thinned
from sims.instruments.networks.watched_run import FITS
from sims.pytorch.layers.blocks import ReZero
from sims.simulations.wiring.variants import LAST_STAYS, VARIANTS, Variants, growth, network, parameters, size, width


@pytest.fixture(scope="module")
def trained() -> Frame:
    return Variants(seeds=2).compute()


@pytest.mark.exhaustive
def test_the_dense_network_and_rezero_fit_and_size_is_not_the_limit(trained: Frame) -> None:
    assert trained.results["dense_fits"] == trained.results["rezero_fits"] == 2
    assert trained.results["residual_loss"] > trained.results["rezero_loss"]


@pytest.mark.exhaustive
def test_a_relu_at_the_end_of_the_branches_costs_everything() -> None:
    """What `p-variants` of chapter 5 asks: ten seeds that no page uses, two networks that differ in one ReLU's place.

    Ratios of the median losses at the seeds 0 to 2, 100 to 104, 200 to 204 and 300 to 304: 326, 355, 200, 115.
    """
    recipe = Recipe("adam", 0.003, 64, record_every=600)
    last, first, plain = (
        advance(
            start(network(name, 32, "none", "he", "width", "spirals"), recipe, source("spirals"), range(400, 410)), 600
        )
        for name in ("residual_relu", "residual", "plain")
    )
    assert np.median(last.now.train_loss) > 100 * np.median(first.now.train_loss)
    assert (last.now.train_error > FITS).all()
    assert (first.now.train_error <= FITS).sum() <= (plain.now.train_error <= FITS).sum()


def test_both_orders_of_the_relu_start_with_the_same_numbers() -> None:
    runs = [
        start(network(name, 8, "none", "he", "width", "spirals"), Recipe(), source("spirals"), (7,))
        for name in ("residual", "residual_relu")
    ]
    assert np.array_equal(runs[0].parameters, runs[1].parameters)
    assert growth(variant="residual_relu") > 100 * growth(variant="residual")


@pytest.mark.parametrize("variant", VARIANTS)
def test_equal_parameters_are_as_equal_as_whole_widths_allow(variant: str) -> None:
    plain = size(variant="plain", budget="parameters")
    mine = size(variant=variant, budget="parameters")
    other = network(variant, 16, "none", "he", "width", "spirals")
    assert abs(mine - plain) <= abs(parameters(other, "spirals") - plain)
    assert mine == pytest.approx(plain, rel=0.07)
    assert size(variant="plain", budget="width") == plain


def test_gating_costs_most_and_concatenating_overtakes_adding_with_depth() -> None:
    """What `p-bill` of chapter 5 asks."""
    assert size(variant="highway") > size(variant="residual") > size(variant="dense")
    assert size(variant="highway", depth=32) > size(variant="dense", depth=32) > size(variant="residual", depth=32)


def test_a_highway_layer_pays_for_its_gate_with_its_width() -> None:
    assert width(variant="highway") < 32
    assert width(variant="plain") == 32


@pytest.mark.exhaustive
def test_gates_and_factors_are_those_of_the_trained_networks(trained: Frame) -> None:
    start = Variants(seeds=2)
    before = start.frame(start.start())
    assert np.all(before["factors"] == 0)
    assert np.all(trained["factors"] != 0)
    assert abs(before["gates"].mean() - 1 / (1 + np.exp(2))) < 0.05
    assert trained["gates"].shape == (2, 16)


def test_learned_factors_have_either_sign_and_are_the_first_to_move(trained: Frame) -> None:
    """Before the first step every α has a gradient, and no weight of a branch has."""
    assert (trained["factors"] < 0).any(axis=1).all()
    assert (trained["factors"] > 0).any(axis=1).all()
    model = nn.Sequential(*(ReZero(nn.Sequential(nn.Linear(8, 8), nn.ReLU())) for _ in range(3)))
    model(torch.randn(5, 8, generator=torch.Generator().manual_seed(0))).square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None
        assert bool(parameter.grad.any()) == name.endswith("factor")


def test_the_multiplications_are_those_of_the_matrices(trained: Frame) -> None:
    """Two features in, three or two classes out, 16 blocks of width 32; a gate is another matrix."""
    counts = dict(zip(VARIANTS, trained["multiplications"].tolist(), strict=True))
    data = source("spirals").load()
    ends = 32 * (data.features + data.classes)
    assert counts["plain"] == counts["residual"] == counts["rezero"] == counts["thinned"] == ends + 16 * 32 * 32
    assert counts["highway"] == ends + 2 * 16 * 32 * 32
    reads = [32 + 8 * block for block in range(17)]
    assert counts["dense"] == 32 * data.features + 8 * sum(reads[:-1]) + reads[-1] * data.classes


def test_stochastic_depth_takes_half_of_the_last_block_and_has_no_time(trained: Frame) -> None:
    run = Variants(seeds=1).start()["thinned"]
    assert isinstance(run, Thinned)
    assert run.survival[-1] == LAST_STAYS
    assert "thinned_milliseconds" not in trained.results
    assert "dense_milliseconds" in trained.results

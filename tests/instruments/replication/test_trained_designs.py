"""The training of residual designs, against PyTorch's optimizer and by hand."""

import numpy as np
import pytest
import torch

from sims.instruments.replication import trained_designs as runs
from sims.pytorch.models.residual_wirings import WIRINGS


def test_a_step_of_adam_equals_pytorchs_for_each_learning_rate():
    start = torch.randn(3, 4, 5, generator=torch.Generator().manual_seed(0))
    rates = torch.tensor([0.1, 0.01, 0.001])
    ours = start.clone().requires_grad_()
    moments = (torch.zeros_like(ours), torch.zeros_like(ours))
    theirs = [part.clone().requires_grad_() for part in start]
    optimizers = [
        torch.optim.Adam([part], lr=rate, betas=runs.BETAS, eps=runs.EPSILON)
        for part, rate in zip(theirs, rates.tolist(), strict=True)
    ]
    for number in range(1, 6):
        gradient = torch.randn(3, 4, 5, generator=torch.Generator().manual_seed(number))
        ours.grad = gradient
        with torch.no_grad():
            runs.step_of_adam(ours, moments, rates, number)
        for part, row, optimizer in zip(theirs, gradient, optimizers, strict=True):
            part.grad = row
            optimizer.step()
    torch.testing.assert_close(ours.detach(), torch.stack([part.detach() for part in theirs]))


def test_the_learning_rate_rises_and_falls():
    shares = [runs.share(number, runs.STEPS) for number in range(1, runs.STEPS + 1)]
    assert shares[0] == pytest.approx(1 / runs.WARM_UP)
    assert shares[runs.WARM_UP - 1] == 1
    assert shares[-1] == pytest.approx(1 / (runs.STEPS - runs.WARM_UP + 1))
    assert np.diff(shares[: runs.WARM_UP]) == pytest.approx(1 / runs.WARM_UP)
    assert (np.diff(shares[runs.WARM_UP - 1 :]) < 0).all()


def test_all_designs_of_a_seed_see_the_same_text_and_other_seeds_other_text():
    first, second = (list(runs.batches((3, 4), 2)), list(runs.batches((4,), 2)))
    assert first[0].shape == (2, runs.BATCH, runs.CONTEXT + 1)
    assert np.array_equal(first[1][1], second[1][0])
    assert not np.array_equal(first[0][0], first[0][1])
    assert not np.array_equal(first[0][0], first[1][0])


def test_pieces_that_choose_a_rate_do_not_measure():
    choosing, measuring = runs.held_out()
    assert choosing.shape == measuring.shape == (runs.LOOKED_AT, runs.CONTEXT + 1)
    assert not {piece.tobytes() for piece in choosing} & {piece.tobytes() for piece in measuring}


@pytest.mark.parametrize("design", [*WIRINGS, *runs.SHAPES])
def test_seeds_and_rates_side_by_side_learn_as_if_they_were_alone(design):
    pieces = runs.held_out()[0][:4]
    together = runs.trained(design, (5, 6), (0.004, 0.02), steps=3)
    alone = runs.trained(design, (6,), (0.02,), steps=3)
    assert runs.losses(together, pieces)[1] == pytest.approx(runs.losses(alone, pieces)[0], rel=1e-4)
    assert runs.losses(alone, pieces) < runs.losses(runs.untrained(design, (6,)), pieces)


def test_a_weight_that_learns_more_slowly_moves_less():
    model = runs.trained("lambdas", (0,), (0.01,), steps=1)
    starts = {"kept": 1.0, "added": 0.0}
    moved = {name: float((model.weights[name].detach() - start).abs().max()) for name, start in starts.items()}
    assert moved["kept"] == pytest.approx(moved["added"] / 100, rel=0.05)
    assert runs.slowness("looped") == {}


def test_probes_of_untrained_models():
    pieces = runs.held_out()[0][:4]
    model = runs.untrained("pre-ln", (0, 1))
    streams = [stream.detach().double() for stream in model.streams(torch.tensor(pieces[:, :-1]).expand(2, -1, -1))]
    size = [float(stream[1].square().mean()) for stream in streams]
    assert runs.growth(model, pieces)[1] == pytest.approx((size[-1] / size[0]) ** 0.5)
    before, after = streams[2][1, 0, 0], streams[4][1, 0, 0]
    angles = runs.angles(model, pieces[:1, :2])
    assert angles.shape == (2, runs.BLOCKS)
    cosine = float(before @ after / (before.norm() * after.norm()))
    assert angles[1, 1] == pytest.approx(np.arccos(cosine) / np.pi, rel=1e-4)
    rises = runs.cost_of_skipping(model, pieces)
    assert rises.shape == (2, runs.BLOCKS)
    with torch.no_grad():
        model.weights["out"][:, 3] = 0
        model.weights["down"][:, 3] = 0
    assert runs.losses(model, pieces)[0] - runs.losses(runs.untrained("pre-ln", (0,)), pieces)[0] == pytest.approx(
        rises[0, 3], abs=1e-6
    )


def test_looped_models_have_the_weights_of_two_blocks_as_short_ones_do():
    sizes = {
        design: sum(weight[0].numel() for weight in runs.untrained(design, (0,)).weights.values())
        for design in ("pre-ln", "looped", "short")
    }
    assert sizes["looped"] == sizes["short"]
    assert sizes["pre-ln"] - sizes["looped"] == (runs.BLOCKS - 2) * 12 * runs.WIDTH**2


def test_an_unknown_design_is_an_error():
    with pytest.raises(KeyError):
        runs.untrained("unknown", (0,))

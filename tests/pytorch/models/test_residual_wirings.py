"""Each residual design against a second, plain computation: token by token, lane by lane, without seeds."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import Tensor

from sims.pytorch.models.residual_models import ResidualModels, initial_weights
from sims.pytorch.models.residual_wirings import FAR, LANES, LEAST, ROUNDS, WIRINGS, balanced

BLOCKS, WIDTH = 3, 6
SHAPE = (BLOCKS, BLOCKS, WIDTH, 11, 5, 12)
"""Blocks, blocks with weights, width, symbols, context, hidden units"""


Branch = Callable[[Tensor], Tensor]


@pytest.fixture(autouse=True)
def double_precision():
    usual = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(usual)


def branches() -> list[Branch]:
    """Six different functions of a vector, which act on each token alone."""
    random = torch.Generator().manual_seed(1)
    matrices = torch.randn(2 * BLOCKS, WIDTH, WIDTH, generator=random)
    return [lambda x, matrix=matrix: (x @ matrix.T).tanh() for matrix in matrices]


def own_weights(design: str) -> dict[str, Tensor]:
    """A design's own weights, moved away from where they start."""
    random = torch.Generator().manual_seed(2)
    start = WIRINGS[design].weights(BLOCKS, WIDTH)
    return {name: weight + 0.3 * torch.randn(weight.shape, generator=random) for name, weight in start.items()}


def token() -> Tensor:
    return torch.randn(WIDTH, generator=torch.Generator().manual_seed(3))


def norm(x: Tensor) -> Tensor:
    centered = x - x.mean()
    return centered / (centered.square().mean() + 1e-5).sqrt()


def unit(x: Tensor) -> Tensor:
    return x / (x.square().mean() + torch.finfo(x.dtype).eps).sqrt()


def post_ln(x, fs, w):
    for f, g in zip(fs, w["gain"], strict=True):
        x = g * norm(x + f(x))
    return x


def peri_ln(x, fs, w):
    for f, g in zip(fs, w["gain"], strict=True):
        x = x + g * norm(f(norm(x)))
    return x


def layernorm_scaling(x, fs, w):
    for f, block in zip(fs, (1, 1, 2, 2, 3, 3), strict=True):
        x = x + f(norm(x) / np.sqrt(block))
    return x


def decayed_identity(x, fs, w):
    for number, f in enumerate(fs):
        x = (1 - number / 5 * (1 - LEAST)) * x + f(norm(x))
    return x


def lambdas(x, fs, w):
    start = x
    for block in range(BLOCKS):
        x = w["kept"][block] * x + w["added"][block] * start
        x = x + fs[2 * block](norm(x))
        x = x + fs[2 * block + 1](norm(x))
    return x


def attention_residuals(x, fs, w):
    outputs = [x]
    for number in range(len(fs) + 1):
        powers = [torch.exp(w["query"][number] @ unit(output)) for output in outputs]
        x = sum(power * output for power, output in zip(powers, outputs, strict=True)) / sum(powers)
        if number < len(fs):
            outputs.append(fs[number](norm(x)))
    return x


def hyper_connections(x, fs, w):
    lanes = [x] * LANES
    for number, f in enumerate(fs):
        scales = w["lane_scales"][number][0]
        moved = [torch.tanh(norm(lane) @ w["lane_maps"][number]) for lane in lanes]
        reads = [w["lane_reads"][number][j, 0] + scales[0] * moved[j][0] for j in range(LANES)]
        writes = [w["lane_writes"][number][j, 0] + scales[2] * moved[j][-1] for j in range(LANES)]
        change = f(norm(sum(read * lane for read, lane in zip(reads, lanes, strict=True))))
        after = []
        for to in range(LANES):
            written = [w["lane_mixes"][number][j, to] + scales[1] * moved[j][1 + to] for j in range(LANES)]
            mixed = sum(share * lane for share, lane in zip(written, lanes, strict=True))
            after.append(mixed + writes[to] * change)
        lanes = after
    return sum(lanes) / LANES


def mhc(x, fs, w, rounds=ROUNDS):
    lanes = [x] * LANES
    for number, f in enumerate(fs):
        scales, logits = w["lane_scales"][number], w["lane_logits"][number]
        moved = unit(torch.cat(lanes)) @ w["lane_maps"][number]
        reads = [torch.sigmoid(logits[j] + scales[0] * moved[j]) for j in range(LANES)]
        writes = [2 * torch.sigmoid(logits[4 + j] + scales[1] * moved[4 + j]) for j in range(LANES)]
        mix = torch.exp(logits[8:] + scales[2] * moved[8:]).reshape(LANES, LANES)
        for _ in range(rounds):
            mix = mix / mix.sum(dim=0)[None, :]
            mix = mix / mix.sum(dim=1)[:, None]
        change = f(norm(sum(read * lane for read, lane in zip(reads, lanes, strict=True))))
        lanes = [sum(mix[to, j] * lanes[j] for j in range(LANES)) + writes[to] * change for to in range(LANES)]
    return sum(lanes) / LANES


def keel(x, fs, w):
    x = x + fs[0](norm(x))
    x = w["gain"][1] * norm(x + fs[1](norm(x)))
    for number in range(2, 6):
        x = w["gain"][number] * norm(6 * x + fs[number](norm(x)))
    return x


def siamesenorm(x, fs, w):
    y = x
    for number, f in enumerate(fs):
        x = w["gain"][number] * norm(x)
        change = f(norm(x + w["other_gain"][number] * norm(y)))
        x, y = x + change / np.sqrt(2 * (number // 2 + 1)), y + change
    return w["gain"][-1] * norm(x) + w["other_gain"][-1] * norm(y)


def orthogonal_updates(x, fs, w):
    for f in fs:
        change = f(norm(x))
        x = x + change - (change @ x) / (x @ x + 1e-6) * x
    return x


PLAIN = {
    "post-ln": post_ln,
    "peri-ln": peri_ln,
    "layernorm-scaling": layernorm_scaling,
    "decayed-identity": decayed_identity,
    "lambdas": lambdas,
    "attention-residuals": attention_residuals,
    "hyper-connections": hyper_connections,
    "mhc": mhc,
    "mhc-without-sinkhorn": lambda x, fs, w: mhc(x, fs, w, rounds=0),
    "keel": keel,
    "siamesenorm": siamesenorm,
    "orthogonal-updates": orthogonal_updates,
}


@pytest.mark.parametrize("design", PLAIN)
def test_a_design_equals_a_plain_computation_for_one_token(design):
    own = own_weights(design)
    # Two seeds, of which the second has other weights and another token, and two tokens of the first.
    stacked = {name: torch.stack([weight, 1.1 * weight]) for name, weight in own.items()}
    x = torch.stack([torch.stack([token(), -2 * token()]), torch.stack([3 * token(), token()])])[:, None]
    *_others, last = WIRINGS[design].stream(x, branches(), stacked)
    torch.testing.assert_close(last[0, 0, 0], PLAIN[design](token(), branches(), own))
    torch.testing.assert_close(last[0, 0, 1], PLAIN[design](-2 * token(), branches(), own))
    others = {name: 1.1 * weight for name, weight in own.items()}
    torch.testing.assert_close(last[1, 0, 0], PLAIN[design](3 * token(), branches(), others))


@pytest.mark.parametrize("design", WIRINGS)
def test_a_stream_is_passed_on_before_the_first_branch_and_after_each(design):
    stacked = {name: weight[None] for name, weight in own_weights(design).items()}
    streams = list(WIRINGS[design].stream(token()[None, None, None], branches(), stacked))
    assert len(streams) == 2 * BLOCKS + 1
    assert {stream.shape for stream in streams} == {(1, 1, 1, WIDTH)}


def models(design: str, seeds: tuple[int, ...] = (0,)) -> ResidualModels:
    own = [initial_weights(design, seed, *SHAPE) for seed in seeds]
    return ResidualModels(design, BLOCKS, 2, {name: torch.stack([weights[name] for weights in own]) for name in own[0]})


SYMBOLS = torch.tensor([[[1, 4, 2, 9, 10], [0, 0, 3, 5, 7]]])


@pytest.mark.parametrize("design", ["lambdas", "attention-residuals", "hyper-connections", "mhc"])
def test_designs_that_start_as_pre_ln_have_its_logits_at_the_start(design):
    # Attention over depth passes on the mean instead of the sum, of which a norm's ε makes a little less.
    near = {"mhc": 1e-2, "attention-residuals": 3e-3}.get(design, 1e-9)
    torch.testing.assert_close(models(design)(SYMBOLS), models("pre-ln")(SYMBOLS), atol=near, rtol=near)


@pytest.mark.parametrize("design", WIRINGS)
def test_the_weights_of_the_blocks_are_the_same_for_all_designs(design):
    shared, base = initial_weights(design, 7, *SHAPE), initial_weights("pre-ln", 7, *SHAPE)
    for name, weight in base.items():
        assert torch.equal(weight, shared[name])


def test_a_value_residual_without_the_first_values_is_pre_ln():
    model = models("value-residual")
    with torch.no_grad():
        model.weights["shares"][:] = torch.tensor([0.0, 1.0])
    torch.testing.assert_close(model(SYMBOLS), models("pre-ln")(SYMBOLS))


def test_a_value_residual_mixes_the_values_of_the_first_layer():
    model = models("value-residual")
    with torch.no_grad():
        model.weights["shares"][:] = torch.tensor([1.0, 0.0])
        logits = model(SYMBOLS)
        model.weights["attend"][:, 1:, 2 * WIDTH :] = 0.0
    torch.testing.assert_close(model(SYMBOLS), logits)


@pytest.mark.parametrize("design", WIRINGS)
def test_a_symbol_does_not_hear_later_ones(design):
    later = SYMBOLS.clone()
    later[..., 3:] = 1
    torch.testing.assert_close(models(design)(later)[..., :3, :], models(design)(SYMBOLS)[..., :3, :])


@pytest.mark.parametrize("design", WIRINGS)
def test_gradients_equal_finite_differences(design):
    model = models(design)
    random = torch.Generator().manual_seed(4)
    with torch.no_grad():
        for weight in model.weights.values():
            weight += 0.1 * torch.randn(weight.shape, generator=random)
    model.losses(model(SYMBOLS), SYMBOLS).sum().backward()
    for name, weight in model.weights.items():
        direction = torch.randn(weight.shape, generator=random)
        ends = []
        for step in (1e-5, -2e-5):
            with torch.no_grad():
                weight += step * direction
                ends.append(float(model.losses(model(SYMBOLS), SYMBOLS).sum()))
        assert weight.grad is not None
        slope = float((weight.grad * direction).sum())
        assert slope == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-4, abs=1e-8), name
        with torch.no_grad():
            weight += 1e-5 * direction


def test_blocks_are_repeated_in_turn():
    weights = {name: weight[None] for name, weight in initial_weights("pre-ln", 0, 3, 1, *SHAPE[2:]).items()}
    thrice = {name: weight.repeat(1, 3, 1, 1) for name, weight in weights.items() if weight.dim() == 4}
    looped, spelled_out = ResidualModels("pre-ln", 3, 2, weights), ResidualModels("pre-ln", 3, 2, weights | thrice)
    torch.testing.assert_close(looped(SYMBOLS), spelled_out(SYMBOLS))


def test_a_silenced_block_leaves_the_stream_as_it_is():
    model = models("pre-ln")
    streams = model.streams(SYMBOLS, without=1)
    assert torch.equal(streams[2], streams[4])
    assert not torch.equal(streams[4], streams[6])
    assert torch.equal(model.streams(SYMBOLS)[2], streams[2])


def test_rounds_of_sinkhorn_make_logits_doubly_stochastic():
    logits = torch.randn(2, 7, LANES, LANES, generator=torch.Generator().manual_seed(5))
    assert torch.equal(balanced(logits, 0), logits.exp())
    mixes = balanced(logits, 200)
    torch.testing.assert_close(mixes.sum(dim=-1), torch.ones(2, 7, LANES))
    torch.testing.assert_close(mixes.sum(dim=-2), torch.ones(2, 7, LANES))


def test_lanes_start_far_from_each_other_and_are_read_in_turn():
    logits = WIRINGS["mhc"].weights(BLOCKS, WIDTH)["lane_logits"]
    assert logits[:, :LANES].argmax(dim=1).tolist() == [0, 1, 2, 3, 0, 1]
    assert logits[0, 2 * LANES :].reshape(LANES, LANES).diagonal().tolist() == [0.0] * LANES
    assert (logits[0, 2 * LANES :] == FAR).sum() == LANES * (LANES - 1)


def test_orthogonal_updates_are_at_right_angles():
    x = token()[None, None, None]
    streams = list(WIRINGS["orthogonal-updates"].stream(x, branches(), {}))
    for before, after in pairwise(streams):
        assert float(((after - before) * before).sum()) == pytest.approx(0, abs=1e-5)

"""The further designs against a plain computation for one token, and their mixes against PyTorch's and SciPy's."""

from functools import partial
from typing import Any

import pytest
import torch
from scipy.linalg import circulant as scipys_circulant
from torch import Tensor, nn
from torch.nn.utils.parametrizations import orthogonal

from sims.pytorch.models.further_wirings import FURTHER_WIRINGS, PER_BLOCK, circulant, mhc_with, rising, rotation
from sims.pytorch.models.residual_models import ResidualModels, initial_weights
from sims.pytorch.models.residual_wirings import LANES, ROUNDS, WIRINGS, balanced, pre_ln
from tests.pytorch.models.test_residual_wirings import BLOCKS, SHAPE, SYMBOLS, WIDTH, branches, norm, token, unit

MIXES = ("rotating-lanes", "circulant-lanes")


@pytest.fixture(autouse=True)
def double_precision():
    usual = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(usual)


def own_weights(design: str) -> dict[str, Tensor]:
    """A design's own weights, moved away from where they start."""
    random = torch.Generator().manual_seed(2)
    start = FURTHER_WIRINGS[design].weights(BLOCKS, WIDTH)
    return {name: weight + 0.3 * torch.randn(weight.shape, generator=random) for name, weight in start.items()}


def pytorchs_rotation(above: Tensor) -> Tensor:
    """Cayley's transform as PyTorch has it, which takes the numbers below the diagonal, and their half."""
    layer = nn.Linear(LANES, LANES, bias=False)
    orthogonal(layer, orthogonal_map="cayley", use_trivialization=False)
    below = torch.zeros(LANES, LANES)
    columns, rows = torch.triu_indices(LANES, LANES, offset=1)
    below[rows, columns] = 2 * above
    parametrized: Any = layer.parametrizations
    parametrized.weight.original.data.copy_(below)
    return layer.weight.detach()


def scipys_mix(logits: Tensor) -> Tensor:
    return torch.from_numpy(scipys_circulant(logits.softmax(dim=0).numpy()))


def lanes_of(mix_of, x, fs, w):
    lanes = [x] * LANES
    for number, f in enumerate(fs):
        scales, logits = w["lane_scales"][number], w["lane_logits"][number]
        moved = unit(torch.cat(lanes)) @ w["lane_maps"][number]
        reads = [torch.sigmoid(logits[j] + scales[0] * moved[j]) for j in range(LANES)]
        writes = [2 * torch.sigmoid(logits[4 + j] + scales[1] * moved[4 + j]) for j in range(LANES)]
        mix = mix_of(logits[8:] + scales[2] * moved[8:])
        change = f(norm(sum(read * lane for read, lane in zip(reads, lanes, strict=True))))
        lanes = [sum(mix[to, j] * lanes[j] for j in range(LANES)) + writes[to] * change for to in range(LANES)]
    return sum(lanes) / LANES


PLAIN = {"rotating-lanes": pytorchs_rotation, "circulant-lanes": scipys_mix}


@pytest.mark.parametrize("design", MIXES)
def test_lanes_equal_a_plain_computation_for_one_token(design):
    own = own_weights(design)
    stacked = {name: torch.stack([weight, 1.1 * weight]) for name, weight in own.items()}
    x = torch.stack([torch.stack([token(), -2 * token()]), torch.stack([3 * token(), token()])])[:, None]
    *_others, last = FURTHER_WIRINGS[design].stream(x, branches(), stacked)
    torch.testing.assert_close(last[0, 0, 1], lanes_of(PLAIN[design], -2 * token(), branches(), own))
    others = {name: 1.1 * weight for name, weight in own.items()}
    torch.testing.assert_close(last[1, 0, 0], lanes_of(PLAIN[design], 3 * token(), branches(), others))


def test_with_mixes_by_sinkhorn_it_is_mhc():
    random = torch.Generator().manual_seed(6)
    start = WIRINGS["mhc"].weights(BLOCKS, WIDTH)
    own = {name: (weight + 0.3 * torch.randn(weight.shape, generator=random))[None] for name, weight in start.items()}
    x = token()[None, None, None]
    by_sinkhorn = mhc_with(lambda rest: balanced(rest.unflatten(-1, (LANES, LANES)), ROUNDS), x, branches(), own)
    for ours, theirs in zip(by_sinkhorn, WIRINGS["mhc"].stream(x, branches(), own), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_rotations_are_orthogonal_without_reflection_and_equal_pytorchs():
    above = 3 * torch.randn(5, 7, 6, generator=torch.Generator().manual_seed(5))
    mixes = rotation(above)
    torch.testing.assert_close(mixes @ mixes.mT, torch.eye(LANES).expand(5, 7, -1, -1))
    torch.testing.assert_close(torch.linalg.det(mixes), torch.ones(5, 7))
    torch.testing.assert_close(mixes[2, 3], pytorchs_rotation(above[2, 3]))
    torch.testing.assert_close(rotation(torch.zeros(6)), torch.eye(LANES))


def test_circulant_mixes_are_doubly_stochastic_and_equal_scipys():
    logits = torch.randn(5, 7, LANES, generator=torch.Generator().manual_seed(5))
    mixes = circulant(logits)
    assert (mixes > 0).all()
    for at in (-1, -2):
        torch.testing.assert_close(mixes.sum(dim=at), torch.ones(5, 7, LANES))
    torch.testing.assert_close(mixes[2, 3], scipys_mix(logits[2, 3]))
    torch.testing.assert_close(mixes @ mixes.flip(0), mixes.flip(0) @ mixes)


@pytest.mark.parametrize("mix", [rotation, circulant])
def test_gradients_of_mixes_equal_finite_differences(mix):
    numbers = torch.randn(2, 6 if mix is rotation else LANES, generator=torch.Generator().manual_seed(8))
    assert torch.autograd.gradcheck(mix, numbers.requires_grad_())


def models(design: str) -> ResidualModels:
    weights = initial_weights("pre-ln", 0, *SHAPE) | FURTHER_WIRINGS[design].weights(BLOCKS, WIDTH)
    model = ResidualModels("pre-ln", BLOCKS, 2, {name: weight[None] for name, weight in weights.items()})
    model.wire = FURTHER_WIRINGS[design].stream
    return model


@pytest.mark.parametrize("design", FURTHER_WIRINGS)
def test_they_start_as_pre_ln_once_all_branches_are_on(design):
    base = ResidualModels("pre-ln", BLOCKS, 2, {n: w[None] for n, w in initial_weights("pre-ln", 0, *SHAPE).items()})
    near = 1e-9 if design == "prores" else 1e-2
    torch.testing.assert_close(models(design)(SYMBOLS), base(SYMBOLS), atol=near, rtol=near)


@pytest.mark.parametrize("design", MIXES)
def test_a_symbol_does_not_hear_later_ones(design):
    later = SYMBOLS.clone()
    later[..., 3:] = 1
    torch.testing.assert_close(models(design)(later)[..., :3, :], models(design)(SYMBOLS)[..., :3, :])


def test_branches_are_switched_on_in_turn():
    x, fs = token()[None, None, None], branches()

    def streams(progress: float) -> list[Tensor]:
        return list(rising(progress, x, fs, {}))

    assert all(torch.equal(stream, x) for stream in streams(0))
    torch.testing.assert_close(streams(1), list(pre_ln(x, fs, {})))
    # When the first of three blocks is on, the second is halfway, and the last at a third.
    early = streams(PER_BLOCK)
    torch.testing.assert_close(early[:3], list(pre_ln(x, fs[:2], {})))
    torch.testing.assert_close(early[3] - early[2], fs[2](norm(early[2][0, 0, 0]))[None, None, None] / 2)
    torch.testing.assert_close(early[6] - early[5], fs[5](norm(early[5][0, 0, 0]))[None, None, None] / 3)


def test_a_wiring_passes_on_the_stream_before_the_first_branch_and_after_each():
    for design, wiring in FURTHER_WIRINGS.items():
        stacked = {name: weight[None] for name, weight in own_weights(design).items()}
        streams = list(wiring.stream(token()[None, None, None], branches(), stacked))
        assert {stream.shape for stream in streams} == {(1, 1, 1, WIDTH)}
        assert len(streams) == 2 * BLOCKS + 1
    assert len(list(partial(rising, 0.3)(token()[None], branches(), {}))) == 2 * BLOCKS + 1

"""Forms of a stream against sums that are written out, and against each other where they are the same network."""

import pytest
import torch
from torch import Tensor
from torch.nn.functional import layer_norm, relu, rms_norm, scaled_dot_product_attention

from sims.pytorch.stacks.stream_forms import IN_LANES, LOOKING_BACK, StreamForms, form_weights
from sims.pytorch.stacks.tall_stacks import initial_weights

SEEDS, BLOCKS, WIDTH, PIXELS = 2, 5, 8, 6


def network(form: str, own: float = 0.0, noise: float = 0.0) -> StreamForms:
    """Both seeds; `noise` moves what is learned of the form away from its start."""
    random = torch.Generator().manual_seed(7)
    learned = form_weights(form, BLOCKS, WIDTH, 4, own)
    starts = [initial_weights(seed, BLOCKS, WIDTH, PIXELS, 3, 1.0, 1.0) for seed in range(SEEDS)]
    moved = [
        {name: one + noise * torch.randn(one.shape, generator=random) for name, one in learned.items()} for _ in starts
    ]
    both = [blocks | own for blocks, own in zip(starts, moved, strict=True)]
    return StreamForms(form, {name: torch.stack([one[name] for one in both]).double() for name in both[0]})


def images() -> Tensor:
    return torch.randn(SEEDS, 7, PIXELS, generator=torch.Generator().manual_seed(1)).double()


def branch(model: StreamForms, seed: int, block: int, x: Tensor) -> Tensor:
    first, last = (model.weights[name][seed, block] for name in ("first", "last"))
    return relu(layer_norm(x, (WIDTH,)) @ first.T) @ last.T


def test_one_sum_is_an_ordinary_residual_network() -> None:
    model, x = network("sum"), images()
    answers, got, heard = model(x)
    h = x[1] @ model.weights["stem"][1].T
    for block in range(BLOCKS):
        torch.testing.assert_close(got[block][1], h)
        h = h + branch(model, 1, block, h)
    torch.testing.assert_close(answers[1], layer_norm(h, (WIDTH,)) @ model.weights["head"][1].T)
    torch.testing.assert_close(heard[0], torch.ones(BLOCKS + 1, BLOCKS + 1).tril().double())


@pytest.mark.parametrize("form", ["static", "free"])
def test_weights_of_1_and_mixes_that_are_the_identity_start_as_an_ordinary_residual_network(form: str) -> None:
    torch.testing.assert_close(network(form)(images())[0], network("sum")(images())[0])


def test_doubly_stochastic_mixes_start_as_it_too_since_all_lanes_are_equal() -> None:
    for own in (0.0, 6.0):
        torch.testing.assert_close(network("doubly", own)(images())[0], network("sum")(images())[0])


def test_queries_of_zero_take_the_mean_and_a_norm_makes_the_same_network_of_it() -> None:
    one, other = network("attention"), network("sum")
    answers, got, heard = one(images())
    expected, sums, _ = other(images())
    for at in range(BLOCKS + 1):
        torch.testing.assert_close(got[at], sums[at] / (at + 1), rtol=1e-3, atol=1e-4)
        torch.testing.assert_close(heard[0, at, : at + 1].float(), torch.full((at + 1,), 1 / (at + 1)))
    # But for the epsilon of the norms, which is larger beside a mean than beside a sum.
    torch.testing.assert_close(answers, expected, rtol=1e-2, atol=1e-3)


def test_attention_over_depth_is_attention_as_pytorch_has_it() -> None:
    model = network("attention", noise=1.0)
    _, got, _ = model(images())
    outputs = [got[0][0]] + [branch(model, 0, block, got[block][0]) for block in range(BLOCKS)]
    values = torch.stack(outputs, dim=1)
    query = model.weights["query"][0, BLOCKS].expand(len(values), 1, WIDTH)
    expected = scaled_dot_product_attention(query, rms_norm(values, (WIDTH,)), values, scale=1.0)
    torch.testing.assert_close(got[BLOCKS][0], expected[:, 0])


def test_lanes_are_read_mixed_and_written_to() -> None:
    model = network("free", noise=0.3)
    answers, got, mixes = model(images())
    lanes = (images()[0] @ model.weights["stem"][0].T)[:, None].expand(-1, 4, -1)
    for block in range(BLOCKS):
        read = torch.einsum("n,bnw->bw", model.weights["pre"][0, block], lanes)
        torch.testing.assert_close(got[block][0], read)
        written = torch.einsum("n,bw->bnw", model.weights["post"][0, block], branch(model, 0, block, read))
        lanes = torch.einsum("mn,bnw->bmw", mixes[0, block], lanes) + written
    top = layer_norm(lanes.mean(dim=1), (WIDTH,))
    torch.testing.assert_close(answers[0], top @ model.weights["head"][0].T)


def test_learned_mixes_stay_doubly_stochastic() -> None:
    mixes = network("doubly", noise=2.0).mixes()
    assert (mixes >= 0).all()
    torch.testing.assert_close(mixes.sum(dim=-1), torch.ones(SEEDS, BLOCKS, 4).double())
    torch.testing.assert_close(mixes.sum(dim=-2), torch.ones(SEEDS, BLOCKS, 4).double(), rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("form", [*LOOKING_BACK, *IN_LANES])
def test_everything_that_is_learned_has_a_gradient(form: str) -> None:
    model = network(form, own=1.0, noise=0.1)
    answers, _, _ = model(images())
    model.losses(answers, torch.arange(7).expand(SEEDS, 7) % 3).sum().backward()
    for name, weight in model.weights.items():
        assert weight.grad is not None
        assert weight.grad.abs().sum() > 0, name

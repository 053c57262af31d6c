"""The engine of language models against the same network in PyTorch."""

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from sims.engines.language import (
    Branches,
    LanguageModel,
    LanguageRecipe,
    LanguageState,
    SwitchedModel,
    advance,
    gradients,
    start,
    streams,
)
from sims.engines.language.layout import make_layout
from sims.pytorch.models.language_model import flat_gradient, loaded
from tests.tiers import first

KINDS = {
    "pre": LanguageModel(2, 11, 16, 2, 8),
    "post": LanguageModel(2, 11, 16, 2, 8, norm="post-layer"),
    "plain": LanguageModel(2, 11, 16, 2, 8, skip="none"),
    "rezero": LanguageModel(2, 11, 16, 2, 8, skip="rezero", initialization="variance-preserving"),
    "one skip a block": LanguageModel(3, 11, 16, 2, 8, skip="block"),
    "attention's skip": LanguageModel(2, 11, 16, 2, 8, skip="attention"),
    "feed-forward's skip": LanguageModel(2, 11, 16, 2, 8, skip="feed-forward", initialization="own-place"),
    "identity": LanguageModel(2, 11, 16, 2, 8, skip="none", attention="identity"),
    "value-skip": LanguageModel(2, 11, 16, 2, 8, skip="none", attention="value-skip"),
    "switched": SwitchedModel(3, 11, 16, 2, 8, cut=Branches((0, 3, 4))),
}
TEXT = np.random.default_rng(5).integers(0, 11, 300)
STARTS = [0, 3, 40, 77, 120, 200, 255, 291, 7, 8, 9, 10, 11, 12, 13, 14, 15]
"""Seventeen: some stand behind the last whole vector of 16"""


def noisy(model: LanguageModel, precision: type[np.floating]) -> LanguageState:
    """A start at which no number is special: α is not 0, biases are not."""
    state = start(model, LanguageRecipe(), 3, precision)
    state.parameters[:] += 0.1 * np.random.default_rng(4).normal(size=state.parameters.size)
    return state


def pieces(starts: list[int], context: int) -> tuple[torch.Tensor, torch.Tensor]:
    cut = np.stack([TEXT[first : first + context + 1] for first in starts])
    return torch.tensor(cut[:, :-1]), torch.tensor(cut[:, 1:])


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest) -> LanguageModel:
    return KINDS[request.param]


# Kernels in double precision take long to compile, so only `make test-all` does.
@pytest.mark.parametrize(("precision", "tolerance"), first(1, [(np.float32, 3e-4), (np.float64, 3e-6)]))
def test_loss_and_every_gradient_are_autograds(
    model: LanguageModel, precision: type[np.floating], tolerance: float
) -> None:
    state = noisy(model, precision)
    starts = STARTS[:16] if precision == np.float32 else STARTS
    network = loaded(model, state.parameters)
    symbols, answers = pieces(starts, model.context)
    loss = cross_entropy(network(symbols).flatten(0, 1), answers.flatten())
    loss.backward()
    actual, gradient, norms = gradients(state, TEXT, starts)
    expected = flat_gradient(network)
    assert actual == pytest.approx(loss.item(), rel=tolerance)
    assert gradient == pytest.approx(expected, rel=tolerance, abs=tolerance * float(np.abs(expected).max()))
    assert np.isfinite(norms).all()
    assert (norms > 0).all()


@pytest.mark.parametrize("precision", first(1, [np.float32, np.float64]))
def test_the_gradients_of_the_stream_are_autograds(model: LanguageModel, precision: type[np.floating]) -> None:
    state = noisy(model, precision)
    network = loaded(model, state.parameters)
    symbols, answers = pieces(STARTS, model.context)
    stream, _ = streams(state, symbols.numpy())
    _, _, norms = gradients(state, TEXT, STARTS)
    for at in range(model.branches + 1):
        h = torch.tensor(stream[at], requires_grad=True)
        before = [torch.tensor(earlier) for earlier in stream[:at]]
        logits = network.head(network.continued([*before, h])[-1])
        (change,) = torch.autograd.grad(cross_entropy(logits.flatten(0, 1), answers.flatten()), h)
        assert norms[at] == pytest.approx(change.norm().item(), rel=1e-5)


@pytest.mark.parametrize("precision", first(1, [np.float32, np.float64]))
def test_streams_and_logits_are_torchs(model: LanguageModel, precision: type[np.floating]) -> None:
    state = noisy(model, precision)
    symbols, _ = pieces(STARTS, model.context)
    stream, logits = streams(state, symbols.numpy())
    network = loaded(model, state.parameters)
    assert stream.shape == (model.branches + 1, len(STARTS), model.context, model.width)
    assert logits == pytest.approx(network(symbols).detach().numpy(), abs=1e-5)
    assert stream[0] == pytest.approx((network.symbols(symbols) + network.places).detach().numpy())


def test_a_branch_that_is_knocked_out_leaves_the_stream_as_it_came() -> None:
    state = noisy(KINDS["pre"], np.float32)
    symbols = pieces(STARTS, 8)[0].numpy()
    stream, logits = streams(state, symbols, removed=[1, 2])
    assert np.array_equal(stream[1], stream[3])
    assert not np.allclose(logits, streams(state, symbols)[1])


@pytest.mark.parametrize("precision", first(1, [np.float32, np.float64]))
def test_steps_are_those_of_torchs_adamw(model: LanguageModel, precision: type[np.floating]) -> None:
    recipe = LanguageRecipe(batch=16, learning_rate=0.01, warmup=3, clip=0.5)
    state = start(model, recipe, 1, precision)
    network, layout = loaded(model, state.parameters), make_layout(model)
    decaying = [parameter for parameter in network.parameters() if parameter.ndim == 2]
    others = [parameter for parameter in network.parameters() if parameter.ndim != 2]
    groups = [{"params": decaying, "weight_decay": recipe.decay}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=recipe.learning_rate)
    losses = []
    for step in range(6):
        starts = np.random.default_rng((1, 1, step)).integers(0, len(TEXT) - model.context, 16)
        symbols, answers = pieces(starts.tolist(), model.context)
        loss = cross_entropy(network(symbols).flatten(0, 1), answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), recipe.clip)
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate * min(1, (step + 1) / recipe.warmup)
        optimizer.step()
        losses.append(loss.item())
    after = advance(state, TEXT, 6)
    assert after.losses == pytest.approx(losses, rel=1e-4)
    actual = after.parameters[: layout.positions].reshape(-1, model.width)
    assert actual == pytest.approx(network.symbols.weight.detach().numpy(), abs=2e-4)


def test_a_run_is_the_same_however_it_is_cut(model: LanguageModel) -> None:
    state = start(model, LanguageRecipe(), 2)
    whole, cut = advance(state, TEXT, 5), advance(advance(state, TEXT, 2), TEXT, 3)
    assert np.array_equal(whole.parameters, cut.parameters)
    assert np.array_equal(whole.losses, cut.losses)
    assert state.step == 0
    assert whole.step == 5


def test_a_model_that_leaves_the_finite_numbers_stops_in_front_of_that_step() -> None:
    state = start(KINDS["plain"], LanguageRecipe(learning_rate=1e30, warmup=1), 0)
    after = advance(state, TEXT, 20)
    assert not after.finite
    assert after.step == len(after.losses) < 20
    assert advance(after, TEXT, 5) is after


def test_what_the_model_cannot_read_is_refused() -> None:
    state = start(KINDS["pre"], LanguageRecipe(), 0)
    with pytest.raises(ValueError, match="longer than the context of 8"):
        advance(state, TEXT[:8], 1)
    with pytest.raises(ValueError, match="from 0 to 10"):
        advance(state, TEXT + 1, 1)

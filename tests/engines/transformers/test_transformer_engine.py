"""Runs of transformers: the same however they are cut, like a plain PyTorch loop, and honest where they diverge."""

import pickle

import numpy as np
import pytest
import torch
from torch.nn.utils import vector_to_parameters

from sims.data.datasets import source
from sims.engines.perceptrons import Recipe
from sims.engines.segment import batches
from sims.engines.transformers import Transformer, advance, predict, start
from sims.pytorch.models.transformer_network import TransformerNetwork
from tests.tiers import first

SPIRALS = source("spirals")
SMALL = Transformer(depth=4)


def same(one, other):
    assert one.step == other.step
    for name in ("parameters", "first_moment", "second_moment", "losses"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert [record.step for record in one.records] == [record.step for record in other.records]
    for ours, theirs in zip(one.records, other.records, strict=True):
        for name, values in vars(ours).items():
            np.testing.assert_array_equal(values, getattr(theirs, name), err_msg=name)


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam"])
def test_a_run_is_the_same_however_it_is_cut_and_carried(optimizer):
    begun = start(SMALL, Recipe(optimizer, 0.01, 64, record_every=4), SPIRALS, (3, 4))
    cut = begun
    for steps in (1, 5, 2, 3):
        cut = advance(pickle.loads(pickle.dumps(cut)), steps)
    same(cut, advance(begun, 11))
    assert begun.step == 0


def test_a_seed_trains_alike_alone_and_among_others():
    recipe = Recipe("adam", 0.01, 64)
    together, alone = (advance(start(SMALL, recipe, SPIRALS, seeds), 7) for seeds in ((1, 2), (2,)))
    np.testing.assert_array_equal(together.parameters[1], alone.parameters[0])


def test_both_norm_orders_start_with_the_same_weights():
    pre, post = (
        start(Transformer(depth=4, norm=norm), Recipe(), SPIRALS, (0,)) for norm in ("pre-layer", "post-layer")
    )
    np.testing.assert_array_equal(pre.parameters, post.parameters)


@pytest.mark.exhaustive
def test_default_weights_are_spread_as_torch_spreads_them():
    architecture = Transformer(depth=2, width=64, heads=4, hidden=128)
    state = start(architecture, Recipe(), SPIRALS, tuple(range(5)), np.float64)
    theirs = torch.nn.TransformerEncoderLayer(64, 4, 128)
    model = TransformerNetwork(architecture, 2, 2).double()
    widest = {name: 0.0 for name, _ in model.named_parameters()}
    for row in state.parameters:
        vector_to_parameters(torch.tensor(row), model.ordered_parameters())
        for name, parameter in model.named_parameters():
            widest[name] = max(widest[name], parameter.abs().max().item())
    reference = dict(theirs.named_parameters())
    for ours, name in {
        "sublayers.0.branch.queries_keys_values.weight": "self_attn.in_proj_weight",
        "sublayers.0.branch.queries_keys_values.bias": "self_attn.in_proj_bias",
        "sublayers.0.branch.output.weight": "self_attn.out_proj.weight",
        "sublayers.0.branch.output.bias": "self_attn.out_proj.bias",
        "sublayers.1.branch.0.weight": "linear1.weight",
        "sublayers.1.branch.0.bias": "linear1.bias",
        "sublayers.1.branch.2.weight": "linear2.weight",
        "sublayers.1.branch.2.bias": "linear2.bias",
    }.items():
        assert widest[ours] == pytest.approx(reference[name].abs().max().item(), rel=0.1, abs=1e-12), ours


# Kernels in double precision take long to compile, so only `make test-all` does.
@pytest.mark.parametrize(("precision", "tolerance"), first(1, [(np.float32, 1e-5), (np.float64, 1e-9)]))
@pytest.mark.parametrize("norm", ["pre-layer", "post-layer"])
def test_ten_steps_of_adam_agree_with_a_pytorch_loop(norm, precision, tolerance):
    architecture, recipe = Transformer(depth=4, tokens=8, norm=norm), Recipe("adam", 0.003, 32, record_every=10)
    digits = source("digits")
    state = start(architecture, recipe, digits, (5,), precision)
    data = digits.load()
    model = TransformerNetwork(architecture, data.features, data.classes).double()
    vector_to_parameters(torch.tensor(state.parameters[0], dtype=torch.float64), model.ordered_parameters())
    points, labels = torch.tensor(data.train_inputs, dtype=torch.float64), torch.tensor(data.train_labels)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    losses = []
    for order in batches(recipe, 5, len(labels), 0, 10):
        loss = torch.nn.functional.cross_entropy(model(points[order]), labels[order])
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    state = advance(state, 10)
    # Losses are kept in single precision.
    np.testing.assert_allclose(state.losses[:, 0], losses, rtol=max(tolerance, 1e-6))
    whole = torch.nn.functional.cross_entropy(model(points), labels).item()
    assert state.now.train_loss[0] == pytest.approx(whole, rel=tolerance)
    vector_to_parameters(torch.tensor(state.parameters[0], dtype=torch.float64), model.ordered_parameters())
    answers = predict(state, data.test_inputs[:9])
    expected = model(torch.tensor(data.test_inputs[:9], dtype=torch.float64)).detach().numpy()
    assert answers.shape == (1, 9, 10)
    np.testing.assert_allclose(answers[0], expected, rtol=tolerance, atol=tolerance if precision == np.float32 else 0)


def test_a_divergence_is_noted_and_the_weights_stay_finite():
    state = start(Transformer(depth=8), Recipe("sgd", 1e30, 64, record_every=2), SPIRALS, (0, 1))
    state = advance(state, 6)
    assert all(overflow is not None and overflow.step <= 6 for overflow in state.overflows)
    assert np.isnan(state.losses[-1]).all()
    assert state.step == 6


def test_what_does_not_fit_is_refused_in_words():
    with pytest.raises(ValueError, match="3 heads cannot share a width of 16"):
        Transformer(depth=2, heads=3)
    with pytest.raises(ValueError, match="3 tokens cannot share 2 features"):
        start(Transformer(depth=2, tokens=3), Recipe(), SPIRALS, (0,))
    with pytest.raises(ValueError, match="norm is 'none'"):
        Transformer(depth=2, norm="none")
    with pytest.raises(ValueError, match="at least one seed"):
        start(SMALL, Recipe(), SPIRALS, ())
    with pytest.raises(ValueError, match="cross-entropy"):
        start(SMALL, Recipe(loss="squared error"), SPIRALS, (0,))

"""Models with values of the first layer, against PyTorch's own attention written out, and against each other."""

import pytest
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, gelu, layer_norm, scaled_dot_product_attention

from sims.pytorch.models.value_models import FORMS, ValueModels, initial_weights

SEEDS, BLOCKS, WIDTH, SYMBOLS, CONTEXT, HIDDEN, HEADS = 2, 3, 8, 11, 6, 12, 2


def model(form: str) -> ValueModels:
    starts = [initial_weights(form, seed, BLOCKS, WIDTH, SYMBOLS, CONTEXT, HIDDEN) for seed in range(SEEDS)]
    return ValueModels(form, HEADS, {name: torch.stack([one[name] for one in starts]).double() for name in starts[0]})


def pieces(seed: int = 0) -> Tensor:
    return torch.randint(SYMBOLS, (SEEDS, 4, CONTEXT), generator=torch.Generator().manual_seed(seed))


def by_hand(network: ValueModels, symbols: Tensor, seed: int) -> Tensor:
    """Logits of one seed, as one would write them for a single model."""
    w = {name: weight[seed] for name, weight in network.weights.items()}

    def heads(x: Tensor) -> Tensor:
        return x.unflatten(-1, (HEADS, -1)).transpose(1, 2)

    h = w["symbols"][symbols[seed]] + w["places"]
    first = None
    for layer in range(BLOCKS):
        x = layer_norm(h, (WIDTH,))
        if layer == 0:
            values = first = x @ w["value"][0].T
        elif network.form == "shared":
            values = first
        else:
            values = x @ w["value"][layer].T
            if network.form == "learned":
                shares = w["shares"][layer - 1]
                values = shares[0] * first + shares[1] * values
        inputs = heads(x @ w["query"][layer].T), heads(x @ w["key"][layer].T), heads(values)
        read = scaled_dot_product_attention(*inputs, is_causal=True)
        h = h + read.transpose(1, 2).flatten(2) @ w["out"][layer].T
        h = h + gelu(layer_norm(h, (WIDTH,)) @ w["up"][layer].T) @ w["down"][layer].T
    return layer_norm(h, (WIDTH,)) @ w["symbols"].T


@pytest.mark.parametrize("form", FORMS)
def test_logits_and_gradients_are_those_of_a_model_that_is_written_out(form: str) -> None:
    network, symbols, targets = model(form), pieces(), pieces(1)
    logits, _attentions, _mixed = network(symbols)
    losses = network.losses(logits, targets)
    names = list(network.weights)
    slopes = torch.autograd.grad(losses.sum(), [network.weights[name] for name in names])
    for seed in range(SEEDS):
        own = by_hand(network, symbols, seed)
        torch.testing.assert_close(logits[seed], own)
        loss = cross_entropy(own.flatten(0, 1), targets[seed].flatten())
        torch.testing.assert_close(losses[seed], loss)
        alone = torch.autograd.grad(loss, [network.weights[name] for name in names])
        for slope, other in zip(slopes, alone, strict=True):
            torch.testing.assert_close(slope[seed], other[seed])


def test_weights_of_0_and_1_are_the_plain_model_and_of_1_and_0_the_shared_one() -> None:
    network, symbols = model("learned"), pieces()
    for form, shares in (("plain", (0.0, 1.0)), ("shared", (1.0, 0.0))):
        with torch.no_grad():
            network.weights["shares"].copy_(torch.tensor(shares))
        torch.testing.assert_close(network(symbols)[0], model(form)(symbols)[0])


def test_attention_looks_back_only_and_has_a_sum_of_1() -> None:
    _logits, attentions, mixed = model("plain")(pieces())
    assert len(attentions) == len(mixed) == BLOCKS
    for attention in attentions:
        torch.testing.assert_close(attention.sum(dim=-1), torch.ones(attention.shape[:-1]).double())
        assert attention.triu(1).abs().max() == 0


def test_only_the_shared_form_has_values_of_one_layer_alone() -> None:
    assert {form: len(model(form).weights["value"][0]) for form in FORMS} == {"plain": 3, "learned": 3, "shared": 1}
    _logits, _attentions, mixed = model("shared")(pieces())
    assert all(values is mixed[0] for values in mixed)


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match="no form"):
        ValueModels("none", 2, {})

"""Listings run on their own: each is copied with all that it needs."""

import pytest

from sims.builder.standalone import standalone


def test_what_a_definition_needs_comes_first_and_once() -> None:
    text = standalone(["sims.pytorch.models.cifar_shape.cifar_shape", "sims.pytorch.models.cifar_shape.Pair"])
    parts = [text.index(start) for start in ("import", "def conv3x3", "class Pair", "def cifar_shape")]
    assert parts == sorted(parts)
    assert text.count("class Pair") == text.count("def conv3x3") == 1
    assert "from sims" not in text


def test_the_requested_order_stays() -> None:
    text = standalone(["sims.pytorch.layers.blocks.Residual", "sims.pytorch.layers.blocks.Plain"])
    assert text.startswith("from torch import Tensor, nn\n\n\nclass Residual")
    assert text.index("Residual(") < text.index("Plain(")


def test_a_constant_comes_along() -> None:
    assert "\n\n\nC = " in standalone(["sims.instruments.hand_derived.mlp_by_hand.Block"])


def test_a_module_is_copied_whole() -> None:
    assert standalone(["sims.pytorch.published.gpt2"]).startswith('"""The block of GPT-2')
    with pytest.raises(ValueError, match="from sims, so it does not run alone"):
        standalone(["sims.pytorch.models.cifar_shape"])


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (["sims.nowhere.Thing"], "there is no sims.nowhere.Thing"),
        (["sims.nothing"], "there is no sims.nothing"),
        (["os.path"], "there is no os.path"),
        (["sims.pytorch.layers.blocks.Nothing"], "Nothing"),
        (
            ["sims.pytorch.layers.blocks.Attention", "sims.pytorch.layers.transformer_blocks.Attention"],
            "both define Attention",
        ),
    ],
)
def test_what_cannot_be_copied_alone_is_refused(paths: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        standalone(paths)

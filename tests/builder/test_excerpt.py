"""Definitions cut out of a module bring along what they use, and no more."""

import pytest

from sims.builder.excerpt import excerpt, import_lines


def test_a_definition_brings_its_decorators() -> None:
    _imports, sources = excerpt("pytorch.layers.branch_ends", ["zero_ends"])
    assert len(sources) == 1
    assert sources[0].startswith("@torch.no_grad()\ndef zero_ends(")
    assert sources[0].endswith("parameter.zero_()")


def test_what_a_block_uses_comes_along_in_its_order() -> None:
    imports, sources = excerpt("pytorch.layers.transformer_blocks", ["LlamaBlock"])
    names = [source.split("(")[0].split()[-1] for source in sources]
    assert names == ["rotate", "GroupedQueryAttention", "SwiGLU", "LlamaBlock"]
    assert "from torch.nn.functional import silu" in imports
    with pytest.raises(KeyError):
        excerpt("pytorch.layers.transformer_blocks", ["Nothing"])


def test_what_is_left_out_is_not_followed() -> None:
    _imports, sources = excerpt("data.datasets", ["digits_plane"], without=["digit_images"])
    names = [source.split("(")[0].split()[-1] for source in sources]
    assert names == ["@dataclass", "digits", "digits_plane"]


def test_imports_are_gathered_by_module() -> None:
    lines = {"from torch import nn", "import torch", "from torch import Tensor", "from a.b import c"}
    assert import_lines(lines) == "import torch\nfrom a.b import c\nfrom torch import Tensor, nn"

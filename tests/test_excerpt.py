"""Definitions cut out of a module bring along what they use, and no more."""

import pytest

from sims.excerpt import definition, excerpt, import_lines

TEXT = "import os\n\n@decorated\ndef one():\n    return os.sep\n\n\nclass Two:\n    pass\n"


def test_a_definition_has_its_decorators_and_ends_where_it_ends() -> None:
    assert definition(TEXT, "one") == "@decorated\ndef one():\n    return os.sep\n"
    assert definition(TEXT, "Two") == "class Two:\n    pass\n"
    assert definition(TEXT, "three") == ""


def test_what_a_block_uses_comes_along_in_its_order() -> None:
    imports, sources = excerpt("transformer_blocks", ["LlamaBlock"])
    names = [source.split("(")[0].split()[-1] for source in sources]
    assert names == ["rotate", "GroupedQueryAttention", "SwiGLU", "LlamaBlock"]
    assert "from torch.nn.functional import silu" in imports
    with pytest.raises(KeyError):
        excerpt("transformer_blocks", ["Nothing"])


def test_imports_are_gathered_by_module() -> None:
    lines = {"from torch import nn", "import torch", "from torch import Tensor", "from a.b import c"}
    assert import_lines(lines) == "import torch\nfrom a.b import c\nfrom torch import Tensor, nn"

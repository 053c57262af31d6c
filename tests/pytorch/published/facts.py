"""The blocks that load published weights, and what the tests do with each; chapter 9 prints it as a table."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import nn

from sims.paths import CONTENT
from sims.pytorch.published.convnext import ConvNeXtBlock
from sims.pytorch.published.gpt2 import GPT2Block
from sims.pytorch.published.llama import LlamaBlock
from sims.pytorch.published.resnet import BasicBlock, Bottleneck

CHAPTER = CONTENT / "chapters" / "9-cheat-sheet.md"


@dataclass(frozen=True)
class Fact:
    """A block, a small one to test, the shape of its input, and the packages whose weights it loads."""

    block: type[nn.Module]
    make: Callable[..., nn.Module]
    shape: tuple[int, ...]
    packages: tuple[str, ...]

    @property
    def attends(self) -> bool:
        """Whether it has attention, and so takes a mask, dropout and a cache."""
        return len(self.shape) == 3

    @property
    def row(self) -> str:
        """The row of the table; every block is tested in bfloat16 and with `torch.compile`."""
        cells = (f"`{self.block.__name__}`", ", ".join(self.packages), "yes" if self.attends else "–", "yes", "yes")
        return f"| {' | '.join(cells)} |"


FACTS = [
    Fact(GPT2Block, lambda **more: GPT2Block(16, 4, **more), (2, 7, 16), ("transformers",)),
    Fact(LlamaBlock, lambda **more: LlamaBlock(16, 4, 2, 24, **more), (2, 7, 16), ("transformers",)),
    Fact(BasicBlock, lambda **more: BasicBlock(8, 12, 2, **more), (2, 8, 7, 7), ("torchvision", "timm")),
    Fact(Bottleneck, lambda **more: Bottleneck(8, 12, 2, **more), (2, 8, 7, 7), ("torchvision", "timm")),
    Fact(
        ConvNeXtBlock,
        lambda **more: ConvNeXtBlock(8, 0.2, gamma_start=1.0, **more),
        (2, 8, 7, 7),
        ("torchvision", "timm"),
    ),
]
PACKAGES = {fact.block: fact.packages for fact in FACTS}
TABLE = "\n".join(
    [
        "| Block | Loads the weights of | Mask, dropout, cache | bfloat16 | `torch.compile` |",
        "|---|---|---|---|---|",
        *(fact.row for fact in FACTS),
    ]
)

"""What a reader says about the network: the questions of the page, and the sizes that follow from the answers."""

from dataclasses import dataclass

FAMILIES = {
    "transformer": "language model",
    "vit": "vision transformer",
    "image": "ConvNet",
    "perceptron": "MLP",
}
NORMS = {
    "branch": "at the start of each branch",
    "original": "as in the originals (Post-LN, BatchNorm)",
    "none": "none",
}
PRECISIONS = {"bfloat16": "bfloat16", "float16": "float16", "float32": "float32"}
TROUBLES = {
    "nothing": "nothing yet",
    "spikes": "the loss spikes",
    "idle": "late blocks do nothing",
    "overfits": "it overfits",
    "memory": "memory is tight",
    "transfer": "I tune small and train large",
}

TOKENS, VOCABULARY = 1024, 50_257
"""Length of a text and number of tokens of GPT-2, for all counts of language models"""

SIDE, PATCH, CLASSES = 224, 16, 1000
"""Pixels of an image's side and of a patch's, and number of classes, for all counts of image networks"""

FEATURES, LABELS = 32, 10
"""Inputs and classes of an MLP"""

BASE_WIDTH, BASE_BLOCKS = 256, 4
"""The small model that is tuned where a recipe transfers to larger ones: our choice"""


@dataclass(frozen=True)
class Answers:
    """The reader's answers. `width` is that of the stream; of a ConvNet, the channels of its last stage."""

    family: str = "transformer"
    blocks: int = 12
    width: int = 768
    norm: str = "branch"
    precision: str = "bfloat16"
    trouble: str = "nothing"

    @property
    def attends(self) -> bool:
        """Whether the blocks have attention."""
        return self.family in ("transformer", "vit")

    @property
    def additions(self) -> int:
        """Plus signs along the stream: two in a transformer block, one in every other."""
        return self.blocks * (2 if self.attends else 1)

    @property
    def heads(self) -> int:
        """Heads of attention, each 64 wide where that divides the width."""
        return max(self.width // 64, 1)

    @property
    def stages(self) -> tuple[int, ...]:
        """Blocks of each stage of a ConvNet: 3, 3, 9, 3 for 18 blocks, as in ConvNeXt; further ones go to the third."""
        if self.blocks < 4:
            return (1,) * self.blocks
        few = min(3, max(1, self.blocks // 6))
        return few, few, self.blocks - 3 * few, few

    @property
    def channels(self) -> tuple[int, ...]:
        """Channels of each stage of a ConvNet: they double up to the width."""
        last = len(self.stages) - 1
        return tuple(self.width // 2 ** (last - stage) for stage in range(last + 1))

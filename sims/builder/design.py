"""A recipe: which block, how large, how many, and how its branches start. Only numbers and words; nothing is built."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from sims.builder import transformer_parts, vision_parts
from sims.builder.parts import ADD, BRANCH, Part, function
from sims.builder.transformer_parts import Sizes
from sims.builder.vision_parts import ImageSizes
from sims.contract.wording import number
from sims.engines.deep_norm import skip_factor

HIDDEN = {
    "4": lambda width: 4 * width,
    "3.5": lambda width: 7 * width // 2,
    "2/3": lambda width: -(-(8 * width // 3) // 256) * 256,
}
"""Rule → hidden units of the MLP: 4d; 3.5d; two thirds of 4d, rounded up to a multiple of 256 (Llama)."""

GAIN_ENDS = ("norm2", "norm4")


@dataclass(frozen=True)
class Family:
    """A kind of block.

    `ends` are the last layers with weights of its branches. `hands_on` is the block's output while they are zero: "x",
    "ReLU(x)" or "LayerNorm(x)". `final_norm` is the norm that a stack of such blocks needs at its end; a ReLU follows
    a BatchNorm there, as in the authors' code. `settings` are further arguments of the block that do not change its
    shapes.
    """

    label: str
    block: str
    ends: tuple[str, ...]
    hands_on: str
    parts: Callable[[Sizes], list[Part]] | Callable[[ImageSizes], list[Part]]
    hidden: str = ""
    final_norm: str = ""
    settings: tuple[tuple[str, float], ...] = ()

    @property
    def is_llama(self) -> bool:
        """Whether the block is one of the Llamas, whose heads can share keys."""
        return self.block == "LlamaBlock"

    @property
    def images(self) -> bool:
        """Whether the block works on images, not on tokens."""
        return not self.hidden


_MLP_ENDS = ("attention.output", "mlp.narrow")
_LLAMA_ENDS = ("attention.output", "mlp.down")

FAMILIES = {
    "gpt-2": Family("GPT-2 (Pre-LN)", "PreNormBlock", _MLP_ENDS, "x", transformer_parts.pre_norm, "4", "LayerNorm"),
    # The settings of both are those of Meta's params.json, in the releases of the models of 7 and of 8 billion.
    "llama": Family(
        "Llama",
        "LlamaBlock",
        _LLAMA_ENDS,
        "x",
        transformer_parts.llama,
        "2/3",
        "RMSNorm",
        settings=(("rope_base", 10_000), ("norm_eps", 1e-6)),
    ),
    "llama-3": Family(
        "Llama 3",
        "LlamaBlock",
        _LLAMA_ENDS,
        "x",
        transformer_parts.llama,
        "3.5",
        "RMSNorm",
        settings=(("rope_base", 500_000), ("norm_eps", 1e-5)),
    ),
    "original": Family(
        "Transformer of 2017 (Post-LN)", "PostNormBlock", _MLP_ENDS, "LayerNorm(x)", transformer_parts.post_norm, "4"
    ),
    "parallel": Family(
        "Parallel branches", "ParallelBlock", _MLP_ENDS, "x", transformer_parts.parallel, "4", "LayerNorm"
    ),
    "peri-ln": Family("Peri-LN", "PeriNormBlock", GAIN_ENDS, "x", transformer_parts.peri_norm, "4", "LayerNorm"),
    "deepnorm": Family("DeepNorm", "DeepNormBlock", _MLP_ENDS, "LayerNorm(x)", transformer_parts.post_norm, "4"),
    "perceptron": Family(
        "Perceptron (Pre-LN)", "PerceptronBlock", ("mlp.narrow",), "x", transformer_parts.perceptron, "4", "LayerNorm"
    ),
    "basic": Family("ResNet, basic block", "BasicBlock", ("norm2",), "ReLU(x)", vision_parts.basic),
    "bottleneck": Family("ResNet, bottleneck", "BottleneckBlock", ("norm3",), "ReLU(x)", vision_parts.bottleneck),
    "pre-activation": Family(
        "ResNet, pre-activation",
        "PreActivationBlock",
        ("conv2",),
        "x",
        vision_parts.pre_activation,
        final_norm="BatchNorm2d",
    ),
}

STARTS = {
    "default": "Library default",
    "zero": "Zero",
    "shrink": "Small: ÷ √additions",
    "multiply": "Multiplied for good: ÷ √additions",
    "divide": "Multiplied for good: ÷ additions",
    "both": "Zero, and then ÷ √additions",
}
"""Start of the last layer of each branch → its label."""


@dataclass(frozen=True)
class Design:
    """The reader's choices.

    Sizes that do not divide are rounded: the number of heads is the largest that divides the width with heads of at
    least `head_width`, and heads share keys in groups of equal size.
    """

    family: str = "gpt-2"
    width: int = 768
    head_width: int = 64
    sharing: int = 1
    hidden_rule: str = "published"
    causal: bool = True
    start: str = "default"
    blocks: int = 12
    tokens: int = 1024
    side: int = 32
    halves: bool = False
    vocabulary: int = 50_257

    @property
    def kind(self) -> Family:
        return FAMILIES[self.family]

    @property
    def attends(self) -> bool:
        """Whether the block has attention."""
        return any(name.startswith("attention.") for name in self.kind.ends) or self.family == "peri-ln"

    @property
    def sizes(self) -> Sizes:
        most = max(1, self.width // self.head_width)
        heads = next(count for count in range(most, 0, -1) if self.width % count == 0)
        rule = self.kind.hidden if self.hidden_rule == "published" else self.hidden_rule
        shared = heads // math.gcd(heads, self.sharing) if self.kind.is_llama else heads
        return Sizes(self.width, heads, shared, HIDDEN[rule](self.width), self.tokens)

    @property
    def image_sizes(self) -> ImageSizes:
        return ImageSizes(self.width, self.side, self.halves)

    @property
    def alpha(self) -> float | None:
        """DeepNorm's factor on the skip; None elsewhere."""
        return skip_factor(2 * self.blocks) if self.family == "deepnorm" else None

    @property
    def additions(self) -> int:
        """The number of residual additions in the whole stack."""
        return self.blocks * sum(part.kind == ADD for part in self._bare())

    @property
    def factor(self) -> float:
        """1/√additions; 1/additions if the start is "divide"."""
        return float(self.additions ** (-1 if self.start == "divide" else -0.5))

    @property
    def starts_as_identity(self) -> bool:
        """Whether the block passes its input on unchanged before the first step."""
        changes_shape = self.kind.images and self.halves
        return self.start in ("zero", "both") and self.kind.hands_on == "x" and not changes_shape

    def _bare(self) -> list[Part]:
        if self.kind.images:
            return self.kind.parts(self.image_sizes)  # type: ignore[arg-type]
        if self.alpha:
            return transformer_parts.post_norm(self.sizes, self.alpha)
        return self.kind.parts(self.sizes)  # type: ignore[arg-type]

    def parts(self) -> list[Part]:
        """Return the block's parts; the last layers show their start, and a lasting factor is a separate part."""
        marks = {"zero": "start 0", "both": "start 0", "shrink": f"start ×{number(self.factor, 2)}"}
        if self.start in marks:
            return [
                replace(part, name=f"{part.name}, {marks[self.start]}") if part.module in self.kind.ends else part
                for part in self._bare()
            ]
        return self._multiplied() if self.start in ("multiply", "divide") else self._bare()

    def _multiplied(self) -> list[Part]:
        # Parts read others by index, so inserting a factor after each last layer shifts the indices of later parts.
        parts: list[Part] = []
        moved: dict[int, int] = {}
        for index, part in enumerate(self._bare()):
            parts.append(replace(part, reads=tuple(moved[read] for read in part.reads)))
            if part.module in self.kind.ends:
                parts.append(
                    replace(function(f"× {number(self.factor)}", part.shape), reads=(len(parts) - 1,), lane=BRANCH)
                )
            moved[index] = len(parts) - 1
        return parts

    @property
    def parameters(self) -> int:
        """The number of parameters of one block."""
        return sum(part.parameters for part in self._bare())

    @property
    def operations(self) -> int:
        """Floating-point operations of one block, for one example."""
        return sum(part.operations for part in self._bare())

    @property
    def embedding_parameters(self) -> int:
        """The number of parameters of a language model outside of its blocks.

        There is a vector for every word, and a final norm. GPT-2 learns a vector for each position, too. Llama has a
        second matrix of words for its output, while the others use the first one again.
        """
        if not self.attends:
            return 0
        norm = {"LayerNorm": 2 * self.width, "RMSNorm": self.width, "": 0}[self.kind.final_norm]
        words = self.vocabulary * self.width * (2 if self.kind.is_llama else 1)
        places = self.tokens * self.width if self.family == "gpt-2" else 0
        return norm + words + places

    @property
    def warnings(self) -> list[str]:
        """Notes on what is wrong with these choices, or easily misunderstood."""
        notes = []
        if self.attends and not self.causal:
            notes.append(
                "Without the mask every token reads those after it: right for an encoder, a leak in a language model."
            )
        if self.kind.is_llama and self.hidden_rule == "4":
            ratio = self.parameters_of_mlp / replace(self, hidden_rule="published").parameters_of_mlp
            notes.append(f"Three matrices of 4 × width: {number(ratio)} times the weights of Llama's own rule.")
        if self.start == "both":
            notes.append("Zero times anything is zero: the second step does nothing.")
        if self.family == "deepnorm" and self.start != "default":
            notes.append("DeepNorm brings its own start and its own factor; this one comes on top of them.")
        if self.start in ("zero", "both") and self.kind.hands_on != "x":
            entering = "its projected input" if self.kind.images and self.halves else "its input"
            result = self.kind.hands_on.replace("x", entering)
            notes.append(f"The sum passes on {entering}, and what follows it on the stream turns that into {result}.")
        if self.family in ("basic", "bottleneck", "peri-ln") and self.start in ("shrink", "zero"):
            notes.append("A norm closes the branch and would undo any factor before it, so its gain is what is set.")
        return notes

    @property
    def parameters_of_mlp(self) -> int:
        """The number of parameters of one block's MLP."""
        return sum(part.parameters for part in self._bare() if part.module.startswith("mlp."))

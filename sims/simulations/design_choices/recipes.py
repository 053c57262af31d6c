"""A block put together by the reader: its parts, their costs, and its tested code."""

import numpy as np
import param

from sims.builder.block_file import block_file
from sims.builder.design import FAMILIES, STARTS, Design
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number

SCALES = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"), (1, "single"))
"""Powers of ten and their names."""


class Recipes(Simulation):
    """Build a block

    A drawing to scale, from top to bottom, shows the stream on the left as a band with its sums, and the branches next
    to it as boxes. A box is as wide as the features of its output, and its area is its parameters. Every box has a line
    with the shape of its output, its parameters and its floating-point operations. A dot carries the signal through the
    block. Below it is the PyTorch code of exactly this block.
    """

    family = param.Selector(
        default="gpt-2",
        objects={kind.label: name for name, kind in FAMILIES.items()},
        label="Block",
        doc="which block is built",
    )
    width = Stops(
        default=768,
        objects=[64, 128, 256, 512, 768, 1024, 1280, 1600, 2048, 4096, 8192, 12288],
        label="Width",
        doc="values per token on the stream, or channels of an image",
    )
    start = param.Selector(
        default="default",
        objects={words: name for name, words in STARTS.items()},
        label="Last layer of each branch",
        doc="how the last layer of each branch begins",
        precedence=1,
    )
    blocks = Stops(
        default=12,
        objects=[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 80, 96, 128, 300],
        label="Blocks in the stack",
        doc="how many blocks a network has",
        precedence=1,
    )
    causal = param.Boolean(True, label="Causal mask", doc="hide from each token those after it", precedence=1)
    halves = param.Boolean(False, label="Halve the image", doc="stride 2 and twice the channels (ResNet)", precedence=1)
    head_width = Stops(
        default=64, objects=[32, 64, 128], label="Width of a head", doc="values per attention head", precedence=1
    )
    sharing = Stops(
        default=1, objects=[1, 2, 4, 8], label="Heads that share keys", doc="queries per key head (Llama)", precedence=1
    )
    hidden = param.Selector(
        default="published",
        objects={"as the family has it": "published", "4 × width": "4", "3.5 × width": "3.5", "⅔ · 4 × width": "2/3"},
        label="Hidden units of the MLP",
        doc="the rule for the width inside the MLP",
        precedence=1,
    )
    tokens = Stops(
        default=1024,
        objects=[16, 128, 512, 1024, 2048, 4096, 8192],
        label="Tokens",
        doc="tokens of one text",
        precedence=1,
    )
    side = Stops(
        default=32, objects=[7, 8, 14, 16, 28, 32, 56, 112], label="Side of the image", doc="pixels", precedence=1
    )
    vocabulary = Stops(
        default=50_257,
        objects=[32_000, 50_257, 128_256],
        label="Vocabulary",
        doc="symbols that the language model around the stack knows",
        precedence=1,
    )

    @property
    def recipe(self) -> Design:
        """The choices, as plain values."""
        return Design(
            family=self.family,
            width=self.width,
            head_width=self.head_width,
            sharing=self.sharing,
            hidden_rule=self.hidden,
            causal=self.causal,
            start=self.start,
            blocks=self.blocks,
            tokens=self.tokens,
            side=self.side,
            halves=self.halves,
            vocabulary=self.vocabulary,
        )

    def compute(self) -> Frame:
        recipe = self.recipe
        parts = recipe.parts()
        texts = {
            "parts": ("part", [part.name for part in parts]),
            "kinds": ("kind", [part.kind for part in parts]),
            "lanes": ("lane", [part.lane for part in parts]),
            "shapes": ("shape of the output", ["×".join(map(str, part.shape)) for part in parts]),
            "reads": ("reads the rows", [" ".join(map(str, part.reads)) for part in parts]),
        }
        counts = {
            "parameters": Quantity(np.array([part.parameters for part in parts]), "parameters", "numbers", ("row",)),
            "operations": Quantity(
                np.array([part.operations for part in parts]), "floating-point operations", "operations", ("row",)
            ),
        }
        stack = recipe.parameters * recipe.blocks
        return Frame(
            {name: Quantity(np.array(words), label, "text", ("row",)) for name, (label, words) in texts.items()}
            | counts,
            {
                "parameters": recipe.parameters,
                "operations": recipe.operations,
                "stack_parameters": stack,
                "model_parameters": stack + recipe.embedding_parameters,
                "additions": recipe.additions,
                "factor": recipe.factor,
            },
        )

    def describe(self, frame: Frame) -> str:
        recipe, results = self.recipe, frame.results
        example = "image" if recipe.kind.images else f"text of {number(recipe.tokens)} tokens"
        size, unit = next(pair for pair in SCALES if recipe.operations >= pair[0])
        counts = f"{number(int(results['parameters']))} parameters and takes {number(recipe.operations / size)} {unit}"
        words = [f"One block has {counts} floating-point operations for one {example}."]
        if not (recipe.kind.images and recipe.halves):
            around = (
                f", and {number(int(results['model_parameters']))} with the embeddings around it"
                if recipe.attends and not recipe.kind.images
                else ""
            )
            words.append(
                f"A stack of {recipe.blocks} has {results['additions']} residual addition"
                f"{'' if results['additions'] == 1 else 's'} and "
                f"{number(int(results['stack_parameters']))} parameters{around}."
            )
        if recipe.starts_as_identity:
            words.append("Before the first step, the block passes its input on unchanged.")
        return " ".join([*words, *recipe.warnings])

    def listing(self) -> str:
        return block_file(self.recipe)

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network="The block in the drawing. Shapes and counts are arithmetic, checked in our tests against torch's "
            "own count of parameters and operations; the code is taken from the source that these tests run.",
            data="None; nothing is trained here.",
            seeds="None; nothing here is random.",
            cannot_show="How well the block learns, or how fast it runs: operations are matrix products, convolutions "
            "and attention only, while norms and activations cost memory traffic that no such count sees.",
        )


@calculation
def parameters(family: str, width: int, hidden: str = "published", sharing: int = 1, halves: bool = False) -> Number:
    """Parameters of one block. With shared keys the heads are 128 wide, which changes no count."""
    head = 128 if FAMILIES[family].is_llama else 64
    return Design(
        family=family, width=width, hidden_rule=hidden, sharing=sharing, halves=halves, head_width=head
    ).parameters


@calculation
def part_parameters(family: str, width: int, part: str, hidden: str = "published") -> Number:
    """Parameters of the parts of one block whose module's name begins with `part` ("attention", "mlp", "norm",
    "conv")."""
    parts = Design(family=family, width=width, hidden_rule=hidden).parts()
    return sum(item.parameters for item in parts if item.module.startswith(part))


@calculation
def model_parameters(family: str, width: int, blocks: int, tokens: int = 1024, vocabulary: int = 50_257) -> Number:
    """Parameters of a language model: the stack, its final norm, and the embeddings around it."""
    recipe = Design(family=family, width=width, blocks=blocks, tokens=tokens, vocabulary=vocabulary)
    return recipe.parameters * blocks + recipe.embedding_parameters


@calculation
def two_thirds(width: int) -> Number:
    """Two thirds of four times the width, before it is rounded up."""
    return 8 * width / 3


@calculation
def hidden_units(width: int, family: str = "llama") -> Number:
    """Hidden units of the MLP, by the family's own rule."""
    return Design(family=family, width=width).sizes.hidden


@calculation
def start_factor(blocks: int, spread: float = 1.0, family: str = "gpt-2") -> Number:
    """`spread`/√additions for a stack of `blocks` blocks."""
    return spread * Design(family=family, blocks=blocks).factor


@calculation
def additions(blocks: int, family: str = "gpt-2") -> Number:
    """Residual additions of a stack."""
    return Design(family=family, blocks=blocks).additions


@calculation
def stream_variance(blocks: int, variance: float, scaled: bool) -> Number:
    """An initial variance of 1 plus two independent branches of variance `variance` per block, each ÷ √(2 blocks) if
    `scaled`."""
    return 1 + variance * (1 if scaled else 2 * blocks)

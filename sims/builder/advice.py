"""Advises on a block: a few questions, a reason for every answer, and the recipe that the answers lead to."""

from dataclasses import dataclass, replace

from sims.builder.design import Design
from sims.data.recipe_evidence import deepest
from sims.engines.deep_norm import start_factor
from sims.engines.perceptrons import Architecture

LIMITS = {"branch": deepest("pre-ln"), "stream": deepest("post-ln")}
"""Place of a transformer's norm → the deepest released model of that order. Beyond it the advice changes."""

KINDS = {"image": "images", "transformer": "transformer", "perceptron": "perceptron"}
SIZES = {"shipped": "like released models", "deeper": "deeper than all"}
PLACES = {"branch": "before the branch", "stream": "on the stream (Post-LN)"}
TROUBLES = {
    "nothing": "nothing else",
    "idle": "late blocks idle",
    "transfer": "other depths too",
    "no-norm": "no norm wanted",
    "memory": "memory is tight",
}


@dataclass(frozen=True)
class Step:
    """One question: the name of its parameter, the answer, and the reason for what follows from it."""

    question: str
    answer: str
    because: str


@dataclass(frozen=True)
class Advice:
    """The advice that the answers lead to.

    `formula` is the block in one line. `recipe` is None if the builder has no such block. `standin` is the network
    whose stream and gradients are shown: a residual perceptron with the same order of norm and sum. The last layers of
    its branches start as in the recipe, relative to He's weights (with DeepNorm, to Xavier's).
    """

    title: str
    formula: str
    steps: tuple[Step, ...]
    recipe: Design | None
    standin: Architecture
    shrinks: float = 1.0
    """Factor on the initial weights of the last layer of each of the stand-in's branches"""


def advice(kind: str, blocks: int, place: str, trouble: str) -> Advice:
    """Return the advice for `blocks` blocks of a kind of network, the place of its norm, and a trouble to solve.

    A transformer block has two additions, every other block one. The place and the depth matter for transformers only.
    """
    additions = blocks * (2 if kind == "transformer" else 1)
    post = kind == "transformer" and place == "stream"
    deep = kind == "transformer" and blocks > LIMITS[place].blocks
    steps = [Step("kind", kind, KIND_BECAUSE[kind])]
    if kind == "transformer":
        size = "deeper" if deep else "shipped"
        steps += [Step("place", place, PLACE_BECAUSE[place]), Step("blocks", size, SIZE_BECAUSE[place, size])]
    steps.append(Step("trouble", trouble, _trouble_because(trouble, kind, post)))
    choice = _post_norm(additions, deep) if post else _usual(kind, additions, deep)
    if trouble == "no-norm":
        choice = _without_norm(additions)
    elif trouble == "transfer" and not post:
        choice = _choice("Branches ÷ depth", "x + F(LN(x)) / additions", "divide", kind, additions, "1/blocks")
    elif trouble == "idle" and kind == "transformer" and not post:
        choice = Advice("Peri-LN", "x + LN(F(LN(x)))", (), Design(family="peri-ln"), _standin(additions, "layer"))
    recipe = choice.recipe and _sized(choice.recipe, blocks)
    return Advice(choice.title, choice.formula, tuple(steps), recipe, choice.standin, choice.shrinks)


def _sized(recipe: Design, blocks: int) -> Design:
    return replace(recipe, blocks=blocks, width=64 if recipe.kind.images else 512)


def _standin(additions: int, norm: str, factor: str = "1", start: str = "he", skip: str = "additive") -> Architecture:
    return Architecture(
        depth=2 + 2 * additions,
        width=32,
        unit="two-layer",
        skip=skip,  # type: ignore[arg-type]
        norm=norm,  # type: ignore[arg-type]
        initialization=start,  # type: ignore[arg-type]
        branch_factor=factor,  # type: ignore[arg-type]
        final_norm=norm != "post-layer",
    )


def _choice(title: str, formula: str, start: str, kind: str, additions: int, factor: str = "1") -> Advice:
    family = {"image": "pre-activation", "transformer": "gpt-2", "perceptron": "perceptron"}[kind]
    zero = start == "zero"
    standin = _standin(additions, "pre-layer", factor, "zero-last" if zero else "he")
    return Advice(
        title,
        formula,
        (),
        Design(family=family, start=start),
        standin,
        additions**-0.5 if start == "shrink" else 1.0,
    )


def _usual(kind: str, additions: int, deep: bool) -> Advice:
    if kind != "transformer":
        return _choice("Norm first, last layers zero at the start", "x + F(norm(x))", "zero", kind, additions)
    if not deep:
        return _choice("Pre-LN, last layers ÷ √additions at the start", "x + F(LN(x))", "shrink", kind, additions)
    title, formula = "Pre-LN, branches ÷ √additions for good", "x + F(LN(x)) / √additions"
    return _choice(title, formula, "multiply", kind, additions, "1/sqrt(blocks)")


def _post_norm(additions: int, deep: bool) -> Advice:
    if not deep:
        return Advice(
            "Post-LN with warm-up", "LN(x + F(x))", (), Design(family="original"), _standin(additions, "post-layer")
        )
    # A norm after the sum removes a common factor: LN(αx + F) = LN(x + F/α), with α = additions^¼ = (2N)^¼.
    standin = _standin(additions, "post-layer", "1/blocks^(1/4)", "xavier")
    start = start_factor(additions)
    return Advice("DeepNorm", "LN(αx + F(x)), α = ⁴√(2N)", (), Design(family="deepnorm"), standin, start)


def _without_norm(additions: int) -> Advice:
    return Advice(
        "ReZero: a learned factor that starts at 0", "x + αF(x)", (), None, _standin(additions, "none", skip="rezero")
    )


def _trouble_because(trouble: str, kind: str, post: bool) -> str:
    if trouble == "idle" and (post or kind != "transformer"):
        return "Idle late blocks were found in deep Pre-LN transformers; we know of no cure for other networks."
    if trouble == "transfer" and post:
        return "Rates that carry over to other depths were found for Pre-LN stacks, not for this order."
    return TROUBLE_BECAUSE[trouble]


KIND_BECAUSE = {
    "image": "Norm and ReLU come before each convolution; project the skip only where shapes change. Branches that "
    "start at zero are a cheap precaution at any depth. A network of a few blocks may do as well without skips: "
    "train both.",
    "transformer": "Each block has two additions, one after attention and one after the MLP. Keep the skips: without "
    "them, even two blocks end clearly worse.",
    "perceptron": "Each block is one addition around two linear layers. Branches that start at zero leave "
    "the stream as it is at first, at any depth. A network of a few blocks may do as well without skips: train both.",
}
SIZE_BECAUSE = {
    ("branch", "shipped"): f"Pre-LN shipped with up to {LIMITS['branch'].blocks} blocks ({LIMITS['branch'].name}), "
    "with no lasting factor; divide the last layers at the start, as GPT-2 does.",
    ("branch", "deeper"): f"No Pre-LN model that we cite has more than {LIMITS['branch'].blocks} blocks. A small start "
    "limits the first step only; a lasting factor limits all of them.",
    ("stream", "shipped"): f"Post-LN shipped with up to {LIMITS['stream'].blocks} blocks ({LIMITS['stream'].name}), "
    "with a warm-up.",
    ("stream", "deeper"): f"Beyond the {LIMITS['stream'].blocks} blocks of {LIMITS['stream'].name}, a norm on the "
    "stream needs a stronger skip and a smaller start.",
}
PLACE_BECAUSE = {
    "branch": "Pre-LN trains without much care, needs a norm after its last block, and lets the stream grow.",
    "stream": "Post-LN keeps the stream's size, but needs a warm-up, and DeepNorm or Admin when it is deep.",
}
TROUBLE_BECAUSE = {
    "nothing": "Nothing that you chose calls for more.",
    "idle": "In deep Pre-LN stacks late blocks were found to do little; a norm after each branch is one cure.",
    "transfer": "Branches divided by the depth are part of CompleteP, which keeps one learning rate for all depths.",
    "no-norm": "Without norms the branches must start at zero: ReZero, SkipInit or Fixup.",
    "memory": "Skips store no activations; checkpointing or a reversible stack saves memory, whatever the recipe.",
}

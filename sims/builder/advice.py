"""Advises on a block: a few questions, a reason for every answer, and the recipe that the answers lead to."""

from dataclasses import dataclass, replace

from sims.builder.design import Design
from sims.engines.deep_norm import start_factor
from sims.engines.perceptrons import Architecture

FEW, SOME = 12, 252
"""Up to FEW residual additions nothing special is advised, and up to SOME a start that is scaled by depth.

These limits are our own convention, from no paper. The second is the depth of the deepest known language models: the
deepest one with Pre-LN that our pages cite has 126 blocks, and none is reported to use a lasting factor.
"""

KINDS = {"image": "images", "transformer": "transformer", "perceptron": "perceptron"}
PLACES = {"branch": "in front of the branch", "stream": "on the stream (Post-LN)"}
TROUBLES = {
    "nothing": "nothing else",
    "idle": "late blocks idle",
    "transfer": "other depths too",
    "no-norm": "no norm wanted",
    "memory": "memory is short",
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
    whose stream and gradients are shown: a residual perceptron with the same order of norm and sum and the same start.
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

    A transformer block has two additions, every other block one.
    """
    additions = blocks * (2 if kind == "transformer" else 1)
    size = "few" if additions <= FEW else "some" if additions <= SOME else "many"
    post = kind == "transformer" and place == "stream"
    why = POST_BECAUSE[size] if post else SIZE_BECAUSE[size]
    if (kind, size) == ("image", "many"):
        why = IMAGE_BECAUSE
    elif (kind, size, post) == ("transformer", "few", False):
        why = TRANSFORMER_BECAUSE
    steps = [Step("kind", kind, KIND_BECAUSE[kind]), Step("blocks", size, why)]
    if kind == "transformer":
        steps.append(Step("place", place, PLACE_BECAUSE[place]))
    steps.append(Step("trouble", trouble, _trouble_because(trouble, kind, post)))
    choice = _post_norm(additions, size) if post else _usual(kind, additions, size)
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


def _usual(kind: str, additions: int, size: str) -> Advice:
    if size == "few":
        # Transformers of two blocks already end worse without skips (the page "language" measures it).
        title = "The plain skip" if kind == "transformer" else "The plain skip; try it with and without"
        return _choice(title, "x + F(norm(x))", "default", kind, additions)
    if size == "some" and kind == "transformer":
        return _choice("Pre-LN, last layers ÷ √additions at the start", "x + F(LN(x))", "shrink", kind, additions)
    if size == "some" or kind == "image":
        return _choice("Norm first, last layers zero at the start", "x + F(norm(x))", "zero", kind, additions)
    return _choice(
        "Norm first, branches ÷ √additions for good",
        "x + F(norm(x)) / √additions",
        "multiply",
        kind,
        additions,
        "1/sqrt(blocks)",
    )


def _post_norm(additions: int, size: str) -> Advice:
    if size == "few":
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
        return "Idle late blocks are reported for deep Pre-LN transformers; no other cure is known here."
    if trouble == "transfer" and post:
        return "Rates that carry over to other depths are reported for Pre-LN stacks, not for this order."
    return TROUBLE_BECAUSE[trouble]


KIND_BECAUSE = {
    "image": "Norm and ReLU stand in front of each convolution; project the skip only where shapes change.",
    "transformer": "Each block has two additions, one behind attention and one behind the MLP.",
    "perceptron": "Each block is one addition around two linear layers.",
}
SIZE_BECAUSE = {
    "few": f"Up to {FEW} additions the usual start works, and a plain network may do as well: train both.",
    "some": f"Beyond {FEW} additions the stream would grow with every block; start the branches at zero or small.",
    "many": f"Beyond {SOME} additions no named Pre-LN model goes before you. A small start binds the first step only; "
    "a lasting factor binds all of them.",
}
IMAGE_BECAUSE = (
    "Pre-activation ResNets of 1,001 layers are reported with nothing but plain sums; "
    "a start at zero is a cheap precaution."
)
TRANSFORMER_BECAUSE = (
    f"Up to {FEW} additions the usual start works. Keep the skips: without them, even two blocks end clearly worse."
)
POST_BECAUSE = {
    "few": f"Up to {FEW} additions a warm-up is enough for a norm on the stream.",
    "some": f"Beyond {FEW} additions warm-up alone gets risky with a norm on the stream; a stronger skip helps.",
    "many": f"Beyond {SOME} additions a norm on the stream needs a stronger skip and a smaller start.",
}
PLACE_BECAUSE = {
    "branch": "Pre-LN trains without much care, needs a norm behind its last block, and lets the stream grow.",
    "stream": "Post-LN keeps the stream's size, but needs warm-up when it is shallow and DeepNorm or Admin when deep.",
}
TROUBLE_BECAUSE = {
    "nothing": "Nothing else asks for a change.",
    "idle": "In a deep Pre-LN stack late blocks are reported to do little; a norm behind each branch is one cure.",
    "transfer": "Branches divided by the depth are part of CompleteP, which keeps learning rates across depths.",
    "no-norm": "Without norms the branches must start at nothing: ReZero, SkipInit or Fixup.",
    "memory": "Skips cost no stored activations; checkpointing or a reversible stack saves them, whatever the recipe.",
}

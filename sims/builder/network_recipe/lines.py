"""A recipe as lines: what to do about each part, how well that is supported, and who does it differently."""

from dataclasses import dataclass

from sims.builder.network_recipe.answers import BASE_BLOCKS, BASE_WIDTH, PATCH, TOKENS, Answers
from sims.builder.network_recipe.costs import costs
from sims.builder.network_recipe.plan import Plan, plan
from sims.contract.wording import number, percent
from sims.data.recipe_evidence import Rule, deepest, drop_path_row, language_rate, rules


@dataclass(frozen=True)
class Line:
    """One line: the part of the recipe, what to do, and the rule with its grade and sources."""

    part: str
    advice: str
    rule: Rule


PARTS = (
    *("Block", "Norm", "Inner matrices", "Last matrix", "Embedding", "Head", "Factor", "Queries, keys"),
    *("Optimizer", "Learning rate", "Warm-up", "Decay", "Clipping", "Dropout", "Precision", "Memory", "Cost"),
)
"""The parts of a recipe, in the order of its lines; a network without attention has no line for queries and keys"""


def recipe_lines(answers: Answers) -> list[Line]:
    """The lines of the recipe for these answers."""
    chosen = plan(answers)
    makers = {
        "Block": _block,
        "Norm": _norm,
        "Inner matrices": _inner,
        "Last matrix": _last,
        "Embedding": _embedding,
        "Head": _head,
        "Factor": _factor,
        "Queries, keys": _queries,
        "Optimizer": _optimizer,
        "Learning rate": _rate,
        "Warm-up": _warmup,
        "Decay": _decay,
        "Clipping": _clipping,
        "Dropout": _dropping,
        "Precision": _precision,
        "Memory": _memory,
        "Cost": _cost,
    }
    drafts = {part: makers[part](answers, chosen) for part in PARTS if part != "Queries, keys" or answers.attends}
    names = {"Embedding": "Embedding" if answers.family == "transformer" else "Stem"}
    return [Line(names.get(part, part), advice, rules()[rule]) for part, (advice, rule) in drafts.items()]


def _block(a: Answers, p: Plan) -> tuple[str, str]:
    if a.family == "image":
        return {
            "ConvNeXtBlock": ("7×7 depthwise, norm, 1×1 to four times the width, GELU, 1×1; then add", "convnext"),
            "BottleneckBlock": ("1×1, 3×3, 1×1, each with BatchNorm; add, then ReLU", "resnet"),
            "NormalizerFreeBlock": ("x + 0.2 · gain · F(x/spread), convolutions with standardized weights", "nfnet"),
        }[p.block]
    if a.family == "perceptron":
        return f"{p.formula}, F = linear to four times the width, ReLU, linear", (
            "mlp-rezero" if a.norm == "none" else "mlp"
        )
    if a.norm == "none":
        return f"{p.formula}, one learned α for each branch (ReZero)", "rezero"
    if a.norm == "original":
        if p.start == "deepnorm":
            skip = number((2 * a.blocks) ** 0.25)
            most = deepest("post-ln").blocks
            return f"LN(αx + F(x)) with α = (2N)^¼ = {skip}; plain Post-LN shipped with up to {most}", "deepnorm"
        return "LN(x + F(x)) (Post-LN)", "post-ln" if a.family == "transformer" else "post-ln-vision"
    if p.block == "PeriNormBlock":
        return "x + LN(F(LN(x))): a norm at both ends of a branch (Peri-LN)", "peri-ln"
    if a.family == "vit":
        return f"{p.formula}: norm first, in each of two branches", "vit-block"
    return (
        f"{p.formula.replace('c', '') if p.factor == 1 else p.formula}: norm first, in each of two branches",
        "pre-ln",
    )


def _norm(a: Answers, p: Plan) -> tuple[str, str]:
    if a.family == "image":
        return {
            "ConvNeXtBlock": (
                "LayerNorm over channels, ε = 10⁻⁶; also after the stem and before the head",
                "norm-vision",
            ),
            "BottleneckBlock": ("BatchNorm after each convolution", "batch-norm"),
            "NormalizerFreeBlock": (
                "none: each unit's weights get mean 0 and variance 1/fan-in instead",
                "standardized",
            ),
        }[p.block]
    if a.norm == "none":
        return "none, and none at the end", "no-norm"
    if a.family == "perceptron":
        end = "; one more before the head" if p.final_norm else ""
        return f"LayerNorm{end}", "norm-mlp"
    if a.norm == "original":
        return "LayerNorm after each sum; none before the head", "norm-original"
    if a.family == "vit":
        return "LayerNorm, ε = 10⁻⁶; one more before the head", "norm-vision"
    return "LayerNorm, ε = 10⁻⁵; one more before the head", "layer-norm"


def _inner(a: Answers, p: Plan) -> tuple[str, str]:
    if p.start == "deepnorm":
        beta = number((8 * a.blocks) ** -0.25)
        return f"Xavier; values, outputs and the MLP × β = (8N)^−¼ = {beta}", "deepnorm-start"
    if a.family == "perceptron":
        return "He: variance 2/fan-in; biases 0", "he-mlp"
    if p.block == "BottleneckBlock":
        return "He: variance 2/fan-out; no biases", "he-start"
    if p.block == "NormalizerFreeBlock":
        return "variance 1/fan-in; standardization rescales it anyway", "standardized"
    if a.family != "transformer":
        return "truncated normal, deviation 0.02; biases 0", "vision-start"
    if p.transfers:
        return f"normal, deviation 0.02 · √({BASE_WIDTH}/width) = {number(p.deviation)}; biases 0", "mup-start"
    return (
        f"normal, deviation 0.02; biases 0. (One over the root of this width would be {number(a.width**-0.5)}.)",
        "normal-start",
    )


def _last(a: Answers, p: Plan) -> tuple[str, str]:
    if p.start == "shrink":
        return f"0.02/√(2N) = {number(0.02 * a.additions**-0.5)}, for attention's output and the MLP's", "shrink"
    if p.start == "gain":
        return "like the others, but the gain of the last BatchNorm starts at 0 (zero-γ)", "zero-gamma"
    if p.start == "zero":
        return "zero, and so is its bias", "zero-end"
    if p.start == "deepnorm":
        return "as above; no further factor", "deepnorm-start"
    if p.block == "PeriNormBlock":
        return "like the others: the norm that closes the branch divides any factor out", "closing-norm"
    if p.block == "NormalizerFreeBlock":
        return "like the others: the gain after it starts at 0", "nf-gain"
    if p.block in ("ReZeroBlock", "ReZeroPerceptron"):
        return "like the others: α = 0 silences the branch at first", "after-a-zero"
    if p.start == "scale":
        return "like the others: the factor after it starts small", "scaled-end"
    if a.family == "perceptron":
        return "like the others: the norm after the sum sets the size", "he-mlp"
    return "like the others", "same-start"


def _embedding(a: Answers, p: Plan) -> tuple[str, str]:
    if a.family == "transformer":
        return "normal, deviation 0.02; learned positions 0.01", "embedding"
    if a.family == "vit":
        return f"{PATCH}×{PATCH} patches, and positions from a truncated normal of deviation 0.02", "stem-vision"
    if a.family == "perceptron":
        return "one linear layer, no activation", "stem-convention"
    return {
        "ConvNeXtBlock": ("4×4 convolution of stride 4, then a norm", "stem-convnext"),
        "BottleneckBlock": ("7×7 convolution of stride 2, BatchNorm, ReLU, 3×3 max-pooling", "stem-resnet"),
        "NormalizerFreeBlock": ("two standardized 3×3 convolutions of stride 2, with a GELU", "stem-convention"),
    }[p.block]


def _head(a: Answers, p: Plan) -> tuple[str, str]:
    if p.transfers:
        scale = number(min(BASE_WIDTH / a.width, 1))
        return f"the embedding again (tied), logits × {BASE_WIDTH}/width = {scale}", "mup-head"
    if a.family == "transformer":
        return "the embedding again (tied), no bias", "tied"
    if a.family == "vit" or p.block == "ConvNeXtBlock":
        return "mean over the image, one linear layer: truncated normal of deviation 0.02", "head-vision"
    return "one linear layer with the library's default weights", "head-convention"


def _factor(a: Answers, p: Plan) -> tuple[str, str]:
    if p.transfers:
        return (
            f"branches × {BASE_BLOCKS}/N = {number(p.factor)} for good, if you tuned at {BASE_BLOCKS} blocks",
            "factor-transfer",
        )
    if p.factor < 1:
        most = deepest("pre-ln").blocks
        return (
            f"branches ÷ √(2N), × {number(p.factor)} for good: no model that we cite is deeper than {most} blocks",
            "factor-deep",
        )
    if p.block == "LayerScaleBlock":
        return f"LayerScale: one γ per channel, all {number(p.gamma)} at first with this depth", "layer-scale"
    if p.block == "ConvNeXtBlock":
        return f"LayerScale: one γ per channel, all {number(p.gamma)} at first", "layer-scale-convnext"
    if p.block == "NormalizerFreeBlock":
        return "0.2 for good, times a learned gain", "nf-gain"
    if p.block == "ReZeroPerceptron":
        return "a learned α that starts at 0", "mlp-rezero"
    if p.block == "ReZeroBlock":
        return "a learned α that starts at 0; not on a matrix that already starts small", "rezero"
    if p.start == "deepnorm":
        return "α on the skip, none on the branch", "deepnorm"
    if a.family == "perceptron":
        return "none", "factor-mlp"
    return "none", "no-factor" if a.family == "transformer" else "no-factor-vision"


def _queries(_a: Answers, p: Plan) -> tuple[str, str]:
    if p.query_key_norm:
        return "RMSNorm on the queries and keys of each head, before their product", "qk-norm"
    return "no norm; add one first if the loss spikes", "no-qk-norm"


def _optimizer(a: Answers, p: Plan) -> tuple[str, str]:
    if p.adaptive_clip:
        return "SGD with Nesterov momentum 0.9", "sgd-nesterov"
    if p.optimizer == "SGD":
        return "SGD with momentum 0.9", "sgd"
    rule = {"transformer": "adamw-language", "perceptron": "adam-mlp"}.get(a.family, "adamw-vision")
    return f"AdamW, β = {p.betas[0]:g} and {p.betas[1]:g}, ε = 10⁻⁸", rule


def _rate(a: Answers, p: Plan) -> tuple[str, str]:
    size = f"{number(p.rate)} for batches of {p.batch}"
    if a.family == "transformer":
        row = language_rate(a.width, a.blocks)
        if p.transfers:
            words = (
                f"tune it at width {BASE_WIDTH}, starting from {number(p.rate)}; then only the matrices in the blocks"
            )
            scaled = f"× {BASE_WIDTH}/width, and their decay × width/{BASE_WIDTH}; ε is not scaled"
            return f"{words} {scaled}", "rate-transfer"
        place = f"GPT-3's list at {row.name}: {row.blocks} blocks of width {number(row.width)}"
        if a.norm == "original":
            return f"{size}: a third of that for Pre-LN ({place})", "rate-post-ln"
        return f"{size} ({place}); it falls with the width, and no rule for depth is agreed on", "rate-language"
    if a.family == "perceptron":
        return f"{size}; try a third and three times that", "rate-mlp"
    if a.family == "vit" and a.norm == "original":
        return f"{size}: a third of that for Pre-LN", "rate-post-ln"
    rule = {"ConvNeXtBlock": "rate-convnext", "BottleneckBlock": "rate-sgd", "NormalizerFreeBlock": "rate-nfnet"}
    return f"{size}, in proportion to the batch", rule.get(p.block, "rate-vision")


def _warmup(a: Answers, p: Plan) -> tuple[str, str]:
    fall = f"then a cosine down to {percent(p.floor)}" if p.floor else "then a cosine down to 0"
    if a.norm == "original" and a.attends:
        short = ", a tenth of a short run" if a.family == "transformer" else ""
        return f"{p.warmup}{short}; {fall}", "warmup-post-ln"
    if a.family == "transformer":
        return f"{p.warmup}, at most 1% of a short run; {fall}", "warmup-language"
    if a.family == "perceptron":
        return f"{p.warmup}; {fall}", "warmup-mlp"
    rule = {
        "ConvNeXtBlock": "warmup-convnext",
        "BottleneckBlock": "warmup-resnet",
        "NormalizerFreeBlock": "warmup-nfnet",
    }
    return f"{p.warmup}; {fall}", rule.get(p.block, "warmup-vision")


def _decay(a: Answers, p: Plan) -> tuple[str, str]:
    scaled = f" (× width/{BASE_WIDTH} in the blocks, as their rate falls)" if p.transfers else ""
    usual = f"{number(p.decay)} on matrices{scaled}; not on gains, biases and learned factors"
    if a.family == "transformer":
        return usual, "decay-bert" if a.norm == "original" else "decay-language"
    if a.family == "perceptron":
        return usual, "decay-mlp"
    if p.block == "BottleneckBlock":
        return f"{number(p.decay)} on everything", "decay-resnet"
    return usual, {"ConvNeXtBlock": "decay-convnext", "NormalizerFreeBlock": "decay-nfnet"}.get(p.block, "decay-vision")


def _clipping(a: Answers, p: Plan) -> tuple[str, str]:
    if p.adaptive_clip:
        return "each unit's gradient to 0.01 of its weights' length, except in the head", "adaptive-clip"
    if p.clip:
        return f"the length of the whole gradient to {p.clip:.1f}", "clip-language"
    return "none", "clip-mlp" if a.family == "perceptron" else "no-clip"


def _dropping(a: Answers, p: Plan) -> tuple[str, str]:
    if p.drop_path:
        row = drop_path_row(a.family, a.width, a.blocks)
        more = f"{row.name} has {number(row.rate)}; the next larger model's" if p.drop_path != row.rate else row.name
        rule = "drop-path-convnext" if a.family == "image" else "drop-path"
        return f"stochastic depth: 0 in the first block, rising to {number(p.drop_path)} in the last ({more})", rule
    if p.dropout:
        return f"dropout {number(p.dropout)} on attention weights and at the end of each branch", "dropout"
    if a.family == "transformer":
        return "none, as long as no text is read twice", "no-dropout"
    if p.block == "BottleneckBlock":
        return "none", "no-drop-path"
    rule = "drop-nfnet" if p.block == "NormalizerFreeBlock" else "drop-convention"
    return "none at first; stochastic depth if it overfits", rule


def _precision(a: Answers, _p: Plan) -> tuple[str, str]:
    if a.precision == "float32":
        return "nothing to do", "float32"
    exact = (
        "statistics of norms, RoPE's angles, softmax and loss in float32"
        if a.family == "transformer"
        else "norms and loss in float32"
    )
    if a.precision == "float16":
        return f"weights in float32, loss scaling (its largest number is 65,504); {exact}; prefer bfloat16", "float16"
    return f"weights and moments in float32, products in bfloat16; {exact}", "bfloat16"


def _memory(a: Answers, p: Plan) -> tuple[str, str]:
    example = {"transformer": f"text of {TOKENS} tokens", "perceptron": "point"}.get(a.family, "image")
    size = _scaled(costs(a, p).stream * (4 if a.precision == "float32" else 2), BYTES)
    if p.checkpoints:
        twice = "; BatchNorm updates twice: momentum 0.051" if p.block == "BottleneckBlock" else ""
        advice = (
            f"checkpoint(block, x, use_reentrant=False): a block keeps {size} per {example}, for one more forward pass"
        )
        return advice + twice, "checkpoints"
    return f"each plus sign keeps nothing; what enters a block is {size} per {example}", "no-checkpoints"


def _cost(a: Answers, p: Plan) -> tuple[str, str]:
    totals = costs(a, p)
    example = {"transformer": "token", "perceptron": "point"}.get(a.family, "image")
    size = f"{_scaled(totals.parameters)} parameters, {_scaled(totals.stack)} of them in the blocks"
    work = f"{_scaled(3 * totals.operations)} FLOPs per {example} to train"
    return f"{size}; {work}; {_scaled(totals.states, BYTES)} of weights, gradients and moments", "counted"


COUNTS = ((1e15, "quadrillion"), (1e12, "trillion"), (1e9, "billion"), (1e6, "million"), (1e3, "thousand"), (0, ""))
BYTES = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (0, "bytes"))


def _scaled(count: float, units: tuple[tuple[float, str], ...] = COUNTS) -> str:
    size, word = next((size, word) for size, word in units if count >= size)
    return f"{number(count / (size or 1))} {word}".rstrip()

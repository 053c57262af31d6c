"""What a recipe's network costs: parameters, floating-point operations, memory. Arithmetic; tests count the file's."""

from dataclasses import dataclass

from sims.builder.network_recipe.answers import (
    CLASSES,
    FEATURES,
    LABELS,
    PATCH,
    SIDE,
    TOKENS,
    VOCABULARY,
    Answers,
)
from sims.builder.network_recipe.plan import Plan

STATES = {"AdamW": 16, "SGD": 12}
"""Optimizer → bytes for each parameter: weight and gradient of 4 bytes, and one or two moments of 4 bytes"""


@dataclass(frozen=True)
class Costs:
    """Counts of a network.

    `operations` are those of products, convolutions and attention in one forward pass of one example: a token, an
    image, or a point. `states` are the bytes of weights, gradients and moments. `stream` is the number of values of the
    stream that one example keeps for each block where blocks are checkpointed: of a text or an image.
    """

    stack: int
    parameters: int
    operations: int
    states: int
    stream: int


def costs(answers: Answers, plan: Plan) -> Costs:
    """The costs of a recipe's network."""
    count = {"image": _convolutions, "perceptron": _perceptron}.get(answers.family, _transformer)
    stack, parameters, operations, stream = count(answers, plan)
    return Costs(stack, parameters, operations, parameters * STATES[plan.optimizer], stream)


def _transformer(a: Answers, plan: Plan) -> tuple[int, int, int, int]:
    d = a.width
    extras = {
        "PreNormBlock": 4 * d,
        "GPT2Block": 4 * d,
        "PostNormBlock": 4 * d,
        "DeepNormBlock": 4 * d,
        "PeriNormBlock": 8 * d,
        "QKNormBlock": 4 * d + 2 * (d // a.heads),
        "LayerScaleBlock": 6 * d,
        "ReZeroBlock": 2,
    }
    stack = a.blocks * (12 * d**2 + 9 * d + extras[plan.block])
    final = 2 * d * plan.final_norm
    language = a.family == "transformer"
    tokens = TOKENS if language else (SIDE // PATCH) ** 2
    per_token = a.blocks * (24 * d**2 + 4 * tokens * d)
    if language:
        around = (VOCABULARY + TOKENS) * d
        return stack, stack + final + around, per_token + 2 * VOCABULARY * d, TOKENS * d
    around = 3 * PATCH**2 * d + d + tokens * d + (d + 1) * CLASSES
    whole = tokens * (per_token + 6 * PATCH**2 * d) + 2 * d * CLASSES
    return stack, stack + final + around, whole, tokens * d


def _perceptron(a: Answers, plan: Plan) -> tuple[int, int, int, int]:
    d = a.width
    norm = {"PerceptronBlock": 2 * d, "PostNormPerceptron": 2 * d, "ReZeroPerceptron": 1}[plan.block]
    stack = a.blocks * (8 * d**2 + 5 * d + norm)
    around = (FEATURES + 1) * d + 2 * d * plan.final_norm + (d + 1) * LABELS
    return stack, stack + around, 16 * d**2 * a.blocks + 2 * d * (FEATURES + LABELS), d


def _convolutions(a: Answers, plan: Plan) -> tuple[int, int, int, int]:
    stack = around = operations = 0
    channels, last = a.channels, a.channels[-1]
    side = SIDE // 4
    for stage, (blocks, c) in enumerate(zip(a.stages, channels, strict=True)):
        pixels = (side // 2**stage) ** 2
        before = channels[stage - 1] if stage else 0
        if plan.block == "ConvNeXtBlock":
            stack += blocks * (8 * c**2 + 58 * c)
            operations += blocks * pixels * (16 * c**2 + 98 * c)
            if stage:
                around += 2 * before + 4 * before * c + c
                operations += 8 * before * c * pixels
        elif plan.block == "BottleneckBlock":
            inner, source = c // 4, before or channels[0] // 4
            entry = pixels * 4 if stage else pixels
            stack += blocks * (inner * c + 9 * inner**2 + inner * c + 4 * inner + 2 * c)
            stack += inner * (source - c) + source * c + 2 * c
            operations += blocks * 2 * pixels * (2 * inner * c + 9 * inner**2)
            operations += 2 * entry * inner * source - 2 * pixels * inner * c + 2 * pixels * source * c
        else:
            inner = max(c // 2, 1)
            stack += blocks * (2 * inner * c + 9 * inner**2 + 4 * inner + 2 * c + 1)
            operations += blocks * 2 * pixels * (2 * inner * c + 9 * inner**2)
            if stage:
                around += 9 * before * c + 2 * c
                operations += 18 * before * c * pixels
    w = channels[0]
    if plan.block == "ConvNeXtBlock":
        around += 48 * w + w + 2 * w + 2 * last
        operations += 96 * w * side**2
    elif plan.block == "BottleneckBlock":
        around += 147 * (w // 4) + 2 * (w // 4)
        operations += 294 * (w // 4) * (2 * side) ** 2
    else:
        half = w // 2
        around += 27 * half + 2 * half + 9 * half * w + 2 * w
        operations += 54 * half * (2 * side) ** 2 + 18 * half * w * side**2
    around += (last + 1) * CLASSES
    return stack, stack + around, operations + 2 * last * CLASSES, w * side**2

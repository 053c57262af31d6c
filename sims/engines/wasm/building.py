"""Builds the modules of all engines, and the description of their functions."""

from typing import Any

import numba
import numpy as np

from sims.data.datasets import Source
from sims.engines import language, perceptrons, transformers
from sims.engines.perceptrons import weighted_stack
from sims.engines.recipe import Recipe
from sims.engines.wasm.compiling import compiled
from sims.engines.wasm.description import described, slots
from sims.engines.wasm.linking import data_size
from sims.engines.wasm.lowering import lowered, only_lower
from sims.engines.wasm.recording import Call, kernel_of, recorded
from sims.engines.wasm.retargeting import FUSED, PLAIN
from sims.engines.wasm.tiles import use_small_tiles

VARIANTS = (FUSED, PLAIN)
TOO_FEW = np.zeros((2, 8), np.float32)
"""Points for a kernel that is not run"""


def module_name(engine: str, variant: str) -> str:
    """The name of the file of a module; `variant` is "fused" or "plain"."""
    return f"{engine}-{variant}.wasm"


def examples() -> dict[str, dict[str, Call]]:
    """Engine → kernel → a call of it. What is compiled are the types of its arguments; no kernel is run."""
    digits = Source("digits_plane")
    with recorded(runs=False) as calls:
        perceptron = perceptrons.start(perceptrons.Architecture(2), Recipe(), digits, [0])
        perceptrons.predict(perceptron, TOO_FEW[:, :2])
        transformer = transformers.start(transformers.Transformer(1), Recipe(), digits, [0])
        transformers.predict(transformer, TOO_FEW[:, :2])
        model = language.LanguageModel(1, 2, 4, 1, 4)
        text = np.zeros(8, np.int64)
        student = language.advance(language.start(model, language.LanguageRecipe(2), 0), text, 1)
        language.gradients(student, text, [0, 1])
        language.streams(student, np.zeros((1, 4), np.int64))
        stack = weighted_stack.start(weighted_stack.WeightedStack((1.0,)), digits, [0], 0.001)
        weighted_stack.answers(weighted_stack.advance(stack, 1))
    of_engines: dict[str, dict[str, Call]] = {}
    for call in calls:
        of_engines.setdefault(call.engine, {})[call.kernel] = call
    return of_engines


def built(engine: str) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Return the modules of an engine by name, one for each variant, and the description of the engine.

    No kernel can be run in this process afterwards (`only_lower`). Raises ValueError if a description does not fit the
    code.
    """
    calls = examples()[engine]
    only_lower()
    use_small_tiles()
    kernels = {name: kernel_of(engine, name) for name in calls}
    ir = {
        name: lowered(kernels[name], tuple(numba.typeof(argument) for argument in call.arguments))
        for name, call in calls.items()
    }
    functions: dict[str, Any] = {
        name: {
            "arguments": described(kernels[name], call.arguments),
            "result": "int" if ir[name].returns else "none",
        }
        for name, call in calls.items()
    }
    modules: dict[str, bytes] = {}
    for variant in VARIANTS:
        module, types = compiled(ir, variant)
        for name, function in functions.items():
            _check(name, function["arguments"], types[name])
        modules[module_name(engine, variant)] = module
    return modules, {"functions": functions, "data": max(map(data_size, modules.values()))}


def _check(name: str, arguments: list[dict[str, Any]], types: list[str]) -> None:
    # The first two slots are for the result and for an error.
    if len(types) != slots(arguments) + 2:
        raise ValueError(f"{name} takes {len(types)} numbers, but its description has {slots(arguments) + 2}")

"""Calls of all kernels with every choice that an engine has, recorded as native code makes them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any, get_args

import numpy as np

from sims.data.datasets import source
from sims.engines import language, perceptrons, transformers
from sims.engines.language import architecture as languages
from sims.engines.perceptrons import architecture as layers
from sims.engines.perceptrons import weighted_stack
from sims.engines.recipe import Loss, Optimizer, Recipe
from sims.engines.transformers import architecture as attentions
from sims.engines.wasm.packing import Packer, packed
from sims.engines.wasm.recording import recorded

DATA = source("digits", points=64)
BATCH = 37
"""Two whole vectors of sixteen numbers, and five more"""
SYMBOLS = np.random.default_rng(0).integers(0, 7, 60)

Choice = tuple[Any, ...]


@dataclass(frozen=True)
class Engine:
    """The choices of an engine, and a function that trains with them for two steps, or raises ValueError."""

    choices: tuple[tuple[Any, ...], ...]
    train: Any

    def every(self) -> Iterator[Choice]:
        return product(*self.choices)

    def covering(self) -> list[Choice]:
        """A few choices that fit together, among which every pair of values occurs that does."""
        shuffled = [choice for choice in self.every() if self.fits(choice)]
        Random(0).shuffle(shuffled)
        seen: set[tuple[Any, ...]] = set()
        chosen = []
        for choice in shuffled:
            pairs = {*combinations(enumerate(choice), 2)}
            if not pairs <= seen:
                seen |= pairs
                chosen.append(choice)
        return chosen

    def fits(self, choice: Choice) -> bool:
        try:
            self.train(*choice, steps=0)
        except ValueError:
            return False
        return True


def perceptron(
    skip: Any, norm: Any, unit: Any, start: Any, activation: Any, optimizer: Any, loss: Any, *, steps: int = 2
) -> None:
    depth = 4 if unit in ("pre-activation", "one-layer") else 6
    dropped = 0.25 if skip == "dropout" else 0.0
    network = perceptrons.Architecture(
        depth, 10, skip, norm, unit, activation, start, final_norm=depth == 4, growth=3, dropped=dropped
    )
    if steps:
        clip = 1.0 if optimizer == "momentum" else None
        recipe = Recipe(optimizer, 0.01, BATCH, warmup=3, clip=clip, loss=loss, record_every=steps)
        state = perceptrons.start(network, recipe, DATA, [0, 3])
        perceptrons.predict(perceptrons.advance(state, steps), DATA.load().test_inputs)


def transformer(norm: Any, start: Any, optimizer: Any, causal: bool, depth: int, *, steps: int = 2) -> None:
    network = attentions.Transformer(depth, 12, 4, 2, 20, norm, optimizer != "sgd", causal, start)
    if steps:
        state = transformers.start(network, Recipe(optimizer, 0.01, BATCH, record_every=steps), DATA, [0, 3])
        transformers.predict(transformers.advance(state, steps), DATA.load().test_inputs)


def language_model(skip: Any, attention: Any, norm: Any, start: Any, *, steps: int = 2) -> None:
    model = language.LanguageModel(2, 7, 12, 2, 9, skip, attention, norm, start)
    if steps:
        state = language.advance(language.start(model, language.LanguageRecipe(5), 0), SYMBOLS, steps)
        language.gradients(state, SYMBOLS, [0, 30])
        language.streams(state, SYMBOLS[None, :9], removed=(1,))


def stack(skips: tuple[float, ...], factor: float, norm: bool, learned: bool, *, steps: int = 2) -> None:
    if steps:
        network = weighted_stack.WeightedStack(skips, factor, norm, learned)
        state = weighted_stack.start(network, DATA, [0, 3], 0.01, BATCH)
        weighted_stack.answers(weighted_stack.advance(state, steps))


ENGINES = {
    "perceptrons": Engine(
        (
            *(get_args(kind) for kind in (layers.Skip, layers.Norm, layers.Unit, layers.Initialization)),
            *(get_args(kind) for kind in (layers.Activation, Optimizer, Loss)),
        ),
        perceptron,
    ),
    "transformers": Engine(
        (get_args(attentions.Norm), get_args(attentions.Initialization), get_args(Optimizer), (False, True), (1, 4)),
        transformer,
    ),
    "language": Engine(
        tuple(
            get_args(kind) for kind in (languages.Skip, languages.Attention, languages.Norm, languages.Initialization)
        ),
        language_model,
    ),
    "weighted_stack": Engine(
        (((1.0, 0.0, 0.7), (0.0,), (1.0,) * 5), (1.0, 18**-0.5), (False, True), (False, True)),
        stack,
    ),
}


def write(folder: Path, choices: Iterable[tuple[str, Choice]]) -> None:
    """Train with these choices, and write all calls of kernels to `calls.json` and `calls.bin`."""
    packer, calls = Packer(), []
    for engine, choice in choices:
        with recorded() as made:
            ENGINES[engine].train(*choice)
        calls += [packed(call, packer) | {"choice": " ".join(map(str, choice))} for call in made]
    (folder / "calls.json").write_text(json.dumps(calls))
    (folder / "calls.bin").write_bytes(packer.data())


def covering(engines: Sequence[str] = tuple(ENGINES)) -> list[tuple[str, Choice]]:
    return [(engine, choice) for engine in engines for choice in ENGINES[engine].covering()]

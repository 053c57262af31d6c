"""What a reader's browser can repeat: a step of each engine, and a whole run, with digests of what native code made."""

import json
from typing import Any

import numpy as np

from sims.data import own_words
from sims.data.datasets import source
from sims.engines import language, perceptrons, transformers
from sims.engines.perceptrons import weighted_stack
from sims.engines.recipe import Recipe
from sims.engines.segment import batches
from sims.engines.state import TrainingState
from sims.engines.wasm.packing import Packer, digest, packed
from sims.engines.wasm.recording import Call, recorded

STEPS, EVERY = 600, 24
"""Steps of the run, and how many are taken at a time: as in chapter 0"""
SEEDS = range(5)
TEXT = 4096
"""Symbols of the words that the language model's step draws from"""


def first_state() -> TrainingState:
    """Return the plain network that chapter 0 shows first, before its training (`Degradation.start`)."""
    architecture = perceptrons.Architecture(depth=20, width=48, skip="none", unit="original")
    recipe = Recipe(optimizer="adam", learning_rate=0.001, batch=128, record_every=EVERY)
    return perceptrons.start(architecture, recipe, source("teacher"), SEEDS)


def proof() -> dict[str, bytes]:
    """Return the files of the proof by name: JSON, and what it refers to. Runs the kernels natively."""
    packer = Packer()
    content = {"steps": [packed(call, packer) for call in steps()], "run": _run(packer), "file": "proof.bin"}
    return {"proof.bin": packer.data(), "proof.json": json.dumps(content, separators=(",", ":")).encode()}


def steps() -> list[Call]:
    """Return a training step of each engine, an evaluation, a prediction, and passes over text, as native code does
    them."""
    state = first_state()
    digits = source("digits", points=256)
    transformer = transformers.start(transformers.Transformer(6), Recipe(optimizer="adam", record_every=1), digits, [0])
    stack = weighted_stack.start(weighted_stack.WeightedStack((1.0,) * 7), digits, [0], 0.001)
    words = own_words.parts()[0][:TEXT]
    model = language.LanguageModel(2, len(own_words.symbols()))
    student = language.start(model, language.LanguageRecipe(), 0)
    with recorded() as calls:
        perceptrons.advance(state, 1)
        perceptrons.evaluated(state)
        perceptrons.predict(state, state.source.load().test_inputs[:100])
        transformers.advance(transformer, 1)
        transformers.predict(transformer, transformer.source.load().test_inputs[:100])
        language.advance(student, words, 1)
        language.gradients(student, words, [0])
        language.streams(student, words[None, : model.context])
        weighted_stack.answers(weighted_stack.advance(stack, 1))
    # One of each kind; an evaluation is of the training set and of the test set.
    return list({(call.engine, call.kernel): call for call in reversed(calls)}.values())[::-1]


def _run(packer: Packer) -> dict[str, Any]:
    """The run: its calls for the first steps, the batches of all steps, and the digests of its end."""
    start = first_state()
    points = len(start.source.load().train_labels)
    with recorded() as calls:
        perceptrons.advance(start, EVERY)
    orders = np.stack(
        [
            np.stack([batches(start.recipe, seed, points, first, EVERY) for seed in SEEDS])
            for first in range(0, STEPS, EVERY)
        ]
    )
    end = perceptrons.advance(start, STEPS)
    wrote = {
        "parameters": end.parameters,
        "first": end.first_moment,
        "second": end.second_moment,
        "losses": end.losses,
        "weight_gradients": end.now.weight_gradients,
    }
    return {
        "train": packed(calls[0], packer),
        "evaluate": packed(calls[1], packer),
        "orders": packer.entry("orders", orders),
        "steps": STEPS,
        "every": EVERY,
        "wrote": {name: digest(array) for name, array in wrote.items()},
        "error": float(np.median(end.now.train_error)),
    }

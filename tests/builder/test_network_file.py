"""The file that a reader takes away from the explorer: it runs alone, and computes what the page does."""

import ast
import inspect
import itertools
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from sims.builder.network_file import network_file
from sims.data.datasets import Source, source
from sims.data.input_features import FUNCTIONS, with_features
from sims.engines.perceptrons import Architecture, Recipe, advance, start
from sims.engines.perceptrons.engine import predict
from sims.pytorch.layers import blocks
from sims.simulations.design_choices.explorer import RING, Explorer

SKIPS = ("none", "additive", "rezero", "highway", "linear", "dense")
NORMS = ("none", "batch", "layer", "pre-layer", "post-layer")
ALONE = ("peri-layer", "deep-norm")
"""Norms that belong to a sum"""
PAIRS = [
    *(pair for pair in itertools.product(SKIPS, NORMS) if pair != ("dense", "post-layer")),
    *(("additive", norm) for norm in ALONE),
]
SPIRALS = source("spirals")
ADAM = Recipe("adam", 0.01, 64)


def defined(architecture: Architecture, recipe: Recipe = ADAM, data: Source = SPIRALS) -> dict[str, Any]:
    """What a file defines, without a run."""
    names: dict[str, Any] = {"__name__": "file"}
    text = network_file(architecture, recipe, data, range(3, 4), 6)
    assert "sims" not in re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
    assert max(map(len, text.splitlines())) <= 120
    exec(compile(text, "file", "exec"), names)
    return names


def same_start(architecture: Architecture) -> None:
    """The file's network and the engine's give the same answers for the same seed, to 1e-5."""
    names = defined(architecture)
    data = names["spirals"]()
    model = names["start"](data, 3)
    state = start(architecture, ADAM, SPIRALS, [3])
    with torch.no_grad():
        answers = model(torch.tensor(data.train_inputs)).numpy()
    expected = predict(state, data.train_inputs)[0]
    np.testing.assert_allclose(answers, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("unit", ["pre-activation", "one-layer"])
@pytest.mark.parametrize(("skip", "norm"), PAIRS)
def test_the_network_of_the_file_is_the_network_of_the_page(skip: Any, norm: Any, unit: Any) -> None:
    same_start(Architecture(6, 8, skip=skip, norm=norm, unit=unit))


@pytest.mark.parametrize(
    "choices",
    [
        *({"initialization": name} for name in ("default", "xavier", "orthogonal", "looks-linear", "uniform")),
        {"initialization": "looks-linear", "skip": "highway"},
        {"initialization": "zero-last", "unit": "two-layer"},
        {"initialization": "zero-last"},
        {"final_norm": True},
        {"skip": "dense", "norm": "pre-layer", "final_norm": True},
        {"unit": "two-layer", "norm": "layer"},
        {"unit": "original", "norm": "batch"},
        {"branch_factor": "1/blocks", "activation": "tanh", "final_norm": True},
        {"depth": 2},
    ],
    ids=str,
)
def test_so_it_is_with_every_other_choice(choices: dict[str, Any]) -> None:
    same_start(Architecture(**{"depth": 6, "width": 8, **choices}))


@pytest.mark.parametrize(
    "recipe",
    [Recipe("sgd", 0.1, 64), Recipe("momentum", 0.03, 32, clip=0.1), Recipe("adam", 0.01, 128, warmup=10), ADAM],
    ids=str,
)
def test_it_takes_the_steps_that_the_page_takes(recipe: Recipe) -> None:
    architecture = Architecture(6, 8, norm="pre-layer")
    names = defined(architecture, recipe)
    data = names["spirals"]()
    losses = names["train"](names["start"](data, 3), data, 3, 6)
    state = advance(start(architecture, recipe, SPIRALS, [3]), 6)
    np.testing.assert_allclose(losses, state.losses[:, 0], rtol=1e-4)
    other = names["train"](names["start"](data, 4), data, 4, 6)
    assert not np.allclose(other, losses, rtol=1e-2)


@pytest.mark.parametrize(
    "choices",
    [
        *({"skip": skip} for skip in SKIPS),
        {"skip": "highway", "initialization": "looks-linear"},
        {"norm": "batch", "unit": "original"},
        {"norm": "post-layer", "final_norm": True},
        {"initialization": "zero-last", "unit": "two-layer", "norm": "deep-norm"},
    ],
    ids=str,
)
def test_its_gradients_are_those_of_the_page(choices: dict[str, Any]) -> None:
    architecture, recipe = Architecture(**{"depth": 6, "width": 8, **choices}), Recipe("momentum", 0.01, 64)
    names = defined(architecture, recipe)
    data = names["spirals"]()
    losses = names["train"](names["start"](data, 3), data, 3, 4)
    np.testing.assert_allclose(losses, advance(start(architecture, recipe, SPIRALS, [3]), 4).losses[:, 0], rtol=1e-4)


@pytest.mark.parametrize("task", [*Explorer.param["task"].objects])
def test_its_data_are_those_of_the_page(task: str) -> None:
    where = source("own", points=RING) if task == "own" else source(task)
    names = defined(Architecture(4, 8), data=where)
    data = names[task](**dict(where.arguments))
    np.testing.assert_array_equal(data.train_inputs, where.load().train_inputs)
    np.testing.assert_array_equal(data.train_labels, where.load().train_labels)


FED = [("product",), ("x1", "x1_squared", "sine_x2"), tuple(FUNCTIONS)]
"""What networks may be fed: fewer numbers than the two coordinates, more, and all"""


@pytest.mark.parametrize("features", FED, ids=" ".join)
@pytest.mark.parametrize("task", ["spirals", "digits_plane"])
def test_what_it_feeds_is_what_the_page_feeds(task: str, features: tuple[str, ...]) -> None:
    where = with_features(source(task), features)
    names = defined(Architecture(4, 8), data=where)
    data, expected = names["featured"](names[task](), features), where.load()
    np.testing.assert_array_equal(data.train_inputs, expected.train_inputs)
    np.testing.assert_array_equal(data.test_inputs, expected.test_inputs)


@pytest.mark.parametrize("features", FED, ids=" ".join)
@pytest.mark.parametrize(
    "choices", [{}, {"skip": "dense"}, {"norm": "batch"}, {"initialization": "looks-linear"}], ids=str
)
def test_it_learns_noisy_points_from_features_as_the_page_does(
    features: tuple[str, ...], choices: dict[str, Any]
) -> None:
    """The engine's compiled steps against torch's own, on the data that the file itself makes."""
    where = with_features(source("spirals", noise=0.2), features)
    architecture = Architecture(**{"depth": 6, "width": 8, **choices})
    names = defined(architecture, data=where)
    data = names["featured"](names["spirals"](noise=0.2), list(features))
    losses = names["train"](names["start"](data, 3), data, 3, 6)
    np.testing.assert_allclose(losses, advance(start(architecture, ADAM, where, [3]), 6).losses[:, 0], rtol=1e-4)


def test_features_and_noise_of_the_controls_are_in_the_file() -> None:
    usual, other = Explorer().listing(), Explorer(noise="0.2", feed_x2=False, feed_product=True).listing()
    assert "    data = spirals()\n" in usual
    assert "featured" not in usual
    assert "    data = featured(spirals(noise=0.2), ['x1', 'product'])\n" in other
    assert "nothing is fed" in Explorer(feed_x1=False, feed_x2=False).listing()


@pytest.mark.exhaustive
def test_it_runs_by_itself_and_says_how_every_seed_ended(tmp_path: Path) -> None:
    place = tmp_path / "network.py"
    place.write_text(Explorer(depth=4, width=8, training_steps=200, seeds=2, seed=7, feed_x1_squared=True).listing())
    answer = subprocess.run([sys.executable, "-I", place], cwd=tmp_path, capture_output=True, text=True, check=True)
    endings = re.findall(r"seed (\d+): training loss ([\d.e-]+), training error", answer.stdout)
    assert [seed for seed, _ in endings] == ["7", "8"]
    assert all(float(loss) < 0.7 for _, loss in endings)


def test_a_run_that_leaves_the_finite_numbers_ends_there() -> None:
    names = defined(Architecture(32, 16), Recipe("sgd", 1.0, 64))
    data = names["spirals"]()
    losses = names["train"](names["start"](data, 3), data, 3, 50)
    assert len(losses) < 50
    assert not np.isfinite(losses[-1])


@pytest.mark.parametrize(
    ("architecture", "recipe"),
    [
        (Architecture(8, skip="dropout", dropped=0.5), ADAM),
        (Architecture(8, scaled_skip=0.5), ADAM),
        (Architecture(8, squashed=True), ADAM),
        (Architecture(8), Recipe(loss="squared error")),
    ],
    ids=str,
)
def test_what_no_file_can_hold_is_refused(architecture: Architecture, recipe: Recipe) -> None:
    with pytest.raises(ValueError, match="what the explorer does not offer"):
        network_file(architecture, recipe, SPIRALS, range(1), 100)


def test_it_holds_only_what_its_network_uses_and_holds_it_as_in_our_source() -> None:
    text = network_file(Architecture(8, skip="highway", norm="batch"), ADAM, SPIRALS, range(1), 100)
    classes = {node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
    assert classes == {"Dataset", "BatchNorm", "Highway"}
    assert inspect.getsource(blocks.Highway).strip() in text
    assert not [word for word in ("architecture", "recipe", "mirrored", "orthogonal", "SGD", "clip") if word in text]


def test_what_cannot_be_trained_is_no_file_but_says_why() -> None:
    assert "a one-layer branch that starts at zero" in Explorer(initialization="zero-last", unit="one-layer").listing()
    assert "points of two classes" in Explorer(task="own", points="").listing()

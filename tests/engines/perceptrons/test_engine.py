"""Runs: pure, repeatable, the same in chunks, the same as PyTorch's, and honest where they break."""

import pickle
import subprocess
import sys
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.utils import clip_grad_norm_, parameters_to_vector, vector_to_parameters

from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, evaluated, predict, start, start_from
from sims.engines.perceptrons.kernels import steps as kernels
from sims.engines.perceptrons.layout import make_layout
from sims.engines.segment import batches
from sims.engines.state import Overflow
from sims.pytorch.models import networks

ARCHITECTURE = Architecture(depth=8, width=16, unit="original", norm="batch")
RECIPE = Recipe("momentum", 0.05, batch=100, record_every=4)


def same(one: Any, other: Any) -> bool:
    """Whether two states hold the same bits."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one):
        return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    return bool(one == other)


def begun(
    architecture: Architecture = ARCHITECTURE, recipe: Recipe = RECIPE, seeds: tuple[int, ...] = (0, 7)
) -> TrainingState:
    return start(architecture, recipe, "teacher", seeds)


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam"])
def test_a_run_is_the_same_in_chunks_of_any_size(optimizer: Any) -> None:
    whole = advance(begun(recipe=replace(RECIPE, optimizer=optimizer)), 21)
    chunked = begun(recipe=replace(RECIPE, optimizer=optimizer))
    for steps in (1, 2, 9, 0, 4, 5):
        chunked = pickle.loads(pickle.dumps(advance(chunked, steps)))
    assert same(whole, chunked)
    assert [record.step for record in whole.records] == [0, 4, 8, 12, 16, 20]
    assert whole.now.step == whole.step == len(whole.losses) == 21


def test_advancing_leaves_the_state_as_it_was() -> None:
    state = advance(begun(), 3)
    before = pickle.dumps(state)
    later = advance(state, 5)
    assert pickle.dumps(state) == before
    assert not same(state, later)


def test_another_process_computes_the_same_bits() -> None:
    code = (
        "import hashlib; from sims.engines.perceptrons import *; "
        "s = advance(start(Architecture(8, 16, unit='original', norm='batch'), "
        "Recipe('momentum', 0.05, 100, record_every=4), 'teacher', (0, 7)), 10); "
        "print(hashlib.sha256(s.parameters.tobytes()).hexdigest())"
    )
    one, other = (subprocess.check_output([sys.executable, "-c", code]) for _ in range(2))
    assert one == other


def test_seeds_run_together_as_they_run_alone() -> None:
    together = advance(begun(seeds=(0, 7)), 6)
    alone = advance(begun(seeds=(7,)), 6)
    np.testing.assert_array_equal(together.parameters[1], alone.parameters[0])
    np.testing.assert_array_equal(together.losses[:, 1], alone.losses[:, 0])
    assert together.now.test_error[1] == alone.now.test_error[0]


def test_twins_start_from_the_same_weights_and_see_the_same_batches() -> None:
    plain = begun(replace(ARCHITECTURE, skip="none"))
    np.testing.assert_array_equal(plain.parameters, begun().parameters)
    assert not np.array_equal(advance(plain, 1).parameters, advance(begun(), 1).parameters)


def torch_run(state: TrainingState, steps: int) -> tuple[np.ndarray, list[float]]:
    """Parameters and losses of the first seed after `steps` steps of the same run in PyTorch, in double precision."""
    recipe, data = state.recipe, source("teacher").load()
    model = networks.network(state.architecture, data.features, data.classes).double()
    parameters = networks.ordered_parameters(model)
    vector_to_parameters(torch.tensor(state.parameters[0]).double(), parameters)
    optimizer: torch.optim.Optimizer
    if recipe.optimizer == "adam":
        optimizer = torch.optim.Adam(parameters, lr=recipe.learning_rate)
    else:
        optimizer = torch.optim.SGD(
            parameters, lr=recipe.learning_rate, momentum=0.9 if recipe.optimizer == "momentum" else 0
        )
    losses = []
    for step, batch in enumerate(batches(recipe, state.seeds[0], len(data.train_labels), 0, steps)):
        optimizer.param_groups[0]["lr"] = recipe.learning_rate * min(1, (step + 1) / max(recipe.warmup, 1))
        outputs = model(torch.tensor(data.train_inputs[batch]).double())
        loss = torch.nn.functional.cross_entropy(outputs, torch.tensor(data.train_labels[batch]))
        optimizer.zero_grad()
        loss.backward()
        if recipe.clip is not None:
            clip_grad_norm_(parameters, recipe.clip)
        optimizer.step()
        losses.append(loss.item())
    return parameters_to_vector(parameters).detach().numpy(), losses


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe("sgd", 0.1, 100),
        Recipe("momentum", 0.05, 100),
        Recipe("adam", 0.003, 100),
        Recipe("sgd", 0.1, 100, warmup=8),
        Recipe("adam", 0.003, 100, clip=0.5, warmup=3),
        Recipe("momentum", 0.05, None, clip=0.7),
    ],
    ids=str,
)
def test_twelve_steps_are_those_of_torch(recipe: Recipe) -> None:
    architecture = Architecture(
        depth=6, width=16, unit="two-layer", norm="pre-layer", final_norm=True, activation="tanh"
    )
    first = start(architecture, recipe, "teacher", (3,))
    parameters, losses = torch_run(first, 12)
    ours = advance(first, 12)
    np.testing.assert_allclose(ours.losses[:, 0], losses, rtol=1e-5)
    moved = np.linalg.norm(parameters - first.parameters[0])
    assert np.linalg.norm(ours.parameters[0] - parameters) < 1e-4 * moved


def test_the_state_before_the_first_step_has_measured_the_first_batch() -> None:
    state = begun(seeds=(3,))
    data = source("teacher").load()
    model = networks.network(state.architecture, data.features, data.classes)
    parameters = networks.ordered_parameters(model)
    vector_to_parameters(torch.tensor(state.parameters[0]), parameters)
    batch = batches(state.recipe, 3, 1024, 0, 1)[0]
    loss = torch.nn.functional.cross_entropy(
        model(torch.tensor(data.train_inputs[batch])), torch.tensor(data.train_labels[batch])
    )
    loss.backward()
    norms = [parameter.grad.norm().item() for parameter in parameters if parameter.ndim == 2]
    np.testing.assert_allclose(state.now.weight_gradients[0], norms, rtol=1e-4)
    assert state.losses.shape == (0, 1)
    assert state.records == (state.now,)
    np.testing.assert_array_equal(advance(state, 1).now.weight_gradients, state.now.weight_gradients)
    np.testing.assert_array_equal(advance(state, 1).now.stream_gradients, state.now.stream_gradients)


@pytest.mark.parametrize("part", ["train", "test"])
@pytest.mark.parametrize("norm", ["none", "batch"])
def test_evaluation_takes_the_whole_set_and_its_statistics(part: str, norm: Any) -> None:
    state = evaluated(advance(begun(replace(ARCHITECTURE, norm=norm), seeds=(3,)), 5))
    data = source("teacher").load()
    model = networks.network(state.architecture, data.features, data.classes)
    vector_to_parameters(torch.tensor(state.parameters[0]), networks.ordered_parameters(model))
    inputs, labels = (torch.tensor(getattr(data, f"{part}_{kind}")) for kind in ("inputs", "labels"))
    with torch.no_grad():
        outputs = model(inputs)
    loss = torch.nn.functional.cross_entropy(outputs, labels).item()
    error = (outputs.argmax(dim=1) != labels).double().mean().item()
    assert getattr(state.now, f"{part}_loss")[0] == pytest.approx(loss, rel=1e-4)
    assert getattr(state.now, f"{part}_error")[0] == pytest.approx(error, abs=1.01 / 1024)


def test_predictions_do_not_depend_on_the_company_even_with_batch_norm() -> None:
    state = advance(begun(), 5)
    points = source("teacher").load().test_inputs[:40]
    answers = predict(state, points)
    assert answers.shape == (2, 40, 10)
    np.testing.assert_allclose(predict(state, points[:3]), answers[:, :3], rtol=1e-4, atol=1e-5)


def test_between_records_the_answers_are_those_of_the_last_one() -> None:
    recorded, later = advance(begun(), 4), advance(begun(), 5)
    np.testing.assert_array_equal(later.now.train_loss, recorded.now.train_loss)
    assert later.now.step == 5
    assert not np.array_equal(evaluated(later).now.train_loss, recorded.now.train_loss)


def test_predictions_for_the_training_set_are_those_of_the_evaluation() -> None:
    state = evaluated(advance(begun(), 5))
    data = source("teacher").load()
    wrong = (predict(state, data.train_inputs).argmax(axis=2) != data.train_labels).mean(axis=1)
    np.testing.assert_allclose(wrong, state.now.train_error, atol=1.01 / 1024)


def test_an_epoch_shows_every_point_at_most_once_and_no_two_epochs_are_alike() -> None:
    recipe = Recipe(batch=100)
    two = batches(recipe, 0, 1024, 0, 20).reshape(2, 1000)
    assert [len(set(epoch.tolist())) for epoch in two] == [1000, 1000]
    assert not np.array_equal(*two)
    np.testing.assert_array_equal(batches(recipe, 0, 1024, 7, 6), batches(recipe, 0, 1024, 0, 20)[7:13])
    assert not np.array_equal(batches(recipe, 1, 1024, 0, 1), batches(recipe, 0, 1024, 0, 1))


@pytest.mark.parametrize("batch", [None, 1024, 5000])
def test_a_full_batch_is_the_training_set_in_order(batch: int | None) -> None:
    np.testing.assert_array_equal(batches(Recipe(batch=batch), 0, 1024, 3, 2), [np.arange(1024)] * 2)


def test_a_run_that_blows_up_says_where_and_leaves_the_others_alone() -> None:
    wild = Architecture(depth=40, width=16, unit="one-layer", initialization="he")
    state = advance(start(wild, Recipe("sgd", 0.1, 100, record_every=50), "teacher", (0,)), 40)
    (overflow,) = state.overflows
    assert overflow is not None
    assert 1 <= overflow.step <= 40
    assert overflow.quantity.startswith(("stream after", "loss", "gradient of layer"))
    assert np.isfinite(state.parameters).all()
    lost = np.isnan(state.losses[:, 0])
    assert lost[overflow.step - 1 :].all()
    assert not lost[: overflow.step - 1].any()
    later = advance(state, 3)
    assert later.overflows == state.overflows
    np.testing.assert_array_equal(later.parameters, state.parameters)


def test_one_seed_may_diverge_while_another_goes_on() -> None:
    good = advance(begun(), 4)
    poisoned = good.parameters.copy()
    poisoned[0, 0] = np.nan
    after = advance(start_from(poisoned, good.architecture, good.recipe, good.source, good.seeds), 4)
    assert after.overflows == (Overflow(1, "stream after the stem"), None)
    healthy = start_from(good.parameters, good.architecture, good.recipe, good.source, good.seeds)
    np.testing.assert_array_equal(after.parameters[1], advance(healthy, 4).parameters[1])


def test_gradients_that_overflow_are_noticed_before_they_are_taken() -> None:
    """A tiny stem and huge layers behind it: the answers are finite, their gradient is not."""
    state = begun(Architecture(4, 16, skip="none"), replace(RECIPE, optimizer="sgd"), (0,))
    parameters = np.zeros_like(state.parameters)
    for layer, size in zip(make_layout(state.architecture, 32, 10).layers, (1e-44, 6e26, 6e26, 1e-12), strict=True):
        parameters[0, layer.weight : layer.bias] = size
    parameters[0, layer.weight : layer.weight + 16] = -size
    first = start_from(parameters, state.architecture, state.recipe, state.source, (0,))
    assert np.isfinite(first.now.train_loss).all()
    after = advance(first, 2)
    assert after.overflows == (Overflow(1, "gradient of layer 1"),)
    np.testing.assert_array_equal(after.parameters, parameters)


def test_two_classes_and_squared_error_need_a_single_output() -> None:
    state = start(Architecture(4, 8, squashed=True), Recipe(batch=10, loss="squared error"), "playground", (0,))
    answers = predict(advance(state, 3), source("playground").load().test_inputs)
    assert answers.shape == (1, 250, 1)
    assert np.abs(answers).max() <= 1


def test_parameters_of_another_shape_are_refused() -> None:
    state = begun()
    with pytest.raises(ValueError, match="2 seeds have"):
        start_from(state.parameters[:, 1:], state.architecture, state.recipe, state.source, state.seeds)


def test_a_run_needs_a_seed() -> None:
    with pytest.raises(ValueError, match="at least one seed"):
        begun(seeds=())


@pytest.mark.parametrize(
    ("architecture", "recipe", "data"),
    [
        (Architecture(5, skip="dense", norm="layer"), Recipe("adam", 0.01, None), source("digits_plane")),
        (Architecture(6, skip="highway", unit="two-layer", norm="post-layer"), Recipe(clip=1.0), source("spirals")),
        (Architecture(5, skip="rezero", activation="tanh", squashed=True), Recipe(loss="squared error"), source("xor")),
        (Architecture(2, 8, skip="none"), Recipe(warmup=5, batch=10), source("own", points="a1010b9090a2020")),
    ],
    ids=lambda value: getattr(value, "skip", ""),
)
def test_no_choice_makes_a_reader_wait_for_the_compiler(architecture: Architecture, recipe: Recipe, data: Any) -> None:
    kernel = kernels.run, kernels.evaluate, kernels.answer
    predict(advance(begun(), 1), source("teacher").load().test_inputs)
    compiled = [len(dispatcher.signatures) for dispatcher in kernel]
    state = advance(start(architecture, recipe, data, (0, 1)), 2)
    predict(state, data.load().test_inputs)
    assert [len(dispatcher.signatures) for dispatcher in kernel] == compiled

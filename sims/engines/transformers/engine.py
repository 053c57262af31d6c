"""Starting a run of transformers and taking it further."""

from collections.abc import Sequence

import numpy as np

from sims.data.datasets import Dataset, Source
from sims.engines.perceptrons.kernels.steps import ACTIVATIONS, LOSS
from sims.engines.recipe import Recipe
from sims.engines.state import TrainingState, blank
from sims.engines.stretch import Stretch, after, ahead, moments
from sims.engines.transformers.architecture import Transformer
from sims.engines.transformers.initialization import initial_parameters
from sims.engines.transformers.kernels import steps as kernels
from sims.engines.transformers.layout import layout
from sims.engines.transformers.plan import plan, workspace


def start(
    architecture: Transformer,
    recipe: Recipe,
    source: Source,
    seeds: Sequence[int],
    precision: type[np.floating] = np.float32,
) -> TrainingState:
    """The state before the first step, with the initial network already measured on its first batch.

    A seed decides the initial weights and the order of the batches, and nothing else does; the order is that which
    the perceptrons take for the same seed. Raises ValueError for an unknown dataset, an empty list of seeds, features
    that the tokens cannot share, or a loss other than cross-entropy.
    """
    if not seeds:
        raise ValueError("a run needs at least one seed")
    if recipe.loss != "cross-entropy":
        raise ValueError("transformers are trained on cross-entropy")
    data = source.load()
    where = layout(architecture, data.features, data.classes)
    parameters = np.stack([initial_parameters(architecture, where, seed) for seed in seeds]).astype(precision)
    first, second = moments(recipe, parameters)
    state = TrainingState(
        architecture=architecture, recipe=recipe, source=source, seeds=tuple(seeds), step=0, parameters=parameters,
        first_moment=first, second_moment=second, losses=np.empty((0, len(seeds)), np.float32),
        now=blank(len(seeds), architecture.depth + 2, architecture.depth + 1), records=(),
        overflows=(None,) * len(seeds),
    )  # fmt: skip
    return _onward(state, data, 0)


def advance(state: TrainingState, steps: int) -> TrainingState:
    """The state `steps` steps later; `state` itself stays as it was.

    The same bits come out whether the steps are taken at once or in chunks of any size. A seed that leaves the finite
    numbers stops there (`TrainingState.overflows`) while the others go on.
    """
    data = state.source.load()
    last = state.step + steps
    while state.step < last:
        pause = (state.step // state.recipe.record_every + 1) * state.recipe.record_every
        state = _onward(state, data, min(pause, last) - state.step)
    return state


def _onward(state: TrainingState, data: Dataset, steps: int) -> TrainingState:
    """The state after `steps` steps without a record in between; for 0 steps, the initial network is measured."""
    architecture, kind = state.architecture, state.parameters.dtype
    how = plan(architecture, data.features, data.classes)
    train = _tokens(data.train_inputs, architecture, kind)
    todo = ahead(state, steps, len(data.train_labels))
    kernels.run(
        how, todo.loss, todo.optimizer, todo.rates, todo.clip,
        state.step, train, data.train_labels, todo.orders, todo.parameters, todo.first, todo.second,
        workspace(architecture, how, todo.orders.shape[2], True, kind), np.empty(todo.parameters.shape[1], kind),
        todo.losses, todo.now.weight_gradients, todo.now.stream_gradients, todo.now.activations, todo.overflows,
    )  # fmt: skip

    def evaluate(done: Stretch) -> None:
        now = done.now
        for points, labels, mean, error in (
            (train, data.train_labels, now.train_loss, now.train_error),
            (_tokens(data.test_inputs, architecture, kind), data.test_labels, now.test_loss, now.test_error),
        ):
            work = workspace(architecture, how, len(labels), False, kind)
            kernels.evaluate(how, done.loss, points, labels, np.arange(len(labels)), done.parameters, work, mean, error)

    return after(state, todo, evaluate, lambda what, place: _quantity(what, place, architecture))


def _tokens(inputs: np.ndarray, architecture: Transformer, kind: np.dtype) -> np.ndarray:
    """Points (points, features) as (tokens, features of a token, points)."""
    return np.ascontiguousarray(inputs.T, kind).reshape(architecture.tokens, -1, len(inputs))


def _quantity(what: int, place: int, architecture: Transformer) -> str:
    """The words for what left the finite numbers."""
    if what == ACTIVATIONS:
        return f"stream after sublayer {place}" if place else "stream after the embedding"
    if what == LOSS:
        return "loss"
    if place == 0:
        return "gradient of the embedding"
    return f"gradient of sublayer {place}" if place <= architecture.depth else "gradient of the head"

"""Starts a language model, continues its training, and evaluates it on texts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sims.engines.kernels.matmul import TILE
from sims.engines.language.architecture import LanguageModel
from sims.engines.language.initialization import initial_parameters
from sims.engines.language.kernels import steps as kernels
from sims.engines.language.kernels.forward import forward
from sims.engines.language.kernels.shapes import Plan, Workspace
from sims.engines.language.layout import make_layout
from sims.engines.memory import aligned


@dataclass(frozen=True)
class LanguageRecipe:
    """How a model is trained: pieces per step, AdamW's learning rate and decay, and the norm that clips gradients.

    The learning rate rises linearly over the first `warmup` steps.
    """

    batch: int = 16
    learning_rate: float = 0.003
    warmup: int = 20
    decay: float = 0.1
    clip: float = 1.0


@dataclass(frozen=True)
class LanguageState:
    """A model in training, as NumPy arrays and plain values. Parameters and AdamW's moments are (P,)."""

    model: LanguageModel
    recipe: LanguageRecipe
    seed: int
    step: int
    parameters: np.ndarray
    first: np.ndarray
    second: np.ndarray
    losses: np.ndarray
    """(step,) loss of each step's batch, before the step, in nats per symbol"""
    finite: bool = True
    """False once a loss or gradient was not finite: the step after `step` was not taken"""


def start(
    model: LanguageModel, recipe: LanguageRecipe, seed: int, precision: type[np.floating] = np.float32
) -> LanguageState:
    """Return the state before the first step. The seed decides the weights and the order of the pieces, and no more."""
    parameters = initial_parameters(model, make_layout(model), seed).astype(precision)
    return LanguageState(
        model, recipe, seed, 0, parameters, np.zeros_like(parameters), np.zeros_like(parameters), np.empty(0)
    )


def advance(state: LanguageState, text: np.ndarray, steps: int) -> LanguageState:
    """Return the state after `steps` more steps on a text (n,) of symbol numbers; `state` itself is unchanged.

    The same bits come out whether the steps are taken at once or in chunks. A model whose loss or gradient is no longer
    finite stays as it was before that step. Raises ValueError for a text that is not longer than the context, or that
    has other symbols.
    """
    if steps <= 0 or not state.finite:
        return state
    text = _checked(state.model, text)
    plan, layout, recipe = _plan(state.model), make_layout(state.model), state.recipe
    parameters, first, second = state.parameters.copy(), state.first.copy(), state.second.copy()
    numbers = range(state.step, state.step + steps)
    losses = np.empty(steps)
    steps_taken = kernels.run(
        plan,
        text,
        np.stack([_starts(state, len(text), number) for number in numbers]),
        recipe.learning_rate * np.minimum(1, (np.array(numbers) + 1) / max(recipe.warmup, 1)),
        recipe.decay,
        layout.decaying,
        recipe.clip,
        state.step,
        parameters,
        first,
        second,
        _workspace(state.model, recipe.batch, parameters.dtype),
        np.empty_like(parameters),
        losses,
    )
    return replace(
        state,
        step=state.step + steps_taken,
        parameters=parameters,
        first=first,
        second=second,
        losses=np.concatenate([state.losses, losses[:steps_taken]]),
        finite=steps_taken == steps,
    )


def gradients(state: LanguageState, text: np.ndarray, starts: Sequence[int]) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the loss of the pieces of a text (n,) that begin at `starts`, its gradient (P,), and the norms of its
    gradient with respect to the stream after the embedding and after each branch (branches + 1,)."""
    gradient, norms = np.empty_like(state.parameters), np.empty(state.model.branches + 1)
    workspace = _workspace(state.model, len(starts), state.parameters.dtype)
    places = np.asarray(starts, np.int64)
    text = _checked(state.model, text)
    loss = kernels.one_pass(_plan(state.model), state.parameters, text, places, workspace, gradient, norms)
    return loss, gradient, norms


def streams(state: LanguageState, symbols: np.ndarray, removed: Sequence[int] = ()) -> tuple[np.ndarray, np.ndarray]:
    """Return stream (branches + 1, B, T, width) and logits (B, T, symbols) for pieces (B, T) of T = context symbols.

    The branches in `removed` are knocked out: the stream passes them unchanged.
    """
    pieces, context = symbols.shape
    plan = _plan(state.model, removed)
    workspace = _workspace(state.model, pieces, state.parameters.dtype)
    workspace.symbols[:] = _checked(state.model, symbols).T.reshape(-1)
    forward(plan, state.parameters, workspace)
    by_piece = workspace.stream.reshape(len(workspace.stream), -1, context, pieces).transpose(0, 3, 2, 1)
    return by_piece.copy(), workspace.outputs.reshape(-1, context, pieces).transpose(2, 1, 0).copy()


def _checked(model: LanguageModel, text: np.ndarray) -> np.ndarray:
    """Return the symbols as int64 for the kernels. Raises ValueError for symbols or a length that the model rejects."""
    # A text to train on needs one symbol more than a piece: the one that the last symbol has to predict.
    if text.shape[-1] < model.context or (text.ndim == 1 and len(text) == model.context):
        raise ValueError(f"a text must be longer than the context of {model.context} symbols")
    if text.min() < 0 or text.max() >= model.symbols:
        raise ValueError(f"symbols must be numbers from 0 to {model.symbols - 1}")
    return np.array(text, np.int64)


def _starts(state: LanguageState, length: int, step: int) -> np.ndarray:
    """Draw where the pieces of a step begin, from a generator of that step, so that it does not matter how a run is
    cut."""
    random = np.random.default_rng((state.seed, 1, step))
    return random.integers(0, length - state.model.context, state.recipe.batch)


def _plan(model: LanguageModel, removed: Sequence[int] = ()) -> Plan:
    layout = make_layout(model)
    mask = np.ones(model.branches, np.bool_)
    mask[list(removed)] = False
    return Plan(
        table=layout.table(),
        kept=mask,
        positions=layout.positions,
        gates=layout.gates,
        mixtures=layout.mixtures,
        branches=model.branches,
        symbols=model.symbols,
        width=model.width,
        context=model.context,
        heads=model.heads,
        bases=np.array(model.bases),
        mixes=model.attention != "identity",
        # ReZero's blocks have no norm.
        pre_norm=model.norm == "pre-layer" and model.skip != "rezero",
        post_norm=model.norm == "post-layer",
    )


def _workspace(model: LanguageModel, batch: int, dtype: np.dtype) -> Workspace:
    columns, width, blocks = model.context * batch, model.width, model.blocks
    empty = partial(aligned, dtype)
    return Workspace(
        symbols=np.empty(columns, np.int64),
        answers=np.empty(columns, np.int64),
        stream=empty(model.branches + 1, width, columns),
        normal=empty(model.branches, width, columns),
        scale=empty(model.branches, columns),
        branch=empty(model.branches if model.skip == "rezero" else 0, width, columns),
        queries=empty(blocks, 3 * width, columns),
        shares=empty(blocks, model.heads, model.context, model.context, batch),
        mixed=empty(blocks, width, columns),
        summed=empty(blocks if model.attention == "value-skip" else 0, width, columns),
        hidden=empty(blocks, model.hidden, columns),
        slopes=empty(blocks, model.hidden, columns),
        final=empty(width, columns),
        final_scale=empty(columns),
        outputs=empty(model.symbols, columns),
        change=empty(width, columns),
        held=empty(width, columns),
        inside=empty(model.hidden, columns),
        before=empty(model.hidden, columns),
        packed=empty(max(model.hidden, model.symbols), TILE),
        attention=empty(model.context, model.context, batch),
    )

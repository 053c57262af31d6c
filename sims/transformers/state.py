"""The state of a run of transformers: everything it needs to go on, and what it has shown so far."""

from dataclasses import dataclass

import numpy as np

from sims.data import Source
from sims.training.recipe import Recipe
from sims.training.state import Overflow, Record
from sims.transformers.architecture import Transformer


@dataclass(frozen=True)
class State:
    """A run of several seeds after `step` steps. Arrays are never written to after a state has been handed out.

    In its records, `weight_gradients` is (seeds, depth + 2): the norm over the weight matrices of the embedding, of
    each sublayer and of the head; `stream_gradients` and `activations` are (seeds, depth + 1): of the stream after the
    embedding and after each sublayer, over batch, tokens and width.
    """

    architecture: Transformer
    recipe: Recipe
    source: Source
    seeds: tuple[int, ...]
    step: int
    parameters: np.ndarray
    """(seeds, number of parameters), ordered as `sims.transformers.layout` says; of the last finite step for a seed
    that diverged"""
    first_moment: np.ndarray
    """(seeds, parameters) velocity of momentum, or Adam's first moment; no columns for plain gradient descent"""
    second_moment: np.ndarray
    """(seeds, parameters) Adam's second moment; no columns for other optimizers"""
    losses: np.ndarray
    """(step, seeds) loss of the batch of every step, before its update; NaN from a divergence on"""
    now: Record
    records: tuple[Record, ...]
    """At step 0 and every `recipe.record_every` steps up to now"""
    overflows: tuple[Overflow | None, ...]
    """For each seed, where it left the finite numbers"""

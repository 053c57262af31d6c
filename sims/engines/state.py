"""The state of a run: everything it needs to continue, as NumPy arrays and plain values, and its records so far."""

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from sims.data.datasets import Source
from sims.engines.recipe import Recipe

A = TypeVar("A")
"""What describes the networks: `perceptrons.Architecture` or `transformers.Transformer`"""

ANSWERS = ("train_loss", "train_error", "test_loss", "test_error")
"""What is measured by evaluating a network on all points, which costs as much as several steps."""


@dataclass(frozen=True)
class Record:
    """What is measured at one step; the first axis of every array is the seed.

    Gradients and activations come from the training pass itself: those of the batch of the step that led here (of the
    first batch for step 0), at the weights before its update. Losses and errors belong to the weights after it, over
    the whole training and test set; between two records, when nothing has been evaluated, to those of the last record.
    With batch norm they use the statistics of the whole evaluated set.

    A perceptron's layers run from stem to head, and its stream is measured after the stem and after each block. A
    transformer has depth + 2 weight norms (the embedding, each sublayer, the head), and its stream is measured after
    the embedding and after each sublayer, over batch, tokens and width.
    """

    step: int
    train_loss: np.ndarray
    """(seeds,)"""
    train_error: np.ndarray
    """(seeds,) share of wrong answers, 0 to 1"""
    test_loss: np.ndarray
    """(seeds,)"""
    test_error: np.ndarray
    """(seeds,) share of wrong answers, 0 to 1"""
    weight_gradients: np.ndarray
    """(seeds, layers) norm of the loss gradient with respect to the weight matrix or matrices of each layer"""
    stream_gradients: np.ndarray
    """(seeds, blocks + 1) norm of ∂L/∂h over the batch, for every position on the stream"""
    activations: np.ndarray
    """(seeds, blocks + 1) root mean square of h, for the same positions"""

    def with_answers_of(self, record: "Record") -> "Record":
        """Return this record with the losses and errors of an earlier one."""
        return replace(self, **{name: getattr(record, name) for name in ANSWERS})


def blank(seeds: int, layers: int, positions: int) -> Record:
    """Return a record of zeros, for that many weight matrices and positions on the stream."""
    one, many, most = np.zeros(seeds), np.zeros((seeds, layers)), np.zeros((seeds, positions))
    return Record(0, one, one, one, one, many, most, most)


@dataclass(frozen=True)
class Overflow:
    """Where a run first stopped being finite: the step (the first step is 1) and the quantity."""

    step: int
    quantity: str


@dataclass(frozen=True)
class TrainingState(Generic[A]):
    """A run of several seeds after `step` steps. Its arrays are never written to after it has been returned."""

    architecture: A
    recipe: Recipe
    source: Source
    seeds: tuple[int, ...]
    step: int
    parameters: np.ndarray
    """(seeds, number of parameters), ordered as the layout of the architecture says; of the last finite step for a seed
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
    """For each seed, where it stopped being finite"""

    @property
    def moments(self) -> tuple[Record, ...]:
        """The records, ending with the current one."""
        return self.records if self.now.step == self.records[-1].step else (*self.records, self.now)

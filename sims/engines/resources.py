"""Resources that all segments of a chunk share: the kernels' plan, the data in their memory order, and workspaces."""

from collections.abc import Callable, Iterator
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from sims.engines.segment import batches
from sims.engines.state import Record, TrainingState

P = TypeVar("P")
"""A plan of `sims.engines.perceptrons` or of `sims.engines.transformers`"""

W = TypeVar("W")
"""A workspace of the same engine"""


class Resources(NamedTuple, Generic[P, W]):
    """A plan, the training and test sets, each with a workspace for its evaluation, and the workspace of training."""

    plan: P
    train: tuple[np.ndarray, np.ndarray, W]
    """Points (…, n), labels (n,), and a workspace, whose contents do not matter"""
    test: tuple[np.ndarray, np.ndarray, W]
    workspace: W

    def judged(self, record: Record) -> Iterator[tuple[np.ndarray, np.ndarray, W, np.ndarray, np.ndarray]]:
        """Yield points, labels and workspace of each set, with a record's arrays (seeds,) for its losses and errors."""
        yield *self.train, record.train_loss, record.train_error
        yield *self.test, record.test_loss, record.test_error


def allocate(
    state: TrainingState, plan: P, make_workspace: Callable[[int, bool], W], arrange: Callable[[np.ndarray], np.ndarray]
) -> Resources[P, W]:
    """Return the resources of a run. `make_workspace` makes a workspace for that many points, with or without room for
    a backward pass; `arrange` puts points (n, features) into the memory order that the kernels want."""
    data = state.source.load()
    train, test = (
        (arrange(points), labels, make_workspace(len(labels), False))
        for points, labels in ((data.train_inputs, data.train_labels), (data.test_inputs, data.test_labels))
    )
    batch = batches(state.recipe, 0, len(data.train_labels), 0, 1).size
    return Resources(plan, train, test, make_workspace(batch, True))

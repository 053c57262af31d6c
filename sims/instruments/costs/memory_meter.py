"""Bytes that a network holds for its backward pass at each moment, measured with autograd's saved-tensor hooks."""

import weakref
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch
    from torch import Tensor, nn


@dataclass(frozen=True)
class MemoryUse:
    """The result of one forward and backward pass through a stack of `branches` parts."""

    held: np.ndarray
    """(2 × branches + 1,) the most bytes held while each branch runs forward, then at the turn, then while the gradient
    passes each branch from the last to the first"""

    references: int
    """Bytes of all tensors saved in the forward pass; a tensor saved twice counts twice"""

    @property
    def at_the_turn(self) -> int:
        """Bytes held between the forward and the backward pass."""
        return int(self.held[len(self.held) // 2])

    @property
    def peak(self) -> int:
        """The most bytes held at any moment."""
        return int(self.held.max())


class _Saved:
    """Wraps a saved tensor in the autograd graph; the meter is notified when the graph releases it."""

    def __init__(self, tensor: "Tensor") -> None:
        self.tensor = tensor


@dataclass
class Meter:
    """Counts the bytes that saved tensors hold now. A block of memory counts once, however many tensors share it;
    `spared` are addresses of memory that is allocated anyway, such as parameters."""

    spared: frozenset[int]
    now: int = 0
    references: int = 0
    highest: dict[int, int] = field(default_factory=dict)
    _at: int = 0
    _counts: Counter[int] = field(default_factory=Counter)

    def move(self, place: int) -> None:
        """Start counting for the next place of the pass."""
        self._at = place
        self._note()

    def keep(self, tensor: "Tensor") -> _Saved:
        """Record a tensor that autograd saves."""
        saved, storage = _Saved(tensor), tensor.untyped_storage()
        place, size = storage.data_ptr(), storage.nbytes()
        if place not in self.spared:
            self.references += tensor.nbytes
            self._counts[place] += 1
            if self._counts[place] == 1:
                self.now += size
            weakref.finalize(saved, self._drop, place, size)
            self._note()
        return saved

    def _drop(self, place: int, size: int) -> None:
        self._counts[place] -= 1
        if not self._counts[place]:
            self.now -= size

    def _note(self) -> None:
        self.highest[self._at] = max(self.highest.get(self._at, 0), self.now)


def watch(model: "nn.Module", branches: "Sequence[nn.Module]", x: "Tensor") -> MemoryUse:
    """Run `x`, shape (points, width), forward and back through `model`, which passes its `branches` in this order.

    The loss is the sum of the outputs. Parameters, their gradients and `x` do not count.
    """
    import torch

    count, turn = len(branches), len(branches)
    meter = Meter(frozenset(tensor.untyped_storage().data_ptr() for tensor in (x, *model.parameters())))
    back = False

    def arrive(branch: int) -> None:
        if not back:
            meter.move(branch)

    def leave(branch: int, out: "torch.Tensor") -> None:
        if out.requires_grad:
            out.register_hook(lambda _gradient: meter.move(2 * count - branch))

    handles = []
    for number, module in enumerate(branches):
        handles.append(module.register_forward_pre_hook(lambda _module, _given, at=number: arrive(at)))
        handles.append(module.register_forward_hook(lambda _module, _given, out, at=number: leave(at, out)))
    x = x.detach().requires_grad_()
    try:
        with torch.autograd.graph.saved_tensors_hooks(meter.keep, lambda saved: saved.tensor):
            total = model(x).sum()
            references, back = meter.references, True
            meter.move(turn)
            meter.move(turn + 1)
            total.backward()
    finally:
        for handle in handles:
            handle.remove()
        model.zero_grad()
    highest = np.array([meter.highest.get(place, 0) for place in range(2 * count + 1)])
    return MemoryUse(highest, references)

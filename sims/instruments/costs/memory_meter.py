"""How many bytes a network holds for its backward pass, moment by moment: watched through autograd's own hooks."""

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
class Watched:
    """One pass forward and back through a stack of `branches` parts."""

    held: np.ndarray
    """(2 × branches + 1,) the most bytes held while each branch is computed forward, then at the turn, then while the
    gradient passes each branch from the last to the first"""

    references: int
    """Bytes of all tensors that were saved on the way forward, as often as they were saved"""

    @property
    def at_the_turn(self) -> int:
        """Bytes that wait between the way forward and the way back."""
        return int(self.held[len(self.held) // 2])

    @property
    def peak(self) -> int:
        """The most bytes held at any moment."""
        return int(self.held.max())


class _Saved:
    """What stands in the graph for a saved tensor; when the graph lets go of it, the meter hears of it."""

    def __init__(self, tensor: "Tensor") -> None:
        self.tensor = tensor


@dataclass
class Meter:
    """Bytes that saved tensors hold now. A block of memory counts once, however many of them lie in it; `spared` are
    addresses of memory that is there anyway, such as parameters."""

    spared: frozenset[int]
    now: int = 0
    references: int = 0
    highest: dict[int, int] = field(default_factory=dict)
    _at: int = 0
    _counts: Counter[int] = field(default_factory=Counter)

    def move(self, place: int) -> None:
        """The pass has come to a place; what is held there counts from now on."""
        self._at = place
        self._note()

    def keep(self, tensor: "Tensor") -> _Saved:
        """autograd saves a tensor."""
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


def watch(model: "nn.Module", branches: "Sequence[nn.Module]", x: "Tensor") -> Watched:
    """One pass of `x`, shape (points, width), forward and back through `model`, whose `branches` are passed in order.

    The gradient that comes back is that of the sum of the outputs. Parameters, their gradients and `x` do not count.
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
    return Watched(highest, references)

"""The parts of a block as plain numbers: shapes, parameters and floating-point operations, without building it.

Operations are counted as in `torch.utils.flop_counter`, for one example: matrix products, convolutions and attention,
where a multiplication with its addition counts as two. A causal mask saves none. Norms and activations do not count.
"""

from dataclasses import dataclass, replace

STREAM, BRANCH = "stream", "branch"
NORM, LINEAR, OTHER, ADD, VALUE = "norm", "linear", "function", "add", "tensor"


@dataclass(frozen=True)
class Part:
    """One box of the diagram.

    `shape` is that of its output, without the batch. `reads` are the indices of the parts whose outputs it takes.
    `module` is the attribute of the torch block that it represents; empty if it has none.
    """

    name: str
    kind: str
    lane: str
    shape: tuple[int, ...]
    reads: tuple[int, ...] = ()
    parameters: int = 0
    operations: int = 0
    module: str = ""


class Drawing:
    """Collects parts in the order in which they are computed; `put` returns the index of the new one."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.parts = [Part("x", VALUE, STREAM, shape)]

    def put(self, part: Part, *reads: int) -> int:
        self.parts.append(replace(part, reads=reads))
        return len(self.parts) - 1


def function(name: str, shape: tuple[int, ...], operations: int = 0, lane: str = BRANCH) -> Part:
    """Return a part without weights."""
    return Part(name, OTHER, lane, shape, operations=operations)


def addition(shape: tuple[int, ...]) -> Part:
    """Return the part for the sum of the skip and the branches."""
    return Part("+", ADD, STREAM, shape)

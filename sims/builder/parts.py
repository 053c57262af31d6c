"""The parts of a block as plain numbers: shapes, parameters and floating-point operations, without building it.

Operations are counted as `torch.utils.flop_counter` counts them: matrix products, convolutions and attention, two for a
multiplication with its addition, for one example; a causal mask saves none. Norms and activations count as none.
"""

from dataclasses import dataclass, replace

STREAM, BRANCH = "stream", "branch"
NORM, LINEAR, OTHER, ADD, VALUE = "norm", "linear", "function", "add", "tensor"


@dataclass(frozen=True)
class Part:
    """One box of the drawing.

    `shape` is that of its output, without the batch. `reads` are the numbers of the parts whose output it takes.
    `module` is the attribute of the torch block that it stands for; empty where it has none of its own.
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
    """Parts in the order in which they are computed; `add` returns the number of the new one."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.parts = [Part("x", VALUE, STREAM, shape)]

    def put(self, part: Part, *reads: int) -> int:
        self.parts.append(replace(part, reads=reads))
        return len(self.parts) - 1


def function(name: str, shape: tuple[int, ...], operations: int = 0, lane: str = BRANCH) -> Part:
    """A part without weights."""
    return Part(name, OTHER, lane, shape, operations=operations)


def addition(shape: tuple[int, ...]) -> Part:
    """The sum of the skip and the branches."""
    return Part("+", ADD, STREAM, shape)

"""Memory that stacks hold between the forward and the backward pass, measured block by block with autograd's hooks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.instruments.costs.memory_meter import MemoryUse, watch
from sims.kept import results

KINDS: Mapping[str, str] = {
    "residual": "residual",
    "plain": "plain",
    "pre_norm": "residual, Pre-LN",
    "dense": "dense",
    "checkpointed": "residual, checkpoints",
    "reversible": "reversible",
}
"""Kind of stack → its name, in the order in which they are measured"""

DEPTHS = (4, 9, 16, 25, 36, 49, 64)
"""Blocks; squares, since checkpoints save most where a segment is as long as the root of the depth"""

GROWN = 16
"""A dense block appends this part of the first width."""

BYTES = {"float32": 4, "bfloat16": 2}


@dataclass(frozen=True)
class Watch:
    """The passes measured so far, in the order of `KINDS`."""

    passes: tuple[MemoryUse, ...] = ()


class Memory(Training):
    """What is kept for the backward pass

    A curve for each of six stacks rises from block to block in the forward pass, while tensors are saved, and falls in
    the backward pass, when they are used and freed. The curves of the plain and of the residual stack coincide. The
    curve of a dense stack is far above them; those of one with checkpoints and of a reversible one stay far below.
    """

    verb: ClassVar[str] = "Measure"
    """Label of the start button: nothing is trained"""

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": DEPTHS, "precision": ("float32", "bfloat16")}

    depth = Stops(default=36, objects=list(DEPTHS), label="Depth", doc="blocks of every stack")
    precision = param.Selector(
        default="float32",
        objects={"32 bits": "float32", "16 bits (bfloat16)": "bfloat16"},
        label="Precision",
        doc="how many bits a number of the stream takes",
        precedence=1,
    )
    segment = param.Selector(
        default=0,
        objects={"√depth": 0, "1": 1, "2": 2, "4": 4, "8": 8, "16": 16, "32": 32},
        label="Blocks per checkpoint",
        doc="how many blocks are recomputed together",
    )
    width = Stops(default=64, objects=[32, 64, 128], label="Width", doc="numbers in the stream", precedence=1)
    batch = Stops(default=128, objects=[32, 128, 512], label="Points", doc="points in a step", precedence=1)
    seed = param.Integer(
        0, bounds=(0, 9_999), label="First seed", doc="start of the random numbers, which change no byte", precedence=1
    )

    def start(self) -> Watch:
        return Watch()

    def advance(self, state: Watch, steps: int) -> Watch:
        kinds = list(KINDS)[len(state.passes) :][:steps]
        return Watch((*state.passes, *map(self._measure, kinds)))

    def _measure(self, kind: str) -> MemoryUse:
        # Imported here because PyTorch takes seconds to load, and listing the simulations must not wait for it.
        import torch

        from sims.pytorch.stacks.memory_stacks import stack

        kind_of_number = getattr(torch, self.precision)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            model = stack(kind, self.depth, self.width, self.width // GROWN, self.blocks_to_a_checkpoint)
            points = torch.randn(self.batch, self.width, dtype=kind_of_number)
        return watch(model.to(kind_of_number), model.branches, points)

    @property
    def blocks_to_a_checkpoint(self) -> int:
        """Blocks per checkpointed segment, at most all of them."""
        chosen: int = self.segment or isqrt(self.depth)
        return min(chosen, self.depth)

    @property
    def copy(self) -> int:
        """Bytes of one copy of the stream."""
        return int(self.batch * self.width * BYTES[self.precision])

    def frame(self, state: Watch) -> Frame:
        places = 2 * self.depth + 1
        quantities = {
            "place": Quantity(np.arange(places), "place in the forward and the backward pass", "block", ("place",))
        }
        answers: dict[str, float] = {"depth": self.depth, "copy": self.copy / 1e3, "measured": len(state.passes)}
        passes = dict(zip(KINDS, state.passes, strict=False))
        for kind, label in KINDS.items():
            values = np.full(places, np.nan)
            if kind in passes:
                values = by_block(passes[kind].held, self.depth) / 1e3
            quantities[kind] = Quantity(values, f"{label}: held for the backward pass", "kB", ("place",))
            answers[f"{kind}_turn"] = float(values[self.depth]) if kind in passes else 0.0
            answers[f"{kind}_peak"] = float(values.max()) if kind in passes else 0.0
        answers["difference"] = answers["residual_turn"] - answers["plain_turn"]
        return Frame(quantities, answers, len(state.passes), len(KINDS))

    def describe(self, frame: Frame) -> str:
        if frame.step < 2:
            return f"Nothing is measured yet: {len(KINDS)} stacks of {self.depth} blocks are waiting."
        sizes = {name: float(value) for name, value in frame.results.items() if not isinstance(value, str)}
        more = "not one byte more" if sizes["difference"] == 0 else f"{number(sizes['difference'])} kB more"
        first = (
            f"The plain stack holds {number(sizes['plain_turn'])} kB after its last block, the residual stack {more}: "
            f"{number(sizes['plain_turn'] / sizes['copy'])} copies of the stream."
        )
        if not frame.finished:
            return first
        return (
            f"{first} With checkpoints, {number(sizes['checkpointed_peak'])} kB are held at most; by a reversible "
            f"stack {number(sizes['reversible_peak'])} kB, and by a dense one {number(sizes['dense_peak'])} kB."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"{self.depth} Linear–ReLU–Linear blocks of width {self.width} in PyTorch, one forward and one "
            f"backward pass; each dense block appends {self.width // GROWN} numbers, and a checkpoint is made every "
            f"{self.blocks_to_a_checkpoint} blocks. A block of memory counts once, however many tensors share it.",
            data=f"{self.batch} random points; the values do not matter.",
            seeds="One; the bytes do not depend on it.",
            cannot_show="Parameters, their gradients, the optimizer's state, the input, memory used only within one "
            "operation, what kernels on another device save, and the gradients that the backward pass holds one at a "
            "time.",
        )


def by_block(held: np.ndarray, depth: int) -> np.ndarray:
    """(2 × depth + 1,) memory per block from that per branch: the largest value where a block has several branches."""
    branches = (len(held) - 1) // 2
    per_block = branches // depth
    forward, turn, back = held[:branches], held[branches : branches + 1], held[branches + 1 :]
    most: np.ndarray = np.concatenate(
        [forward.reshape(depth, per_block).max(axis=1), turn, back.reshape(depth, per_block).max(axis=1)]
    )
    return most


@calculation(long=True, readings=("kind", "what"))
def kilobytes(kind: str, depth: int = 36, what: str = "turn", precision: str = "float32", segment: int = 0) -> float:
    """Thousands of bytes held by a stack of width 64 for 128 points, at the "turn" or at its "peak"."""
    frame = results.finished(Memory(depth=depth, precision=precision, segment=segment))
    return float(frame.results[f"{kind}_{what}"])


@calculation(long=True, readings=("kind", "what"))
def copies(kind: str, depth: int = 36, what: str = "turn", segment: int = 0) -> float:
    """The same in copies of the stream."""
    frame = results.finished(Memory(depth=depth, segment=segment))
    return float(frame.results[f"{kind}_{what}"]) / float(frame.results["copy"])

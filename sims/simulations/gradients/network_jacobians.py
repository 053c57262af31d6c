"""The Jacobians of real blocks, plain and residual: their norms, their product, and their effect on the gradient."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import band, spread
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import extent, number
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.gradients.opened_blocks import OpenedBlocks, opened
from sims.instruments.training.curves import record_band
from sims.instruments.training.divergence import divergences
from sims.kept import results

CURVE = 25
"""Points of a curve over a whole run."""

POINTS, WIDTH = 3, 32
NETWORKS = {"plain": "none", "residual": "additive"}
WALKS = {
    "bound": "product of the spectral norms",
    "typical": "product of the rms singular values",
    "product": "rms singular value of the product",
    "gradient": "the network's own gradient",
}
Runs = dict[str, TrainingState]


def walks(blocks: OpenedBlocks) -> dict[str, np.ndarray]:
    """How the blocks from the last back to each place change a gradient, by four measures; and two measures of each
    block.

    The keys of `WALKS`: (L + 1,), from 1 after the last block back to the place before the first, root mean squares
    over the points. "spectral" and "rms": (L,) of single blocks, in the order of the network.
    """
    points, width = blocks.gradient.shape
    product = np.broadcast_to(np.eye(width), (points, width, width))
    gradient = blocks.gradient
    sizes = {name: [np.ones(points)] for name in WALKS}
    sizes["gradient"] = [np.linalg.norm(gradient, axis=1)]
    spectral, rms = [], []
    for block in reversed(range(blocks.count)):
        jacobian = blocks.jacobian(block)
        product = product @ jacobian
        gradient = blocks.block_back(block, gradient)
        # The square root of the largest eigenvalue of JᵀJ: faster than all singular values, accurate for large ones.
        largest = np.linalg.eigvalsh(jacobian.swapaxes(1, 2) @ jacobian)[:, -1]
        spectral.append(np.sqrt(np.maximum(largest, 0)))
        rms.append(np.linalg.norm(jacobian, axis=(1, 2)) / width**0.5)
        sizes["bound"].append(sizes["bound"][-1] * spectral[-1])
        sizes["typical"].append(sizes["typical"][-1] * rms[-1])
        sizes["product"].append(np.linalg.norm(product, axis=(1, 2)) / width**0.5)
        sizes["gradient"].append(np.linalg.norm(gradient, axis=1))
    means = {name: np.sqrt((np.stack(size) ** 2).mean(axis=1)) for name, size in sizes.items()}
    if means["gradient"][0]:  # 0 if softmax has saturated for every point
        means["gradient"] /= means["gradient"][0]
    return means | {"spectral": np.stack(spectral[::-1]).mean(axis=1), "rms": np.stack(rms[::-1]).mean(axis=1)}


class NetworkJacobians(Training):
    """The Jacobians of two networks, multiplied

    For a plain network and its residual twin, four curves follow the backward pass through the blocks on a logarithmic
    scale: what the spectral norms allow, what the rms singular values suggest, what the product of the Jacobians does,
    and what becomes of the network's own gradient. In a drawing of the residual network, the stream and the matrices of
    each block are lit by the sizes of their gradients; another figure has the training error.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"blocks": (4, 12, 20, 40), "initialization": ("he", "orthogonal")}

    blocks = param.Integer(20, bounds=(2, 40), label="Blocks", doc="blocks between stem and head")
    branch = param.Selector(
        default="pre-activation",
        objects={"One layer": "pre-activation", "Two layers": "two-layer"},
        label="Branch",
        doc="what a block computes: W ReLU(h) + b, or the same with another layer before the ReLU",
        precedence=1,
    )
    initialization = usual_parameters.initialization("he", "default", "he", "orthogonal", "zero-last")
    learning_rate = usual_parameters.learning_rate(0.001, [1e-4, 3e-4, 1e-3, 3e-3], precedence=1)
    branch_factor = param.Selector(
        default="1/sqrt(blocks)",
        objects={"1/√L": "1/sqrt(blocks)", "1": "1"},
        label="Factor on the branches",
        doc="a fixed factor on every residual branch; L is the number of blocks",
        precedence=1,
    )
    training_steps = usual_parameters.training_steps(300, [150, 300, 600])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Runs:
        recipe = Recipe("adam", self.learning_rate, 64, clip=1.0, record_every=self.training_steps // CURVE)
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        return {name: start(self._architecture(name), recipe, source("digits"), seeds) for name in NETWORKS}

    def _architecture(self, name: str) -> Architecture:
        plain = name == "plain"
        skip: Any = NETWORKS[name]
        return Architecture(
            depth=self._layers() * self.blocks + 2,
            width=WIDTH,
            skip=skip,
            norm="none",
            unit=self.branch,
            initialization="he" if plain and self.initialization == "zero-last" else self.initialization,
            branch_factor="1" if plain else self.branch_factor,
        )

    def _layers(self) -> int:
        """Layers of a branch."""
        return 2 if self.branch == "two-layer" else 1

    def advance(self, state: Runs, steps: int) -> Runs:
        left = self.training_steps - state["plain"].step
        return {name: advance(run, min(steps, left)) for name, run in state.items()}

    def frame(self, state: Runs) -> Frame:
        data = source("digits").load()
        any_run = state["plain"]
        quantities = {
            "steps": Quantity(np.array([r.step for r in any_run.records]), "training step", "steps", ("record",))
        }
        answers: dict[str, float] = {}
        for name, run in state.items():
            per_seed = [
                walks(opened(run, seed, data.test_inputs[:POINTS], data.test_labels[:POINTS]))
                for seed in range(len(run.seeds))
            ]
            for walk, label in WALKS.items():
                values = np.stack([result[walk] for result in per_seed], axis=1)
                quantities |= band(
                    values, f"{name}_{walk}", f"{name}: {label}", "relative to the output", "backward pass"
                )
                answers[f"{name}_{walk}"] = float(np.median(values[-1]))
            for one in ("spectral", "rms"):
                values = np.median([result[one] for result in per_seed], axis=0)
                label = f"{name}: {'spectral norm' if one == 'spectral' else 'rms singular value'} of the block"
                quantities[f"{name}_{one}"] = Quantity(values, label, axes=("block",))
                answers[f"{name}_{one}"] = float(values.mean())
            quantities |= record_band(run.records, "train_error", f"{name}_error", f"{name}: ")
        now = state["residual"].now
        weights = np.median(now.weight_gradients, axis=0)[1:-1].reshape(-1, self._layers())
        arriving = np.median(now.stream_gradients, axis=0)[1:]
        labels = {"first": "gradient of the block's first matrix", "last": "gradient of the block's last matrix"}
        for key, values, label in (
            ("arriving", arriving, "gradient of the stream after the block"),
            *((key, weights[:, at], labels[key]) for key, at in zip(labels, {0, self._layers() - 1}, strict=False)),
        ):
            quantities[key] = Quantity(values, f"residual: norm of the {label}", "loss per unit", ("block",))
        diverged = tuple(divergence for name, run in state.items() for divergence in divergences(run, name))
        return Frame(quantities, answers, any_run.step, self.training_steps, diverged)

    def describe(self, frame: Frame) -> str:
        steps = "1 step" if frame.step == 1 else f"{frame.step} steps"
        when = f"After {steps}" if frame.step else "Before the first step"
        errors = " and ".join(
            f"{spread(frame, f'{name}_error', self.seeds)} for the {name} network" for name in NETWORKS
        )
        if self.initialization == "zero-last":
            return f"{when}, {self._of_blocks(frame)}. The training error is {errors}."
        parts = []
        for name in NETWORKS:
            bound, gradient = (float(frame.results[f"{name}_{walk}"]) for walk in ("bound", "gradient"))
            allowed, happened = number(bound, 2), number(gradient, 2)
            parts.append(
                f"the {name} network's spectral norms allow a factor of {allowed}, its gradient "
                f"is multiplied by {happened}"
            )
        return f"{when}, backward through {self.blocks} blocks: {'; '.join(parts)}. The training error is {errors}."

    def _of_blocks(self, frame: Frame) -> str:
        """The gradients inside the residual network, which a figure is about whose last layers start at zero."""
        names = {"arriving": "on the stream", "last": "in the second matrices", "first": "in the first ones"}
        sizes = [f"{extent(frame[name])} {words}" for name, words in names.items() if name in frame.quantities]
        times = number(float(frame.results["residual_gradient"]), 2)
        return (
            f"the gradient of the residual network is {', '.join(sizes)}; backward through {self.blocks} blocks, it is "
            f"multiplied by {times}"
        )

    def disclosure(self) -> Disclosure:
        layers = "two layers" if self._layers() == 2 else "one layer"
        return Disclosure(
            network=f"ReLU networks of {self.blocks} blocks of {layers}, width {WIDTH}, without a norm, identical "
            f"except for the skip (and a residual branch's factor); Adam at {number(self.learning_rate)}. Every "
            "Jacobian is exact.",
            data=f"{source('digits').load().sentence}; Jacobians at {POINTS} held-out images; the gradients "
            "of blocks are those of a batch.",
            seeds=f"{self.seeds} (from {self.seed}); a curve is the median of the seeds, its band their whole range.",
            cannot_show="Networks with a norm, convolutions, or what larger widths do. Where the last layers start at "
            "zero, the plain network starts from He initialization, since zeros would cut it in two.",
        )


@calculation(long=True, readings=("name", "what", "trained"), tolerance=0.5)
def measured(name: str, what: str, trained: bool = True, initialization: str = "he", blocks: int = 20) -> float:
    """A result of the network `name` before or after a default run: a key of `WALKS`, "spectral" or "rms".

    The median of 3 seeds; for the last two, the mean over the blocks.
    """
    simulation = NetworkJacobians(initialization=initialization, blocks=blocks)
    frame = results.finished(simulation) if trained else simulation.frame(simulation.start())
    return float(frame.results[f"{name}_{what}"])

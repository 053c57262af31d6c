"""Xiong et al.'s law: how large the gradient of the last block is before training, at any depth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import param

from sims.comparisons.placements import PLACEMENTS, transformer
from sims.contract import usual_parameters
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.engines.transformers.single_pass import Pass, initial_pass
from sims.kept import results

DEPTHS = (6, 12, 24, 48, 96)
"""Blocks, each of two sublayers"""
ORDERS = ("post", "pre", "pre-open")
TOKENS, FEATURES, BATCH, CLASSES = 4, 8, 8, 10


@dataclass(frozen=True)
class Survey:
    """The networks measured so far: their count, and their passes in the order of `LastLayer.networks`."""

    passes: tuple[Pass, ...] = ()


class LastLayer(Training):
    """The gradient of the last block, before the first step

    A line for each placement of the norm gives the size of the gradient of the last block's last weight matrix against
    the number of blocks, on two logarithmic axes, with a straight line for one over the root of depth.
    Further pictures show the same gradient block by block in the deepest network, and the size of the stream.
    """

    verb: ClassVar[str] = "Measure"
    """Label of the start button: nothing is trained"""

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"shown": ("orders", "all")}

    shown = param.Selector(
        default="orders",
        objects={"Pre-LN and Post-LN": "orders", "All five": "all"},
        label="Placements",
        doc="which placements of the norm are measured",
    )
    width = param.Selector(
        default=64, objects={"32": 32, "64": 64}, label="Width", doc="numbers per token", precedence=1
    )
    initialization = usual_parameters.initialization("xavier", "default", "he", "xavier", precedence=1)
    seeds = param.Integer(
        16, bounds=(1, 16), label="Seeds", doc="networks of each kind, with different initial weights", precedence=1
    )
    seed = usual_parameters.seed()

    @property
    def networks(self) -> list[tuple[str, int, int]]:
        """Placement, blocks and seed of every network, in the order of measurement."""
        seeds = range(self.seed, self.seed + self.seeds)
        names = PLACEMENTS if self.shown == "all" else ORDERS
        return [(name, blocks, seed) for blocks in DEPTHS for seed in seeds for name in names]

    def start(self) -> Survey:
        return Survey()

    def advance(self, state: Survey, steps: int) -> Survey:
        done = len(state.passes)
        more = [self._measure(*network) for network in self.networks[done : done + steps]]
        return Survey((*state.passes, *more))

    def _measure(self, placement: str, blocks: int, seed: int) -> Pass:
        architecture = transformer(
            placement,
            2 * blocks,
            width=self.width,
            hidden=4 * self.width,
            tokens=TOKENS,
            heads=4,
            initialization=self.initialization,
        )
        random = np.random.default_rng((seed, 2))
        points = random.normal(size=(BATCH, TOKENS * FEATURES)).astype(np.float32)
        return initial_pass(architecture, seed, points, random.integers(0, CLASSES, BATCH), CLASSES)

    def frame(self, state: Survey) -> Frame:
        grouped: dict[tuple[str, int], list[Pass]] = {}
        for (name, blocks, _seed), pass_ in zip(self.networks, state.passes, strict=False):
            grouped.setdefault((name, blocks), []).append(pass_)
        quantities = {"blocks": Quantity(np.array(DEPTHS), "blocks", "blocks", ("depth",))}
        answers: dict[str, float | int | str] = {"networks": len(state.passes)}
        deepest = max((blocks for _name, blocks in grouped), default=DEPTHS[0])
        answers["deepest"] = deepest
        for name, placement in PLACEMENTS.items():
            last, stream = np.full((2, len(DEPTHS)), np.nan)
            for place, blocks in enumerate(DEPTHS):
                if passes := grouped.get((name, blocks)):
                    last[place] = np.exp(np.mean([np.log(pass_.second_weights[2 * blocks - 1]) for pass_ in passes]))
                    stream[place] = np.mean([pass_.activations[-1] for pass_ in passes])
            profile = np.full(deepest, np.nan)
            if passes := grouped.get((name, deepest)):
                profile = np.exp(np.mean([np.log(pass_.second_weights[1::2]) for pass_ in passes], axis=0))
            key = name.replace("-", "_")
            mean = f"{placement.title}: gradient of the last matrix"
            quantities[f"{key}_last"] = Quantity(last, f"{mean} of the last block", "relative", ("depth",))
            quantities[f"{key}_stream"] = Quantity(
                stream, f"{placement.title}: root mean square of the last stream", "relative", ("depth",)
            )
            quantities[f"{key}_profile"] = Quantity(profile, f"{mean} of each block", "relative", ("block",))
            measured = np.isfinite(last)
            answers[f"{key}_spread"] = float(_variation(last[measured])) if measured.any() else 0.0
        pre = quantities["pre_last"].values * np.sqrt(DEPTHS)
        answers["law"] = float(_variation(pre[np.isfinite(pre)])) if np.isfinite(pre).any() else 0.0
        return Frame(quantities, answers, len(state.passes), len(self.networks))

    def describe(self, frame: Frame) -> str:
        if not frame.step:
            return f"Nothing is measured yet: {frame.steps} networks of {DEPTHS[0]} to {DEPTHS[-1]} blocks are waiting."
        at = int(np.isfinite(frame["pre_last"]).sum()) - 1
        if at < 0 or not np.isfinite(frame["post_last"][at]):
            return f"{frame.step} of {frame.steps} networks are measured, none of them in both orders yet."
        post, pre = frame["post_last"][at], frame["pre_last"][at]
        law = (
            f" Pre-LN's gradient times the root of depth varies by {float(frame.results['law']):.1%} over the depths "
            "measured."
        )
        return (
            f"With {DEPTHS[at]} blocks, the last block's gradient is {number(post, 2)} in Post-LN and {number(pre, 2)} "
            f"in Pre-LN, {post / pre:.1f} times smaller.{law if at else ''}"
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Untrained transformers of width {self.width}, 4 heads, {4 * self.width} hidden units, "
            f"{TOKENS} tokens; a block is attention and feed-forward. Cross-entropy over {CLASSES} classes.",
            data=f"{BATCH} random sequences with random labels: before training, the data hardly matters.",
            seeds=f"{self.seeds} (from {self.seed}); gradients are geometric means over them.",
            cannot_show="Anything after the first step: the figure that trains both orders shows how gradients change "
            "in training.",
        )


def _variation(values: np.ndarray) -> float:
    """Coefficient of variation: standard deviation over mean."""
    return float(values.std() / values.mean())


@calculation(long=True, readings=("placement", "blocks", "block"), tolerance=0.001)
def gradient(placement: str, blocks: int, block: int = -1) -> float:
    """Norm of the gradient of a block's last matrix before training, geometric mean of 16 seeds; −1 is the last block.

    Known are all blocks of the deepest network, and the last block of the others.
    """
    frame = results.finished(LastLayer())
    if blocks == DEPTHS[-1]:
        return float(frame[f"{placement.replace('-', '_')}_profile"][block])
    return float(frame[f"{placement.replace('-', '_')}_last"][DEPTHS.index(blocks)])


@calculation(long=True, readings=("placement", "blocks"))
def stream(placement: str, blocks: int) -> float:
    """Mean square of the stream after the last block before training."""
    frame = results.finished(LastLayer())
    return float(frame[f"{placement.replace('-', '_')}_stream"][DEPTHS.index(blocks)] ** 2)


@calculation(long=True)
def law() -> float:
    """Coefficient of variation of Pre-LN's last gradient times the root of depth, 6 to 96 blocks (claim C-04)."""
    return float(results.finished(LastLayer()).results["law"])

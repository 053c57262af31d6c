"""Rank collapse: stacked attention makes all tokens alike unless something counteracts it (Dong et al. 2103.03404)."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number
from sims.instruments.stacks.token_likeness import HEADS, TOKENS, WIDTH, Layers, cosines, mean_cosine, tokens_after

DEEPEST, STARTS = 24, 10
NETWORKS = {"plain": False, "residual": True}
"""Name → whether it has skips"""


class Rank(Simulation):
    """Tokens in stacked attention, without and with skips

    Two tables of 16 by 16 cells show how alike the tokens are after the chosen layer, in an untrained transformer
    without skips and in one with them: a full cell means that two tokens point the same way. Next to them, two lines
    show the mean cosine of two tokens layer by layer.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"layer": (0, 1, 2, 3, 4, 6, 8, 12, 18, 24), "feed": (False, True)}

    layer = param.Integer(2, bounds=(0, DEEPEST), label="Layer", doc="after which the tokens are compared")
    feed = param.Boolean(False, label="Feed-forward layers", doc="whether there is one after each attention")
    seed = usual_parameters.seed()

    def compute(self) -> Frame:
        quantities = {"layers": Quantity(np.arange(DEEPEST + 1), "layer", "layers", ("layer",))}
        answers: dict[str, float] = {}
        for name, table in _tables(self.feed, self.seed).items():
            mean = mean_cosine(table)
            quantities[f"{name}_mean"] = Quantity(mean, f"{name}: mean cosine of two tokens", "relative", ("layer",))
            quantities[f"{name}_table"] = Quantity(
                table[self.layer], f"{name}: cosine of two tokens", "relative", ("token", "other token")
            )
            answers[name] = float(mean[self.layer])
        return Frame(quantities, answers)

    def describe(self, frame: Frame) -> str:
        plain, residual = (number(float(frame.results[name]), 3) for name in NETWORKS)
        where = f"After layer {self.layer}" if self.layer else "Before the first layer"
        return f"{where}, two tokens have a mean cosine of {plain} without skips and of {residual} with them."

    def disclosure(self) -> Disclosure:
        feed = "and feed-forward layers" if self.feed else "alone"
        return Disclosure(
            network=f"Two untrained stacks of {DEEPEST} layers of attention {feed}: width {WIDTH}, {HEADS} heads, "
            "every token attends to all, a norm before each sublayer, no biases, weights of variance 1/fan-in "
            "(2/fan-in before a ReLU). Both have the same weights.",
            data=f"{TOKENS} random tokens.",
            seeds=f"One, {self.seed}.",
            cannot_show="What training changes, and the remedies other than skips.",
        )


def _tables(feed: bool, seed: int) -> dict[str, np.ndarray]:
    """Cosines (layers + 1, TOKENS, TOKENS) without and with skips."""
    generator = np.random.default_rng(seed)
    x, layers = generator.standard_normal((TOKENS, WIDTH)), Layers.drawn(DEEPEST, generator)
    return {name: cosines(tokens_after(layers, skip, feed, x)) for name, skip in NETWORKS.items()}


@calculation(long=True, readings=("layer", "skip", "statistic"), absolute=0.02)
def likeness(layer: int, skip: bool, feed: bool = False, statistic: str = "median") -> float:
    """Mean cosine of two tokens after a layer, −1 to 1: the statistic is over 10 seeds."""
    name = "residual" if skip else "plain"
    return STATISTICS[statistic]([float(mean_cosine(_tables(feed, seed)[name][layer])) for seed in range(STARTS)])

"""How training shapes the new forms: one sum, weights over depth, attention over depth, and two kinds of lanes."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import band
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.instruments.stacks.depth_lookback import voices
from sims.instruments.stacks.lane_mixing import composites, singular_values
from sims.instruments.training.form_run import BATCH, LANES, LOOKED_AT, WIDTH, FormRun, FormSetup, advance, begin

LOOKS = 10
"""Looks at the networks in a whole run, besides the one before it"""

FORMS = {
    "sum": "one sum",
    "static": "learned weights",
    "attention": "attention over depth",
    "free": "lanes, free",
    "doubly": "lanes, doubly stochastic",
}
"""Form of `sims.pytorch.stacks.stream_forms` → its name"""

BACK, IN_LANES = ("sum", "static", "attention"), ("free", "doubly")

Runs = dict[str, FormRun]


class StreamForms(Training):
    """Five forms of a stream, trained

    Five networks of the same blocks learn side by side; they differ in what a block gets. Three tables have a row for
    every block and for the head, and a column for every earlier output: a cell is half full where an output has an
    equal share of the weight, and full where it has half as much again. Two further tables show where dye from each
    lane ends up under the learned mixes. Below each form is its training loss. The measures are all losses over the
    steps, and the size of what blocks get.
    """

    divisible = True
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"own": (6.0, 0.0), "blocks": (4, 12)}

    blocks = Stops(default=12, objects=[4, 8, 12, 16], label="Blocks", doc="of two layers each")
    own = param.Selector(
        default=6.0,
        objects={"almost the identity": 6.0, "the average of all": 0.0},
        label="Doubly stochastic mixes begin as",
        doc="what the logits favor before training",
    )
    learning_rate = usual_parameters.learning_rate(0.003, [3e-4, 1e-3, 3e-3], precedence=1)
    training_steps = usual_parameters.training_steps(200, [100, 200, 400])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Runs:
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        return {form: begin(FormSetup(form, self.blocks, self.own, self.learning_rate, seeds)) for form in FORMS}

    def advance(self, state: Runs, steps: int) -> Runs:
        interval = self.training_steps // LOOKS
        return {form: advance(run, min(steps, self.training_steps - run.step), interval) for form, run in state.items()}

    def frame(self, state: Runs) -> Frame:
        any_run = next(iter(state.values()))
        steps = np.array([look.step for look in any_run.looks])
        quantities = {"steps": Quantity(steps, "training step", "steps", ("look",))}
        answers: dict[str, float] = {}
        for form, run in state.items():
            label, now = FORMS[form], run.looks[-1]
            losses = np.stack([look.losses for look in run.looks])
            quantities |= band(losses, f"{form}_loss", f"{label}: training loss", "nats", "look")
            quantities |= band(now.sizes.T, f"{form}_size", f"{label}: size of what is got", "relative", "place")
            moved = [_moved(form, look.heard) for look in run.looks]
            quantities |= band(np.stack(moved), f"{form}_moved", f"{label}: {_MOVED[form]}", "relative", "look")
            if form in BACK:
                heard, axes = _relative(form, now.heard), ("reader", "output")
                words = "weight of each output, 1 where all are equal"
            else:
                products = np.stack([composites(matrices)[-1] for matrices in now.heard])
                heard, axes, words = products, ("to", "from"), "what becomes of dye from each lane"
                second = singular_values(products)[:, 1:2].T
                quantities |= band(second, f"{form}_second", f"{label}: second singular value", "relative", "whole")
                answers[f"{form}_second"] = float(np.median(second))
                used = np.array([[voices(shares) for shares in now.read]])
                quantities |= band(used, f"{form}_used", f"{label}: as if so many lanes were read", "lanes", "whole")
                answers[f"{form}_used"] = float(np.median(used))
            quantities[f"{form}_heard"] = Quantity(
                np.median(heard, axis=0), f"{label}: {words}, median of the seeds", "relative", axes
            )
            answers |= {f"{form}_loss": float(np.median(now.losses)), f"{form}_moved": float(np.median(moved[-1]))}
            answers[f"{form}_top"] = float(np.median(now.sizes[:, -1]))
        lost = tuple(divergence for form, run in state.items() for divergence in _lost(form, run))
        return Frame(quantities, answers, any_run.step, self.training_steps, lost)

    def describe(self, frame: Frame) -> str:
        looked = int(frame["steps"][-1])
        if not looked:
            return f"Five forms of {self.blocks} blocks are side by side; nothing has been learned yet."
        names = {
            form: " ".join(reversed(name.split(", "))) for form, name in FORMS.items()
        }  # a list has commas already
        losses = ", ".join(f"{names[form]} {number(float(frame.results[f'{form}_loss']), 2)}" for form in FORMS)
        top = {form: number(float(frame.results[f"{form}_top"]), 2) for form in ("sum", "attention")}
        far = {form: number(float(frame.results[f"{form}_moved"]), 2) for form in FORMS}
        return (
            f"After {looked} of {frame.steps} steps the training losses in nats are: {losses}. The head gets a sum of "
            f"size {top['sum']}, and with attention a mean of size {top['attention']}. Learned weights differ from 1 "
            f"by {far['static']}, those of attention from an equal share by {far['attention']} of it; a free mix is "
            f"{far['free']} away from the identity, a doubly stochastic one {far['doubly']}. Blocks read as "
            f"if from {number(float(frame.results['doubly_used']), 2)} of {LANES} lanes."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"{self.blocks} blocks of LayerNorm–Linear–ReLU–Linear, {WIDTH} wide, with a norm before the "
            f"head; {LANES} lanes, of which block l reads lane l modulo {LANES} and writes to all, with learned "
            "parameters. Mixes, weights and queries are learned and do not depend on the input; the keys of "
            f"attention do. Adam at {number(self.learning_rate)}, batches of {BATCH}.",
            data=f"{source('digits').load().sentence}; losses, sizes and weights are measured on the first {LOOKED_AT} "
            "of its training images.",
            seeds=f"{self.seeds} (from {self.seed}); numbers are their median, a band is their whole range.",
            cannot_show="Language models, tokens, mixes that depend on the input, billions of parameters, or which "
            "form is better: all learn this task, in a few hundred steps, and none was tuned.",
        )


_MOVED = {
    "sum": "root mean square of weights minus 1",
    "static": "root mean square of weights minus 1",
    "attention": "root mean square of weights over an equal share, minus 1",
    "free": "mean distance of a mix from the identity",
    "doubly": "mean distance of a mix from the identity",
}
"""Form → what "moved" measures: how far it is from an ordinary residual network"""


def _relative(form: str, heard: np.ndarray) -> np.ndarray:
    """Weights (seeds, blocks + 1, blocks + 1), scaled so that equal weights are 1."""
    if form != "attention":
        return heard
    weights: np.ndarray = heard * np.arange(1, heard.shape[1] + 1)[:, None]
    return weights


def _moved(form: str, heard: np.ndarray) -> np.ndarray:
    """(seeds,) as `_MOVED` says."""
    if form in IN_LANES:
        distances: np.ndarray = np.linalg.norm(heard - np.eye(heard.shape[-1]), axis=(2, 3)).mean(axis=1)
        return distances
    lower = np.tril_indices(heard.shape[1])
    away: np.ndarray = np.sqrt(np.square(_relative(form, heard)[:, lower[0], lower[1]] - 1).mean(axis=1))
    return away


def _lost(form: str, run: FormRun) -> list[Divergence]:
    """The first look at which a loss was not finite."""
    for look in run.looks:
        if not np.isfinite(look.losses).all():
            cause = "Its stream left the range of single precision."
            return [Divergence(look.step, f"loss with {FORMS[form]}", cause, "Try a lower learning rate.")]
    return []

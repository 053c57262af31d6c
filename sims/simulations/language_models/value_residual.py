"""The first layer's values reused in all layers: three small language models, trained side by side."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from sims.contract import usual_parameters
from sims.contract.bands import band
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data import own_words
from sims.instruments.training.value_run import (
    BATCH,
    CONTEXT,
    HEADS,
    LOOKED_AT,
    WIDTH,
    ValueRun,
    ValueSetup,
    advance,
    begin,
)

LOOKS = 10
"""Looks at the models in a whole run, besides the one before it"""

STEPS = 600
"""Steps of a run of full length"""

FORMS = {"plain": "own values", "learned": "own and first values", "shared": "first values only"}
"""Form of `sims.pytorch.models.value_models` → its name"""

Runs = dict[str, ValueRun]


class ValueResidual(Training):
    """Which values does attention mix?

    Three small language models learn side by side; they differ in the values that attention mixes: a layer's own, a
    learned mix of them with those of the first layer, or those of the first layer alone. The models are drawn as rows
    of layers, with ribbons for the values that go into attention; a ribbon's width is the weight of its values. Below
    them, curves show the losses on lines that the models never saw, compared with those of own values. The measures are
    the weights and how many symbols attention takes into account in each layer.
    """

    divisible = True
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"blocks": (2, 4)}

    blocks = Stops(default=4, objects=[2, 4, 6], label="Blocks", doc="an attention and a feed-forward branch each")
    learning_rate = usual_parameters.learning_rate(0.003, [3e-4, 1e-3, 3e-3], precedence=1)
    training_steps = usual_parameters.training_steps(STEPS, [100, 300, STEPS])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Runs:
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        return {form: begin(ValueSetup(form, self.blocks, self.learning_rate, seeds)) for form in FORMS}

    def advance(self, state: Runs, steps: int) -> Runs:
        interval = self.training_steps // LOOKS
        return {form: advance(run, min(steps, self.training_steps - run.step), interval) for form, run in state.items()}

    def frame(self, state: Runs) -> Frame:
        any_run = next(iter(state.values()))
        steps = np.array([look.step for look in any_run.looks])
        quantities = {"steps": Quantity(steps, "training step", "steps", ("look",))}
        answers: dict[str, float] = {}
        losses = {form: np.stack([look.losses for look in run.looks]) for form, run in state.items()}
        for form, run in state.items():
            label, now = FORMS[form], run.looks[-1]
            quantities |= band(losses[form], f"{form}_loss", f"{label}: held-out loss", "nats per symbol", "look")
            behind = losses[form] - losses["plain"]
            quantities |= band(behind, f"{form}_behind", f"{label}: loss minus that of own values", "nats", "look")
            heard = f"{label}: as if so many symbols had a say"
            quantities |= band(now.heard.T, f"{form}_heard", heard, "symbols", "block")
            answers |= {f"{form}_loss": float(np.median(losses[form][-1]))}
            answers |= {f"{form}_behind": float(np.median(behind[-1]))}
            answers |= {f"{form}_heard": float(np.median(now.heard.mean(axis=1)))}
            means = now.heard.mean(axis=1)[None]
            quantities |= band(means, f"{form}_heard_mean", f"{heard}, mean of all layers", "symbols", "whole")
        for at, name in enumerate(("first", "own")):
            shares = state["learned"].looks[-1].shares[:, :, at].T
            words = f"weight of a layer's {name} values" if name == "own" else "weight of the first layer's values"
            quantities |= band(shares, name, f"{words}, after the first layer", "relative", "later")
            answers[name] = float(np.median(shares))
        return Frame(quantities, answers, any_run.step, self.training_steps, tuple(_lost(state)))

    def describe(self, frame: Frame) -> str:
        looked = int(frame["steps"][-1])
        if not looked:
            return f"Three models of {self.blocks} blocks are side by side; nothing has been learned yet."
        losses = ", ".join(f"{FORMS[form]} {number(float(frame.results[f'{form}_loss']))}" for form in FORMS)
        low, high = (float(frame[f"learned_behind{ending}"][-1]) for ending in ("_low", "_high"))
        return (
            f"After {looked} of {frame.steps} steps the held-out losses in nats per symbol are: {losses}. With the "
            f"first layer's values added, the loss is {_off(low)} to {_off(high)} that of own values, by seed. "
            f"After the first, layers take {number(float(frame.results['first']), 2)} of the first layer's values "
            f"and {number(float(frame.results['own']), 2)} of their own."
        )

    def disclosure(self) -> Disclosure:
        guess = number(own_words.entropy_of_frequencies())
        return Disclosure(
            network=f"Causal transformers in PyTorch: {self.blocks} blocks, {WIDTH} wide, {HEADS} heads, Pre-LN, no "
            f"biases; two learned weights for each layer except the first; both start at one half. Adam at "
            f"{number(self.learning_rate)}, batches of {BATCH} pieces of {CONTEXT} symbols.",
            data=f"This site's own words, symbol by symbol; losses are those of {LOOKED_AT} pieces of held-out "
            f"lines. Guessing from symbol frequencies alone gives {guess} nats.",
            seeds=f"{self.seeds} (from {self.seed}), the same initial weights and pieces for all forms; numbers are "
            "their median, a band is their whole range.",
            cannot_show="Large language models, long contexts, how much memory a cache of values takes, or which form "
            "is better: none was tuned, and runs end long before the models have learned all they can.",
        )


def _off(difference: float) -> str:
    return f"{number(abs(difference), 2)} {'below' if difference < 0 else 'above'}"


def _lost(state: Runs) -> list[Divergence]:
    """For each form, the first look at which a loss was not finite."""
    lost = []
    for form, run in state.items():
        steps = [look.step for look in run.looks if not np.isfinite(look.losses).all()]
        if steps:
            cause = "Its stream left the range of single precision."
            lost.append(Divergence(steps[0], f"loss with {FORMS[form]}", cause, "Try a lower learning rate."))
    return lost

"""The two weights of a sum in trained networks: a constant factor on all branches, or a weight on every skip."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import ENDINGS, STATISTICS
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines.perceptrons.weighted_stack import Answers, StackState, WeightedStack, advance, answers, start
from sims.instruments.training.looks import to_looks
from sims.kept import results

RATES = (3e-4, 1e-3, 3e-3, 0.01, 0.03)
"""Learning rates that every network tries"""

ALPHAS = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 3.0)
"""Factors on the branches; 1/L and 1/√L are tried as well"""

LOOKS = 5
"""Looks at the networks in a whole run, besides the one before it"""

BATCH = 64

CONSTANT, LOWEST = 0.9, 0.7
"""λ of a constant weight on the skips, and of the last block where it falls from 1"""

KINDS = {"one": "λ = 1", "learned": "λ learned", "constant": f"λ = {CONSTANT}", "falling": f"λ from 1 to {LOWEST}"}
"""Kind of weight on the skips → its name"""

MEASURES = {"loss": ("training loss", "nats"), "error": ("held-out error", "relative")}


@dataclass(frozen=True)
class Tried:
    """A run of one kind of network at one learning rate, with what it knew before training and at the last look."""

    run: StackState
    before: Answers
    looked: int
    now: Answers


Runs = dict[str, Tried]
"""Name of a kind and a learning rate → run"""


def alphas(blocks: int) -> tuple[float, ...]:
    """Return all factors that are tried with that many blocks, in rising order."""
    return tuple(sorted({*ALPHAS, 1 / blocks, blocks**-0.5}))


def skips(kind: str, blocks: int) -> tuple[float, ...]:
    """Return λ of every block before training. Raises KeyError for an unknown kind."""
    ends = {"one": (1.0, 1.0), "learned": (1.0, 1.0), "constant": (CONSTANT, CONSTANT), "falling": (1.0, LOWEST)}
    return tuple(np.linspace(*ends[kind], blocks).tolist())


class SumWeights(Training):
    """The weights of a sum, tried

    Networks of many blocks learn at five learning rates. A map shows the training loss for every rate and every α, the
    constant factor that all branches of a network share; the best rate for each α has a frame. Below it are the losses
    at one rate, at the best rate and before training against α. In the other picture, each skip has a weight λ of its
    own that is learned from 1; lines show these weights block by block, one line for each rate. Next to it are the
    losses against the rate, for learned weights, for 1, for a constant below 1 and for one that falls with depth. The
    measure is the error on held-out images.
    """

    divisible = True
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"blocks": (16, 64)}

    part = param.Selector(
        default="branch",
        objects={"the factor on the branches": "branch", "the weights on the skips": "skip"},
        label="Try",
        doc="which of the two weights of the sum",
        precedence=-1,
    )
    blocks = Stops(default=64, objects=[16, 64], label="Blocks", doc="residual blocks of two layers")
    norm = param.Boolean(False, label="Norm before the branches", doc="LayerNorm, and another one before the head")
    training_steps = usual_parameters.training_steps(200, [100, 200, 400])
    seeds = usual_parameters.seeds()
    seed = usual_parameters.seed()

    @property
    def kinds(self) -> dict[str, WeightedStack]:
        """Name → network, in the order of the picture."""
        if self.part == "branch":
            ones = skips("one", self.blocks)
            return {f"α = {alpha:g}": WeightedStack(ones, alpha, self.norm) for alpha in alphas(self.blocks)}
        factor = 1.0 if self.norm else self.blocks**-0.5
        return {name: WeightedStack(skips(name, self.blocks), factor, self.norm, name == "learned") for name in KINDS}

    def start(self) -> Runs:
        seeds, digits = range(self.seed, self.seed + self.seeds), source("digits")
        runs = {}
        for kind, stack in self.kinds.items():
            begun = start(stack, digits, seeds, RATES[0], BATCH)
            before = answers(begun)
            for rate in RATES:
                runs[_name(kind, rate)] = Tried(replace(begun, learning_rate=rate), before, 0, before)
        return runs

    def advance(self, state: Runs, steps: int) -> Runs:
        return {name: self._advanced(tried, steps) for name, tried in state.items()}

    def _advanced(self, tried: Tried, steps: int) -> Tried:
        end = min(tried.run.step + steps, self.training_steps)
        for count, due in to_looks(tried.run.step, end, self.training_steps // LOOKS):
            run = advance(tried.run, count)
            tried = replace(tried, run=run)
            if due:
                tried = replace(tried, looked=run.step, now=answers(run))
        return tried

    def frame(self, state: Runs) -> Frame:
        any_run, kinds = next(iter(state.values())), list(self.kinds)
        axes = ("rate", "kind")
        quantities = {
            "rates": Quantity(np.array(RATES), "learning rate", "relative", ("rate",)),
            "looked": Quantity(np.array([any_run.looked]), "step of the last look", "steps", ("whole",)),
        }
        table = {
            name: np.array([[_measured(state[_name(kind, rate)].now, name) for kind in kinds] for rate in RATES])
            for name in MEASURES
        }
        for name, (label, unit) in MEASURES.items():
            quantities |= _bands(table[name], name, label, unit, axes)
        before = np.array([state[_name(kind, RATES[0])].before.train_loss for kind in kinds])
        quantities["before"] = Quantity(
            np.median(before, axis=1), "training loss before training, median of the seeds", "nats", ("kind",)
        )
        chosen = _lowest(quantities["loss"].values)
        best = {name: quantities[name].values[chosen, range(len(kinds))] for name in ("loss", "loss_low", "loss_high")}
        quantities["best"] = Quantity(best["loss"], "training loss at the best rate, median", "nats", ("kind",))
        quantities["best_rate"] = Quantity(np.array(RATES)[chosen], "best learning rate", "relative", ("kind",))
        if self.part == "branch":
            quantities["alphas"] = Quantity(np.array(alphas(self.blocks)), "factor α", "relative", ("kind",))
            results = {"best_alpha": float(alphas(self.blocks)[int(_lowest(best["loss"][:, None])[0])])}
        else:
            learned = np.array([state[_name("learned", rate)].run.skips.T for rate in RATES])
            quantities |= _bands(learned, "skips", "learned weight of the skip", "relative", ("rate", "block"))
            for name in ("constant", "falling"):
                quantities[name] = Quantity(np.array(skips(name, self.blocks)), KINDS[name], "relative", ("block",))
            results = {f"{name}_loss": float(best["loss"][at]) for at, name in enumerate(KINDS)}
        results["best_loss"] = float(best["loss"][int(_lowest(best["loss"][:, None])[0])])
        lost = [divergence for name, tried in state.items() for divergence in _lost(name, tried.run)]
        return Frame(quantities, results, any_run.run.step, self.training_steps, tuple(lost))

    def describe(self, frame: Frame) -> str:
        looked = int(frame["looked"][0])
        if not looked:
            return (
                f"Before the first step {len(self.kinds)} kinds of {self.blocks}-block networks wait, each at "
                f"{len(RATES)} learning rates."
            )
        after = f"After {looked} of {frame.steps} steps"
        if self.part == "branch":
            factors, best = [number(float(alpha), 2) for alpha in frame["alphas"]], frame["best"]
            best_factors = ", ".join(
                f"{factors[at]} at a rate of {number(rate)}"
                for at, rate in zip(_lowest(frame["loss"].T), RATES, strict=True)
            )
            first, quiet, chosen = 0, 1, int(_lowest(best[:, None])[0])
            reached = ", ".join(
                f"{number(float(best[at]), 2)} nats with α = {factors[at]}" for at in (first, quiet, chosen)
            )
            return (
                f"{after}, the factor with the lowest training loss is {best_factors}. With the best rate for each, "
                f"it falls to {reached}."
            )
        ends = "; ".join(
            f"{number(float(line[0]), 3)} to {number(float(line[-1]), 3)} at a rate of {number(rate)}"
            for line, rate in zip(frame["skips"], RATES, strict=True)
        )
        losses = ", ".join(
            f"{number(float(best), 2)} with {label}" for best, label in zip(frame["best"], KINDS.values(), strict=True)
        )
        return (
            f"{after}, the learned weights run from the first block to the last from {ends}. With the best rate for "
            f"each, training losses in nats are {losses}."
        )

    def disclosure(self) -> Disclosure:
        norm = "a LayerNorm before each branch and before the head" if self.norm else "no norm"
        if self.part == "branch":
            what = "a constant α on every branch; α = 0 leaves stem and head, a linear network"
            limit = (
                "Longer training, or a task that a linear network cannot learn, so it cannot show what weak branches "
                "can express. From α = 3 on, squares in Adam are too large for single precision, and 64 blocks without "
                "a norm stop learning."
            )
        else:
            factor = "1" if self.norm else "1/√L"
            what = (
                f"a factor of {factor} on every branch; λ is learned from 1 at the rate of the weights, or fixed, or "
                "falls in a straight line"
            )
            limit = "The language models and autoencoders that use such weights, or other schedules."
        return Disclosure(
            network=f"Stacks of {self.blocks} blocks of Linear–ReLU–Linear without biases, 32 wide, full-size weights, "
            f"with {norm}; a linear stem and head; {what}. Adam without decay or clipping, batches of {BATCH}; all "
            "weights have the same learning rate.",
            data=f"{source('digits').load().sentence}; losses are those of all training images.",
            seeds=f"{self.seeds} (from {self.seed}); lines are their median, bands their whole range. The best rate is "
            "chosen by the same medians.",
            cannot_show=limit,
        )


def _name(kind: str, rate: float) -> str:
    return f"{kind}, rate {rate:g}"


def _measured(known: Answers, name: str) -> np.ndarray:
    """(seeds,) one of `MEASURES`."""
    return known.train_loss if name == "loss" else known.test_error


def _bands(values: np.ndarray, name: str, label: str, unit: str, axes: tuple[str, str]) -> dict[str, Quantity]:
    """Median, lowest and highest over the last dimension of values (…, seeds)."""
    bands = {"median": np.median(values, axis=2), "lowest": values.min(axis=2), "highest": values.max(axis=2)}
    return {
        name + ENDINGS[statistic]: Quantity(curve, f"{label}, {statistic} of the seeds", unit, axes)
        for statistic, curve in bands.items()
    }


def _lowest(losses: np.ndarray) -> np.ndarray:
    """The row with the lowest loss in every column; what is not a number is the highest."""
    rows: np.ndarray = np.where(np.isnan(losses), np.inf, losses).argmin(axis=0)
    return rows


def _lost(name: str, run: StackState) -> list[Divergence]:
    """One entry if a seed of the run stopped being finite."""
    steps = run.lost[run.lost > 0]
    if not steps.size:
        return []
    cause = "Its stream or its gradient left the range of single precision."
    return [Divergence(int(steps.min()), f"loss with {name}", cause, "Try fewer blocks, or a norm.")]


FACTORS = {"1/L": -1.0, "1/√L": -0.5}
"""Name of a factor → its power of the number of blocks"""


@calculation(long=True, readings=("factor", "rate", "what", "statistic"), tolerance=0.3, absolute=0.02)
def branch(
    factor: str, rate: float = 0.0, what: str = "loss", statistic: str = "median", blocks: int = 64, norm: bool = False
) -> Number:
    """A number at the end of a default run with a constant factor, such as "0.1", "1/L" or "1/√L", on all branches.

    `what`: "loss", the training loss in nats; "error" on held-out images, 0 to 1; "before", the median loss before
    training; "rate", the rate with the lowest median loss. `rate` is one of `RATES`, or 0 for that best one.
    `statistic`: "median", "lowest" or "highest" of five seeds. Raises ValueError for another factor or rate.
    """
    frame = results.finished(SumWeights(blocks=blocks, norm=norm))
    alpha = blocks ** FACTORS[factor] if factor in FACTORS else float(factor)
    return _read(frame, alphas(blocks).index(alpha), rate, what, statistic)


@calculation(long=True, readings=("one", "other", "rate"), tolerance=0.3)
def times(one: str, other: str, rate: float = 0.0, blocks: int = 64, norm: bool = False) -> Number:
    """The median loss with one factor, over that with another: at a rate, or each at its best if `rate` is 0."""
    losses = [float(branch(factor=factor, rate=rate, blocks=blocks, norm=norm)) for factor in (one, other)]
    return losses[0] / losses[1]


@calculation(long=True, readings=("kind", "rate", "what", "statistic"), tolerance=0.3, absolute=0.02)
def skip(
    kind: str, rate: float = 0.0, what: str = "loss", statistic: str = "median", blocks: int = 64, norm: bool = True
) -> Number:
    """A number at the end of a run with a kind of weight on the skips: one of `KINDS`; the rest is as in `branch`.

    Raises ValueError for another kind or rate.
    """
    frame = results.finished(SumWeights(part="skip", blocks=blocks, norm=norm))
    return _read(frame, list(KINDS).index(kind), rate, what, statistic)


@calculation(long=True, readings=("block", "rate", "statistic"), absolute=0.05)
def weight(block: int, rate: float, statistic: str = "median", blocks: int = 64, norm: bool = True) -> Number:
    """The learned weight on the skip of a block, the first of which is 1: median, lowest or highest of five seeds."""
    frame = results.finished(SumWeights(part="skip", blocks=blocks, norm=norm))
    return float(frame["skips" + ENDINGS[statistic]][RATES.index(rate), block - 1])


@calculation
def kept(kind: str, blocks: int = 64) -> Number:
    """The product of all fixed weights on the skips: the share of the stem's output that reaches the head by skips."""
    return float(np.prod(skips(kind, blocks)))


def _read(frame: Frame, kind: int, rate: float, what: str, statistic: str) -> float:
    if statistic not in STATISTICS:
        raise ValueError(f"{statistic} is no statistic")
    if what == "before":
        return float(frame["before"][kind])
    best = float(frame["best_rate"][kind])
    if what == "rate":
        return best
    return float(frame[what + ENDINGS[statistic]][RATES.index(rate or best), kind])

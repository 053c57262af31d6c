"""A network by lot, healthy or ill: it trains, the X-ray looks, and the reader says what is wrong with it."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, percent
from sims.data.datasets import source
from sims.instruments.networks.ill_run import (
    BATCH,
    BLOCKS,
    FACTOR,
    LOOKED_AT,
    LOOKS,
    NETWORKS,
    RATE,
    STEPS,
    WIDTH,
    IllRun,
    advance,
    begin,
)
from sims.kept import results

BY_LOT, HEALTHY, OPEN = "by-lot", "healthy", "none"

KIND = {key: HEALTHY if illness.name.startswith("healthy") else key for key, illness in NETWORKS.items()}
"""Network → what an answer has to name: an illness, or that it is healthy"""

ANSWERS = {"Not answered yet": OPEN, "Healthy": HEALTHY} | {
    illness.name[0].upper() + illness.name[1:]: key for key, illness in NETWORKS.items() if KIND[key] != HEALTHY
}

SURVEY = tuple(range(100, 110))
"""Seeds of the survey of what the X-ray tells apart; nothing was tuned on them"""

MEASURES = {
    "stream": ("size of the stream before the sum", "rms"),
    "branch": ("size of the branch", "rms"),
    "share": ("identity share", "relative"),
    "gradient": ("size of the gradient", "rms"),
    "lesion": ("rise of the loss without the branch", "nats"),
}

FAILED = 0.1
"""Training error above which a network of the survey has failed"""

PACKS = 3
"""First number of the generators of the lot"""


@cache
def drawn(seed: int) -> str:
    """The network that a seed draws: all come once in every sixteen seeds, in an order drawn for these."""
    pack, place = divmod(seed, len(NETWORKS))
    order = np.random.default_rng((PACKS, pack)).permutation(len(NETWORKS))
    return list(NETWORKS)[order[place]]


class FindIllness(Training):
    """Which illness is it?

    Four pictures along the depth of one network, which was picked at random from sixteen and whose name is hidden. The
    first has the sizes of stream and branch at every sum, on a logarithmic scale, the second the share of each sum that
    came along the skip, the third the gradient, on a logarithmic scale with gray circles for exact zeros, and the
    fourth how much the loss rises without each branch. Dotted lines are from before training, dashed ones from some
    steps later, and solid ones from the last measurement. An answer reveals the name and what the X-ray said.
    """

    restarts = ("network", "seed")

    guess = param.Selector(default=OPEN, objects=ANSWERS, label="Your diagnosis", doc="uncovers the network's name")
    network = param.Selector(
        default=BY_LOT,
        objects={"By lot": BY_LOT} | {illness.name: key for key, illness in NETWORKS.items()},
        label="Network",
        doc="the network, if it is not to be drawn",
        precedence=-1,
    )
    seed = usual_parameters.seed()

    def chosen(self) -> str:
        """The key of the network that trains."""
        return drawn(self.seed) if self.network == BY_LOT else str(self.network)

    def start(self) -> IllRun:
        return begin(self.chosen(), self.seed)

    def advance(self, state: IllRun, steps: int) -> IllRun:
        return advance(state, steps)

    def frame(self, state: IllRun) -> Frame:
        at = ("look", "block")
        quantities = {
            "looks": Quantity(np.array([look.step for look in state.looks]), "step of a look", "steps", at[:1])
        }
        for name, (label, unit) in MEASURES.items():
            quantities[name] = Quantity(np.array([getattr(look, name) for look in state.looks]), label, unit, at)
        losses = np.array([look.loss for look in state.looks])
        quantities["loss"] = Quantity(losses, "training loss", "nats", at[:1])
        findings = [look.findings for look in state.looks]
        answers: dict[str, float | int | str] = {
            "additions": state.looks[0].additions,
            "training_error": state.error,
            "sealed": base64.b64encode(json.dumps(findings).encode()).decode(),
        }
        return self.reread(Frame(quantities, answers, state.step, STEPS))

    def reread(self, frame: Frame) -> Frame:
        """Tell the name, and what the X-ray said, only to who has answered."""
        network, answered = self.chosen(), self.guess != OPEN
        words = {
            "illness": NETWORKS[network].name if answered else "not told yet",
            "verdict": "not answered" if not answered else "right" if self.guess == KIND[network] else "wrong",
            "said": findings_in_words(frame) if answered else "not told yet",
        }
        return replace(frame, results={**frame.results, **words})

    def describe(self, frame: Frame) -> str:
        step = int(frame["looks"][-1])
        where = "Before training" if not step else f"After {step} steps"
        count = int(frame.results["additions"])
        loss = float(frame["loss"][-1])
        seen = f"the loss is {number(loss, 2)} nats" if np.isfinite(loss) else "the loss is not a finite number"
        sentences = [f"{where}, {seen}."]
        if count:
            stream = frame["stream"][-1]
            measured = stream[np.isfinite(stream)]
            sizes = (
                f" The stream goes from {number(measured[0], 2)} to {number(measured[-1], 2)}." if len(measured) else ""
            )
            sentences.append(f"The X-ray finds {count} residual additions in {BLOCKS} blocks.{sizes}")
        else:
            sentences.append("The X-ray finds no residual addition; the gradient is that of the blocks' last matrices.")
        gradient = frame["gradient"][-1]
        ends = gradient[np.isfinite(gradient)]
        if len(ends) and ends[-1]:
            sentences.append(f"The first gradient over the last is {number(float(ends[0] / ends[-1]), 2)}.")
        if not frame.finished:
            waits = [] if self.guess == OPEN else ["Your diagnosis is judged when the training has ended."]
            return " ".join([*sentences, *waits])
        error = float(frame.results["training_error"])
        sentences.append(f"The training error is {percent(error)}.")
        if self.guess == OPEN:
            return " ".join([*sentences, "What is it? Choose your diagnosis."])
        verdict = "Right" if frame.results["verdict"] == "right" else "No"
        return " ".join([*sentences, f"{verdict}: {frame.results['illness']}. {frame.results['said']}"])

    def disclosure(self) -> Disclosure:
        named = "your answer reveals its name"
        if self.guess != OPEN:
            illness = NETWORKS[self.chosen()]
            named = f"this one: {illness.name}; Adam at {number(illness.rate)}"
        return Disclosure(
            network=f"One of {len(NETWORKS)} networks with {BLOCKS} blocks, Linear–ReLU–Linear, {WIDTH} wide, with a "
            f"linear stem and head; {named}. All but one train with Adam at {number(RATE)}, in batches of {BATCH}, for "
            f"{STEPS} steps.",
            data=f"{source('digits').load().sentence}; the X-ray looks at the first {LOOKED_AT} training images.",
            seeds=f"One: {self.seed}, which picks the network, its initial weights and the batches. Sixteen "
            "consecutive seeds, starting from 0, give each network once.",
            cannot_show="The X-ray cannot see before training that a plain network with He's initial weights fails, or "
            f"that the rate is too high for Post-LN. It looks again after {LOOKS[1]} steps and then sees that the rate "
            "is too high. "
            "What it calls a note "
            "is often harmless. A lesion leaves out only the branch.",
        )


def opened(frame: Frame) -> list[list[tuple[str, str]]]:
    """Grade and name of the findings at each look of a frame."""
    looks = json.loads(base64.b64decode(str(frame.results["sealed"])))
    return [[(str(grade), str(name)) for grade, name in look] for look in looks]


def findings_in_words(frame: Frame) -> str:
    """What the X-ray said at each look, in words."""
    words = []
    for step, findings in zip(frame["looks"], opened(frame), strict=True):
        when = "before training" if not step else f"after {int(step)} steps"
        names = ", ".join(f"{name} ({grade})" for grade, name in findings) or "nothing"
        words.append(f"{when}: {names}")
    return f"The X-ray said {'; '.join(words)}."


Signature = tuple[tuple[tuple[str, str], ...], ...]


@cache
def _survey() -> Mapping[str, Sequence[Signature]]:
    """Network → its findings at the looks, for each seed of the survey."""
    return {
        network: [
            tuple(tuple(sorted(look)) for look in opened(results.finished(FindIllness(network=network, seed=seed))))
            for seed in SURVEY
        ]
        for network in NETWORKS
    }


def told_apart(looks: int = len(LOOKS)) -> tuple[str, ...]:
    """The kinds that the findings of the first `looks` looks tell apart from all others in every seed: what the X-ray
    says of any network of the kind, it says of no network of another kind."""
    survey = _survey()
    kinds = dict.fromkeys(KIND.values())
    said_of = {
        kind: {signature[:looks] for network in NETWORKS if KIND[network] == kind for signature in survey[network]}
        for kind in kinds
    }
    return tuple(
        kind for kind in kinds if all(said_of[kind].isdisjoint(said_of[other]) for other in kinds if other != kind)
    )


@calculation(long=True, readings=("looks",), absolute=1)
def kinds_told_apart(looks: int = len(LOOKS)) -> int:
    """How many kinds of networks the findings tell apart in all seeds of the survey, from the first `looks` looks."""
    return len(told_apart(looks))


@calculation(long=True)
def failing_unwarned(looks: int = len(LOOKS)) -> str:
    """The networks that get over a tenth of their training images wrong (median of the survey's seeds), and for which
    at least one seed's first `looks` looks raise neither a problem nor a caution, in words."""
    silent = [
        NETWORKS[network].name
        for network, signatures in _survey().items()
        if float(training_error(network)) > FAILED
        and not all(any(grade != "note" for look in s[:looks] for grade, _name in look) for s in signatures)
    ]
    return "; ".join(silent) or "none"


@calculation(long=True, readings=("statistic",), absolute=0.15)
def training_error(network: str, statistic: str = "median") -> float:
    """Training error after the run, 0 to 1: "median", "lowest" or "highest" of the survey's seeds."""
    errors = [
        float(results.finished(FindIllness(network=network, seed=seed)).results["training_error"]) for seed in SURVEY
    ]
    return STATISTICS[statistic](errors)


@calculation
def networks() -> int:
    """How many networks are in the lot."""
    return len(NETWORKS)


@calculation
def kinds() -> int:
    """How many kinds they are, all healthy ones counted as one."""
    return len(set(KIND.values()))


@calculation
def survey_seeds() -> int:
    """Seeds of the survey, for every network."""
    return len(SURVEY)


@calculation
def blocks() -> int:
    """Blocks of every network."""
    return BLOCKS


@calculation
def steps(look: int = -1) -> int:
    """The step of a look; the last is the end of the run."""
    return LOOKS[look]


@calculation
def kept_by_skips(network: str) -> float:
    """What the factors on all skips multiply to."""
    return float(FACTOR[network] ** BLOCKS)

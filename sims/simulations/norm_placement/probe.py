"""The famous ratio between Pre-LN and Post-LN gradients, under four losses and in two precisions."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number
from sims.instruments.gradients.norm_stack import LOSSES, PLACEMENTS, POINTS, WIDTH, stack

WORDS = {
    "sum": "sum of the outputs",
    "projection": "random projection",
    "cross-entropy": "cross-entropy",
    "squared error": "squared error",
}
NAMES = {"pre": "Pre-LN", "post": "Post-LN"}
PRECISIONS = {"float32": "single precision", "float64": "double precision"}
SEEDS = range(20)
"""Seeds of the geometric means in the prose."""


class Probe(Simulation):
    """Gradients of two stacks, under four losses

    Two stacks are drawn, Pre-LN and Post-LN: the stream with its additions, the branches, and the norms, which are in
    the branches or on the stream. A line runs back along the stream, as thick as the gradient of the chosen loss, and
    below each skip is the factor that it meets there. One bar for each loss gives the ratio of the two gradients at
    the input; more bars show the gradient after every sublayer.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "loss": LOSSES,
        "precision": ("float32", "float64"),
        "final_norm": (False, True),
    }

    loss = param.Selector(
        default="sum",
        objects={WORDS[kind].capitalize(): kind for kind in LOSSES},
        label="Loss",
        doc="what is differentiated",
    )
    precision = param.Selector(
        default="float32",
        objects={"Single (float32)": "float32", "Double (float64)": "float64"},
        label="Precision",
        doc="how many digits the computer keeps",
        precedence=1,
    )
    depth = Stops(
        default=20, objects=[5, 10, 20, 30, 40, 50], label="Depth", doc="sublayers of each stack", precedence=1
    )
    final_norm = param.Boolean(
        False, label="Final norm on Pre-LN", doc="the norm that real Pre-LN models have at their end"
    )
    seed = usual_parameters.seed()
    seed.default = 42

    def compute(self) -> Frame:
        stacks = {name: stack(self.seed, self.depth, name, self.final_norm, self.precision) for name in PLACEMENTS}
        quantities, results = {}, {}
        at_input: dict[str, list[float]] = {name: [] for name in PLACEMENTS}
        for name in PLACEMENTS:
            for loss in LOSSES:
                norms, skips = (_norms(route) for route in stacks[name].routes(loss))
                at_input[name].append(norms[0])
                if loss == self.loss:
                    label = f"{NAMES[name]}: norm of ∂L/∂h, input to output, for the {WORDS[loss]}"
                    quantities[f"{name}_stream"] = Quantity(np.array(norms), label, "loss per unit", ("place",))
                    results[name] = norms[0]
                    label = f"{NAMES[name]}: norm of what the skip carries back, for the {WORDS[loss]}"
                    quantities[f"{name}_skip"] = Quantity(np.array(skips), label, "loss per unit", ("block",))
            label = f"{NAMES[name]}: norm of the gradient at the input"
            quantities[f"{name}_input"] = Quantity(np.array(at_input[name]), label, "loss per unit", ("loss",))
        quantities["loss"] = Quantity(np.array([WORDS[kind] for kind in LOSSES]), "loss", "name", ("loss",))
        quantities["ratio"] = Quantity(
            np.array([_ratio(pre, post) for pre, post in zip(*at_input.values(), strict=True)]),
            "Pre-LN over Post-LN",
            "relative",
            ("loss",),
        )
        results["ratio"] = _ratio(results["pre"], results["post"])
        return Frame(quantities, results)

    @property
    def constant(self) -> tuple[str, ...]:
        """The stacks whose loss is constant: the sum of a norm's outputs."""
        if self.loss != "sum":
            return ()
        return PLACEMENTS if self.final_norm else ("post",)

    def describe(self, frame: Frame) -> str:
        pre, post, ratio = (float(frame.results[name]) for name in ("pre", "post", "ratio"))
        measured = f"The gradient at the input has a length of {number(pre)} in Pre-LN and {number(post)} in Post-LN"
        divided = f", a ratio of {number(ratio)}" if np.isfinite(ratio) else ""
        if not self.constant:
            larger = "Pre-LN's" if ratio >= 1 else "Post-LN's"
            return (
                f"{measured}{divided}. This loss depends on the weights; {larger} gradient is the larger one, "
                f"{max(ratio, 1 / ratio):.2f}-fold."
            )
        names = " and ".join(NAMES[name] for name in self.constant)
        return (
            f"{measured}{divided}. But after a norm the outputs sum to zero whatever the weights, so the true "
            f"gradient of {names} is exactly 0: what is printed is the rounding of {PRECISIONS[self.precision]}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Two stacks of {self.depth} untrained sublayers, each one Linear–ReLU branch of width {WIDTH} "
            f"with a LayerNorm, the same weights in both; {POINTS} random points; PyTorch's initialization.",
            data="None: standard normal points, as in the popular demonstration; projection, target, labels and "
            "head are random too.",
            seeds=f"One seed, {self.seed}, used as in torch.manual_seed({self.seed}); the text quotes geometric "
            f"means over {len(SEEDS)} seeds.",
            cannot_show="Anything about training, or about transformers: this is one gradient of an untrained toy, "
            "without attention.",
        )


def _norms(gradients: Sequence[np.ndarray]) -> list[float]:
    return [float(np.linalg.norm(gradient.astype(np.float64))) for gradient in gradients]


def _ratio(pre: float, post: float) -> float:
    return pre / post if post > 0 else float("inf")


@calculation(long=True)
def ratio(loss: str, depth: int, final_norm: bool = False) -> float:
    """Pre-LN's input gradient over Post-LN's, geometric mean of 20 seeds in double precision."""
    logs = []
    for seed in SEEDS:
        pre, post = (
            np.linalg.norm(stack(seed, depth, name, final_norm, "float64").gradients(loss)[0]) for name in PLACEMENTS
        )
        logs.append(np.log(pre / post))
    return float(np.exp(np.mean(logs)))


@calculation
def input_gradient(loss: str, placement: str, precision: str, seed: int = 42, depth: int = 20) -> float:
    """The norm of the gradient at the input of one stack, without a norm after the last block of Pre-LN."""
    return float(np.linalg.norm(stack(seed, depth, placement, False, precision).gradients(loss)[0].astype(np.float64)))


@calculation
def famous_ratio(precision: str, seed: int = 42) -> float:
    """Pre-LN over Post-LN for the sum of the outputs, 20 blocks: infinite if rounding leaves exactly 0 for Post-LN."""
    return _ratio(*(input_gradient("sum", name, precision, seed) for name in PLACEMENTS))  # type: ignore[arg-type]


@calculation
def precision_orders(seed: int = 42) -> float:
    """By how many powers of ten the famous ratio grows from single to double precision."""
    single, double = (famous_ratio(precision=precision, seed=seed) for precision in PRECISIONS)
    return float(np.log10(double) - np.log10(single))

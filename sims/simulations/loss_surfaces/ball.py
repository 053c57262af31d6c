"""A trajectory and a ball on one surface: the optimizer's real path, and a ball that rolls downhill in the picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.comparisons.twin_networks import NAMES, NORM_WORDS, exact, twins
from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, percent
from sims.data.datasets import source
from sims.engines.perceptrons import Recipe, TrainingState, advance
from sims.instruments.surfaces import grids
from sims.instruments.surfaces.landscapes import SAMPLE, Judge, Plane, of_seed
from sims.instruments.surfaces.trajectories import principal, random_plane, seen_by
from sims.instruments.training.divergence import divergences
from sims.kept import results

SNAPSHOTS = 50
"""Points of a trajectory, not counting its start"""

ROLLS, WEIGHT = 60, 20
"""Steps of the ball, and how many steps of the progress bar each of them counts for"""

ROOM = 1.25
"""Half the side of the plane, over half the larger extent of the trajectory in it"""


@dataclass(frozen=True)
class Marble:
    """A ball in the plane: its path, (points, 3) of a, b and the loss, and the length of its next trial step."""

    way: np.ndarray
    stride: float = 0.1


@dataclass(frozen=True)
class Roll:
    """The progress of the work: training, then the points of the surface, then the ball."""

    step: int
    runs: dict[str, TrainingState]
    snapshots: dict[str, np.ndarray]
    losses: dict[str, np.ndarray] = field(default_factory=lambda: dict.fromkeys(NAMES, np.empty(0)))
    balls: dict[str, Marble] = field(default_factory=dict)


class Ball(Training):
    """The optimizer's path, and a ball that rolls in the picture

    Two surfaces show the loss over the plane that holds most of each optimizer's path. The path floats at its true
    losses, with a line down to the surface from every point; a ball rolls downhill on the surface itself. The measures
    are two maps from above, the true loss next to the loss on the surface below, and bars that say how
    much each plane shows.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "depth": (4, 6, 10, 18, 34, 58),
        "plane": ("trajectory", "random"),
    }

    restarts = (*("depth", "norm", "data", "plane", "optimizer", "learning_rate", "training_steps", "finest", "seed"),)

    depth = Stops(
        default=18,
        objects=[4, 6, 10, 18, 34, 58],
        label="Depth",
        doc="linear layers from input to output",
        precedence=1,
    )
    norm = param.Selector(
        default="batch",
        objects={"None": "none", "BatchNorm": "batch", "LayerNorm": "layer"},
        label="Normalization",
        doc="what normalizes every layer",
    )
    plane = param.Selector(
        default="trajectory",
        objects={"Through the optimizer's path": "trajectory", "Random": "random"},
        label="Plane",
        doc="the two directions over which the surface is drawn",
    )
    data = param.Selector(
        default="spirals",
        objects={"Two spirals": "spirals", "Handwritten digits": "digits"},
        label="Data",
        doc="what is learned",
        precedence=1,
    )
    scale = param.Selector(
        default="linear",
        objects={"Linear": "linear", "Logarithmic": "log"},
        label="Scale of the loss",
        doc="how heights and colors follow the loss",
        precedence=1,
    )
    optimizer = usual_parameters.optimizer("adam", precedence=1)
    learning_rate = usual_parameters.learning_rate(0.003, precedence=1)
    training_steps = usual_parameters.training_steps(300, [100, 300, 600, 1200])
    finest = Stops(
        default=41, objects=list(grids.SIZES[1:4]), label="Finest grid", doc="points along a side", precedence=1
    )
    seed = usual_parameters.seed()

    def start(self) -> Roll:
        recipe = Recipe(self.optimizer, self.learning_rate, 128, clip=1.0, record_every=self.training_steps)
        runs = twins(self.depth, self.norm, self.data, self.seed, recipe)
        return Roll(0, runs, {name: run.parameters.copy() for name, run in runs.items()})

    def _phases(self) -> tuple[int, int, int]:
        """Steps of training, of the surface, and of the ball."""
        return self.training_steps, self.finest**2, ROLLS * WEIGHT

    def advance(self, state: Roll, steps: int) -> Roll:
        trained, mapped, rolled = self._phases()
        last = min(state.step + steps, trained + mapped + rolled)
        while state.step < min(last, trained):
            state = self._train(state, min(last, trained))
        if trained <= state.step < min(last, trained + mapped):
            part = min(last, trained + mapped)
            places = grids.coordinates(self.finest, 1.0, state.step - trained, part - trained)
            losses = {
                name: np.concatenate([state.losses[name], self._plane(state, name)[0].losses(places)]) for name in NAMES
            }
            state = replace(state, step=part, losses=losses)
        while state.step < last:
            state = self._roll(replace(state, step=min(last, state.step + WEIGHT)), trained + mapped)
        return state

    def _train(self, state: Roll, last: int) -> Roll:
        """Train up to the next snapshot."""
        interval = self.training_steps // SNAPSHOTS
        part = min(last, (state.step // interval + 1) * interval) - state.step
        runs = {name: advance(run, part) for name, run in state.runs.items()}
        snapshots = state.snapshots
        if (state.step + part) % interval == 0:
            snapshots = {name: np.concatenate([snapshots[name], run.parameters]) for name, run in runs.items()}
        return replace(state, step=state.step + part, runs=runs, snapshots=snapshots)

    def _plane(self, state: Roll, name: str) -> tuple[Plane, np.ndarray]:
        """The plane of a network, with a and b from −1 to 1, and its trajectory (snapshots, 2) in it."""
        snapshots, run = state.snapshots[name], of_seed(state.runs[name])
        shadow = principal(snapshots)
        length = np.abs(shadow.coordinates).max()
        if self.plane == "random" or len(snapshots) < 3 or length == 0:
            directions = random_plane(snapshots.shape[1], self.seed)
            reach = ROOM * (length or float(np.linalg.norm(snapshots[-1])) / 4)
            points = (snapshots - snapshots[-1]).astype(np.float64) @ directions.T
            middle = np.zeros(2)
        else:
            directions, points = shadow.directions, shadow.coordinates
            middle = (points.min(axis=0) + points.max(axis=0)) / 2
            reach = ROOM * float((points.max(axis=0) - points.min(axis=0)).max()) / 2
        center = snapshots[-1].astype(np.float64) + middle @ directions
        return Plane(run, np.vstack([center, reach * directions])), (points - middle) / reach

    def _roll(self, state: Roll, begun: int) -> Roll:
        """Take the steps of the balls that are due by now."""
        balls = dict(state.balls)
        for name in NAMES:
            plane, points = self._plane(state, name)
            network = exact(state.runs[name], self.norm)
            if name not in balls:
                first = points[0] if self.plane == "trajectory" else np.array([0.8, 0.8])
                balls[name] = Marble(np.array([[*first, network.loss(plane.basis[0] + first @ plane.basis[1:])]]))
            while len(balls[name].way) - 1 < (state.step - begun) // WEIGHT:
                balls[name] = downhill(balls[name], plane.basis, network)
        return replace(state, balls=balls)

    def frame(self, state: Roll) -> Frame:
        steps = np.linspace(0, self.training_steps, SNAPSHOTS + 1).astype(int)[: len(state.snapshots[NAMES[0]])]
        quantities = {"steps": Quantity(steps, "training step", "steps", ("snapshot",))}
        answers: dict[str, Any] = {"depth": self.depth, "phase": self._phase(state)}
        for name in NAMES:
            plane, points = self._plane(state, name)
            losses = state.losses[name]
            if len(losses) < grids.SIZES[0] ** 2:
                losses = plane.losses(grids.coordinates(self.finest, 1.0, 0, grids.SIZES[0] ** 2))
            size = grids.complete(len(losses))
            answers["grid"] = size
            true = Judge(plane.run).losses(state.snapshots[name])
            below = plane.losses(points)
            ball = state.balls.get(name, Marble(np.empty((0, 3))))
            quantities |= {
                "side": Quantity(np.linspace(-1, 1, size), "place in the plane", "share of its reach", ("column",)),
                f"{name}_losses": Quantity(
                    grids.grid(losses, self.finest, size), f"{name} network: loss", "nats", ("row", "column")
                ),
                f"{name}_picture": Quantity(
                    grids.picture(losses, self.finest),
                    f"{name} network: loss, coarse blocks where points are to come",
                    "nats",
                    ("fine row", "fine column"),
                ),
                f"{name}_track": Quantity(points, f"{name} network: a and b of its way", axes=("snapshot", "axis")),
                f"{name}_true": Quantity(true, f"{name} network: true loss on its way", "nats", ("snapshot",)),
                f"{name}_below": Quantity(below, f"{name} network: loss on the surface below", "nats", ("snapshot",)),
                f"{name}_ball": Quantity(ball.way, f"{name} ball: a, b, loss", axes=(f"{name} roll", "a, b, loss")),
            }
            answers |= self._answers(name, state, true, below, ball)
        return Frame(
            quantities,
            answers,
            state.step,
            sum(self._phases()),
            tuple(divergence for name, run in state.runs.items() for divergence in divergences(run, name)),
        )

    def _phase(self, state: Roll) -> str:
        trained, mapped, rolled = self._phases()
        if state.step >= trained + mapped + rolled:
            return "done"
        if state.step >= trained + mapped:
            return "rolling"
        return "surface" if state.step >= trained else "training" if state.step else "start"

    def _answers(
        self, name: str, state: Roll, true: np.ndarray, below: np.ndarray, ball: Marble
    ) -> dict[str, float | int]:
        snapshots = state.snapshots[name]
        unseen = float(np.abs(snapshots - snapshots[-1]).max()) == 0
        return {
            f"{name}_parameters": snapshots.shape[1],
            f"{name}_explained": 0.0 if unseen else principal(snapshots).explained,
            f"{name}_random": 0.0 if unseen else seen_by(random_plane(snapshots.shape[1], self.seed), snapshots),
            f"{name}_true_start": float(true[0]),
            f"{name}_below_start": float(below[0]),
            f"{name}_true_end": float(true[-1]),
            f"{name}_gap": float(np.nanmax(np.abs(np.log10(np.maximum(true, 1e-6) / np.maximum(below, 1e-6))))),
            f"{name}_ball_end": float(ball.way[-1, 2]) if len(ball.way) else float("nan"),
        }

    def describe(self, frame: Frame) -> str:
        answers = frame.results
        if len(frame["steps"]) < 3:
            return (
                f"Before training there is no path yet: a coarse surface over a random plane through the initial "
                f"weights; each network has {number(int(answers['plain_parameters']))}."
            )
        parts = []
        for name in NAMES:
            true, below = (number(float(answers[f"{name}_{which}_start"])) for which in ("true", "below"))
            start = f"losses at its start: {true} and {below}"
            parts.append(f"{percent(float(answers[f'{name}_explained']))} of the {name} network's path ({start})")
        text = (
            "The plane through the optimizer's path shows, in squared distances, "
            f"{' and '.join(parts)}; the first loss is the true one, the second that of the surface below. "
            if self.plane == "trajectory"
            else "A random plane shows, as a length, "
            f"{' and '.join(percent(float(answers[f'{n}_random'])) + f' of the {n} path' for n in NAMES)}. "
        )
        if len(frame["plain_ball"]):
            ends = " and ".join(
                f"{number(float(answers[f'{name}_ball_end']))} "
                f"({name}; the optimizer itself: {number(float(answers[f'{name}_true_end']))})"
                for name in NAMES
            )
            text += f"The balls have come down to {ends}."
        return text.strip()

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Two multilayer perceptrons of {self.depth} linear layers of width 32, ReLU, "
            f"{NORM_WORDS[self.norm]}, one with a skip over every two layers, trained for {self.training_steps} steps "
            f"at learning rate {number(self.learning_rate)}, gradients clipped to length 1.",
            data=f"{source(self.data).load().sentence}; all losses are measured on the first "
            f"{min(SAMPLE, len(source(self.data).load().train_labels))} training points.",
            seeds=f"One network of each kind (seed {self.seed}), {SNAPSHOTS} snapshots of each path.",
            cannot_show="How training moves, because training does not move on a surface. The ball learns two "
            "numbers, by gradient descent with step halving; the network learned thousands. Each plane has its own "
            "directions and extent.",
        )


def downhill(ball: Marble, basis: np.ndarray, network: Any) -> Marble:
    """Take one step of gradient descent on a and b alone: the stride is halved until the loss falls, and doubled after.

    `basis` (3, P) is that of a `Plane`; `network` gives loss and gradient at weights (P,). If twelve halvings find
    nothing lower, the ball stays where it is.
    """
    at, height = ball.way[-1, :2], ball.way[-1, 2]
    slope = basis[1:] @ network.loss_and_gradient(basis[0] + at @ basis[1:])[1]
    steepness = float(np.linalg.norm(slope))
    stride = ball.stride
    for _ in range(12 if np.isfinite(steepness) and steepness > 0 else 0):
        trial = np.clip(at - stride * slope / steepness, -1, 1)
        loss = network.loss(basis[0] + trial @ basis[1:])
        if loss < height:
            return Marble(np.vstack([ball.way, [*trial, loss]]), min(2 * stride, 0.1))
        stride /= 2
    return Marble(np.vstack([ball.way, ball.way[-1:]]), ball.stride)


def _rolled(skip: bool, depth: int, norm: str, data: str, seed: int) -> tuple[str, Frame]:
    frame = results.finished(Ball(depth=depth, norm=norm, data=data, seed=seed, finest=11))
    return "residual" if skip else "plain", frame


@calculation(long=True, readings=("measure", "skip", "statistic"), tolerance=0.6)
def measured(
    measure: str, skip: bool, depth: int = 18, norm: str = "batch", data: str = "spirals", statistic: str = "median"
) -> float:
    """A number of the picture: "median", "lowest" or "highest" over 3 seeds.

    `measure` is one of explained, random, random_percent, true_start, below_start, true_end, gap, ball_end, parameters.
    """
    unit, read = (100, measure.removesuffix("_percent")) if measure.endswith("_percent") else (1, measure)
    numbers = []
    for seed in range(3):
        name, frame = _rolled(skip, depth, norm, data, seed)
        numbers.append(unit * float(frame.results[f"{name}_{read}"]))
    return STATISTICS[statistic](numbers)


@calculation
def random_share(parameters: int) -> float:
    """√(2/P): the share of a displacement, as a length, that a random plane in P dimensions shows."""
    return float((2 / parameters) ** 0.5)

"""A run for display: with a map of its answers at every recorded step."""

from dataclasses import dataclass

import numpy as np

from sims.contract.frame import Quantity
from sims.contract.own_points import REACH
from sims.data.datasets import Source
from sims.engines.perceptrons import TrainingState, advance, evaluated
from sims.instruments.gradients.gradient_health import health
from sims.instruments.networks.decision_map import decision_map, share_of_commonest
from sims.instruments.networks.unit_maps import feature_maps, unit_maps
from sims.instruments.training.curves import record_bands, record_medians

BATCH_STATISTICS = (
    " BatchNorm takes the mean and spread of the points it is given: of the test set itself for the test error, of the "
    "training points for the map."
)
"""Stated next to the test error of a network with BatchNorm, which usually uses running statistics instead"""

FITS = 0.05
"""A training error of at most this share counts as a fit."""


def reach(task: Source) -> float:
    """Half the side of the square in which a task is drawn."""
    return 3.0 if task.name == "digits_plane" else REACH


SHOWN_POINTS = 300
"""The most training points that are drawn."""


def drawn(inputs: np.ndarray, labels: np.ndarray, reach: float) -> dict[str, Quantity]:
    """The quantities for drawing a task on a square of ±`reach`: at most `SHOWN_POINTS` of its points (n, 2) with
    classes (n,), and maps of the possible input features."""
    stride = max(1, -(-len(inputs) // SHOWN_POINTS))
    return {
        "points": Quantity(inputs[::stride], "points that are learned, as drawn", "relative", ("point", "direction")),
        "classes": Quantity(labels[::stride], "their classes", "class", ("point",)),
        "features": Quantity(
            feature_maps(reach),
            "what can be fed to a network, over the plane",
            "128 + 127 parts of its largest size",
            ("function", "row of a function", "column of a function"),
        ),
    }


@dataclass(frozen=True)
class WatchedRun:
    """A run, and the decision map of its first seed at every record."""

    run: TrainingState
    maps: tuple[np.ndarray, ...]

    def onward(self, steps: int) -> "WatchedRun":
        """The run `steps` steps later, with the maps of all records on the way."""
        run, maps = self.run, self.maps
        last = run.step + steps
        while run.step < last:
            interval = run.recipe.record_every
            run = advance(run, min(interval - run.step % interval, last - run.step))
            if run.step % interval == 0:
                maps = (*maps, map_of(run))
        return WatchedRun(evaluated(run), maps)

    def maps_of_moments(self) -> tuple[np.ndarray, ...]:
        """A map for every moment; one of now is added if the run stands between two records."""
        return self.maps if len(self.run.moments) == len(self.maps) else (*self.maps, map_of(self.run))

    def quantities(self, name: str) -> dict[str, Quantity]:
        """Curves, gradients and maps for every moment; their names begin with `name`.

        Curves are bands over the seeds, gradients (moment, layer or place of the stream) their median, and the maps
        (moment, row, column) those of the first seed.
        """
        quantities = record_bands(self.run.moments, f"{name}_", f"{name} network: ")
        for measure, words, axis in (
            ("weight_gradients", "gradient of the weights", "layer"),
            ("stream_gradients", "gradient of the stream", "place"),
            ("activations", "root mean square of the stream", "place"),
        ):
            values = record_medians(self.run.moments, measure)
            label = f"{name} network: {words}, median of the seeds"
            quantities[f"{name}_{measure}"] = Quantity(values, label, "relative", ("record", axis))
            if measure != "activations":
                against = f"{name} network: {words} against the median along the network"
                quantities[f"{name}_{measure}_health"] = Quantity(health(values), against, "kind", ("record", axis))
        quantities[f"{name}_maps"] = Quantity(
            np.stack(self.maps_of_moments()),
            f"{name} network: answers over the plane",
            "16 class + confidence",
            ("record", "row", "column"),
        )
        quantities[f"{name}_units"] = Quantity(
            unit_maps(self.run, reach(self.run.source)),
            f"{name} network: units of each layer over the plane, now",
            "128 + 127 parts of the unit's largest size",
            ("unit's layer", "unit", "row of a unit", "column of a unit"),
        )
        return quantities

    def answers(self, name: str, latest: np.ndarray) -> dict[str, float | int | str]:
        """Read-outs: the parts of the network, and the state of its run; `latest` is its last map."""
        now, network = self.run.now, self.run.architecture
        return {
            f"{name}_skip": network.skip,
            f"{name}_norm": network.norm,
            f"{name}_layers_per_block": network.layers_per_block,
            f"{name}_loss": float(np.median(now.train_loss)),
            f"{name}_training_error": float(np.median(now.train_error)),
            f"{name}_fits": int((now.train_error <= FITS).sum()),
            f"{name}_lost": sum(overflow is not None for overflow in self.run.overflows),
            f"{name}_one_answer": share_of_commonest(latest),
        }


def map_of(run: TrainingState) -> np.ndarray:
    """The decision map (SIDE, SIDE) of a run's first seed, over the square in which its task is drawn."""
    return decision_map(run, reach(run.source))


def first_look(run: TrainingState) -> WatchedRun:
    """A watched run before its first step."""
    return WatchedRun(run, (map_of(run),))

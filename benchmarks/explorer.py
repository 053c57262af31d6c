"""The explorer: a decision map, the updates that fit between two pictures, and Playground's update against ours."""

import time
from collections.abc import Callable

from sims.chunks.chunk import run_chunk
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.decision_map import decision_map
from sims.simulations.explorer import Explorer

PLAYGROUND_UPDATE = 0.70
"""Milliseconds of one update of TensorFlow Playground's own engine at depth 32, width 8, batch 10, without drawing."""

PICTURES = 15
"""Pictures a second that the explorer is to show."""


def milliseconds(call: Callable[[], object], rounds: int) -> float:
    """The least time of a few, so that what else the machine does is left out."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return 1e3 * min(times)


def maps() -> None:
    """One map of 64 × 64 places."""
    for depth in (8, 16, 32, 64):
        for norm in ("none", "pre-layer", "batch"):
            run = start(Architecture(depth, 32, norm=norm), Recipe("adam", 0.01, 64), source("spirals"), (0,))
            took = milliseconds(lambda run=run: decision_map(run, 2.0), 20)
            print(f"  decision map, depth {depth:2d}, {norm:9s} {took:6.2f} ms")


def pictures() -> None:
    """How many updates fit into a fifteenth of a second beside the picture, as a worker sees it."""
    for depth, compare in ((16, "none"), (16, "no-skip"), (32, "no-skip"), (64, "no-skip")):
        settings = {"depth": depth, "compare": compare, "training_steps": 4800}
        chunk = run_chunk(Explorer, settings, None, 0)
        for _ in range(12):
            chunk = run_chunk(Explorer, settings, chunk.state, 100)
        chunks = [run_chunk(Explorer, settings, chunk.state, 50) for _ in range(8)]
        update = min(each.stepping for each in chunks) / 50
        picture = min(each.seconds - each.stepping for each in chunks)
        networks = 1 + (compare != "none")
        between = (1 / PICTURES - picture) / update
        print(
            f"  depth {depth:2d}, {networks} network{'s' * (networks > 1)}: picture {1e3 * picture:5.1f} ms, update "
            f"{1e3 * update:5.2f} ms, {between:4.0f} updates for each of {PICTURES} pictures a second"
        )


def playground() -> None:
    """Our update of Playground's network: 32 hidden layers of width 8, batches of 10, squared error."""
    network = Architecture(33, 8, "none", "none", "one-layer", "relu", "uniform", squashed=True)
    recipe = Recipe("sgd", 0.03, 10, loss="squared error", record_every=10_000)
    state: TrainingState = advance(start(network, recipe, source("playground"), (0,)), 100)
    ours = milliseconds(lambda: advance(state, 500), 5) / 500
    times = PLAYGROUND_UPDATE / ours
    print(f"  Playground's network: ours {ours:.3f} ms, its own engine {PLAYGROUND_UPDATE:.2f} ms: {times:.1f} times")


def main() -> None:
    """Print all of it."""
    maps()
    pictures()
    playground()

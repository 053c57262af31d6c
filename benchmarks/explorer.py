"""The explorer: a decision map, the updates that fit between two pictures, and Playground's update beside ours."""

from benchmarks._figures import in_turns, not_compared, note, processor_seconds, ratios
from benchmarks._playground import Missing, engine
from sims.chunks.chunk import run_chunk
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.networks.decision_map import decision_map
from sims.simulations.design_choices.explorer import Explorer

PICTURES = 15
"""Pictures a second that the explorer is to show."""

ROUNDS = 15
UPDATES = 500


def maps() -> None:
    """One map of 64 × 64 places."""
    for depth in (8, 16, 32, 64):
        for norm in ("none", "pre-layer", "batch"):
            run = start(Architecture(depth, 32, norm=norm), Recipe("adam", 0.01, 64), source("spirals"), (0,))
            seconds = in_turns({"map": lambda run=run: decision_map(run, 2.0)}, ROUNDS)["map"]  # type: ignore[misc]
            note(f"decision map, depth {depth}, norm {norm}", [1e3 * x for x in seconds], "ms")


def pictures() -> None:
    """How many updates fit into a fifteenth of a second beside the picture, as a worker sees it."""
    for depth, compare in ((16, "none"), (16, "no-skip"), (32, "no-skip"), (64, "no-skip")):
        settings = {"depth": depth, "compare": compare, "training_steps": 4800}
        chunk = run_chunk(Explorer, settings, None, 0)
        for _ in range(12):
            chunk = run_chunk(Explorer, settings, chunk.state, 100)
        chunks = [run_chunk(Explorer, settings, chunk.state, 50) for _ in range(8)]
        update = [part.stepping / 50 for part in chunks]
        picture = [part.seconds - part.stepping for part in chunks]
        between = [(1 / PICTURES - drawing) / stepped for drawing, stepped in zip(picture, update, strict=True)]
        name = f"explorer, depth {depth}, {1 + (compare != 'none')} network{'s' * (compare != 'none')}"
        note(f"{name}: a picture", [1e3 * x for x in picture], "ms")
        note(f"{name}: updates for each of {PICTURES} pictures a second", between, "")


def playground() -> None:
    """An update of Playground's network: 32 hidden layers of width 8, batches of 10, squared error. Processor time, in
    rounds in which the two engines take turns."""
    network = Architecture(33, 8, "none", "none", "one-layer", "relu", "uniform", squashed=True)
    recipe = Recipe("sgd", 0.03, 10, loss="squared error", record_every=10_000)
    state: TrainingState = advance(start(network, recipe, source("playground"), (0,)), 100)
    ours, theirs = [], []
    try:
        with engine() as peer:
            peer.milliseconds(UPDATES)
            for _ in range(ROUNDS):
                ours.append(1e3 * processor_seconds(lambda: advance(state, UPDATES)) / UPDATES)
                theirs.append(peer.milliseconds(UPDATES))
    except Missing as missing:
        ours = [1e3 * processor_seconds(lambda: advance(state, UPDATES)) / UPDATES for _ in range(ROUNDS)]
        not_compared("TensorFlow Playground's update over ours", str(missing))
    else:
        note("an update of Playground's network: its own engine", theirs, "ms")
        note("TensorFlow Playground's update over ours", ratios(theirs, ours), "×")
    note("an update of Playground's network: here", ours, "ms")


def main() -> None:
    """Print all of it."""
    maps()
    pictures()
    playground()

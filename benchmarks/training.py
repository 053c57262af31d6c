"""`python -m benchmarks training`: the fast trainer against a PyTorch loop, as it is and with `torch.compile`.

All of it side by side on one thread. All train the same network with the same optimizer on the same data. The loops
only train; the fast trainer also measures the gradients and evaluates the training and test set at the end, and its
time includes that. Every time is processor time, of rounds in which they take turns. The share of the peak counts the
operations of the matrix products alone, against torch's product of two large matrices in the same rounds.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"

from collections.abc import Callable

import torch

from benchmarks._figures import in_turns, not_compared, note, ratios
from sims.data.datasets import Source
from sims.engines.perceptrons import Architecture, Recipe, advance, start
from sims.engines.perceptrons.layout import make_layout
from sims.pytorch.models import networks

ROUNDS = 7
STEPS = 200
OF_PEAK = 0.5
"""What a step should reach of the processor's matrix peak, at widths from 32 on."""

SETTINGS = {
    "Pre-LN residual, Adam": [
        (Architecture(depth=18, width=16, norm="pre-layer", final_norm=True), Recipe("adam", 0.003, 128)),
        (Architecture(depth=34, width=32, norm="pre-layer", final_norm=True), Recipe("adam", 0.003, 64)),
        (Architecture(depth=34, width=32, norm="pre-layer", final_norm=True), Recipe("adam", 0.003, 256)),
        (Architecture(depth=58, width=64, norm="pre-layer", final_norm=True), Recipe("adam", 0.003, 128)),
    ],
    "original, BatchNorm, momentum": [
        (Architecture(depth=20, width=32, norm="batch", unit="original"), Recipe("momentum", 0.05, 64)),
        (Architecture(depth=56, width=48, norm="batch", unit="original"), Recipe("momentum", 0.05, 128)),
    ],
    "plain, gradient descent": [
        (Architecture(depth=20, width=32, skip="none"), Recipe("sgd", 0.05, 64)),
        (Architecture(depth=20, width=32, skip="none", activation="tanh"), Recipe("sgd", 0.05, 64)),
    ],
}


def loop(architecture: Architecture, recipe: Recipe, steps: int, compiled: bool = False) -> Callable[[], None]:
    """What one writes in PyTorch; with `torch.compile` around the network where it is to be `compiled`."""
    data = Source("teacher").load()
    points, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    model = networks.network(architecture, data.features, data.classes)
    forward = torch.compile(model) if compiled else model
    optimizer: torch.optim.Optimizer
    if recipe.optimizer == "adam":
        optimizer = torch.optim.Adam(model.parameters(), lr=recipe.learning_rate)
    else:
        momentum = 0.9 if recipe.optimizer == "momentum" else 0.0
        optimizer = torch.optim.SGD(model.parameters(), lr=recipe.learning_rate, momentum=momentum)

    def run() -> None:
        for _ in range(steps):
            batch = torch.randint(len(points), (recipe.batch or len(points),))
            loss = torch.nn.functional.cross_entropy(forward(points[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return run


def compiled_loop(architecture: Architecture, recipe: Recipe) -> Callable[[], None] | str:
    """The loop after `torch.compile` has done its work; words where this machine has no compiler that it can use."""
    step = loop(architecture, recipe, STEPS // 5, compiled=True)
    try:
        step()
    except RuntimeError as error:
        return str(error).strip().splitlines()[0]
    return step


def operations(architecture: Architecture, recipe: Recipe) -> int:
    """Floating-point operations of the matrix products of a step, forward and backward."""
    layers = make_layout(architecture, 32, 10).layers
    weights = sum(layer.rows * layer.columns for layer in layers)
    first = layers[0].rows * layers[0].columns
    return 2 * (recipe.batch or 1024) * (3 * weights - first)


def main() -> None:
    torch.set_num_threads(1)
    square = torch.randn(1024, 1024)
    for title, settings in SETTINGS.items():
        for architecture, recipe in settings:
            depth, width, batch = architecture.depth, architecture.width, recipe.batch
            name = (
                f"{title}{', tanh' * (architecture.activation == 'tanh')}: {depth} layers, width {width}, batch {batch}"
            )
            print(name)
            state = start(architecture, Recipe(**{**vars(recipe), "record_every": STEPS}), "teacher", (0,))
            inductor = compiled_loop(architecture, recipe)
            calls: dict[str, Callable[[], object]] = {
                "fast": lambda run=state: advance(run, STEPS),  # type: ignore[misc]
                "eager": loop(architecture, recipe, STEPS // 5),
                "peak": lambda: square @ square,
            }
            if not isinstance(inductor, str):
                calls["inductor"] = inductor
            seconds = in_turns(calls, ROUNDS)
            fast = [x / STEPS for x in seconds["fast"]]
            note(f"{name}: a step", [1e3 * x for x in fast], "ms")
            note(f"{name}: eager loop", ratios([5 * x for x in seconds["eager"]], seconds["fast"]), "×")
            if isinstance(inductor, str):
                not_compared(f"{name}: torch.compile", inductor)
            else:
                note(f"{name}: torch.compile", ratios([5 * x for x in seconds["inductor"]], seconds["fast"]), "×")
            best = 2 * 1024**3 / min(seconds["peak"])
            share = [operations(architecture, recipe) / x / best for x in fast]
            note(f"{name}: of the peak", share, "", OF_PEAK if width >= 32 else None, more=True)

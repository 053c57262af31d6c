"""`python -m benchmarks.training`: the fast trainer against a PyTorch loop, as it is and with `torch.compile`.

All of it side by side on one thread; where `torch.compile` has no compiler, its times are infinite. All train the same
network with the same optimizer on the same data. The loops only train; the fast trainer also measures the gradients and
evaluates the training and test set at the end, and its time includes that. Every time is processor time, the best of a
few rounds in which they take turns.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"

import time
from collections.abc import Callable

import torch

from sims.data.datasets import Source
from sims.engines.perceptrons import Architecture, Recipe, advance, start
from sims.engines.perceptrons.layout import make_layout
from sims.pytorch import networks

ROUNDS = 5
STEPS = 200
SETTINGS = {
    "Pre-LN residual, Adam": [
        (
            Architecture(depth=18, width=16, norm="pre-layer", final_norm=True),
            Recipe("adam", 0.003, 128, record_every=STEPS),
        ),
        (
            Architecture(depth=34, width=32, norm="pre-layer", final_norm=True),
            Recipe("adam", 0.003, 64, record_every=STEPS),
        ),
        (
            Architecture(depth=34, width=32, norm="pre-layer", final_norm=True),
            Recipe("adam", 0.003, 256, record_every=STEPS),
        ),
        (
            Architecture(depth=58, width=64, norm="pre-layer", final_norm=True),
            Recipe("adam", 0.003, 128, record_every=STEPS),
        ),
    ],
    "original unit with batch norm, momentum": [
        (
            Architecture(depth=20, width=32, norm="batch", unit="original"),
            Recipe("momentum", 0.05, 64, record_every=STEPS),
        ),
        (
            Architecture(depth=56, width=48, norm="batch", unit="original"),
            Recipe("momentum", 0.05, 128, record_every=STEPS),
        ),
    ],
    "plain without norm, gradient descent": [
        (Architecture(depth=20, width=32, skip="none"), Recipe("sgd", 0.05, 64, record_every=STEPS)),
        (Architecture(depth=20, width=32, skip="none", activation="tanh"), Recipe("sgd", 0.05, 64, record_every=STEPS)),
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


def seconds(function: Callable[[], object]) -> float:
    began = time.process_time()
    function()
    return time.process_time() - began


def compiled_loop(architecture: Architecture, recipe: Recipe) -> Callable[[], None] | None:
    """The loop after `torch.compile` has done its work; None where this machine has no compiler that it can use."""
    made = loop(architecture, recipe, STEPS // 5, compiled=True)
    try:
        made()
    except RuntimeError as error:
        print(f"torch.compile: {str(error).strip().splitlines()[0]}")
        return None
    return made


def peak() -> float:
    """Floating-point operations per second of a large matrix product on one thread."""
    square = torch.randn(1024, 1024)
    return 2 * 1024**3 / min(seconds(lambda: square @ square) for _ in range(10))


def operations(architecture: Architecture, recipe: Recipe) -> int:
    """Floating-point operations of the matrix products of a step, forward and backward."""
    layers = make_layout(architecture, 32, 10).layers
    weights = sum(each.rows * each.columns for each in layers)
    first = layers[0].rows * layers[0].columns
    return 2 * (recipe.batch or 1024) * (3 * weights - first)


def main() -> None:
    torch.set_num_threads(1)
    best_possible = peak()
    print(f"one core multiplies large matrices at {best_possible / 1e9:.0f} GFLOP/s\n")
    for title, settings in SETTINGS.items():
        print(title)
        print(
            f"{'depth':>6}{'width':>6}{'batch':>6}{'loop':>10}{'compiled':>11}{'fast':>10}{'ratios':>14}{'of peak':>9}"
        )
        for architecture, recipe in settings:
            state = start(architecture, recipe, "teacher", (0,))
            eager = loop(architecture, recipe, STEPS // 5)
            eager()
            inductor = compiled_loop(architecture, recipe)
            advance(state, 1)
            slow, middle, fast = float("inf"), float("inf"), float("inf")
            for _ in range(ROUNDS):
                slow = min(slow, seconds(eager) / (STEPS // 5))
                if inductor:
                    middle = min(middle, seconds(inductor) / (STEPS // 5))
                fast = min(fast, seconds(lambda run=state: advance(run, STEPS)) / STEPS)  # type: ignore[misc]
            share = operations(architecture, recipe) / fast / best_possible
            print(
                f"{architecture.depth:6}{architecture.width:6}{recipe.batch or 0:6}{slow * 1e3:7.2f} ms"
                f"{middle * 1e3:8.2f} ms{fast * 1e3:7.3f} ms{slow / fast:6.1f}x{middle / fast:6.1f}x{share:9.0%}"
            )
        print()


if __name__ == "__main__":
    main()

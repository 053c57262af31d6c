"""`python -m benchmarks.transformers`: the compiled transformer against a plain PyTorch loop, and a whole race.

Both train the same network with Adam on the same data, on one thread. The loop only trains; the compiled run also
measures gradients and evaluates the training and test set at its end, and its time includes that. Every time is the
best of a few rounds, in which the two take turns.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"

import statistics
import time
from collections.abc import Callable

import torch

from sims.data.datasets import source
from sims.engines.perceptrons import Recipe
from sims.engines.transformers import Transformer, advance, start
from sims.pytorch.transformer_network import TransformerNetwork
from sims.simulations.arena import Arena

ROUNDS, STEPS, EAGER_STEPS = 5, 50, 5
SETTINGS = [("spirals", 2, None), ("spirals", 2, 64), ("digits", 8, 32)]
DEPTHS = (8, 32, 64)


def loop(architecture: Transformer, name: str, batch: int | None) -> Callable[[], None]:
    """What one writes in PyTorch."""
    data = source(name).load()
    points, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    model = TransformerNetwork(architecture, data.features, data.classes)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)

    def run() -> None:
        for _ in range(EAGER_STEPS):
            chosen = torch.randint(len(points), (batch,)) if batch else torch.arange(len(points))
            loss = torch.nn.functional.cross_entropy(model(points[chosen]), labels[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return run


def seconds(function: Callable[[], object]) -> float:
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def steps() -> None:
    """Milliseconds per step of the loop and of the compiled run."""
    print(f"{'data':>8}{'batch':>6}{'depth':>6}{'norm':>11}{'loop':>11}{'compiled':>11}{'ratio':>8}")
    for name, tokens, batch in SETTINGS:
        for depth in DEPTHS:
            for norm in ("pre-layer", "post-layer"):
                architecture = Transformer(depth, tokens=tokens, norm=norm)  # type: ignore[arg-type]
                state = start(architecture, Recipe("adam", 0.001, batch, record_every=STEPS), source(name), (0,))
                eager = loop(architecture, name, batch)
                eager()
                advance(state, 1)
                slow, fast = float("inf"), float("inf")
                for _ in range(ROUNDS):
                    slow = min(slow, seconds(eager) / EAGER_STEPS)
                    fast = min(fast, seconds(lambda run=state: advance(run, STEPS)) / STEPS)  # type: ignore[misc]
                print(
                    f"{name:>8}{batch or 256:6}{depth:6}{norm:>11}{slow * 1e3:8.2f} ms{fast * 1e3:8.3f} ms"
                    f"{slow / fast:7.1f}x"
                )


def races() -> None:
    """Seconds of a whole race of the usual six at depth 32, 250 steps, on one core."""
    for seeds, target in ((1, 5), (3, 12)):
        race = Arena(seeds=seeds)
        times = [seconds(race.compute) for _ in range(3)]
        print(
            f"race at depth {race.depth}, {len(race.entrants)} entrants, {seeds} seed(s): median "
            f"{statistics.median(times):.2f} s ({min(times):.2f} to {max(times):.2f}); budget {target} s"
        )


def main() -> None:
    """Print every figure."""
    torch.set_num_threads(1)
    races()
    steps()


if __name__ == "__main__":
    main()

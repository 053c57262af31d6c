"""`python -m benchmarks transformers`: the compiled transformer against a plain PyTorch loop.

Both train the same network with Adam on the same data, on one thread. The loop only trains; the compiled run also
measures gradients and evaluates the training and test set at its end, and its time includes that. Every time is
processor time, of rounds in which the two take turns.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"

from collections.abc import Callable

import torch

from benchmarks._figures import in_turns, note, ratios
from sims.data.datasets import source
from sims.engines.perceptrons import Recipe
from sims.engines.transformers import Transformer, advance, start
from sims.pytorch.models.transformer_network import TransformerNetwork

ROUNDS, STEPS, EAGER_STEPS = 5, 50, 5
SETTINGS = [("spirals", 2, None), ("spirals", 2, 64), ("digits", 8, 32)]
DEPTHS = (8, 32, 64)
WAYS = {"eager": EAGER_STEPS, "compiled": STEPS}
"""Way → steps of a round"""


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


def main() -> None:
    """Milliseconds of a step, and how many times as long the loop takes."""
    torch.set_num_threads(1)
    for name, tokens, batch in SETTINGS:
        for depth in DEPTHS:
            for norm in ("pre-layer", "post-layer"):
                architecture = Transformer(depth, tokens=tokens, norm=norm)
                state = start(architecture, Recipe("adam", 0.001, batch, record_every=STEPS), source(name), (0,))
                calls: dict[str, Callable[[], object]] = {
                    "eager": loop(architecture, name, batch),
                    "compiled": lambda run=state: advance(run, STEPS),  # type: ignore[misc]
                }
                seconds = in_turns(calls, ROUNDS)
                eager, compiled = ([x / steps for x in seconds[way]] for way, steps in WAYS.items())
                title = f"transformer, {name}, batch {batch or 256}, {depth} sublayers, {norm}"
                note(f"{title}: a step", [1e3 * x for x in compiled], "ms")
                note(f"{title}: eager loop", ratios(eager, compiled), "×")

"""`python -m benchmarks language`: the compiled language model against a plain PyTorch loop.

Both train the same network on the same text with AdamW, on one thread. Every time is processor time, of rounds in which
the two take turns.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"

from collections.abc import Callable

import torch
from torch.nn.functional import cross_entropy

from benchmarks._figures import in_turns, note, ratios
from sims.data import own_words
from sims.engines.language import LanguageModel, LanguageRecipe, advance, start
from sims.pytorch.models.language_model import loaded

ROUNDS, STEPS = 5, 10
BLOCKS = (1, 8)
GOAL = 6.0
"""How many times as long the loop should take"""


def loop(model: LanguageModel) -> Callable[[], None]:
    """What one writes in PyTorch."""
    recipe, text = LanguageRecipe(), torch.tensor(own_words.parts()[0])
    network = loaded(model, start(model, recipe, 0).parameters)
    optimizer = torch.optim.AdamW(network.parameters(), lr=recipe.learning_rate, weight_decay=recipe.decay)

    def run() -> None:
        for _ in range(STEPS):
            starts = torch.randint(len(text) - model.context, (recipe.batch,))
            pieces = torch.stack([text[first : first + model.context + 1] for first in starts])
            loss = cross_entropy(network(pieces[:, :-1]).flatten(0, 1), pieces[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), recipe.clip)
            optimizer.step()

    return run


def main() -> None:
    """Milliseconds of a step, and how many times as long the loop takes."""
    torch.set_num_threads(1)
    learned, _ = own_words.parts()
    for blocks in BLOCKS:
        model = LanguageModel(blocks, len(own_words.symbols()))
        state = start(model, LanguageRecipe(), 0)
        calls: dict[str, Callable[[], object]] = {
            "eager": loop(model),
            "compiled": lambda run=state: advance(run, learned, STEPS),  # type: ignore[misc]
        }
        seconds = in_turns(calls, ROUNDS)
        eager, compiled = ([x / STEPS for x in seconds[way]] for way in calls)
        title = f"language model, {blocks} block{'s' * (blocks > 1)}"
        note(f"{title}: a step", [1e3 * x for x in compiled], "ms")
        note(f"{title}: eager loop", ratios(eager, compiled), "×", GOAL, more=True)

"""`python -m benchmarks fading`: networks whose gradients fade beside healthy ones of the same multiplications.

If their numbers were left to become subnormal, a step would take several times as long on many processors.
Processor time, of rounds in which the two take turns. The measures at the end of every segment are included; they keep
all numbers.
"""

from benchmarks._figures import in_turns, note, ratios
from sims.comparisons.entrants import architecture
from sims.data.datasets import source
from sims.engines import dispatch
from sims.engines.perceptrons import Architecture, Recipe, advance, start

ROUNDS = 7
GOAL = 1.3


def main() -> None:
    recipe = Recipe("adam", 0.001, 128, record_every=24)
    fading, healthy = (
        advance(start(Architecture(100, 48, "none", initialization=name), recipe, "teacher", (0,)), 24)
        for name in ("default", "he")
    )
    seconds = in_turns({"fading": lambda: advance(fading, 48), "healthy": lambda: advance(healthy, 48)}, ROUNDS)
    note("100 plain layers, default start (fading) against He: a step", ratios(*seconds.values()), "×", GOAL)

    recipe = Recipe("adam", 0.003, None, record_every=5)
    highway = dispatch.start(architecture("highway", "spirals", 32, "default", "1"), recipe, source("spirals"), (0,))
    later = dispatch.advance(highway, 200)
    seconds = in_turns(
        {"late": lambda: dispatch.advance(later, 50), "early": lambda: dispatch.advance(highway, 50)}, ROUNDS
    )
    note("Highway in the arena, sure of its answers against at the start: a step", ratios(*seconds.values()), "×", GOAL)

"""`python -m benchmarks subnormals`: networks whose gradients fade beside healthy ones of the same multiplications.

Where subnormal numbers are not flushed, a step of the first kind takes several times as long on many processors.
Processor time, of rounds in which the two take turns. The measures at the end of every stretch are included; they keep
subnormal numbers.
"""

from benchmarks._figures import in_turns, note, ratios
from sims.comparisons.entrants import architecture
from sims.data.datasets import source
from sims.engines.either import begin, onward
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
    highway = begin(architecture("highway", "spirals", 32, "default", "1"), recipe, source("spirals"), (0,))
    later = onward(highway, 200)
    seconds = in_turns({"late": lambda: onward(later, 50), "early": lambda: onward(highway, 50)}, ROUNDS)
    note("Highway in the arena, sure of its answers against at the start: a step", ratios(*seconds.values()), "×", GOAL)

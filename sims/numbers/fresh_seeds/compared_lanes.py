"""What the losses of models in lanes say about rounds of Sinkhorn–Knopp and about the start of the lanes."""

import numpy as np

from sims.contract.summary import Kept, summary
from sims.instruments.replication import differences
from sims.numbers.fresh_seeds.fresh_lanes import ROUNDS
from sims.numbers.fresh_seeds.seeds import SEEDS


def _calls(form: str, rounds: int = ROUNDS, start: str = "copies", statistic: str = "mean") -> list[str]:  # noqa: ARG001
    own = [f"fresh_lanes.loss(form={form!r}, seed={seed}, rounds={rounds}, start={start!r})" for seed in SEEDS]
    return [*own, *(f"fresh_designs.loss(design={form!r}, seed={seed})" for seed in SEEDS)]


@summary(_calls)
def difference(numbers: Kept, form: str, rounds: int = ROUNDS, start: str = "copies", statistic: str = "mean") -> float:
    """The loss minus that of the same design as its authors have it, in nats per symbol.

    The "mean" over ten fresh seeds, or the "low" or "high" end of its 95% interval; forms are those of
    `fresh_lanes.loss`.
    """
    values = np.array([numbers[call] for call in _calls(form, rounds, start)])
    paired = differences.paired(values[: len(SEEDS)], values[len(SEEDS) :])
    return float(getattr(paired, statistic))

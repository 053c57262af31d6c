"""Where the lanes carry what the branches write: dye in a branch's write, branch by branch to the top."""

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from sims.instruments.replication.lane_run import LANES, LOOKED_AT, LaneRun, LaneSetup, advance, begin, model_of
from sims.instruments.replication.trained_designs import held_out


@dataclass(frozen=True)
class WrittenRun:
    """A run, with the dye of its branches at the last look: (seeds, branches, places, lanes), see `written`."""

    run: LaneRun
    dye: np.ndarray


def begin_written(setup: LaneSetup) -> WrittenRun:
    """Start a run. Raises KeyError for an unknown form."""
    run = begin(setup)
    return WrittenRun(run, written(run))


def advance_written(state: WrittenRun, steps: int, look_every: int) -> WrittenRun:
    """Continue a run by `steps` steps, with a look after every `look_every` steps."""
    run, dye = state.run, state.dye
    to_look = (run.step + steps) // look_every * look_every - run.step
    if to_look > 0:
        run = advance(run, to_look, look_every)
        dye, steps = written(run), steps - to_look
    return WrittenRun(advance(run, steps, look_every) if steps else run, dye)


def written(run: LaneRun) -> np.ndarray:
    """(seeds, branches, places, lanes): what is in each lane of one unit that a branch writes, mean of the symbols.

    A branch multiplies its output by a number for each lane; later mixes carry these numbers on. Places are before the
    first branch and after each; a branch has written nothing before its own place.
    """
    import torch

    from sims.pytorch.models.lane_models import bounded_maps, free_maps

    maps: Any = {"hyper-connections": free_maps, "mhc": partial(bounded_maps, run.setup.rounds)}[run.setup.form]
    model, pieces = model_of(run), held_out()[1][:: len(held_out()[1]) // LOOKED_AT]
    by_place = []
    with torch.no_grad():
        passed = model.passed(torch.tensor(pieces[:, :-1]).expand(len(run.setup.seeds), -1, -1))
        # (…, lanes, branches so far): what there is of each branch's unit
        amounts = passed[0].lanes[..., :0]
        for number, (before, after) in enumerate(pairwise(passed)):
            own = {name: weight[:, number] for name, weight in model.weights.items() if name.startswith("lane_")}
            amounts = torch.cat([after.mix @ amounts, maps(before.lanes, own).write[..., None]], dim=-1)
            by_place.append(amounts.double().mean(dim=(1, 2)).mT.numpy())
    branches = len(by_place)
    dye = np.zeros((len(run.setup.seeds), branches, branches + 1, LANES))
    for place, rows in enumerate(by_place, 1):
        dye[:, :place, place] = rows
    return dye

"""Numbers for the arena's page: which entrants finish which race, and what an entrant costs."""

from typing import Any

from sims.comparisons.entrants import ENTRANTS, architecture
from sims.comparisons.standings import FINISH, score_of
from sims.contract.calculation import calculation
from sims.contract.frame import Frame
from sims.data.datasets import source
from sims.engines.perceptrons import Recipe, advance, start
from sims.engines.perceptrons.layout import make_layout
from sims.engines.transformers import Transformer
from sims.engines.transformers.layout import make_layout as transformer_layout
from sims.kept import results
from sims.simulations.design_choices.arena import Arena


def _race(depth: int, initialization: str, learning_rate: float, warmup: int, task: str, branch_factor: str) -> Frame:
    race = Arena(
        depth=depth,
        initialization=initialization,
        learning_rate=learning_rate,
        warmup=warmup,
        task=task,
        seeds=5,
        field="all",
        branch_factor=branch_factor,
    )
    return results.finished(race)


@calculation(long=True, readings=("group",), absolute=1)
def finishing(
    depth: int,
    group: str,
    initialization: str = "default",
    learning_rate: float = 0.003,
    warmup: int = 0,
    task: str = "spirals",
    branch_factor: str = "1",
) -> str:
    """The entrants for which "all", "some" or "no" seeds of 5 finish, in the order of the race, as a list in words."""
    frame = _race(depth, initialization, learning_rate, warmup, task, branch_factor)
    columns = (frame[key].tolist() for key in ("entrants", "finishers", "places", "finish"))
    rows = sorted(zip(*columns, strict=True), key=lambda row: row[2:])
    counts = {"all": [5], "some": [4, 3, 2, 1], "no": [0]}[group]
    labels = [f"{label} ({count} of 5)" if group == "some" else label for label, count, *_ in rows if count in counts]
    return "; ".join(labels) or "none"


@calculation(long=True, readings=("entrant",), absolute=2)
def finishers(
    entrant: str,
    depth: int,
    initialization: str = "default",
    learning_rate: float = 0.003,
    warmup: int = 0,
    task: str = "spirals",
    branch_factor: str = "1",
) -> int:
    """How many of 5 seeds of an entrant (a key of `ENTRANTS`) cross the finish line within 250 steps."""
    frame = _race(depth, initialization, learning_rate, warmup, task, branch_factor)
    return int(frame.results[f"{entrant}_finishers"])


@calculation(long=True, readings=("placed",), absolute=1)
def usual(placed: str, depth: int, initialization: str = "default", task: str = "spirals") -> str:
    """Of the usual six, those in the "first" place, or those of which "no" seed of 5 finishes, as a list in words."""
    frame = results.finished(Arena(depth=depth, initialization=initialization, task=task, seeds=5))
    columns = (frame[key].tolist() for key in ("places", "finish", "entrants", "finishers"))
    rows = sorted(zip(*columns, strict=True))
    labels = {
        "first": [label for place, _step, label, finishers in rows if place == 1 and finishers],
        "no": [label for _place, _step, label, finishers in rows if not finishers],
    }
    return "; ".join(labels[placed]) or "none"


@calculation(long=True, readings=("entrant",), tolerance=0.3, absolute=1)
def outcome(
    entrant: str,
    depth: int,
    initialization: str = "default",
    learning_rate: float = 0.003,
    warmup: int = 0,
    task: str = "spirals",
    branch_factor: str = "1",
) -> str:
    """How many of 5 seeds finish, and the median step at which they do: "5 · 85", or "0"."""
    frame = _race(depth, initialization, learning_rate, warmup, task, branch_factor)
    at = list(ENTRANTS).index(entrant)
    finishers = int(frame["finishers"][at])
    return f"{finishers} · {frame['finish'][at]:.0f}" if finishers else "0"


@calculation
def finish_line() -> float:
    """Share of wrong answers on the training data below which a seed has finished, 0 to 1."""
    return FINISH


@calculation
def parameters(entrant: str, depth: int, task: str = "spirals") -> int:
    """The number of parameters of an entrant."""
    data, chosen = source(task).load(), architecture(entrant, task, depth, "default", "1")
    if isinstance(chosen, Transformer):
        return transformer_layout(chosen, data.features, data.classes).size
    return make_layout(chosen, data.features, data.classes).size


@calculation(long=True, absolute=3)
def fresh_finishers(entrant: str) -> int:
    """How many of 20 seeds that no race has used (10 to 29) finish a race of 32 blocks with He's initial weights."""
    network: Any = architecture(entrant, "spirals", 32, "he", "1")
    run = start(network, Recipe("adam", 0.003, None, record_every=5), source("spirals"), range(10, 30))
    return len(score_of(advance(run, 250)).finished)

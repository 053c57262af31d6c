"""Runs for twins in JavaScript: real ones of a few steps, and runs with measurements drawn at random."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from sims.contract.frame import Frame, finite, listed
from sims.engines.state import ANSWERS, Overflow, Record, TrainingState

POINTS = 1024
"""Errors are multiples of one over this."""

ODD = (0.0, np.nan, np.inf)
"""Values that a measurement of a run may have, but rarely has"""


def drawn_at_random(random: np.random.Generator, run: TrainingState, step: int) -> TrainingState:
    """Return a run at this step with measurements of many sizes, among them zeros, ties, infinities and NaN."""
    every = run.recipe.record_every
    records = tuple(_record(random, run.now, at) for at in range(0, step + 1, every))
    now = records[-1] if step % every == 0 else _record(random, run.now, step)
    diverged = random.random(len(run.seeds)) < random.choice([0, 0.4, 1])
    overflows = tuple(
        Overflow(int(random.integers(1, 200)), str(random.choice(["loss", "weight gradient"]))) if lost else None
        for lost in diverged
    )
    return replace(run, step=step, records=records, now=now, overflows=overflows)


def _record(random: np.random.Generator, like: Record, step: int) -> Record:
    odd = random.choice([0, 0.05, 0.5])
    values: dict[str, Any] = {}
    for field in fields(like):
        if field.name == "step":
            continue
        shape = getattr(like, field.name).shape
        if field.name.endswith("error"):
            array = random.integers(0, POINTS + 1, shape) / POINTS
        else:
            array = 10.0 ** random.integers(-20, 15) * 10.0 ** random.uniform(-3, 3, shape)
        if field.name in (*ANSWERS, "weight_gradients"):
            array = np.where(random.random(shape) < odd, random.choice(ODD, shape), array)
        values[field.name] = array
    return Record(step, **values)


def as_data(run: TrainingState) -> dict[str, Any]:
    """Return what a twin knows of a run, as JSON data."""
    return {
        "seeds": len(run.seeds),
        "step": run.step,
        "records": [_record_data(record) for record in run.records],
        "now": _record_data(run.now),
        "overflows": [overflow and vars(overflow) for overflow in run.overflows],
        "architecture": vars(run.architecture),
        "recipe": vars(run.recipe),
    }


def _record_data(record: Record) -> dict[str, Any]:
    arrays = {name: listed(np.ravel(array)) for name, array in vars(record).items() if name != "step"}
    return {"step": record.step, **arrays}


def plain(value: Any) -> Any:
    """Return a value as data of lists, mappings, texts and numbers; numbers that are not finite are texts."""
    if isinstance(value, np.ndarray):
        return listed(value)
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return finite(value)


def results_and_steps(frame: Frame) -> dict[str, Any]:
    """Everything of a frame but its quantities, in the form of `TrainingFrame` in types/training.d.ts."""
    return {
        "results": frame.results,
        "counts": [name for name, value in frame.results.items() if isinstance(value, int)],
        "step": frame.step,
        "steps": frame.steps,
        "diverged": [vars(divergence) for divergence in frame.diverged],
    }

"""The runs that pictures need: those that pages show first, with those that are drawn beside them, which are in
`content/runs`; and those of the atlas."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any

from app.pages.document.figure_placement import FigurePlacement
from sims import registry
from sims.contract.simulation import Simulation, Training
from sims.kept import processes, results

RunKey = tuple[str, tuple[tuple[str, Any], ...]]
"""Identifies a run, in a picklable form: the name of the simulation, and the settings that determine its result"""


def first(places: Iterable[FigurePlacement]) -> dict[RunKey, Simulation]:
    """The runs that pages show first and those drawn beside them, each once; simulations that need no training are left
    out."""
    simulations = ((place.name, place.simulation()) for place in places)
    return {
        run_key(name, run): run
        for name, simulation in simulations
        if isinstance(simulation, Training)
        for run in (simulation, *_beside(simulation))
    }


def _beside(simulation: Training) -> Iterator[Training]:
    for changed in simulation.drawn_beside().values():
        yield type(simulation)(**{**simulation.settings(), **changed})


def run_key(name: str, simulation: Simulation) -> RunKey:
    """The key of a simulation's run, which can be sent to another process."""
    return name, tuple(results.cache_key_settings(simulation).items())


def compute(run: RunKey) -> None:
    """Compute the last frame of a run and store it in the results, unless it is there."""
    name, settings = run
    simulation = registry.find(name)(**dict(settings))
    if not results.is_kept(simulation):
        results.finished(simulation)


def computed(runs: Iterable[RunKey]) -> Generator[RunKey]:
    """Compute runs in parallel, and yield each when it is done. If closed early, the rest is not computed."""
    with closing(processes.done(compute, runs)) as done:
        for run, _nothing in done:
            yield run


def missing(runs: Mapping[RunKey, Simulation]) -> list[RunKey]:
    """The runs that are not in `content/runs`, or were made by another version of the code."""
    return [run for run, simulation in runs.items() if not (results.SHIPPED / results.name(simulation)).is_file()]


def orphans(runs: Mapping[RunKey, Simulation]) -> list[str]:
    """Names of the files in `content/runs` that no page shows first."""
    names = {results.name(run) for run in runs.values()}
    return sorted(path.name for path in results.SHIPPED.glob("*.npz") if path.name not in names)


def ship(runs: Mapping[RunKey, Simulation]) -> Iterator[tuple[RunKey, int]]:
    """Compute the missing runs, store them in `content/runs`, and delete the orphans there.

    Yields each computed run with the number of runs left.
    """
    for name in orphans(runs):
        (results.SHIPPED / name).unlink()
    absent = missing(runs)
    left = len(absent)
    for run in computed(absent):
        simulation = runs[run]
        results.keep(simulation, results.finished(simulation), results.SHIPPED)
        left -= 1
        yield run, left

"""The runs behind the pictures: those that pages show first, which come with the code, and those of the atlas."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any

from app.pages.document.figure_placement import FigurePlacement
from sims import registry
from sims.contract.simulation import Simulation, Training
from sims.kept import processes, results

RunKey = tuple[str, tuple[tuple[str, Any], ...]]
"""A run in a form for other processes: name of the simulation, and the settings that decide it"""


def first(places: Iterable[FigurePlacement]) -> dict[RunKey, Simulation]:
    """What the pages show first, where it has to be trained; each once."""
    simulations = ((place.name, place.simulation()) for place in places)
    return {
        run_key(name, simulation): simulation for name, simulation in simulations if isinstance(simulation, Training)
    }


def run_key(name: str, simulation: Simulation) -> RunKey:
    """How another process is asked for the end of a run."""
    return name, tuple(results.cache_key_settings(simulation).items())


def compute(run: RunKey) -> None:
    """Compute the end of a run, unless it is there, and keep it in the cache."""
    name, settings = run
    simulation = registry.find(name)(**dict(settings))
    if not results.is_kept(simulation):
        results.finished(simulation)


def computed(runs: Iterable[RunKey]) -> Generator[RunKey]:
    """The same runs, in the order in which they are ready. Closed early, it leaves the rest."""
    with closing(processes.done(compute, runs)) as done:
        for run, _nothing in done:
            yield run


def missing(runs: Mapping[RunKey, Simulation]) -> list[RunKey]:
    """Those that did not come with the code, or were made by other code than today's."""
    return [run for run, simulation in runs.items() if not (results.SHIPPED / results.name(simulation)).is_file()]


def orphans(runs: Mapping[RunKey, Simulation]) -> list[str]:
    """Files of runs that no page shows first."""
    names = {results.name(run) for run in runs.values()}
    return sorted(path.name for path in results.SHIPPED.glob("*.npz") if path.name not in names)


def ship(runs: Mapping[RunKey, Simulation]) -> Iterator[tuple[RunKey, int]]:
    """Compute what is missing, put it among what comes with the code, and drop the rest; with how many are left."""
    for name in orphans(runs):
        (results.SHIPPED / name).unlink()
    absent = missing(runs)
    left = len(absent)
    for run in computed(absent):
        simulation = runs[run]
        results.keep(simulation, results.finished(simulation), results.SHIPPED)
        left -= 1
        yield run, left

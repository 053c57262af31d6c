"""The slow stages of the build: tables of worked examples, missing runs that pages show first, and the atlas's states.

An interrupted build continues where it stopped, since computed runs and finished states are stored. States closest to
what readers see first are made first. If nothing can be stored, nothing is computed: the next start would compute the
same again.
"""

import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from app.pages.blocks import number_tables
from app.pages.document.editable_numbers import restored
from app.pages.document.figure_placement import FigurePlacement
from app.prerender import picture, runs, store
from app.prerender.build import put
from sims.contract.simulation import Simulation, Training
from sims.kept import results

LARGEST = 96_000
"""Most bytes of a state's downloads that are kept on the shelf; larger ones come from a session, which has the run"""


def tables(every: Mapping[str, Mapping[str, Any]]) -> None:
    """Make the missing tables of worked examples: their numbers at all steps of their inputs, by key."""
    for key, example in every.items():
        if not store.file(key, store.TABLES).is_file():
            store.write(key, store.TABLES, number_tables.tables(restored(example)))


def train(every: Mapping[str, FigurePlacement]) -> None:
    """Compute the missing runs that pages show first, then make their pictures again."""
    shown = runs.first(every.values())
    absent = {run: simulation for run, simulation in shown.items() if not results.is_kept(simulation)}
    with closing(runs.computed(absent)) as computed:
        for run in computed:
            _hold(shown[run])
    for key, place in every.items() if absent else ():
        put(key, place)


def _hold(simulation: Simulation) -> None:
    """Raise OSError if the result of a run was not stored: the next one would be lost, too."""
    if not results.is_kept(simulation):
        raise OSError("what is computed cannot be kept")


def waiting(all_places: Mapping[str, FigurePlacement]) -> list[tuple[int, str, FigurePlacement, str, Simulation]]:
    """The states that are not on the shelf, sorted by their distance from the state that is shown first."""
    states = []
    for key, place in all_places.items():
        ready = {*store.names(key, store.STATE), *_bound(key)}
        by_distance = enumerate(picture.states(place))
        states += [(far, key, place, name, simulation) for far, (name, simulation) in by_distance if name not in ready]
    return sorted(states, key=lambda state: state[0])


def atlas(all_places: Mapping[str, FigurePlacement]) -> None:
    """Make every missing state of every atlas: first those that need no training."""
    todo = waiting(all_places)
    began, count = time.monotonic(), len(todo)
    at_once = [state for state in todo if not isinstance(state[4], Training) or results.is_kept(state[4])]
    trained = [state for state in todo if state not in at_once]
    done = 0

    def report() -> None:
        minutes = (time.monotonic() - began) / done * (count - done) / 60
        print(f"{done} of {count} states; about {minutes:.0f} min left", flush=True)

    for _far, key, place, name, simulation in at_once:
        stand(key, place, name, simulation)
        done += 1
    bind(all_places)
    by_run = defaultdict(list)
    for _far, key, place, name, simulation in trained:
        by_run[runs.run_key(place.name, simulation)].append((key, place, name, simulation))
    with closing(runs.computed(by_run)) as computed:
        for run in computed:
            for key, place, name, simulation in by_run[run]:
                _hold(simulation)
                stand(key, place, name, simulation)
                bind({key: place})
                done += 1
            report()


def stand(key: str, place: FigurePlacement, name: str, simulation: Simulation) -> None:
    """Write one state and its downloads to the shelf, if its frame is available."""
    frame = results.at_once(simulation)
    if frame is not None:
        downloads = picture.numbers(simulation, frame)
        store.write(key, f"{store.NUMBERS}{name}", downloads if len(store.packed(downloads)) <= LARGEST else {})
        store.write(key, f"{store.STATE}{name}", picture.state(place, simulation, frame))


def bind(all_places: Mapping[str, FigurePlacement]) -> None:
    """Merge the new state files of each picture into its atlas, the one file that a page requests."""
    for key in all_places:
        names = store.names(key, store.STATE)
        if names:
            new = {name: store.read(key, f"{store.STATE}{name}") for name in names}
            states = _bound(key) | {name: state for name, state in new.items() if state is not None}
            store.write(key, store.ATLAS, {"states": dict(sorted(states.items()))})
            for name in names:
                store.drop(key, f"{store.STATE}{name}")


def _bound(key: str) -> dict[str, Any]:
    """The states in the atlas file of a picture."""
    return dict((store.read(key, store.ATLAS) or {"states": {}})["states"])

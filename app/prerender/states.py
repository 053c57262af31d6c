"""What takes long of the build: the numbers of worked examples, missing runs that pages show first, and the states of
the atlas.

It goes on where it was interrupted: a run that has been computed is kept, and so is every state that has been made.
States next to what readers see first come first. Where nothing can be kept, nothing is computed: the next start would
do the same again.
"""

import time
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
"""Bytes of the numbers of a state that are kept on the shelf; a session tells what is larger, for it has the run"""


def tables(every: Mapping[str, Mapping[str, Any]]) -> None:
    """Every number of worked examples, by the keys of their tables, at all steps of their inputs."""
    for key, example in every.items():
        if not store.file(key, store.TABLES).is_file():
            store.write(key, store.TABLES, number_tables.tables(restored(example)))


def train(every: Mapping[str, FigurePlacement]) -> None:
    """Compute the runs that pages show first where they are missing, and make their pictures again."""
    wanted = runs.first(every.values())
    absent = {run: simulation for run, simulation in wanted.items() if not results.is_kept(simulation)}
    with closing(runs.computed(absent)) as computed:
        for run in computed:
            _hold(wanted[run])
    for key, place in every.items() if absent else ():
        put(key, place)


def _hold(simulation: Simulation) -> None:
    """Raises OSError where the end of a run was not kept: the next one would be lost, too."""
    if not results.is_kept(simulation):
        raise OSError("what is computed cannot be kept")


def waiting(all_places: Mapping[str, FigurePlacement]) -> list[tuple[int, str, FigurePlacement, str, Simulation]]:
    """The states that are not on the shelf, by how far they are from what is shown first."""
    states = []
    for key, place in all_places.items():
        ready = {*store.names(key, store.STATE), *_bound(key)}
        by_distance = enumerate(picture.states(place))
        states += [(far, key, place, name, simulation) for far, (name, simulation) in by_distance if name not in ready]
    return sorted(states, key=lambda state: state[0])


def atlas(all_places: Mapping[str, FigurePlacement]) -> None:
    """Every state of every atlas."""
    left = waiting(all_places)
    began, count = time.monotonic(), len(left)
    at_once = [state for state in left if not isinstance(state[4], Training) or results.is_kept(state[4])]
    trained = [state for state in left if state not in at_once]
    done = 0

    def report() -> None:
        minutes = (time.monotonic() - began) / done * (count - done) / 60
        print(f"{done} of {count} states; about {minutes:.0f} min left", flush=True)

    for _far, key, place, name, simulation in at_once:
        stand(key, place, name, simulation)
        done += 1
    bind(all_places)
    waited = {runs.run_key(place.name, state): (key, place, name, state) for _far, key, place, name, state in trained}
    with closing(runs.computed(waited)) as computed:
        for run in computed:
            key, place, name, simulation = waited[run]
            _hold(simulation)
            stand(key, place, name, simulation)
            bind({key: place})
            done += 1
            report()


def stand(key: str, place: FigurePlacement, name: str, simulation: Simulation) -> None:
    """Put one state on the shelf."""
    frame = results.at_once(simulation)
    if frame is not None:
        told = picture.numbers(simulation, frame)
        store.write(key, f"{store.NUMBERS}{name}", told if len(store.packed(told)) <= LARGEST else {})
        store.write(key, f"{store.STATE}{name}", picture.state(place, simulation, frame))


def bind(all_places: Mapping[str, FigurePlacement]) -> None:
    """Put the states that were made into the one file of each picture that a page asks for."""
    for key in all_places:
        names = store.names(key, store.STATE)
        if names:
            made = {name: store.read(key, f"{store.STATE}{name}") for name in names}
            states = _bound(key) | {name: state for name, state in made.items() if state is not None}
            store.write(key, store.ATLAS, {"states": dict(sorted(states.items()))})
            for name in names:
                store.drop(key, f"{store.STATE}{name}")


def _bound(key: str) -> dict[str, Any]:
    """The states of a picture that lie in its one file."""
    return dict((store.read(key, store.ATLAS) or {"states": {}})["states"])

"""`python -m tools.prerender`: make what is not there yet of the pictures, of the numbers of worked examples, and
of the states of the atlas.

It goes on where it was interrupted: a run that has been computed is kept, and so is every state that has been made.
States next to what readers see first come first. What no server has used for some days is dropped. Where nothing can be
kept, nothing is computed: the next start would do the same again.
"""

import sys
import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from app.pages.blocks import number_tables
from app.pages.document.editable_numbers import Example
from app.pages.document.figure_placement import Place
from app.pages.output.site_builder import Edition
from app.prerender import picture, runs, store
from app.prerender.build import put
from sims.contract.simulation import Simulation, Training
from sims.kept import results

LARGEST = 96_000
"""Bytes of the numbers of a state that are kept on the shelf; a session tells what is larger, for it has the run"""


class CannotBeKept(Exception):
    """What is made now is lost: the disk takes no more."""


def places(site: Edition) -> dict[str, Place]:
    """Every place of the site by the key of its picture, in reading order."""
    return {key: place for slug in site.slugs for key, place in site.page(slug).places.items()}


def examples(site: Edition) -> dict[str, Example]:
    """Every worked example with numbers to edit, by the key of its tables, in reading order."""
    return {each.table: each for slug in site.slugs for each in site.page(slug).examples.values() if each.table}


def tables(every: Mapping[str, Example]) -> None:
    """Every number of the worked examples at all steps of their inputs."""
    for key, example in every.items():
        if not store.file(key, store.TABLES).is_file():
            _hold(store.write(key, store.TABLES, number_tables.tables(example)))


def pictures(every: Mapping[str, Place]) -> None:
    """Every picture as pages show it first."""
    wanted = runs.first(every.values())
    with closing(runs.computed(run for run, each in wanted.items() if not results.is_kept(each))) as computed:
        for run in computed:
            _hold(results.is_kept(wanted[run]))
    for key, place in every.items():
        _hold(put(key, place) is None)


def _hold(kept: bool) -> None:
    if not kept:
        raise CannotBeKept("The disk is full: what is computed cannot be kept.")


def waiting(every: Mapping[str, Place]) -> list[tuple[int, str, Place, str, Simulation]]:
    """The states that are not on the shelf, by how far they are from what is shown first."""
    found = []
    for key, place in every.items():
        there = {*store.names(key, store.STATE), *_bound(key)}
        each_state = enumerate(picture.states(place))
        found += [(far, key, place, name, each) for far, (name, each) in each_state if name not in there]
    return sorted(found, key=lambda state: state[0])


def atlas(every: Mapping[str, Place]) -> None:
    """Every state of every atlas."""
    left = waiting(every)
    began, count = time.monotonic(), len(left)
    at_once = [state for state in left if not isinstance(state[4], Training) or results.is_kept(state[4])]
    trained = [state for state in left if state not in at_once]
    made = 0

    def told() -> None:
        minutes = (time.monotonic() - began) / made * (count - made) / 60
        print(f"{made} of {count} states; about {minutes:.0f} min left", flush=True)

    for _far, key, place, name, simulation in at_once:
        stand(key, place, name, simulation)
        made += 1
    bind(every)
    waited = {runs.asked(place.name, each): (key, place, name, each) for _far, key, place, name, each in trained}
    with closing(runs.computed(waited)) as computed:
        for run in computed:
            key, place, name, simulation = waited[run]
            _hold(results.is_kept(simulation))
            stand(key, place, name, simulation)
            bind({key: place})
            made += 1
            told()


def stand(key: str, place: Place, name: str, simulation: Simulation) -> None:
    """Put one state on the shelf."""
    frame = results.at_once(simulation)
    if frame is not None:
        told = picture.numbers(simulation, frame)
        _hold(store.write(key, f"{store.NUMBERS}{name}", told if len(store.packed(told)) <= LARGEST else {}))
        _hold(store.write(key, f"{store.STATE}{name}", picture.state(place, simulation, frame)))


def bind(every: Mapping[str, Place]) -> None:
    """Put the states that were made into the one file of each picture that a page asks for."""
    for key in every:
        names = store.names(key, store.STATE)
        if names:
            made = {name: store.read(key, f"{store.STATE}{name}") for name in names}
            states = _bound(key) | {name: state for name, state in made.items() if state is not None}
            _hold(store.write(key, store.ATLAS, {"states": dict(sorted(states.items()))}))
            for name in names:
                store.drop(key, f"{store.STATE}{name}")


def _bound(key: str) -> dict[str, Any]:
    """The states of a picture that lie in its one file."""
    return dict((store.read(key, store.ATLAS) or {"states": {}})["states"])


def fill(every: Mapping[str, Place], edited: Mapping[str, Example], first: bool) -> None:
    """Fill the shelf, or only with what pages show first. Raises CannotBeKept where the disk is full."""
    wanted = {*every, *edited}
    store.mark(wanted)
    store.drop_others(wanted)
    pictures(every)
    print(f"{len(every)} pictures", flush=True)
    tables(edited)
    print(f"{len(edited)} worked examples", flush=True)
    if not first:
        atlas(every)
    bind(every)


def main() -> None:
    """Fill the shelf; with `--first`, only with what pages show first."""
    site = Edition()
    every, edited = places(site), examples(site)
    try:
        with store.filling():
            fill(every, edited, "--first" in sys.argv[1:])
    except OSError as error:
        sys.exit(f"The shelf cannot be written, and stays as it is: {error}")
    except CannotBeKept as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

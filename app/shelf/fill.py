"""`python -m app.shelf.fill`: make every picture of the site and every state of its atlas, what is not there yet.

It goes on where it was interrupted: a run that has been computed is kept, and so is every state that has been made.
States next to what readers see first come first. What no server has used for some days is dropped. Where nothing can be
kept, nothing is computed: the next start would do the same again.
"""

import sys
import time
from collections.abc import Mapping
from contextlib import closing

from app.pages.edition import Edition
from app.pages.place import Place
from app.shelf import picture, runs, store
from app.shelf.build import put
from sims.contract.simulation import Simulation, Training
from sims.kept import results


class CannotBeKept(Exception):
    """What is made now is lost: the disk takes no more."""


def places(site: Edition) -> dict[str, Place]:
    """Every place of the site by the key of its picture, in reading order."""
    return {key: place for slug in site.slugs for key, place in site.page(slug).places.items()}


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
        there = set(store.names(key, store.STATE))
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
        _hold(store.write(key, f"{store.NUMBERS}{name}", picture.numbers(simulation, frame)))
        _hold(store.write(key, f"{store.STATE}{name}", picture.state(place, simulation, frame)))


def bind(every: Mapping[str, Place]) -> None:
    """Put the states that are there into one file for each picture: what a page asks for."""
    for key in every:
        names = store.names(key, store.STATE)
        if names:
            states = {name: store.read(key, f"{store.STATE}{name}") for name in names}
            _hold(store.write(key, store.ATLAS, {"states": states}))


def fill(every: Mapping[str, Place], first: bool) -> None:
    """Fill the shelf, or only with what pages show first. Raises CannotBeKept where the disk is full."""
    store.mark(every)
    store.drop_others(every)
    pictures(every)
    print(f"{len(every)} pictures", flush=True)
    if not first:
        atlas(every)
    bind(every)


def main() -> None:
    """Fill the shelf; with `--first`, only with what pages show first."""
    every = places(Edition())
    try:
        with store.filling():
            fill(every, "--first" in sys.argv[1:])
    except OSError as error:
        sys.exit(f"The shelf cannot be written, and stays as it is: {error}")
    except CannotBeKept as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

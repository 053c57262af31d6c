"""`python -m app.shelf.fill`: make every picture of the site and every state of its atlas, what is not there yet.

It goes on where it was interrupted: a run that has been computed is kept, and so is every state that has been made.
States next to what readers see first come first. What no page of today uses is dropped.
"""

import sys
import time
from collections.abc import Mapping

from app.pages.edition import Edition
from app.pages.place import Place
from app.shelf import picture, runs, store
from app.shelf.build import put
from sims.contract.simulation import Simulation, Training
from sims.kept import results


def places(site: Edition) -> dict[str, Place]:
    """Every place of the site by the key of its picture, in reading order."""
    return {key: place for slug in site.slugs for key, place in site.page(slug).places.items()}


def pictures(every: Mapping[str, Place]) -> None:
    """Every picture as pages show it first."""
    wanted = runs.first(every.values())
    for _run in runs.computed(run for run, each in wanted.items() if not results.is_kept(each)):
        pass
    for key, place in every.items():
        put(key, place)


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
    for run in runs.computed(waited):
        key, place, name, simulation = waited[run]
        stand(key, place, name, simulation)
        bind({key: place})
        made += 1
        told()


def stand(key: str, place: Place, name: str, simulation: Simulation) -> None:
    """Put one state on the shelf."""
    frame = results.at_once(simulation)
    if frame is not None:
        store.write(key, f"{store.NUMBERS}{name}", picture.numbers(simulation, frame))
        store.write(key, f"{store.STATE}{name}", picture.state(place, simulation, frame))


def bind(every: Mapping[str, Place]) -> None:
    """Put the states that are there into one file for each picture: what a page asks for."""
    for key in every:
        names = store.names(key, store.STATE)
        if names:
            store.write(key, store.ATLAS, {"states": {name: store.read(key, f"{store.STATE}{name}") for name in names}})


def main() -> None:
    """Fill the shelf; with `--first`, only with what pages show first."""
    every = places(Edition())
    store.drop_others(every)
    pictures(every)
    print(f"{len(every)} pictures", flush=True)
    if "--first" not in sys.argv[1:]:
        atlas(every)
    bind(every)


if __name__ == "__main__":
    main()

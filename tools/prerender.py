"""`python -m tools.prerender`: makes the missing figures, numbers of worked examples, and states of the atlas.

It continues where it was interrupted: every computed run and every finished state is kept. States that are close to
what readers see first are made first. What no server has used for some days is dropped. If the disk cannot keep
results, nothing is computed, because the next start would have to do the same again.
"""

import sys
import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from app.pages.blocks import number_tables
from app.pages.document.editable_numbers import Example
from app.pages.document.figure_placement import FigurePlacement
from app.pages.output.site_builder import SiteBuilder
from app.prerender import picture, runs, store
from app.prerender.build import put
from sims.contract.simulation import Simulation, Training
from sims.kept import results

LARGEST = 96_000
"""Largest size, in bytes, of a state's numbers on the shelf. Larger ones come from a session, which has the run"""


class CannotBeKept(Exception):
    """Results would be lost, because the disk is full."""


def places(site: SiteBuilder) -> dict[str, FigurePlacement]:
    """Return every place of a figure on the site, by the key of its precomputed figure, in reading order."""
    return {key: place for slug in site.slugs for key, place in site.page(slug).places.items()}


def examples(site: SiteBuilder) -> dict[str, Example]:
    """Return every worked example with editable numbers, by the key of its tables, in reading order."""
    return {
        example.table: example for slug in site.slugs for example in site.page(slug).examples.values() if example.table
    }


def tables(all_examples: Mapping[str, Example]) -> None:
    """Make the missing tables of worked examples: every number at all steps of their inputs."""
    for key, example in all_examples.items():
        if not store.file(key, store.TABLES).is_file():
            _hold(store.write(key, store.TABLES, number_tables.tables(example)))


def pictures(all_places: Mapping[str, FigurePlacement]) -> None:
    """Make every figure as pages show it first."""
    first = runs.first(all_places.values())
    with closing(runs.computed(run for run in first if not results.is_kept(first[run]))) as computed:
        for run in computed:
            _hold(results.is_kept(first[run]))
    for key, place in all_places.items():
        _hold(put(key, place) is None)


def _hold(is_kept: bool) -> None:
    if not is_kept:
        raise CannotBeKept("The disk is full: what is computed cannot be kept.")


def waiting(all_places: Mapping[str, FigurePlacement]) -> list[tuple[int, str, FigurePlacement, str, Simulation]]:
    """Return the states that are not on the shelf, in the order of their distance from what pages show first."""
    states = []
    for key, place in all_places.items():
        ready = {*store.names(key, store.STATE), *_bound(key)}
        by_distance = enumerate(picture.states(place))
        states += [(far, key, place, name, simulation) for far, (name, simulation) in by_distance if name not in ready]
    return sorted(states, key=lambda state: state[0])


def atlas(all_places: Mapping[str, FigurePlacement]) -> None:
    """Make every missing state of every atlas: first those that need no training."""
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
            _hold(results.is_kept(simulation))
            stand(key, place, name, simulation)
            bind({key: place})
            done += 1
            report()


def stand(key: str, place: FigurePlacement, name: str, simulation: Simulation) -> None:
    """Put one state on the shelf."""
    frame = results.at_once(simulation)
    if frame is not None:
        numbers = picture.numbers(simulation, frame)
        _hold(store.write(key, f"{store.NUMBERS}{name}", numbers if len(store.packed(numbers)) <= LARGEST else {}))
        _hold(store.write(key, f"{store.STATE}{name}", picture.state(place, simulation, frame)))


def bind(all_places: Mapping[str, FigurePlacement]) -> None:
    """Merge the finished states of each figure into the one file that pages request."""
    for key in all_places:
        names = store.names(key, store.STATE)
        if names:
            loaded = {name: store.read(key, f"{store.STATE}{name}") for name in names}
            states = _bound(key) | {name: state for name, state in loaded.items() if state is not None}
            _hold(store.write(key, store.ATLAS, {"states": dict(sorted(states.items()))}))
            for name in names:
                store.drop(key, f"{store.STATE}{name}")


def _bound(key: str) -> dict[str, Any]:
    """Return the states of a figure that are in its merged file."""
    return dict((store.read(key, store.ATLAS) or {"states": {}})["states"])


def fill(all_places: Mapping[str, FigurePlacement], edited: Mapping[str, Example], first: bool) -> None:
    """Fill the shelf; with `first`, only with what pages show first. Raises CannotBeKept if the disk is full."""
    keys = {*all_places, *edited}
    store.touch(keys)
    store.drop_others(keys)
    pictures(all_places)
    print(f"{len(all_places)} pictures", flush=True)
    tables(edited)
    print(f"{len(edited)} worked examples", flush=True)
    if not first:
        atlas(all_places)
    bind(all_places)


def main() -> None:
    """Fill the shelf; with `--first`, only with what pages show first."""
    site = SiteBuilder()
    all_places, edited = places(site), examples(site)
    try:
        with store.filling():
            fill(all_places, edited, "--first" in sys.argv[1:])
    except OSError as error:
        sys.exit(f"The shelf cannot be written, and stays as it is: {error}")
    except CannotBeKept as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

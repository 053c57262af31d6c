"""The build: every page of one version of the site, then every picture as a page first shows it.

It consists of items, each named by its kind and its name: "page arena", "picture 0123456789abcdef".
"""

import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from app.pages.document.figure_placement import FigurePlacement
from app.pages.output import cached_page
from app.pages.output.build import Builder
from app.pages.output.cached_page import CachedPage
from app.prerender import store
from sims.contract.simulation import Training
from sims.kept import results
from sims.paths import CONTENT

PAGE, PICTURE = "page", "picture"
"""Kinds of items"""

VERSION, COMPLETE, FAILED = "version", "complete", "failed"
"""First words of the other lines that a build prints: the version it starts, that everything is done, and why it
stopped early"""


def put(key: str, place: FigurePlacement) -> None:
    """Make the picture of a place with its first state, unless it is on the shelf.

    Nothing is trained here: a training without a kept run gets a picture without numbers. Raises OSError if the picture
    cannot be written.
    """
    from app.prerender import picture  # imports Panel, which takes seconds: the home page should not wait for it

    if not store.file(key, store.ATLAS).is_file():
        store.write(key, store.ATLAS, {"states": {}})
    existing = store.read(key, store.PICTURE)
    if existing and existing["first"]:
        return
    simulation = place.simulation()
    frame, first = results.at_once(simulation), None
    if place.at_start and isinstance(simulation, Training):
        frame = simulation.frame(simulation.start())
    if existing and frame is None:
        return
    if frame is not None:
        first = picture.state(place, simulation, frame)
        store.write(key, f"{store.NUMBERS}{store.FIRST}", picture.numbers(simulation, frame))
    store.write(key, store.PICTURE, {**picture.drawn(place), "first": first})


class Build:
    """Makes what is missing for the current files, one item at a time: home, all other pages, then pictures in reading
    order.

    `say` is called with a line for every finished item; if something is wrong with it, a colon and a complaint follow.
    """

    def __init__(self, content: Path = CONTENT, pictures: bool = True, say: Callable[[str], None] = print) -> None:
        self.builder = Builder(content)
        self._pictures = pictures
        self._say = say
        self.todo: dict[str, None] = {}
        """The items still to be made, the next one first"""
        self.complaints: dict[str, str] = {}
        """Item → what is wrong with it"""
        self.places: dict[str, FigurePlacement] = {}
        """Key of a picture → the place it is for, for all pages built so far"""
        self.examples: dict[str, Mapping[str, Any]] = {}
        """Key of a table → the worked example it is for, for all pages built so far"""
        self._versions: set[str] = set()
        self._begin([])

    def renew(self, saved: Iterable[Path] = ()) -> None:
        """Restart if something has changed, beginning with the pages of the saved files. Raises OSError if a file of
        the site vanishes meanwhile."""
        before = self.builder.version
        self.builder.refresh()
        if self.builder.version != before:
            slugs = {path: slug for slug, path in self.builder.sources.files().items()}
            self._begin([f"{PAGE} {slugs[path]}" for path in saved if path in slugs])

    def first(self, item: str) -> None:
        """Make an item next. One that is not on the list is reported at once, but COMPLETE only at the end."""
        if item in self.todo:
            self.todo = {item: None, **self.todo}
        elif item != COMPLETE or not self.todo:
            self._say(item)

    def step(self) -> None:
        """Make the next item. Raises OSError if it cannot be written."""
        item = next(iter(self.todo))
        del self.todo[item]
        kind, _, name = item.partition(" ")
        try:
            if kind == PAGE:
                page = self.builder.page(name)
                cached_page.save(self.builder.version, page)
                self._take(item, page)
            else:
                put(name, self.places[name])
                self._say(item)
        except OSError:
            raise
        except Exception as error:
            # A bug that breaks one picture must not end the build of the others.
            traceback.print_exc(file=sys.stderr)
            self._complain(item, f"{type(error).__name__}: {error}")
        self._tidy()

    def _begin(self, first: list[str]) -> None:
        version = self.builder.version
        self._say(f"{VERSION} {version}")
        self._versions.add(version)
        pages = [f"{PAGE} {slug}" for slug in self.builder.sources.names()]
        # Pages with complaints, and those still to be made after an earlier change, come before the rest.
        early = [item for item in (*first, *self.complaints, *self.todo) if item in pages]
        pictures = [item for item in self.todo if not item.startswith(PAGE)]
        self.todo = dict.fromkeys([*early, *pages, *pictures])
        self.complaints.clear()
        for item in pages:
            page = cached_page.load(version, item.removeprefix(f"{PAGE} "))
            if page and not page.error:
                del self.todo[item]
                self._take(item, page)
        self._tidy()

    def _take(self, item: str, page: CachedPage) -> None:
        """Add the pictures and tables of a finished page to the lists, and report the page."""
        store.touch([*page.places, *page.tables.values()])
        if self._pictures:
            self.todo |= dict.fromkeys(f"{PICTURE} {key}" for key in page.places if key not in self.places)
        self.places |= {key: FigurePlacement(**place) for key, place in page.places.items()}
        self.examples |= {example["table"]: example for example in page.examples.values() if example["table"]}
        self._complain(item, page.error or (f"{len(page.pending)} numbers are missing" if page.pending else ""))

    def _complain(self, item: str, complaint: str) -> None:
        if complaint:
            self.complaints[item] = complaint
        self._say(" ".join(f"{item}: {complaint}".split()) if complaint else item)

    def _tidy(self) -> None:
        """When everything is made, delete what the current version does not need, and report COMPLETE."""
        if not self.todo:
            cached_page.drop_others(self.builder.version, self._versions)
            store.drop_others({*self.places, *self.examples})
            self._say(COMPLETE)

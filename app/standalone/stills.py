"""The still image of a figure on a page, for readers who see a notebook without its scripts."""

from collections.abc import Iterator

import yaml

from app.pages.document.figure_placement import FigurePlacement
from app.pages.files.figure_index import written
from app.pages.files.sources import Sources, mark_and_slug
from app.pages.files.stills import name
from sims.contract.parameters import control_names
from sims.contract.simulation import Simulation
from sims.paths import CONTENT


def image(simulation: Simulation) -> bytes:
    """A WebP image of a page's figure with exactly these settings; empty if there is none."""
    settings = simulation.settings()
    for slug, place in _places(type(simulation)):
        file = CONTENT / "stills" / name(slug, place.anchor, "light")
        if place.simulation().settings() == settings and file.is_file():
            return file.read_bytes()
    return b""


def _places(kind: type[Simulation]) -> Iterator[tuple[str, FigurePlacement]]:
    """Page and place of every figure of a simulation."""
    for path in Sources().chapters():
        for simulation, body in written(path.read_bytes()):
            if simulation == kind.__module__.rpartition(".")[2]:
                data = yaml.load(body, yaml.BaseLoader) or {}
                settings = {key: data[key] for key in control_names(kind) if key in data}
                yield mark_and_slug(path)[1], FigurePlacement(data.get("id", simulation), simulation, settings)

"""A figure's place on a page with its initial settings: all that its picture depends on besides the code."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from app.pages.files.code_versions import picture_code
from app.settings import plain_bokeh
from sims import registry
from sims.contract.parameters import read
from sims.contract.simulation import Simulation


@dataclass(frozen=True)
class FigurePlacement:
    """A simulation by its name, its place on the page, the settings of the page as texts, and whether it opens at the
    start of its training, not at the end."""

    anchor: str
    name: str
    settings: Mapping[str, str]
    at_start: bool = False

    def key(self) -> str:
        """A key for the picture of this place, which changes with the place and with the code that draws it."""
        bokeh = ["plain"] if plain_bokeh() else []  # plain Bokeh gives its models other ids
        made_of = json.dumps([picture_code(self.name), *bokeh, asdict(self)], sort_keys=True)
        return hashlib.sha256(made_of.encode()).hexdigest()[:16]

    def simulation(self, **more: object) -> Simulation:
        """The simulation with the settings of this place, or with other values for some of its parameters."""
        kind = registry.find(self.name)
        settings, _notes = read(kind, self.settings)
        return kind(**{**settings, **more})

"""Where a simulation stands on a page, with what it begins with: all that its picture depends on besides the code."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from sims import registry
from sims.contract.parameters import read
from sims.contract.simulation import Simulation


@dataclass(frozen=True)
class Place:
    """A simulation by its name, its place on the page, and the settings of the page as texts."""

    anchor: str
    name: str
    settings: Mapping[str, str]

    def key(self, code: str) -> str:
        """A name for the picture that `code` makes for this place; another place or other code has another."""
        told = json.dumps([code, asdict(self)], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def simulation(self, **more: object) -> Simulation:
        """The simulation as it stands here, or with other values for some of its parameters."""
        kind = registry.find(self.name)
        settings, _notes = read(kind, self.settings)
        return kind(**{**settings, **more})

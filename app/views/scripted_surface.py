"""Two maps of a formula, each with the word that says so."""

from bokeh.models import LayoutDOM

from app.pictures.slices import SliceMap, limits
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.scripted_surface import ScriptedSurface

NAMES = ("plain", "residual")


class ScriptedSurfaceView(View[ScriptedSurface]):
    """What a formula draws."""

    def draw(self) -> list[LayoutDOM]:
        self._maps = {name: SliceMap(f"SCRIPTED · a formula called “{name}”", "a", "b") for name in NAMES}
        return [each.figure for each in self._maps.values()]

    def update(self, frame: Frame) -> None:
        bounds = limits([frame[name] for name in NAMES], False)
        for name in NAMES:
            self._maps[name].show(frame[name], 1.0, bounds, False)

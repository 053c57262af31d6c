"""Two surfaces of a formula that look like two networks, each labeled as such; and both from above."""

from bokeh.models import LayoutDOM

from app.pictures.maps.slices import SliceMap, limits
from app.pictures.maps.surface import Surface, SurfaceData
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.loss_surfaces.scripted_surface import ScriptedSurface

NAMES = ("plain", "residual")


class ScriptedSurfaceView(View[ScriptedSurface]):
    """A formula drawn with the same picture as measured losses."""

    def draw(self) -> list[LayoutDOM]:
        names = {name: (f"SCRIPTED · a formula called “{name}”", name) for name in NAMES}
        self._surface = Surface("Scripted, not measured", names, axes=("a", "b"), height="value")
        self._surface.model.styles = {"grid-column": "1 / -1"}
        return [self._surface.model]

    def measures(self) -> list[LayoutDOM]:
        self._maps = {name: SliceMap(f"SCRIPTED · a formula called “{name}”", "a", "b") for name in NAMES}
        return [slice_map.figure for slice_map in self._maps.values()]

    def update(self, frame: Frame) -> None:
        values = {name: frame[name] for name in NAMES}
        bounds = limits(list(values.values()), False)
        for name in NAMES:
            self._maps[name].show(values[name], 1.0, bounds, False)
        side = frame["side"]
        self._surface.show(
            SurfaceData(
                *(side, side, values, self.simulation.describe(frame)),
                notes={name: _valleys(int(frame.results[f"{name}_minima"])) for name in NAMES},
                words="no network behind it",
            )
        )


def _valleys(count: int) -> str:
    return f"{count} valley{'' if count == 1 else 's'}, written by somebody"

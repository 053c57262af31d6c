"""What every picture has in common: figures drawn once, data that moves afterwards."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Generic, TypeVar

from bokeh.models import LayoutDOM

import app.bokeh_internals.bokeh_patches  # noqa: F401 - for its effect
from app import views
from app.pictures.base.dragging import snap
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation
from sims.modules import module_named
from sims.registry import class_name

Shown = TypeVar("Shown", bound=Simulation)
"""The class of the simulation that a view shows."""


class View(Generic[Shown]):
    """The figures of one simulation. `draw` and `measures` build them once; `update` only moves data."""

    def __init__(self, simulation: Shown) -> None:
        self.simulation = simulation
        self.change: Callable[[str, Any], None] = self._ignore
        """Hands over a parameter that the reader has changed in the picture itself. Set by the session."""
        self.change_all: Callable[[Mapping[str, Any]], None] = self._ignore
        """The same for several parameters at once, which make one picture. Set by the session."""
        self.play: Callable[[], None] = self._ignore
        """Lets the run go on, as the reader's button does. Set by the session."""

    def drag(self, **values: float) -> None:
        """Hand over where the reader has dragged something to, in all its coordinates at once: one picture."""
        bounds = {name: self.simulation.param[name].bounds for name in values}
        self.change_all({name: snap(value, *bounds[name]) for name, value in values.items()})

    def _ignore(self, *_values: Any) -> None:
        """What a reader does where there is no session."""

    @abstractmethod
    def draw(self) -> list[LayoutDOM]:
        """The stage: the one picture that carries the message; of several figures, in reading order."""

    def measures(self) -> list[LayoutDOM]:
        """Further figures, behind a fold, for those who want to measure; `update` moves them too."""
        return []

    def figures(self) -> list[LayoutDOM]:
        """Everything that `update` moves, drawn: the stage and the measures."""
        return [*self.draw(), *self.measures()]

    @abstractmethod
    def update(self, frame: Frame) -> None:
        """Show a frame, whatever was shown before it. Moves data and makes no models: the page keeps those it has."""


def view_of(name: str, simulation: Simulation) -> View:
    """The view in the module of that name, in whichever folder of `app/views` it is: for `paths` the class `PathsView`.

    Raises ModuleNotFoundError where there is none.
    """
    return _view_class(name)(simulation)


@cache
def _view_class(name: str) -> type[View]:
    module = module_named(views, name)
    if module is None:
        raise ModuleNotFoundError(f"No module named 'app.views.{name}'")
    view: type[View] = getattr(import_module(module), f"{class_name(name)}View")
    return view

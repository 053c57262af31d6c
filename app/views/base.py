"""The base class of all pictures: figures are created once, and only their data changes afterwards."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Generic, TypeVar

from bokeh.models import LayoutDOM

import app.bokeh_internals.bokeh_patches  # noqa: F401 - for its effect
from app import views
from app.pictures.base.dragging import snap
from sims.contract.frame import Frame
from sims.contract.modules import module_named
from sims.contract.simulation import Simulation
from sims.registry import class_name

Shown = TypeVar("Shown", bound=Simulation)
"""The class of the simulation that a view shows."""


class View(Generic[Shown]):
    """The figures of one simulation. `draw` and `measures` create them once; `update` only changes their data."""

    forgets: ClassVar[tuple[str, ...]] = ()
    """Parameters that return to their defaults when the reader changes the seed, such as an answer about the network
    that was there before"""

    beside: ClassVar[tuple[str, ...]] = ()
    """Quantities of other runs that the picture shows next to those of its own, except the ends of curves over the
    training"""

    needs: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Parameter → another one, and the text of the only value with which the first one does anything; with other values
    its control is disabled"""

    def __init__(self, simulation: Shown) -> None:
        self.simulation = simulation
        self.change: Callable[[str, Any], None] = self._ignore
        """Sets a parameter that the reader has changed in the picture itself. Assigned by the session."""
        self.change_all: Callable[[Mapping[str, Any]], None] = self._ignore
        """Sets several parameters at once, for one picture. Assigned by the session."""
        self.play: Callable[[], None] = self._ignore
        """Starts or continues the run, as the reader's button does. Assigned by the session."""

    def drag(self, **values: float) -> None:
        """Report where the reader has dragged something to, all coordinates at once, so that it makes one picture."""
        bounds = {name: self.simulation.param[name].bounds for name in values}
        self.change_all({name: snap(value, *bounds[name]) for name, value in values.items()})

    def _ignore(self, *_values: Any) -> None:
        """Ignore input, for a view without a session."""

    @abstractmethod
    def draw(self) -> list[LayoutDOM]:
        """The main picture, which carries the message; several figures are in reading order."""

    def measures(self) -> list[LayoutDOM]:
        """Further figures, in a collapsed fold, for measurements; `update` changes them too."""
        return []

    def figures(self) -> list[LayoutDOM]:
        """All figures that `update` changes: the main picture and the measures."""
        return [*self.draw(), *self.measures()]

    @abstractmethod
    def update(self, frame: Frame) -> None:
        """Show a frame, whatever was shown before. Changes data and creates no models: the page keeps those it has."""


def view_of(name: str, simulation: Simulation) -> View:
    """The view in the module of that name, in any subfolder of `app/views`: for `paths` the class `PathsView`.

    Raises ModuleNotFoundError if there is none.
    """
    return _view_class(name)(simulation)


@cache
def _view_class(name: str) -> type[View]:
    module = module_named(views, name)
    if module is None:
        raise ModuleNotFoundError(f"No module named 'app.views.{name}'")
    view: type[View] = getattr(import_module(module), f"{class_name(name)}View")
    return view

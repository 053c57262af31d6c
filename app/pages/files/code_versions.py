"""Versions of the code that makes pictures and tables: each changes only with the code that its picture depends on."""

from functools import cache

from app import views
from sims import registry
from sims.contract.modules import module_named
from sims.kept.provenance import Provenance

DRAWING = (("app.prerender.picture", "drawn"), ("app.prerender.picture", "state"), ("app.prerender.picture", "numbers"))
"""Module and name of the functions that make the pictures of all simulations"""


@cache
def picture_code(name: str) -> str:
    """The version of the code that draws a simulation, including the words that readers see.

    If the simulation has no view, the rest of the code decides. Raises KeyError if there is no such simulation.
    """
    kind = registry.find(name)
    module = module_named(views, name)
    view = [(module, f"{registry.class_name(name)}View")] if module and _provenance().source(module) else []
    return _provenance().version(*DRAWING, *view, (kind.__module__, kind.__name__))


@cache
def table_code() -> str:
    """The version of the code that makes the tables of worked examples, not counting the calculations in them."""
    return _provenance().version(("app.pages.blocks.number_tables", "tables"))


@cache
def _provenance() -> Provenance:
    return Provenance(packages=("app", "sims"), words=True)

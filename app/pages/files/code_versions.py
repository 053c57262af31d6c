"""Versions of the code that makes pictures and tables: each changes with what one of them is made by, and no other."""

from functools import cache

from app import views
from sims import registry
from sims.kept.provenance import Provenance
from sims.modules import module_named

DRAWING = (("app.prerender.picture", "drawn"), ("app.prerender.picture", "state"), ("app.prerender.picture", "numbers"))
"""What makes a picture of any simulation"""


@cache
def picture_code(name: str) -> str:
    """The version of the code that makes pictures of a simulation, words included.

    A simulation without a view has the version of the rest. Raises KeyError where there is no such simulation.
    """
    kind = registry.find(name)
    module = module_named(views, name)
    view = [(module, f"{registry.class_name(name)}View")] if module and _provenance().source(module) else []
    return _provenance().version(*DRAWING, *view, (kind.__module__, kind.__name__))


@cache
def table_code() -> str:
    """The version of the code that makes the tables of worked examples, without the calculations in them."""
    return _provenance().version(("app.pages.blocks.number_tables", "tables"))


@cache
def _provenance() -> Provenance:
    return Provenance(packages=("app", "sims"), words=True)

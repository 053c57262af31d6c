"""The fast trainer: multilayer perceptrons of several seeds, trained in compiled chunks of steps.

`start`, `advance` and `predict` are the way in; `Architecture` and `Recipe` say what is trained and how.
"""

from sims.training.architecture import Architecture
from sims.training.engine import advance, evaluated, predict, start, start_from
from sims.training.recipe import Recipe
from sims.training.state import Overflow, Record, State

__all__ = [
    "Architecture",
    "Overflow",
    "Recipe",
    "Record",
    "State",
    "advance",
    "evaluated",
    "predict",
    "start",
    "start_from",
]

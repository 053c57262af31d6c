"""The fast trainer: multilayer perceptrons of several seeds, trained in compiled chunks of steps.

`start`, `advance` and `predict` are the entry points; `Architecture` and `Recipe` say what is trained and how.
"""

from sims.engines.perceptrons.architecture import Architecture, usual_unit
from sims.engines.perceptrons.engine import advance, evaluated, layer_values, predict, start, start_from
from sims.engines.recipe import Recipe
from sims.engines.state import Overflow, Record, TrainingState

__all__ = [
    "Architecture",
    "Overflow",
    "Recipe",
    "Record",
    "TrainingState",
    "advance",
    "evaluated",
    "layer_values",
    "predict",
    "start",
    "start_from",
    "usual_unit",
]

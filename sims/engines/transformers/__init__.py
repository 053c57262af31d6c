"""Small real transformers of several seeds, trained in compiled chunks of steps.

`start`, `advance` and `predict` are the entry points; `Transformer` and `sims.engines.recipe.Recipe` say what is
trained and how.
"""

from sims.engines.state import TrainingState
from sims.engines.transformers.architecture import Transformer
from sims.engines.transformers.engine import advance, predict, start

__all__ = ["TrainingState", "Transformer", "advance", "predict", "start"]

"""Small real transformers of several seeds, trained in compiled chunks of steps.

`start` and `advance` are the way in; `Transformer` and `sims.training.Recipe` say what is trained and how.
"""

from sims.transformers.architecture import Transformer
from sims.transformers.engine import advance, start
from sims.transformers.state import State

__all__ = ["State", "Transformer", "advance", "start"]

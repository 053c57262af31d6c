"""Words for a recipe in disclosures: the norm, the initial weights, the optimizer and the batch."""

from sims.contract.usual_parameters import OPTIMIZERS
from sims.contract.wording import number

NORMS = {
    "none": "no norm",
    "batch": "BatchNorm after every linear layer but the head, without gain and shift",
    "layer": "LayerNorm after every linear layer but the head, without gain and shift",
    "pre-layer": "LayerNorm before every branch and before the head, without gain and shift",
}
"""Without gain and shift, a layer with a norm cannot copy its input."""

STARTS = {
    "default": "the library's own initial weights",
    "he": "He initialization",
    "orthogonal": "orthogonal initial weights",
    "looks-linear": "initial weights with which the network looks linear",
}


def steps_taken(steps: int, optimizer: str, learning_rate: float, batch: int) -> str:
    """Return for example "600 steps of Adam at 0.001, batches of 128"."""
    return f"{steps} steps of {OPTIMIZERS[optimizer]} at {number(learning_rate)}, batches of {batch}"

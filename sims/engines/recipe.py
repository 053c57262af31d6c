"""How a network is trained."""

from dataclasses import dataclass
from typing import Literal, get_args, get_type_hints

Optimizer = Literal["sgd", "momentum", "adam"]
Loss = Literal["cross-entropy", "squared error"]


@dataclass(frozen=True)
class Recipe:
    """Optimizer, batches and loss.

    "momentum" is torch's SGD with momentum 0.9; "adam" has β = (0.9, 0.999) and ε = 1e-8, its authors' values.
    `batch` points make a step, drawn without replacement: every epoch is a fresh shuffle whose incomplete last batch
    is left out; None takes all training points every step. The learning rate rises linearly over the first `warmup`
    steps. `clip` scales the gradient of all parameters down to that norm if it is longer.

    "cross-entropy" is the mean over the batch. "squared error" is the mean over the batch of ½‖output − target‖²; the
    targets are one-hot, or −1 and 1 where the dataset has two classes (one output then).

    A record of the run is kept at step 0 and every `record_every` steps.
    """

    optimizer: Optimizer = "sgd"
    learning_rate: float = 0.05
    batch: int | None = 128
    warmup: int = 0
    clip: float | None = None
    loss: Loss = "cross-entropy"
    record_every: int = 25

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(type(self)).items():
            if isinstance(getattr(self, name), str) and getattr(self, name) not in get_args(kind):
                raise ValueError(f"{name} is {getattr(self, name)!r}, but must be one of {', '.join(get_args(kind))}")
        if self.batch is not None and self.batch < 1:
            raise ValueError("a batch holds at least one point")
        if self.record_every < 1 or self.warmup < 0:
            raise ValueError("record_every must be at least 1 and warmup at least 0")
        if self.clip is not None and self.clip <= 0:
            raise ValueError("clip must be positive")

"""Converts the state of Adam to NumPy arrays and back, between two chunks of a run."""

from collections.abc import Mapping

import numpy as np
import torch
from torch import nn

Moments = Mapping[str, tuple[np.ndarray, ...]]
"""Name of a weight → its first and its second moment"""

KEYS = ("exp_avg", "exp_avg_sq")
"""PyTorch's names of the two moments"""


def restored(weights: nn.ParameterDict, moments: Moments, learning_rate: float, step: int) -> torch.optim.Adam:
    """Adam on these weights, in its state after the last step; fresh if there are no moments yet."""
    optimizer = torch.optim.Adam(weights.parameters(), learning_rate)
    for name, both in moments.items():
        state = {key: torch.tensor(moment) for key, moment in zip(KEYS, both, strict=True)}
        optimizer.state[weights[name]] = {"step": torch.tensor(float(step)), **state}
    return optimizer


def moments(optimizer: torch.optim.Adam, weights: nn.ParameterDict) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The two moments of every weight, after at least one step."""
    first, second = ({name: optimizer.state[weight][key].numpy() for name, weight in weights.items()} for key in KEYS)
    return {name: (first[name], second[name]) for name in weights}


def arrays(weights: nn.ParameterDict) -> dict[str, np.ndarray]:
    """Copies of the weights."""
    return {name: weight.detach().numpy().copy() for name, weight in weights.items()}

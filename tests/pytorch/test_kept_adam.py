"""Adam in one go and cut in two."""

import pickle

import numpy as np
import torch
from torch import nn

from sims.pytorch.kept_adam import arrays, moments, restored


def made(values: dict[str, np.ndarray]) -> nn.ParameterDict:
    return nn.ParameterDict({name: nn.Parameter(torch.tensor(value)) for name, value in values.items()})


def taken(weights: nn.ParameterDict, optimizer: torch.optim.Adam, steps: int) -> None:
    for _ in range(steps):
        optimizer.zero_grad()
        sum((weight - 1).pow(4).sum() for weight in weights.values()).backward()
        optimizer.step()


def test_it_goes_on_as_torchs_own_does() -> None:
    random = np.random.default_rng(0)
    start = {"b": random.normal(size=(2, 3)), "a": random.normal(size=4)}
    whole = made(start)
    taken(whole, torch.optim.Adam(whole.parameters(), 0.1), 9)

    first = made(start)
    optimizer = restored(first, {}, 0.1, 0)
    taken(first, optimizer, 4)
    saved = pickle.loads(pickle.dumps((arrays(first), moments(optimizer, first))))
    second = made(saved[0])
    taken(second, restored(second, saved[1], 0.1, 4), 5)
    for name, array in arrays(whole).items():
        assert np.array_equal(array, arrays(second)[name])


def test_arrays_are_copies() -> None:
    weights = made({"a": np.ones(3)})
    copies = arrays(weights)
    taken(weights, restored(weights, {}, 0.1, 0), 1)
    weights["a"].data += 1
    assert copies["a"].tolist() == [1, 1, 1]

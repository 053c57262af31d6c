"""An architecture of somebody else's, and its true residual additions, written down from its source."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

Count = int | Callable[[nn.Module], int]

Inputs = Callable[[], tuple[tuple[Any, ...], dict[str, Any]]]


@dataclass(frozen=True)
class Entry:
    """`truth` maps a class to the additions x + F(x) in one call of its code; classes that it leaves out have none.

    `others` names the classes whose code holds skips of another kind, which may be found: cascades, gates over time.
    """

    library: str
    name: str
    build: Callable[[], nn.Module]
    inputs: Inputs
    truth: Mapping[str, Count]
    others: Mapping[str, str] = field(default_factory=dict)
    held_out: bool = False
    """Whether it was not looked at while the rules were first made"""


def images(size: int = 64, batch: int = 2) -> Inputs:
    return lambda: ((torch.randn(batch, 3, size, size),), {})


def tokens(words: int = 100, length: int = 12) -> Inputs:
    return lambda: ((), {"input_ids": torch.randint(5, words, (2, length))})


def on(name: str) -> Count:
    """1 if an attribute of a module is true."""
    return lambda module: int(bool(getattr(module, name)))


def off(name: str) -> Count:
    return lambda module: int(not getattr(module, name))


def present(name: str) -> Callable[[nn.Module], int]:
    """1 if an attribute of a module is there."""
    return lambda module: int(getattr(module, name) is not None)

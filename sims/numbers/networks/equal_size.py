"""The gain from concatenation: networks with equally many parameters, and a dense one that cannot look far back."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from sims.contract.calculation import calculation
from sims.contract.wording import percent
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start, start_from
from sims.engines.perceptrons.layout import make_layout

BLOCKS, SEEDS, STEPS = 16, tuple(range(10)), 600
TASK = "digits"


@cache
def network(skip: str, most: int) -> Architecture:
    """Return the largest network of 16 blocks with Pre-LN that has at most `most` parameters on the digits.

    A dense one starts with one to three times as many features as a block appends (Huang et al. 1608.06993 start with
    twice as many). Raises ValueError if none is that small.
    """
    fitting = [architecture for architecture in _sized(skip) if _size(architecture) <= most]
    if not fitting:
        raise ValueError(f"no network of {BLOCKS} blocks has only {most} parameters")
    return max(fitting, key=_size)


def _sized(skip: Any) -> Iterator[Architecture]:
    usual = Architecture(BLOCKS + 2, 4, skip=skip, norm="pre-layer")
    if skip == "dense":
        for growth, times in itertools.product(range(1, 16), (1, 2, 3)):
            yield replace(usual, width=times * growth, growth=growth)
    else:
        for width in range(2, 64):
            yield replace(usual, width=width)


def _size(architecture: Architecture) -> int:
    data = source(TASK).load()
    return make_layout(architecture, data.features, data.classes).size


@cache
def trained(skip: str, most: int, seeds: tuple[int, ...] = SEEDS) -> TrainingState:
    """Return `network` after 600 steps of Adam at 0.003 on batches of 64 digits, from He's initial weights."""
    recipe = Recipe("adam", 0.003, 64, record_every=STEPS)
    return advance(start(network(skip, most), recipe, source(TASK), seeds), STEPS)


@calculation(long=True, tolerance=0.3)
def test_error(skip: str, most: int) -> str:
    """Test error with at most `most` parameters: the median of ten seeds and, in parentheses, their range."""
    errors = np.array(trained(skip, most).now.test_error)
    return f"{percent(float(np.median(errors)))} ({percent(float(errors.min()))} to {percent(float(errors.max()))})"


def short_sighted(run: TrainingState, back: int, head: bool = True) -> TrainingState:
    """Return a trained dense network whose blocks, and with `head` also its head, read only the features of the `back`
    blocks before them.

    With `back` = 1, only those of the block just before it. The stem's features count like those of a block 0. All else
    is unchanged, including the statistics of the norms.
    """
    a, data = run.architecture, run.source.load()
    layout = make_layout(a, data.features, data.classes)
    parameters = run.parameters.copy()
    for reader, layer in enumerate(layout.layers[1:] if head else layout.layers[1:-1]):
        # Columns of a weight matrix are features, oldest first: zeros hide the oldest ones.
        hidden = 0 if reader < back else a.width + a.growth * (reader - back)
        layer.weights(parameters)[..., :hidden] = 0
    return start_from(parameters, a, run.recipe, run.source, run.seeds)


@calculation(long=True, tolerance=0.3)
def forgetful_error(back: int, most: int, head: bool = True) -> float:
    """Test error of the dense network whose blocks can look back only `back` blocks, and with `head` its head, too;
    median of ten seeds, 0 to 1."""
    return float(np.median(short_sighted(trained("dense", most), back, head).now.test_error))


@calculation(long=True, tolerance=0.3)
def forgetful_percent(back: int, most: int, head: bool = True) -> float:
    """`forgetful_error` in percent, as readers enter it."""
    return 100 * float(forgetful_error(back=back, most=most, head=head))

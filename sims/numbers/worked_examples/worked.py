"""The arithmetic of the worked examples: small, exact, and really computed."""

import math

import numpy as np

from sims.contract.calculation import Number, calculation
from sims.contract.wording import vector

EXACT = ".10g"
"""The format of numbers that a reader can find by hand: all digits."""


def _relu(x: np.ndarray) -> np.ndarray:
    positive: np.ndarray = np.maximum(x, 0.0)
    return positive


@calculation
def copied(first: float, second: float) -> Number:
    """ReLU(Ix + 0) for x = [first, second], as text."""
    x = np.array([first, second])
    return vector(_relu(np.eye(2) @ x), EXACT)


@calculation
def copied_twice(first: float, second: float) -> Number:
    """ReLU(I ReLU(Ix)) for x = [first, second], as text: a second copying layer receives nothing negative."""
    return vector(_relu(np.eye(2) @ _relu(np.eye(2) @ np.array([first, second]))), EXACT)


@calculation
def copy_error(first: float, second: float) -> Number:
    """ReLU(Ix + 0) − x for x = [first, second], as text: what one ReLU layer gets wrong when it copies."""
    x = np.array([first, second])
    return vector(_relu(np.eye(2) @ x) - x, EXACT)


def _split(first: float, second: float) -> np.ndarray:
    """ReLU(W₁x) with W₁ = [I; −I] of shape (4, 2): the positive parts, then the negative parts. Shape (4,)."""
    return _relu(np.vstack([np.eye(2), -np.eye(2)]) @ np.array([first, second]))


@calculation
def split_hidden(first: float, second: float) -> Number:
    """The hidden layer of the two-layer copy, ReLU([I; −I]x), as text of four numbers."""
    return vector(_split(first, second), EXACT)


@calculation
def split_copied(first: float, second: float) -> Number:
    """[I, −I] ReLU([I; −I]x) for x = [first, second], as text: x itself, whatever its signs."""
    return vector(np.hstack([np.eye(2), -np.eye(2)]) @ _split(first, second), EXACT)


@calculation
def shifted_hidden(first: float, second: float, shift: float) -> Number:
    """x + shift for x = [first, second], as text: what the ReLU sees when a bias moves the input up."""
    return vector(np.array([first, second]) + shift, EXACT)


@calculation
def shifted_copied(first: float, second: float, shift: float) -> Number:
    """ReLU(x + shift) − shift for x = [first, second], as text: x itself as long as every input is above −shift."""
    return vector(_relu(np.array([first, second]) + shift) - shift, EXACT)


@calculation
def batch_norm_gain(layers: int = 1) -> Number:
    """The factor of Linear → BatchNorm → ReLU layers on the gradient's norm in the backward pass, at a random start.

    √(π/(π−1)) per layer. After a ReLU, a standard normal value has the variance ½ − 1/(2π); BatchNorm divides by its
    root, and the ReLU's derivative passes half of a gradient's mean square. This is our derivation, for wide fully
    connected layers of equal width; Yang et al. 2019 (mean field theory of BatchNorm) report exponential growth.
    """
    variance = 0.5 - 1 / (2 * math.pi)
    return math.sqrt(0.5 / variance) ** layers


@calculation
def default_block_gain(blocks: int = 1) -> Number:
    """The factor of Linear–ReLU–Linear blocks on a signal's norm, with the default initialization of `torch.nn.Linear`.

    The weights of a layer of width d have the variance 1/(3d), so each linear layer keeps a third of the mean square;
    ReLU keeps half: √(1/3 · 1/2 · 1/3) per block. Biases are left out, as in the backward pass.
    """
    return math.sqrt(1 / 3 * 1 / 2 * 1 / 3) ** blocks


@calculation
def default_layer_gain(layers: int = 1) -> Number:
    """The factor of Linear–ReLU layers on a gradient's norm, with the default initialization of `torch.nn.Linear`.

    A weight of a layer of width d has the variance 1/(3d), so the matrix keeps a third of the mean square; the ReLU
    passes half: √(1/3 · 1/2) per layer.
    """
    return math.sqrt(1 / 3 * 1 / 2) ** layers


@calculation
def adam_first_step(gradient: float) -> Number:
    """Adam's first step for a weight with that gradient, in learning rates: g / (|g| + ε) with ε = 1e-8.

    At the first step, both bias-corrected moments are those of the one gradient: g and g² (Kingma & Ba, algorithm 1).
    """
    return gradient / (abs(gradient) + 1e-8)


@calculation
def adam_step_ratio(larger: float, smaller: float) -> Number:
    """How much Adam's first steps for two gradients differ: the ratio of the steps, minus 1."""
    return adam_first_step(gradient=larger) / adam_first_step(gradient=smaller) - 1  # type: ignore[operator]

"""The worked examples about one block and a short chain of blocks: small, exact, and really computed."""

import math

import numpy as np

from sims.contract.calculation import Number, calculation
from sims.contract.wording import vector
from sims.instruments.hand_derived.one_block import Block, Pass, cosine, ratio, run

WEIGHTS = ((0.1, -0.2), (0.3, 0.1))
"""The matrix of the example."""

BACK = (1.0, 0.5)
"""The gradient that arrives at the output."""


def _block(first: float, second: float, strength: float, skip: bool) -> Pass:
    block = Block(np.array(WEIGHTS), skip, "linear", strength)
    return run(block, np.array([first, second]), np.array(BACK))


@calculation
def product(row: int, column: int, first: float = 0.5, second: float = -0.3) -> Number:
    """One product W[row, column] · x[column] of the example; rows and columns count from 1."""
    return float(_block(first, second, 1.0, False).products[row - 1, column - 1])


@calculation
def sums(row: int, first: float = 0.5, second: float = -0.3) -> Number:
    """One row of W x, counted from 1."""
    return float(_block(first, second, 1.0, False).sums[row - 1])


@calculation
def output(skip: bool, first: float = 0.5, second: float = -0.3, strength: float = 1.0) -> Number:
    """The output of the block, as text."""
    return vector(_block(first, second, strength, skip).output)


@calculation
def length(skip: bool, first: float = 0.5, second: float = -0.3, strength: float = 1.0) -> Number:
    """The norm of the output."""
    return float(np.linalg.norm(_block(first, second, strength, skip).output))


@calculation
def input_length(first: float = 0.5, second: float = -0.3) -> Number:
    """The norm of the input."""
    return math.hypot(first, second)


@calculation
def share(first: float = 0.5, second: float = -0.3, strength: float = 1.0) -> Number:
    """The norm of the branch over that of the input; 0 for an input of 0."""
    branch = _block(first, second, strength, False).output
    return ratio(float(np.linalg.norm(branch)), math.hypot(first, second))


@calculation
def direction(skip: bool, first: float = 0.5, second: float = -0.3, strength: float = 1.0) -> Number:
    """The cosine between the input and the output; 0 if one of them is 0."""
    return cosine(np.array([first, second]), _block(first, second, strength, skip).output)


@calculation
def singular(skip: bool, which: int, strength: float = 1.0) -> Number:
    """The largest (1) or smallest (2) singular value of the block's Jacobian, W or I + W times the strength."""
    return float(np.linalg.svd(_block(0.5, -0.3, strength, skip).jacobian, compute_uv=False)[which - 1])


@calculation
def floor(strength: float = 1.0) -> Number:
    """The lower bound on the smallest singular value of I + J: 1 − ‖J‖, or 0 if ‖J‖ is 1 or more."""
    return max(0.0, 1 - float(singular(skip=False, which=1, strength=strength)))


@calculation
def input_gradient(skip: bool, strength: float = 1.0) -> Number:
    """The gradient of the input, as text, if it is [1, 0.5] at the output."""
    return vector(_block(0.5, -0.3, strength, skip).input_gradient)


@calculation
def needed_branch(factor: float) -> Number:
    """The factor a with which F(x) = a·x makes x + F(x) equal to `factor` times x."""
    return factor - 1


@calculation
def distance(factor: float, skip: bool) -> Number:
    """The distance, over √d, from zero weights to those with which a linear block of width d gives `factor` times x.

    They must become `factor` times I without the skip and (factor − 1)·I with it; ‖I‖ is √d in the Frobenius norm.
    """
    return abs(factor - 1 if skip else factor)


@calculation
def chain(block: int, start: float = 1.0, a: float = 0.5, b: float = -0.2, c: float = 0.1) -> Number:
    """The stream after that many of three blocks x ← x + g·x with the gains a, b, c; 0 blocks: the start."""
    x = start
    for gain in (a, b, c)[:block]:
        x += gain * x
    return x


@calculation
def correction(block: int, start: float = 1.0, a: float = 0.5, b: float = -0.2, c: float = 0.1) -> Number:
    """What one of the three blocks, counted from 1, adds to the stream."""
    return float(chain(block=block, start=start, a=a, b=b, c=c)) - float(
        chain(block=block - 1, start=start, a=a, b=b, c=c)
    )


@calculation(long=True)
def zeroed_residual_is_exact(blocks: int = 50, width: int = 64) -> str:
    """Whether a residual stack with zeroed last layers copies its input bit for bit: "True" or "False"."""
    # PyTorch takes a second to import, and building a page needs only the name of a kept value.
    from sims.numbers.networks.zero_branches import check

    return str(check(blocks, width)[0])


@calculation(long=True)
def zeroed_plain_length(blocks: int = 50, width: int = 64) -> float:
    """The norm of the output of a plain stack with zeroed last layers for a random input."""
    from sims.numbers.networks.zero_branches import check

    return check(blocks, width)[1]

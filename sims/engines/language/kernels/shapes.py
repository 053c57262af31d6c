"""What the kernels are told about a language model, and the arrays they work in."""

from typing import NamedTuple

import numpy as np


class Plan(NamedTuple):
    """A language model as numbers. One compiled program serves all of them."""

    table: np.ndarray
    """(layers, 4) rows, columns, weight offset, bias offset (`layout.Layout.table`)"""
    kept: np.ndarray
    """(branches,) bool: whether a branch is there; one that was knocked out hands on the stream as it came"""
    positions: int
    gates: int
    """Offset of α, or -1"""
    branches: int
    symbols: int
    width: int
    context: int
    heads: int
    carries: bool
    """Whether the branch is added to the stream, rather than taking its place"""
    pre_norm: bool
    """Whether a norm stands in front of every branch"""
    post_norm: bool
    """Whether one stands behind every sum"""


class Workspace(NamedTuple):
    """Arrays of one pass over B pieces of T symbols, feature-major (features, T B).

    Symbol t of piece b stands in column t B + b. There is a slot for every branch, or for every branch of a kind.
    """

    symbols: np.ndarray
    """(T B,) int64, what is read"""
    answers: np.ndarray
    """(T B,) int64, what comes next"""
    stream: np.ndarray
    """(branches + 1, width, T B) after the embedding and after each branch"""
    normal: np.ndarray
    """(branches, width, T B) what the norm in front hands to each branch"""
    scale: np.ndarray
    """(branches, T B) 1/σ of each branch's norm, in front or behind"""
    branch: np.ndarray
    """(branches, width, T B) what each branch says, for ReZero's α; no slots for the others"""
    queries: np.ndarray
    """(blocks, 3 width, T B) queries, keys and values"""
    shares: np.ndarray
    """(blocks, heads, T, T, B) how much symbol t takes from symbol s"""
    mixed: np.ndarray
    """(blocks, width, T B) what the heads collect"""
    hidden: np.ndarray
    """(blocks, 4 width, T B) behind the GELU"""
    slopes: np.ndarray
    """(blocks, 4 width, T B) its derivatives"""
    final: np.ndarray
    """(width, T B) the stream behind the last norm"""
    final_scale: np.ndarray
    """(T B,)"""
    outputs: np.ndarray
    """(symbols, T B) the logits; the loss puts its gradient there"""
    change: np.ndarray
    """(width, T B) gradient with respect to the stream"""
    inside: np.ndarray
    """(4 width, T B) gradient inside a branch"""
    before: np.ndarray
    """(4 width, T B) sums in front of a GELU; gradient inside a branch"""
    packed: np.ndarray
    """(4 width, PAIR) for `matmul.product`"""
    attention: np.ndarray
    """(T, T, B) gradients of the shares of one head"""

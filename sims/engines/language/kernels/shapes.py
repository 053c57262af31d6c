"""The arguments of the kernels: a plan of the language model, and a workspace of arrays."""

from typing import NamedTuple

import numpy as np


class Plan(NamedTuple):
    """A language model in numbers and flags, so that one compiled program serves all models."""

    table: np.ndarray
    """(layers, 4) rows, columns, weight offset, bias offset (`layout.Layout.table`)"""
    kept: np.ndarray
    """(branches,) bool: False for a branch that is knocked out, which passes the stream unchanged"""
    positions: int
    """Offset of the positions' vectors"""
    gates: int
    """Offset of α, or -1"""
    mixtures: int
    """Offset of β, or -1"""
    branches: int
    symbols: int
    width: int
    context: int
    heads: int
    bases: np.ndarray
    """(branches,) the slot of `Workspace.stream` that each branch is added to, or -1 if it replaces the stream"""
    mixes: bool
    """Whether a place reads other places: False for attention that is the identity"""
    pre_norm: bool
    """Whether a norm precedes every branch"""
    post_norm: bool
    """Whether a norm follows every sum"""


class Workspace(NamedTuple):
    """Arrays of one pass over B pieces of T symbols, feature-major (features, T B).

    Symbol t of piece b is in column t B + b. There is a slot for every branch, or for every branch of a kind.
    """

    symbols: np.ndarray
    """(T B,) int64, the symbols that are read"""
    answers: np.ndarray
    """(T B,) int64, the symbol after each of them"""
    stream: np.ndarray
    """(branches + 1, width, T B) after the embedding and after each branch"""
    normal: np.ndarray
    """(branches, width, T B) the normalized input of each branch"""
    scale: np.ndarray
    """(branches, T B) 1/σ of each branch's norm, before it or after the sum"""
    branch: np.ndarray
    """(branches, width, T B) the output of each branch, for the gradient of ReZero's α; no slots for other models"""
    queries: np.ndarray
    """(blocks, 3 width, T B) queries, keys and values"""
    shares: np.ndarray
    """(blocks, heads, T, T, B) how much symbol t takes from symbol s"""
    mixed: np.ndarray
    """(blocks, width, T B) the weighted sums of values, from all heads"""
    summed: np.ndarray
    """(blocks, width, T B) value + β · mixed, for value-skip attention; no slots for other models"""
    hidden: np.ndarray
    """(blocks, 4 width, T B) outputs of the GELU"""
    slopes: np.ndarray
    """(blocks, 4 width, T B) derivatives of the GELU"""
    final: np.ndarray
    """(width, T B) the stream after the last norm"""
    final_scale: np.ndarray
    """(T B,) that norm's 1/σ"""
    outputs: np.ndarray
    """(symbols, T B) the logits; the loss puts its gradient there"""
    change: np.ndarray
    """(width, T B) gradient with respect to the stream"""
    held: np.ndarray
    """(width, T B) the gradient that passes a block's one skip, until it reaches the place where that skip begins"""
    inside: np.ndarray
    """(4 width, T B) gradient inside a branch"""
    before: np.ndarray
    """(4 width, T B) inputs of a GELU; gradient inside a branch"""
    packed: np.ndarray
    """(4 width, TILE) scratch space of `matmul.product`"""
    attention: np.ndarray
    """(T, T, B) gradients of the shares of one head"""

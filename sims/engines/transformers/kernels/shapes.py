"""The arguments of the kernels: a plan of the transformer, and a workspace of arrays."""

from typing import NamedTuple

import numpy as np


class Plan(NamedTuple):
    """A transformer in numbers and flags, so that one compiled program serves all transformers."""

    table: np.ndarray
    """(layers, 4) rows, columns, weight offset, bias offset or -1 (`layout.Layout.table`)"""
    positions: int
    """Offset of the position vectors"""
    depth: int
    head: int
    """The number of the last layer"""
    width: int
    tokens: int
    heads: int
    pre_norm: bool
    """Whether a norm precedes every branch (Pre-LN, Peri-LN), rather than follows every sum"""
    branch_norm: bool
    """Whether one more norm ends every branch (Peri-LN)"""
    final_norm: bool
    carry: float
    """Factor of the skip"""
    causal: bool
    activation: int
    """Of the feed-forward sublayers: RELU"""


class Workspace(NamedTuple):
    """Arrays of one pass over a batch of B points, each of T tokens.

    Most are feature-major (features, T B): token t of point b is in column t B + b. A pass that a backward pass follows
    has a slot for every sublayer. Otherwise there are one or two slots, used in turn: slot = number % slots.
    """

    least: np.ndarray
    """(1,) activations and gradients of at most this size count as zero; 0 keeps all (`kernels.negligible`)"""
    inputs: np.ndarray
    """(features of a token, T B)"""
    stream: np.ndarray
    """(slots, width, T B) h after the embedding and after each sublayer"""
    normal: np.ndarray
    """(slots, width, T B) the normalized input of each sublayer; no slots for Post-LN"""
    scale: np.ndarray
    """(slots, T B) the norm's 1/σ in each sublayer"""
    joined: np.ndarray
    """(slots, width, T B) the output of Peri-LN's second norm in each branch; no slots for the others"""
    joined_scale: np.ndarray
    """(slots, T B) that norm's 1/σ"""
    queries: np.ndarray
    """(slots, 3 width, T B) queries, keys and values of each attention sublayer"""
    shares: np.ndarray
    """(slots, heads, T, T, B) how much token t takes from token s: softmax over s"""
    mixed: np.ndarray
    """(slots, width, T B) the weighted sums of values, from all heads"""
    hidden: np.ndarray
    """(slots, hidden, T B) outputs of the ReLU of each feed-forward sublayer"""
    final: np.ndarray
    """(width, T B) the stream after the final norm; no rows if there is none"""
    final_scale: np.ndarray
    """(T B,) that norm's 1/σ"""
    pooled: np.ndarray
    """(width, B) mean over tokens"""
    outputs: np.ndarray
    """(outputs, B) the output of the head; the loss puts its gradient there"""
    labels: np.ndarray
    """(B,) int64"""
    before: np.ndarray
    """(widest, T B) sums before a norm or a ReLU; the gradient inside a branch"""
    change: np.ndarray
    """(width, T B) gradient with respect to the stream"""
    behind: np.ndarray
    """(width, T B) gradient with respect to a branch's output before its second norm, for Peri-LN"""
    inside: np.ndarray
    """(widest, T B) gradient inside a branch"""
    pooled_change: np.ndarray
    """(width, B)"""
    packed: np.ndarray
    """(most inputs or outputs of a layer, TILE) scratch space of `matmul.product`"""
    slopes: np.ndarray
    """(T, T, B) gradients of the shares of one head"""

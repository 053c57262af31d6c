"""How alike stacked attention makes tokens, with and without skips and feed-forward layers: untrained, in NumPy."""

from dataclasses import dataclass

import numpy as np

TOKENS, WIDTH, HEADS, INNER = 16, 64, 4, 128
"""INNER: width inside a feed-forward branch"""


@dataclass(frozen=True)
class Layers:
    """Weights of stacked transformer layers; the first dimension is the layer. Those of attention have variance
    1/fan-in, as has the last matrix of a feed-forward branch; its first has He's, 2/fan-in. No biases."""

    mixing: np.ndarray
    """(layers, 3 · WIDTH, WIDTH): queries, keys and values"""
    output: np.ndarray
    """(layers, WIDTH, WIDTH)"""
    first: np.ndarray
    """(layers, INNER, WIDTH)"""
    second: np.ndarray
    """(layers, WIDTH, INNER)"""

    @classmethod
    def drawn(cls, layers: int, generator: np.random.Generator) -> "Layers":
        """Draw normal weights."""
        shapes = ((3 * WIDTH, WIDTH, 1), (WIDTH, WIDTH, 1), (INNER, WIDTH, 2), (WIDTH, INNER, 1))
        return cls(
            *(generator.standard_normal((layers, out, into)) * np.sqrt(gain / into) for out, into, gain in shapes)
        )


def attention(x: np.ndarray, mixing: np.ndarray, output: np.ndarray) -> np.ndarray:
    """Multi-head attention of every token to all, on tokens (TOKENS, WIDTH)."""
    split = (x @ mixing.T).reshape(len(x), 3, HEADS, WIDTH // HEADS)
    queries, keys, values = split.transpose(1, 2, 0, 3)
    scores = queries @ keys.transpose(0, 2, 1) / np.sqrt(WIDTH // HEADS)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed = scores / scores.sum(axis=-1, keepdims=True) @ values
    return mixed.transpose(1, 0, 2).reshape(len(x), WIDTH) @ output.T


def normalized(x: np.ndarray) -> np.ndarray:
    """LayerNorm without gains, over the last dimension of an array (…, width)."""
    centered = x - x.mean(axis=-1, keepdims=True)
    scaled: np.ndarray = centered / centered.std(axis=-1, keepdims=True)
    return scaled


def tokens_after(layers: Layers, skip: bool, feed: bool, x: np.ndarray) -> np.ndarray:
    """The tokens (layers + 1, TOKENS, WIDTH) before each layer and after the last, with a norm before each sublayer.

    `skip` adds each sublayer's input to its output; `feed` adds a feed-forward sublayer after each attention.
    """
    tokens = [x]
    for mixing, output, first, second in zip(layers.mixing, layers.output, layers.first, layers.second, strict=True):
        x = attention(normalized(x), mixing, output) + (x if skip else 0)
        if feed:
            x = np.maximum(normalized(x) @ first.T, 0) @ second.T + (x if skip else 0)
        tokens.append(x)
    return np.stack(tokens)


def cosines(x: np.ndarray) -> np.ndarray:
    """Cosine of every token with every other, (…, TOKENS, TOKENS), of tokens (…, TOKENS, WIDTH)."""
    unit = x / np.linalg.norm(x, axis=-1, keepdims=True)
    table: np.ndarray = unit @ np.swapaxes(unit, -1, -2)
    return table


def mean_cosine(table: np.ndarray) -> np.ndarray:
    """The mean cosine over all pairs of different tokens, of shape (…)."""
    count = table.shape[-1]
    mean: np.ndarray = (table.sum(axis=(-1, -2)) - count) / (count * (count - 1))
    return mean

"""The operations of a transformer block in NumPy, each with a hand-written backward pass, to read and to copy.

Each token is a row: x has the shape (..., tokens, width). `dy` is the gradient of a loss with respect to an output.
The gradient of an argument has the shape of the argument.
"""

import numpy as np

HEADS = 2
EPSILON = 1e-6


def outer(x: np.ndarray, dy: np.ndarray) -> np.ndarray:
    """The gradient of W, (inputs, outputs), in y = x @ W: outer products, summed over all tokens."""
    total: np.ndarray = x.reshape(-1, x.shape[-1]).T @ dy.reshape(-1, dy.shape[-1])
    return total


def rms(x: np.ndarray) -> np.ndarray:
    """The root of the mean square of every token's features, of shape (..., tokens, 1)."""
    root: np.ndarray = np.sqrt((x * x).mean(axis=-1, keepdims=True) + EPSILON)
    return root


def norm(x: np.ndarray, gain: np.ndarray) -> np.ndarray:
    """RMSNorm: divide every token by its own rms, then multiply it by a gain for each feature, (width,)."""
    return x / rms(x) * gain


def norm_back(dy: np.ndarray, x: np.ndarray, gain: np.ndarray) -> np.ndarray:
    """The gradient of x. Its part along the token itself is removed: scaling a token does not change the output."""
    unit, dunit = x / rms(x), dy * gain
    return (dunit - unit * (dunit * unit).mean(axis=-1, keepdims=True)) / rms(x)


def gain_back(dy: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The gradient of the gain, (width,), summed over all tokens."""
    total: np.ndarray = (dy * x / rms(x)).reshape(-1, x.shape[-1]).sum(axis=0)
    return total


def heads(x: np.ndarray) -> np.ndarray:
    """(..., tokens, width) → (..., heads, tokens, width / heads)."""
    return x.reshape(*x.shape[:-1], HEADS, x.shape[-1] // HEADS).swapaxes(-2, -3)


def joined(x: np.ndarray) -> np.ndarray:
    """Undo `heads`: (..., heads, tokens, width / heads) → (..., tokens, width)."""
    x = x.swapaxes(-2, -3)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def rotate(x: np.ndarray, sign: int = 1) -> np.ndarray:
    """RoPE (2104.09864): turn pairs of features by an angle that grows with the position; sign −1 turns them back."""
    half = x.shape[-1] // 2
    angles = np.arange(x.shape[-2])[:, None] / 100.0 ** (np.arange(half) / half)
    sin, cos = (sign * np.sin(angles)).astype(x.dtype), np.cos(angles).astype(x.dtype)
    one, other = x[..., :half], x[..., half:]
    return np.concatenate([one * cos - other * sin, one * sin + other * cos], axis=-1)


def attention(q: np.ndarray, k: np.ndarray, causal: bool = True) -> np.ndarray:
    """How much every token attends to every other, (..., heads, tokens, tokens); with `causal`, to no later token.

    q and k are (..., tokens, width), not yet rotated.
    """
    q, k = rotate(heads(q)), rotate(heads(k))
    scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    if causal:
        scores = np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: np.ndarray = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def attend(p: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Every token's mean of values v, (..., tokens, width), weighted by p, (..., heads, tokens, tokens)."""
    return joined(p @ heads(v))


def attend_back(
    da: np.ndarray, p: np.ndarray, q: np.ndarray, k: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The gradients of q, k and v, (..., tokens, width) each; p are the weights of `attention`."""
    da, q, k = heads(da), rotate(heads(q)), rotate(heads(k))
    dv = p.swapaxes(-1, -2) @ da
    dp = da @ heads(v).swapaxes(-1, -2)
    dscores = p * (dp - (dp * p).sum(axis=-1, keepdims=True)) / q.shape[-1] ** 0.5
    dq, dk = dscores @ k, dscores.swapaxes(-1, -2) @ q
    return joined(rotate(dq, -1)), joined(rotate(dk, -1)), joined(dv)


def sigmoid(x: np.ndarray) -> np.ndarray:
    """1 / (1 + e^−x) of every number."""
    return 1 / (1 + np.exp(-x))


def swiglu(g: np.ndarray, u: np.ndarray) -> np.ndarray:
    """silu(g) · u, with silu(g) = g · sigmoid(g)."""
    return g * sigmoid(g) * u


def swiglu_back(ds: np.ndarray, g: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The gradients of g and u."""
    s = sigmoid(g)
    return ds * u * s * (1 + g * (1 - s)), ds * g * s

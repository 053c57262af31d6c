"""A Pre-LN block with an MLP in NumPy with a hand-written backward pass, and a stack of them: to read and to copy."""

import numpy as np

EPSILON = 1e-5
C = (2 / np.pi) ** 0.5


class Block:
    """y = x + GELU(LN(x) A) B, for x and y of shape (samples, features); GELU in its tanh form (1606.08415, section 2).

    `backward` turns the gradient of y into that of x and leaves those of the weights in `da`, `db`, `dgain`, `dbias`.
    `cache` keeps what it needs of the forward pass.
    """

    def __init__(self, features: int, hidden: int, rng: np.random.Generator) -> None:
        self.gain, self.bias = np.ones(features), np.zeros(features)
        self.a = rng.standard_normal((features, hidden)) / features**0.5
        self.b = rng.standard_normal((hidden, features)) / hidden**0.5

    def forward(self, x: np.ndarray) -> np.ndarray:
        # The statistics belong to one sample, across its features.
        spread = np.sqrt(x.var(axis=1, keepdims=True) + EPSILON)
        unit = (x - x.mean(axis=1, keepdims=True)) / spread
        n = unit * self.gain + self.bias
        z = n @ self.a
        t = np.tanh(C * (z + 0.044715 * z**3))
        h = 0.5 * z * (1 + t)
        self.cache = {"unit": unit, "spread": spread, "n": n, "z": z, "t": t, "h": h}
        return x + h @ self.b

    def backward(self, dy: np.ndarray) -> np.ndarray:
        unit, spread, n, z, t, h = (self.cache[name] for name in ("unit", "spread", "n", "z", "t", "h"))
        dx = dy.copy()  # the add: a copy for the skip, the same for the branch
        self.db = h.T @ dy
        dz = dy @ self.b.T * (0.5 * (1 + t) + 0.5 * z * (1 - t**2) * C * (1 + 3 * 0.044715 * z**2))
        self.da = n.T @ dz
        dn = dz @ self.a.T
        self.dgain, self.dbias = (dn * unit).sum(axis=0), dn.sum(axis=0)
        du = dn * self.gain
        along = unit * (du * unit).mean(axis=1, keepdims=True)
        dx += (du - du.mean(axis=1, keepdims=True) - along) / spread  # the merge: a sum
        return dx


class Stack:
    """Blocks one after the other on x, (samples, features); the backward pass runs through them in reverse order."""

    def __init__(self, blocks: int, features: int, hidden: int, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.blocks = [Block(features, hidden, rng) for _ in range(blocks)]

    def forward(self, x: np.ndarray) -> np.ndarray:
        for block in self.blocks:
            x = block.forward(x)
        return x

    def backward(self, dy: np.ndarray) -> np.ndarray:
        for block in reversed(self.blocks):
            dy = block.backward(dy)
        return dy

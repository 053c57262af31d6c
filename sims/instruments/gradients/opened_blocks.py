"""The Jacobians of trained blocks at given points: how each block transforms a gradient on its way back."""

from dataclasses import dataclass

import numpy as np

from sims.engines.perceptrons import TrainingState
from sims.engines.perceptrons.layout import make_layout
from sims.instruments.hand_derived.cross_entropy import cross_entropy
from sims.instruments.hand_derived.layer_norm import norm_back, normalized


@dataclass(frozen=True)
class OpenedBlocks:
    """The L blocks of one network at n points, in double precision.

    A branch is c·(W₂ ReLU(W₁ N(h) + b₁) + b₂), where N is layer norm or nothing; in a branch of one layer, W₁ and b₁ or
    W₂ and b₂ are missing. Apart from the norm it is linear between its kinks, so that its Jacobian is c·W₂ D W₁ ∂N with
    a diagonal D of zeros and ones.
    """

    first: np.ndarray | None
    """(L, w, w) the matrices W₁; None where a branch begins with the ReLU"""
    second: np.ndarray | None
    """(L, w, w) the matrices W₂; None where a branch ends in the ReLU"""
    slope: np.ndarray
    """(L, n, w) the diagonal of D"""
    normal: np.ndarray | None
    """(L, n, w) the normalized input of every branch; None without a norm"""
    scale: np.ndarray | None
    """(L, n, 1) what the norm multiplies by"""
    factor: float
    """The factor c of the branch"""
    skip: bool
    """Whether the blocks have a skip, "h +"; without it they are h ← F(h)"""
    stream: np.ndarray
    """(L + 1, n, w) h, before the first block and after every block"""
    gradient: np.ndarray
    """(n, w) the gradient of each point's own cross-entropy with respect to h after the last block"""

    @property
    def count(self) -> int:
        """Number of blocks."""
        return len(self.slope)

    def branch_back(self, block: int, gradients: np.ndarray) -> np.ndarray:
        """Jᵀu for gradients u, shape (..., n, w), at the output of branch `block`, J being the branch's Jacobian."""
        shape = gradients.shape
        if self.second is not None:
            gradients = (gradients.reshape(-1, shape[-1]) @ self.second[block]).reshape(shape)
        back = gradients * (self.slope[block] * self.factor)
        if self.first is not None:
            back = (back.reshape(-1, shape[-1]) @ self.first[block]).reshape(shape)
        if self.normal is None or self.scale is None:
            return back
        return norm_back(back, self.normal[block], self.scale[block])

    def block_back(self, block: int, gradients: np.ndarray) -> np.ndarray:
        """The same for the whole block, its skip connection included: gradients (..., n, w) at its input."""
        back = self.branch_back(block, gradients)
        return gradients + back if self.skip else back

    def jacobian(self, block: int) -> np.ndarray:
        """∂h′/∂h of the whole block at every point, shape (n, w, w): rows are outputs, columns inputs."""
        points, width = self.gradient.shape
        units = np.broadcast_to(np.eye(width)[:, None], (width, points, width))
        return self.block_back(block, units).swapaxes(0, 1)


def opened(state: TrainingState, seed: int, points: np.ndarray, labels: np.ndarray) -> OpenedBlocks:
    """Return the blocks of the network with index `seed` of a run, at `points` (n, features) with `labels` (n,).

    Raises ValueError unless the blocks are ReLU blocks of one or two layers, with an additive skip or none, and with
    Pre-LN or no norm.
    """
    a = state.architecture
    is_supported = a.unit != "original" and a.activation == "relu" and not a.squashed
    if not is_supported or a.skip not in ("none", "additive") or a.norm not in ("none", "pre-layer"):
        raise ValueError("only ReLU blocks with an additive skip or none, and Pre-LN or no norm, are opened")
    data = state.source.load()
    layout = make_layout(a, data.features, data.classes)
    parameters = state.parameters[seed].astype(np.float64)
    stem, *middle, head = ((layer.weights(parameters), layer.biases(parameters)) for layer in layout.layers)
    relu_first = a.unit == "pre-activation"
    h = points.astype(np.float64) @ stem[0].T + stem[1]
    h = h if relu_first else np.maximum(h, 0)
    stream, slopes, normals, scales = [h], [], [], []
    for at in range(0, len(middle), a.layers_per_block):
        entering = h
        if a.norm == "pre-layer":
            entering, scale = normalized(h)
            normals.append(entering)
            scales.append(scale)
        hidden = entering if relu_first else _affine(middle[at], entering)
        slopes.append((hidden > 0).astype(np.float64))
        branch = np.maximum(hidden, 0)
        if relu_first or a.layers_per_block == 2:
            branch = _affine(middle[at + a.layers_per_block - 1], branch)
        h = h + a.factor * branch if a.skip == "additive" else branch
        stream.append(h)
    weights = np.stack([weight for weight, _ in middle])
    ends_in_layer = relu_first or a.layers_per_block == 2
    return OpenedBlocks(
        first=None if relu_first else weights[:: a.layers_per_block],
        second=weights[a.layers_per_block - 1 :: a.layers_per_block] if ends_in_layer else None,
        slope=np.stack(slopes),
        normal=np.stack(normals) if normals else None,
        scale=np.stack(scales) if scales else None,
        factor=a.factor,
        skip=a.skip == "additive",
        stream=np.stack(stream),
        gradient=_gradient(h, head, labels, a.final_norm, relu_first),
    )


def _affine(layer: tuple[np.ndarray, np.ndarray], points: np.ndarray) -> np.ndarray:
    """W x + b for a layer (W, b) and points (n, inputs)."""
    return points @ layer[0].T + layer[1]


def _gradient(
    h: np.ndarray, head: tuple[np.ndarray, np.ndarray], labels: np.ndarray, norm: bool, relu: bool
) -> np.ndarray:
    """The gradient of every point's cross-entropy with respect to the stream h of which the head reads N(h), or
    ReLU(N(h)) with `relu`."""
    normal, scale = normalized(h) if norm else (h, np.ones((len(h), 1)))
    back: np.ndarray = cross_entropy(_affine(head, np.maximum(normal, 0) if relu else normal), labels)[1] @ head[0]
    back = back * (normal > 0) if relu else back
    return norm_back(back, normal, scale) if norm else back

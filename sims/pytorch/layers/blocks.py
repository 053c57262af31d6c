"""The blocks of this site in plain PyTorch, to read and to copy.

A block is a branch and a way to join its output with the stream. The fast trainer (`sims.engines`) computes the same
networks with compiled code; the tests compare the two. h has the shape (batch, width); for attention and feed-forward
branches it is (batch, tokens, width).
"""

import torch
from torch import Tensor, nn


class LayerNorm(nn.LayerNorm):
    """Layer norm without learned gain and shift."""

    def __init__(self, width: int) -> None:
        super().__init__(width, elementwise_affine=False)


class BatchNorm(nn.BatchNorm1d):
    """Batch norm without learned gain and shift, which always uses the statistics of the current batch."""

    def __init__(self, width: int) -> None:
        super().__init__(width, affine=False, track_running_stats=False)


class Plain(nn.Module):
    """h ← F(h)"""

    def __init__(self, branch: nn.Module) -> None:
        super().__init__()
        self.branch = branch

    def forward(self, h: Tensor) -> Tensor:
        return self.branch(h)


class Residual(nn.Module):
    """h ← λ·h + c·F(h), where both fixed factors are usually 1"""

    def __init__(self, branch: nn.Module, factor: float = 1.0, carry: float = 1.0) -> None:
        super().__init__()
        self.branch = branch
        self.factor = factor
        self.carry = carry

    def forward(self, h: Tensor) -> Tensor:
        return self.carry * h + self.factor * self.branch(h)


class ReZero(nn.Module):
    """h ← h + α·F(h), where α is learned and starts at 0 (Bachlechner et al. 2003.04887)"""

    def __init__(self, branch: nn.Module) -> None:
        super().__init__()
        self.branch = branch
        self.factor = nn.Parameter(torch.zeros(()))

    def forward(self, h: Tensor) -> Tensor:
        return h + self.factor * self.branch(h)


class Highway(nn.Module):
    """h ← T·F(h) + (1 - T)·h, where the gate T depends on h (Srivastava et al. 1505.00387)"""

    def __init__(self, branch: nn.Module, width: int, gate_bias: float = -2.0) -> None:
        super().__init__()
        self.branch = branch
        self.gate = nn.Linear(width, width)
        nn.init.constant_(self.gate.bias, gate_bias)

    def forward(self, h: Tensor) -> Tensor:
        t = torch.sigmoid(self.gate(h))
        return t * self.branch(h) + (1 - t) * h


class Dense(nn.Module):
    """h ← [h; F(h)]: the stream (batch, features) grows (Huang et al. 1608.06993)"""

    def __init__(self, branch: nn.Module) -> None:
        super().__init__()
        self.branch = branch

    def forward(self, h: Tensor) -> Tensor:
        return torch.cat([h, self.branch(h)], dim=1)


class Attention(nn.Module):
    """Attention between the tokens of h, shape (batch, tokens, width) (Vaswani et al. 1706.03762, section 3.2).

    With `causal`, a token sees only itself and those before it.
    """

    def __init__(self, width: int, heads: int, causal: bool = False) -> None:
        super().__init__()
        self.heads = heads
        self.causal = causal
        self.queries_keys_values = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)

    def forward(self, h: Tensor) -> Tensor:
        q, k, v = (
            part.unflatten(2, (self.heads, -1)).transpose(1, 2) for part in self.queries_keys_values(h).chunk(3, 2)
        )
        scores = q @ k.transpose(2, 3) / q.shape[3] ** 0.5
        if self.causal:
            hidden = torch.ones_like(scores, dtype=torch.bool).triu(1)
            scores = scores.masked_fill(hidden, -torch.inf)
        collected = scores.softmax(3) @ v
        return self.output(collected.transpose(1, 2).flatten(2))


class FeedForward(nn.Sequential):
    """Two linear layers with a ReLU between them, applied to each token separately (1706.03762, section 3.3)"""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))


class PreNorm(nn.Module):
    """Pre-LN: h ← h + F(LN(h)), with a norm without learned gain (Xiong et al. 2002.04745, figure 1b)"""

    def __init__(self, branch: nn.Module, width: int) -> None:
        super().__init__()
        self.norm = LayerNorm(width)
        self.branch = branch

    def forward(self, h: Tensor) -> Tensor:
        return h + self.branch(self.norm(h))


class PeriNorm(nn.Module):
    """Peri-LN: h ← h + LN(F(LN(h))), with norms without learned gain (Kim et al. 2502.02732)"""

    def __init__(self, branch: nn.Module, width: int) -> None:
        super().__init__()
        self.norm = LayerNorm(width)
        self.branch = branch
        self.norm_behind = LayerNorm(width)

    def forward(self, h: Tensor) -> Tensor:
        return h + self.norm_behind(self.branch(self.norm(h)))


class DeepNorm(nn.Module):
    """DeepNorm: h ← LN(α h + F(h)), with a norm without learned gain; α is `carry`, and starting the weights of F
    smaller, by the factor β, is left to the caller (Wang et al. 2203.00555, figure 2)
    """

    def __init__(self, branch: nn.Module, width: int, carry: float) -> None:
        super().__init__()
        self.norm = LayerNorm(width)
        self.branch = branch
        self.carry = carry

    def forward(self, h: Tensor) -> Tensor:
        return self.norm(self.carry * h + self.branch(h))


class LinearSkip(nn.Module):
    """h ← W h + b + F(h): a linear map on the skip, as a 1 × 1 convolution is (He et al. 1603.05027, section 3.1)"""

    def __init__(self, branch: nn.Module, width: int) -> None:
        super().__init__()
        self.branch = branch
        self.gate = nn.Linear(width, width)

    def forward(self, h: Tensor) -> Tensor:
        return self.gate(h) + self.branch(h)


class DropoutSkip(nn.Module):
    """h ← dropout(h) + F(h) (He et al. 1603.05027, section 3.1)"""

    def __init__(self, branch: nn.Module, dropped: float) -> None:
        super().__init__()
        self.branch = branch
        self.dropout = nn.Dropout(dropped)

    def forward(self, h: Tensor) -> Tensor:
        return self.dropout(h) + self.branch(h)


class PostNorm(nn.Module):
    """Post-LN: h ← LN(h + F(h)), with a norm without learned gain (Xiong et al. 2002.04745, figure 1a)"""

    def __init__(self, branch: nn.Module, width: int) -> None:
        super().__init__()
        self.norm = LayerNorm(width)
        self.branch = branch

    def forward(self, h: Tensor) -> Tensor:
        return self.norm(h + self.branch(h))

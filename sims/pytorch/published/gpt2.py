"""The block of GPT-2 in plain PyTorch.

Source: Radford et al. 2019, section 2.3, and src/model.py of openai/gpt-2. A LayerNorm begins each branch, and the
stream has none (Pre-LN).

State dict: the names of nanoGPT's `Block` and of transformers' `GPT2Block`. The latter keeps its four matrices as
(inputs, outputs): load `from_conv1d(state)`.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, scaled_dot_product_attention


class Attention(nn.Module):
    """Multi-head self-attention (Vaswani et al. 1706.03762, section 3.2). Arguments and shapes as in `GPT2Block`."""

    def __init__(
        self,
        width: int,
        heads: int,
        causal: bool = True,
        dropout: float = 0.0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if width % heads:
            raise ValueError(f"{heads} heads cannot share a width of {width} equally")
        self.heads, self.causal, self.dropout = heads, causal, dropout
        self.c_attn = nn.Linear(width, 3 * width, device=device, dtype=dtype)
        self.c_proj = nn.Linear(width, width, device=device, dtype=dtype)

    def forward(self, x: Tensor, mask: Tensor | None = None, cache: dict[str, Tensor] | None = None) -> Tensor:
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.c_attn(x).chunk(3, dim=-1))
        if cache is not None:
            if cache:
                k, v = torch.cat([cache["k"], k], dim=2), torch.cat([cache["v"], v], dim=2)
            cache["k"], cache["v"] = k, v
        before = k.shape[2] - q.shape[2]
        if self.causal and (before or mask is not None):
            past = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=x.device).tril(before)
            mask = past if mask is None else mask & past
        p = self.dropout if self.training else 0.0
        y = scaled_dot_product_attention(q, k, v, mask, dropout_p=p, is_causal=self.causal and mask is None)
        return dropout(self.c_proj(y.transpose(1, 2).flatten(2)), self.dropout, self.training)


class MLP(nn.Module):
    """Linear, GELU (tanh form), Linear, for each token separately: (…, width) → (…, width)."""

    def __init__(
        self,
        width: int,
        hidden: int,
        dropout: float = 0.0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.c_fc = nn.Linear(width, hidden, device=device, dtype=dtype)
        self.act = nn.GELU(approximate="tanh")
        self.c_proj = nn.Linear(hidden, width, device=device, dtype=dtype)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        return self.dropout(self.c_proj(self.act(self.c_fc(x))))


class GPT2Block(nn.Module):
    """x ← x + Attention(LN(x)), then x ← x + MLP(LN(x)); x has the shape (batch, tokens, width).

    mask: bool, True where a query may read a key, broadcast to (batch, heads, tokens, keys). With `causal`, a token
    also reads none after it. cache: an empty dict on the first call; each call reads it and adds its tokens' keys and
    values, shape (batch, heads, keys, width / heads). dropout: on the attention weights and at both branches' ends.
    Any floating dtype, the same for x and the block. Raises ValueError if `heads` does not divide `width`.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        hidden: int | None = None,
        causal: bool = True,
        dropout: float = 0.0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.ln_1 = nn.LayerNorm(width, device=device, dtype=dtype)
        self.attn = Attention(width, heads, causal, dropout, device, dtype)
        self.ln_2 = nn.LayerNorm(width, device=device, dtype=dtype)
        self.mlp = MLP(width, hidden or 4 * width, dropout, device, dtype)

    def forward(self, x: Tensor, mask: Tensor | None = None, cache: dict[str, Tensor] | None = None) -> Tensor:
        x = x + self.attn(self.ln_1(x), mask, cache)
        return x + self.mlp(self.ln_2(x))


def from_conv1d(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The state dict of a transformers `GPT2Block`, with its matrices transposed for `GPT2Block`."""
    return {name: value.T if value.dim() == 2 else value for name, value in state.items()}

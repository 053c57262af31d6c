"""The block of Llama in plain PyTorch (2.5 or later).

Source: Touvron et al. 2302.13971, section 2.2; grouped queries as in Llama 2 and 3 (Ainslie et al. 2305.13245).

State dict: the names and the rotation of transformers' `LlamaDecoderLayer`. Positions rotate number i of a head
together with number i + head width / 2. Meta's own files pair 2i with 2i + 1; their rows of q_proj and k_proj come in
another order, and loading them here gives wrong outputs without an error.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention, silu


def rotate(x: Tensor, start: int = 0, base: float = 10_000.0) -> Tensor:
    """Rotary positions from `start` on (Su et al. 2104.09864, section 3.2.2), in the half-split order.

    x: (batch, heads, tokens, head width), floating. The angles are at least float32, since bfloat16 has no whole
    number between 256 and 258. The result has the dtype of x.
    """
    tokens, width = x.shape[-2:]
    precise = torch.promote_types(x.dtype, torch.float32)
    speeds = base ** (-torch.arange(0, width, 2, dtype=precise, device=x.device) / width)
    angles = torch.arange(start, start + tokens, dtype=precise, device=x.device)[:, None] * speeds
    cos, sin = angles.cos(), angles.sin()
    first, second = x.to(precise).chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(x.dtype)


class Attention(nn.Module):
    """Self-attention whose heads share keys and values in groups. Arguments and shapes as in `LlamaBlock`."""

    def __init__(
        self,
        width: int,
        heads: int,
        key_heads: int,
        causal: bool = True,
        dropout: float = 0.0,
        rope_base: float = 10_000.0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if width % (2 * heads):
            raise ValueError(f"{heads} heads cannot share a width of {width} equally, each with an even number")
        if heads % key_heads:
            raise ValueError(f"{heads} heads cannot share {key_heads} heads of keys equally")
        self.head_width, self.causal, self.dropout, self.rope_base = width // heads, causal, dropout, rope_base
        keys = key_heads * self.head_width
        self.q_proj = nn.Linear(width, width, bias=False, device=device, dtype=dtype)
        self.k_proj = nn.Linear(width, keys, bias=False, device=device, dtype=dtype)
        self.v_proj = nn.Linear(width, keys, bias=False, device=device, dtype=dtype)
        self.o_proj = nn.Linear(width, width, bias=False, device=device, dtype=dtype)

    def forward(self, x: Tensor, mask: Tensor | None = None, cache: dict[str, Tensor] | None = None) -> Tensor:
        q, k, v = (
            layer(x).unflatten(-1, (-1, self.head_width)).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        before = cache["k"].shape[2] if cache else 0
        q, k = rotate(q, before, self.rope_base), rotate(k, before, self.rope_base)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache["k"], k], dim=2), torch.cat([cache["v"], v], dim=2)
            cache["k"], cache["v"] = k, v
        if self.causal and (before or mask is not None):
            past = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=x.device).tril(before)
            mask = past if mask is None else mask & past
        p = self.dropout if self.training else 0.0
        y = scaled_dot_product_attention(
            q, k, v, mask, dropout_p=p, is_causal=self.causal and mask is None, enable_gqa=True
        )
        return self.o_proj(y.transpose(1, 2).flatten(2))


class SwiGLU(nn.Module):
    """A gated MLP without biases, for each token: (…, width) → (…, width) (Shazeer 2002.05202, equation 6)."""

    def __init__(
        self, width: int, hidden: int, device: torch.device | str | None = None, dtype: torch.dtype | None = None
    ) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(width, hidden, bias=False, device=device, dtype=dtype)
        self.up_proj = nn.Linear(width, hidden, bias=False, device=device, dtype=dtype)
        self.down_proj = nn.Linear(hidden, width, bias=False, device=device, dtype=dtype)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(silu(self.gate_proj(x)) * self.up_proj(x))


class LlamaBlock(nn.Module):
    """x ← x + Attention(RMSNorm(x)), then x ← x + SwiGLU(RMSNorm(x)); x has the shape (batch, tokens, width).

    mask: bool, True where a query may read a key, broadcast to (batch, heads, tokens, keys). With `causal`, a token
    also reads none after it. cache: an empty dict on the first call; each call reads it and adds its tokens' rotated
    keys and its values, shape (batch, key heads, keys, width / heads). dropout: on the attention weights. Any floating
    dtype, the same for x and the block. Raises ValueError if `heads` does not divide half the width, or `key_heads`
    does not divide `heads`. Llama 7B has rope_base 10,000 and norm_eps 1e-6, Llama 3 has 500,000 and 1e-5.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        key_heads: int,
        hidden: int,
        causal: bool = True,
        dropout: float = 0.0,
        rope_base: float = 10_000.0,
        norm_eps: float = 1e-6,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.input_layernorm = nn.RMSNorm(width, eps=norm_eps, device=device, dtype=dtype)
        self.self_attn = Attention(width, heads, key_heads, causal, dropout, rope_base, device, dtype)
        self.post_attention_layernorm = nn.RMSNorm(width, eps=norm_eps, device=device, dtype=dtype)
        self.mlp = SwiGLU(width, hidden, device, dtype)

    def forward(self, x: Tensor, mask: Tensor | None = None, cache: dict[str, Tensor] | None = None) -> Tensor:
        x = x + self.self_attn(self.input_layernorm(x), mask, cache)
        return x + self.mlp(self.post_attention_layernorm(x))

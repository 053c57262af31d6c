"""Transformer blocks to copy: one class per recipe, with nothing that the recipe does not use.

Tensors have the shape (batch, tokens, width).
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention, silu


class Attention(nn.Module):
    """Multi-head attention (Vaswani et al. 1706.03762). With `causal`, no token sees those after it."""

    def __init__(self, width: int, heads: int, causal: bool) -> None:
        super().__init__()
        self.heads, self.causal = heads, causal
        self.queries_keys_values = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        parts = self.queries_keys_values(x).chunk(3, dim=-1)
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in parts)
        mixed = scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.output(mixed.transpose(1, 2).flatten(2))


def rotate(x: Tensor, base: float = 10_000.0) -> Tensor:
    """Turn each pair of numbers by an angle that grows with the position (RoPE, Su et al. 2104.09864).

    `x` has the shape (batch, heads, tokens, width of a head). The angles are in float32 or wider, whatever `x` is:
    bfloat16 has no whole number between 256 and 258, so neighboring positions would get the same angle. Pairs are the
    numbers 2i and 2i + 1; weights made for pairs i and i + half have to be reordered.
    """
    tokens, width = x.shape[-2:]
    precise = torch.promote_types(x.dtype, torch.float32)
    speeds = base ** (-torch.arange(0, width, 2, dtype=precise, device=x.device) / width)
    angles = torch.arange(tokens, dtype=precise, device=x.device)[:, None] * speeds
    first, second = x[..., 0::2], x[..., 1::2]
    cos, sin = angles.cos(), angles.sin()
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)
    return turned.to(x.dtype)


class GroupedQueryAttention(nn.Module):
    """Attention whose heads share keys and values in groups (Ainslie et al. 2305.13245)."""

    def __init__(self, width: int, heads: int, key_heads: int, causal: bool, rope_base: float = 10_000.0) -> None:
        super().__init__()
        self.head_width, self.causal, self.rope_base = width // heads, causal, rope_base
        self.queries = nn.Linear(width, width, bias=False)
        self.keys = nn.Linear(width, key_heads * self.head_width, bias=False)
        self.values = nn.Linear(width, key_heads * self.head_width, bias=False)
        self.output = nn.Linear(width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (
            layer(x).unflatten(-1, (-1, self.head_width)).transpose(1, 2)
            for layer in (self.queries, self.keys, self.values)
        )
        q, k = rotate(q, self.rope_base), rotate(k, self.rope_base)
        mixed = scaled_dot_product_attention(q, k, v, is_causal=self.causal, enable_gqa=True)
        return self.output(mixed.transpose(1, 2).flatten(2))


class MLP(nn.Module):
    """Two linear layers with an activation between them, applied to each token separately."""

    def __init__(self, width: int, hidden: int, activation: nn.Module) -> None:
        super().__init__()
        self.widen = nn.Linear(width, hidden)
        self.activation = activation
        self.narrow = nn.Linear(hidden, width)

    def forward(self, x: Tensor) -> Tensor:
        return self.narrow(self.activation(self.widen(x)))


class SwiGLU(nn.Module):
    """A gated MLP: three matrices, no biases (Shazeer 2002.05202, equation 6)."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(silu(self.gate(x)) * self.up(x))


class PerceptronBlock(nn.Module):
    """A perceptron's block: a norm and two linear layers on the branch, nothing on the stream."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mlp = MLP(width, hidden, nn.ReLU())

    def forward(self, x: Tensor) -> Tensor:
        return x + self.mlp(self.norm(x))


class PostNormBlock(nn.Module):
    """The block of 2017: a norm on the stream, after each sum (Post-LN; 1706.03762, figure 1)."""

    def __init__(self, width: int, heads: int, hidden: int, causal: bool) -> None:
        super().__init__()
        self.attention = Attention(width, heads, causal)
        self.norm1 = nn.LayerNorm(width)
        self.mlp = MLP(width, hidden, nn.ReLU())
        self.norm2 = nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        x = self.norm1(x + self.attention(x))
        return self.norm2(x + self.mlp(x))


class PreNormBlock(nn.Module):
    """The block of GPT-2: a norm at the start of each branch, none on the stream (Pre-LN)."""

    def __init__(self, width: int, heads: int, hidden: int, causal: bool) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = Attention(width, heads, causal)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = MLP(width, hidden, nn.GELU(approximate="tanh"))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class LlamaBlock(nn.Module):
    """Pre-LN with RMSNorm, rotary positions, grouped queries, SwiGLU; no biases (2302.13971).

    The defaults are those of Llama 7B. Llama 3 has `rope_base` 500,000 and `norm_eps` 1e-5 (Meta's params.json).
    """

    def __init__(
        self,
        width: int,
        heads: int,
        key_heads: int,
        hidden: int,
        causal: bool,
        rope_base: float = 10_000.0,
        norm_eps: float = 1e-6,
    ) -> None:
        super().__init__()
        self.norm1 = nn.RMSNorm(width, eps=norm_eps)
        self.attention = GroupedQueryAttention(width, heads, key_heads, causal, rope_base)
        self.norm2 = nn.RMSNorm(width, eps=norm_eps)
        self.mlp = SwiGLU(width, hidden)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class ParallelBlock(nn.Module):
    """Both branches read the same norm, and one sum adds both (Chowdhery et al. 2204.02311)."""

    def __init__(self, width: int, heads: int, hidden: int, causal: bool) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = Attention(width, heads, causal)
        self.mlp = MLP(width, hidden, nn.GELU(approximate="tanh"))

    def forward(self, x: Tensor) -> Tensor:
        inside = self.norm(x)
        return x + self.attention(inside) + self.mlp(inside)


class PeriNormBlock(nn.Module):
    """A norm at the start and at the end of each branch (Peri-LN; Kim et al. 2502.02732)."""

    def __init__(self, width: int, heads: int, hidden: int, causal: bool, norm_eps: float = 1e-5) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=norm_eps), nn.LayerNorm(width, eps=norm_eps)
        self.attention = Attention(width, heads, causal)
        self.norm3, self.norm4 = nn.LayerNorm(width, eps=norm_eps), nn.LayerNorm(width, eps=norm_eps)
        self.mlp = MLP(width, hidden, nn.GELU(approximate="tanh"))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.norm2(self.attention(self.norm1(x)))
        return x + self.norm4(self.mlp(self.norm3(x)))


class DeepNormBlock(nn.Module):
    """Post-LN with a stronger skip: × (2N)^¼ in a stack of N blocks (Wang et al. 2203.00555).

    The values, the outputs and the MLP start smaller, by the factor β = (8N)^−¼.
    """

    def __init__(self, width: int, heads: int, hidden: int, causal: bool, blocks: int) -> None:
        super().__init__()
        self.alpha = (2 * blocks) ** 0.25
        self.attention = Attention(width, heads, causal)
        self.norm1 = nn.LayerNorm(width)
        self.mlp = MLP(width, hidden, nn.GELU())
        self.norm2 = nn.LayerNorm(width)
        queries, keys, values = self.attention.queries_keys_values.weight.chunk(3)
        for weight in (queries, keys):
            nn.init.xavier_normal_(weight)
        output = self.attention.output.weight
        for weight in (values, output, self.mlp.widen.weight, self.mlp.narrow.weight):
            nn.init.xavier_normal_(weight, gain=(8 * blocks) ** -0.25)

    def forward(self, x: Tensor) -> Tensor:
        x = self.norm1(self.alpha * x + self.attention(x))
        return self.norm2(self.alpha * x + self.mlp(x))

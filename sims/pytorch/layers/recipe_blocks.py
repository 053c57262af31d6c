"""Further blocks to copy, for the recipes: LayerScale, normalized queries and keys, and three ways without a norm.

Tokens have the shape (batch, tokens, width), points (batch, width), and images (batch, channels, height, width).
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import conv2d, gelu, scaled_dot_product_attention

from sims.pytorch.layers.transformer_blocks import MLP, Attention


class NormedAttention(nn.Module):
    """Attention that normalizes the queries and keys of each head.

    After Henry et al. 2010.04245, with a norm per head; OLMo 2 normalizes all heads together. Raises
    ValueError if `heads` does not divide `width`.
    """

    def __init__(self, width: int, heads: int, causal: bool) -> None:
        super().__init__()
        if width % heads:
            raise ValueError(f"{heads} heads cannot share a width of {width} equally")
        self.heads, self.causal = heads, causal
        self.queries_keys_values = nn.Linear(width, 3 * width)
        self.query_norm, self.key_norm = nn.RMSNorm(width // heads, eps=1e-6), nn.RMSNorm(width // heads, eps=1e-6)
        self.output = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        parts = self.queries_keys_values(x).chunk(3, dim=-1)
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in parts)
        q, k = self.query_norm(q).to(v.dtype), self.key_norm(k).to(v.dtype)
        mixed = scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.output(mixed.transpose(1, 2).flatten(2))


class QKNormBlock(nn.Module):
    """The block of GPT-2, with normalized queries and keys. Vision transformers have `norm_eps` 1e-6."""

    def __init__(self, width: int, heads: int, hidden: int, causal: bool, norm_eps: float = 1e-5) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width, eps=norm_eps)
        self.attention = NormedAttention(width, heads, causal)
        self.norm2 = nn.LayerNorm(width, eps=norm_eps)
        self.mlp = MLP(width, hidden, nn.GELU(approximate="tanh"))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class LayerScaleBlock(nn.Module):
    """Pre-LN with a learned factor per channel on each branch (LayerScale; Touvron et al. 2103.17239, equation 4).

    drop_path: the probability that an example skips a branch in training; what stays is divided by 1 - drop_path.
    Raises ValueError unless 0 ≤ drop_path < 1.
    """

    def __init__(
        self, width: int, heads: int, hidden: int, causal: bool, gamma_start: float, drop_path: float = 0.0
    ) -> None:
        super().__init__()
        if not 0 <= drop_path < 1:
            raise ValueError(f"drop_path is {drop_path}, and it must be at least 0 and less than 1")
        self.norm1 = nn.LayerNorm(width, eps=1e-6)
        self.attention = Attention(width, heads, causal)
        self.norm2 = nn.LayerNorm(width, eps=1e-6)
        self.mlp = MLP(width, hidden, nn.GELU())
        self.gamma1 = nn.Parameter(torch.full((width,), gamma_start))
        self.gamma2 = nn.Parameter(torch.full((width,), gamma_start))
        self.drop_path = drop_path

    def dropped(self, branch: Tensor) -> Tensor:
        if not (self.training and self.drop_path):
            return branch
        stays = 1 - self.drop_path
        return branch * branch.new_empty(len(branch), 1, 1).bernoulli_(stays) / stays

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.dropped(self.gamma1 * self.attention(self.norm1(x)))
        return x + self.dropped(self.gamma2 * self.mlp(self.norm2(x)))


class ReZeroBlock(nn.Module):
    """No norm: each branch has one learned factor, which starts at 0 (Bachlechner et al. 2003.04887, equation 6)."""

    def __init__(self, width: int, heads: int, hidden: int, causal: bool) -> None:
        super().__init__()
        self.attention = Attention(width, heads, causal)
        self.mlp = MLP(width, hidden, nn.GELU())
        self.alpha = nn.Parameter(torch.zeros(2))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.alpha[0] * self.attention(x)
        return x + self.alpha[1] * self.mlp(x)


class PostNormPerceptron(nn.Module):
    """A perceptron's block with its norm on the stream, after the sum."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.mlp = MLP(width, hidden, nn.ReLU())
        self.norm = nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(x + self.mlp(x))


class ReZeroPerceptron(nn.Module):
    """A perceptron's block without a norm: one learned factor, which starts at 0 (2003.04887, equation 6)."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.mlp = MLP(width, hidden, nn.ReLU())
        self.alpha = nn.Parameter(torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.alpha * self.mlp(x)


class StandardizedConv(nn.Conv2d):
    """A convolution whose weights have mean 0 and variance 1/fan-in for each output, times a learned gain.

    Source: Brock et al. 2102.06171, section 2; the same as `WSConv2D` in nfnets/base.py of deepmind-research.
    """

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1) -> None:
        super().__init__(inputs, outputs, kernel, stride, padding=kernel // 2)
        self.gain = nn.Parameter(torch.ones(outputs, 1, 1, 1))

    def forward(self, x: Tensor) -> Tensor:
        variance, mean = torch.var_mean(self.weight, dim=(1, 2, 3), keepdim=True, correction=0)
        scale = (variance * self.weight[0].numel()).clamp(min=1e-4).rsqrt() * self.gain
        return conv2d(x, (self.weight - mean) * scale, self.bias, self.stride, self.padding)


class NormalizerFreeBlock(nn.Module):
    """A bottleneck without norms: x ← x + 0.2 · gain · F(x / spread), with a gain that starts at 0.

    spread: the standard deviation that x would have with all gains at 1, √(1 + 0.04 i) in block i of a stage.
    Source: Brock et al. 2102.06171, section 2, without its squeeze-and-excitation and its groups.
    """

    def __init__(self, channels: int, spread: float) -> None:
        super().__init__()
        inner = max(channels // 2, 1)
        self.spread = spread
        self.conv1, self.conv2 = StandardizedConv(channels, inner, 1), StandardizedConv(inner, inner, 3)
        self.conv3 = StandardizedConv(inner, channels, 1)
        self.gain = nn.Parameter(torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        branch = x / self.spread
        for conv in (self.conv1, self.conv2, self.conv3):
            branch = conv(1.7015 * gelu(branch))  # the factor gives GELU's output variance 1
        return x + 0.2 * self.gain * branch

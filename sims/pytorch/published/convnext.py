"""The block of ConvNeXt in plain PyTorch.

Source: Liu et al. 2201.03545, figure 4 and section 2.6, and models/convnext.py of facebookresearch/ConvNeXt.

State dict: the names of timm's `ConvNeXtBlock`. torchvision's `CNBlock` has the same tensors under other names: load
`from_torchvision(state)`.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu


class MLP(nn.Module):
    """Linear, GELU, Linear, for each pixel separately: (…, width) → (…, width)."""

    def __init__(
        self, width: int, hidden: int, device: torch.device | str | None = None, dtype: torch.dtype | None = None
    ) -> None:
        super().__init__()
        self.fc1 = nn.Linear(width, hidden, device=device, dtype=dtype)
        self.fc2 = nn.Linear(hidden, width, device=device, dtype=dtype)

    def forward(self, x: Tensor) -> Tensor:
        return self.fc2(gelu(self.fc1(x)))


class ConvNeXtBlock(nn.Module):
    """x ← x + γ ⊙ MLP(LN(7×7 convolution of each channel)); x has the shape (batch, width, height, width of the image).

    gamma_start: where γ (LayerScale, one number per channel) starts. drop_path: the probability that a sample skips
    the branch in training; what stays is divided by 1 − drop_path. Any floating dtype, the same for x and the block.
    Raises ValueError unless 0 ≤ drop_path < 1.
    """

    def __init__(
        self,
        width: int,
        drop_path: float = 0.0,
        gamma_start: float = 1e-6,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if not 0 <= drop_path < 1:
            raise ValueError(f"drop_path is {drop_path}, and it must be at least 0 and less than 1")
        self.drop_path = drop_path
        self.conv_dw = nn.Conv2d(width, width, 7, padding=3, groups=width, device=device, dtype=dtype)
        self.norm = nn.LayerNorm(width, eps=1e-6, device=device, dtype=dtype)
        self.mlp = MLP(width, 4 * width, device, dtype)
        self.gamma = nn.Parameter(torch.full((width,), gamma_start, device=device, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        branch = self.conv_dw(x).permute(0, 2, 3, 1)
        branch = (self.gamma * self.mlp(self.norm(branch))).permute(0, 3, 1, 2)
        if self.training and self.drop_path:
            stays = 1 - self.drop_path
            branch = branch * branch.new_empty(len(x), 1, 1, 1).bernoulli_(stays) / stays
        return x + branch


def from_torchvision(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The state dict of a torchvision `CNBlock`, with the names and shapes of `ConvNeXtBlock`."""
    names = {"block.0": "conv_dw", "block.2": "norm", "block.3": "mlp.fc1", "block.5": "mlp.fc2"}
    renamed = {f"{names[name[:7]]}{name[7:]}": value for name, value in state.items() if name != "layer_scale"}
    return renamed | {"gamma": state["layer_scale"].flatten()}

"""Where a stack of residual blocks has its norms: a declaration, for which PyTorch need not be loaded."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Placing:
    """What the blocks of `sims.pytorch.stacks.placed_stacks` do around their branches."""

    skip: float = 1.0
    """h is multiplied by it before the branch is added."""
    norm_in: bool = False
    """LayerNorm in front of every branch"""
    fading: float = 0.0
    """What block l, counted from 1, hands to its branch is multiplied by l^−fading."""
    norm_out: str = ""
    """What stands behind every branch: "layer", "rms" or nothing"""
    norm_sum: bool = False
    """LayerNorm of every sum"""
    sphere: bool = False
    """h ← RMSNorm(h + α(RMSNorm(F(h)) − h)) with a learned vector α for every block"""

"""The places of norms in a stack of residual blocks; a declaration that does not load PyTorch."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Placing:
    """What the blocks of `sims.pytorch.stacks.placed_stacks` do around their branches."""

    skip: float = 1.0
    """h is multiplied by it before the branch is added."""
    norm_in: bool = False
    """LayerNorm at the start of every branch"""
    fading: float = 0.0
    """The branch input of block l, counted from 1, is multiplied by l^−fading."""
    norm_out: str = ""
    """The norm at the end of every branch: "layer", "rms" or nothing"""
    norm_sum: bool = False
    """LayerNorm of every sum"""
    sphere: bool = False
    """h ← RMSNorm(h + α(RMSNorm(F(h)) − h)) with a learned vector α for every block"""

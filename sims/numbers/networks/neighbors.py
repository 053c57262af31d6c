"""Gradients at neighboring inputs, as the figure shows them: the curve that readers predict."""

from sims.contract.calculation import calculation
from sims.simulations.gradients.shattering import Shattering


@calculation
def cosine(degrees: int, depth: int = 50) -> float:
    """Mean cosine of the plain network's gradients at inputs that many degrees apart, 0 to 45: the figure's seed."""
    return float(Shattering(depth=depth).compute()["plain_likeness"][degrees])

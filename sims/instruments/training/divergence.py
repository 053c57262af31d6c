"""Why a network diverged, and what to try: in words, from its architecture and recipe."""

import numpy as np

from sims.contract.frame import Divergence
from sims.contract.wording import number
from sims.engines.perceptrons import TrainingState


def divergences(state: TrainingState, label: str, cause: str = "") -> tuple[Divergence, ...]:
    """One entry if at least one seed of the network diverged, else none; `label` says which network it is, and `cause`
    is added to the cause that the run itself shows."""
    lost = [overflow for overflow in state.overflows if overflow is not None]
    if not lost:
        return ()
    first = min(lost, key=lambda overflow: overflow.step)
    count = f"{len(lost)} of {len(state.seeds)} seeds" if len(state.seeds) > 1 else "its seed"
    return (
        Divergence(
            step=first.step,
            quantity=f"{first.quantity} of the {label} network ({count})",
            cause=_cause(state) + cause,
            what_to_try=_advice(state),
        ),
    )


def _cause(state: TrainingState) -> str:
    start = state.records[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        growth = float(np.nanmax(start.activations[:, -1] / start.activations[:, 0]))
        slope = float(np.nanmax(start.stream_gradients[:, 0] / start.stream_gradients[:, -1]))
    if growth > 100:
        return (
            f"Before the first step the stream already grew {number(growth, 2)}-fold from the first block to the last."
        )
    if slope > 100:
        return (
            f"Before the first step the gradient already grew {number(slope, 2)}-fold on its way back to the first "
            "block."
        )
    return f"Each step of {number(state.recipe.learning_rate)} overshot further than the one before."


def _advice(state: TrainingState) -> str:
    ideas = [f"a learning rate below {number(state.recipe.learning_rate)}"]
    if state.architecture.norm == "none":
        ideas.append("a normalization")
    if state.architecture.skip == "additive" and state.architecture.branch_factor == "1":
        ideas.append("smaller branches at the start")
    if state.recipe.clip is None:
        ideas.append("gradient clipping")
    return "Try " + ", ".join(ideas[:-1]) + (" or " if len(ideas) > 1 else "") + ideas[-1] + "."

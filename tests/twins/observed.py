"""What the observers of a browser measure of the networks of a figure, as Python measures it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sims.simulations.depth.insert_identity import Cut, InsertIdentity
from sims.simulations.depth.rezero import Factors, Rezero, factors
from sims.simulations.design_choices.init import Init, Runs
from sims.simulations.wiring.variants import Variants

Measures = Mapping[str, Mapping[str, np.ndarray]]
"""Network → its measures by name"""


def insert_identity(simulation: InsertIdentity, state: Cut) -> Measures:
    """The networks before and after the insertion."""
    before = state.shallow.now
    return {
        "deep": {
            "error": before.train_error,
            "loss": before.train_loss,
            "change": state.change,
            "before": state.outputs[0],
            "after": state.outputs[1],
            "activations": state.activations,
            "activations_now": simulation.frame(state)["activations_now"],
        }
    }


def rezero(_simulation: Rezero, state: Factors) -> Measures:
    """The learned factors."""
    return {"rezero": {"factors": np.stack([seen[0] for seen in state.factors]), "now": factors(state.rezero)}}


def init(simulation: Init, state: Runs) -> Measures:
    """The distances of the two scaled networks, and their maps."""
    maps = simulation.frame(state)["maps"].astype(float)
    return {"multiplied": {"apart": np.stack(state.apart), "compared": np.array(state.compared, float), "maps": maps}}


def variants(simulation: Variants, state: Any) -> Measures:
    """The gates of the highway network and the factors of the ReZero network."""
    frame = simulation.frame(state)
    return {"highway": {"gates": frame["gates"]}, "rezero": {"factors": frame["factors"]}}

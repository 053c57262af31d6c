"""The entrants of a race, drawn alike in every picture."""

LINES = {
    "plain": ("plain", "plain", "dashed"),
    "residual": ("residual", "residual", "solid"),
    "dense": ("dense", "third", "solid"),
    "highway": ("highway", "fifth", "solid"),
    "rezero": ("ReZero", "third", "dashed"),
    "residual_pre": ("residual, Pre-LN", "residual", "dotted"),
    "residual_post": ("residual, Post-LN", "residual", "dashdot"),
    "transformer_pre": ("transformer, Pre-LN", "fourth", "solid"),
    "transformer_post": ("transformer, Post-LN", "fourth", "dashed"),
}
"""Entrant → label, color and dash of its curve; dashes and the legend tell entrants of one color apart"""

"""Styles shared by several pictures: the entrants of a race, and the placements of the norm."""

ENTRANTS = {
    "plain": ("plain", "plain", "dashed"),
    "residual": ("residual", "residual", "solid"),
    "residual_relu": ("residual, ReLU last", "residual", "dashed"),
    "dense": ("dense", "third", "solid"),
    "highway": ("highway", "fifth", "solid"),
    "rezero": ("ReZero", "third", "dashed"),
    "residual_pre": ("residual, Pre-LN", "residual", "dotted"),
    "residual_post": ("residual, Post-LN", "residual", "dashdot"),
    "transformer_pre": ("transformer, Pre-LN", "fourth", "solid"),
    "transformer_post": ("transformer, Post-LN", "fourth", "dashed"),
}
"""Entrant → label, color and dash of its curve; dashes and the legend tell entrants of one color apart"""

PLACEMENTS = {
    "post": ("Post-LN", "fourth", "dashed", "triangle"),
    "pre": ("Pre-LN", "residual", "solid", "circle"),
    "pre_open": ("Pre-LN, no final norm", "fifth", "dotdash", "square"),
    "peri": ("Peri-LN", "third", "dashdot", "diamond"),
    "deep": ("DeepNorm", "failing", "dotted", "inverted_triangle"),
}
"""Key → label, color, dash and marker"""

"""The five placements of the norm, drawn alike in every picture."""

LOOKS = {
    "post": ("Post-LN", "fourth", "dashed", "triangle"),
    "pre": ("Pre-LN", "residual", "solid", "circle"),
    "pre_open": ("Pre-LN, no final norm", "fifth", "dotdash", "square"),
    "peri": ("Peri-LN", "third", "dashdot", "diamond"),
    "deep": ("DeepNorm", "failing", "dotted", "inverted_triangle"),
}
"""Key → label, color, dash and marker"""

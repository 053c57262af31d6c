"""DeepNorm's two factors, from the number of sums on a network's residual stream (Wang et al. 2203.00555, figure 2).

Each of the N layers of an encoder-only or decoder-only model has two sums: α = (2N)^¼ and β = (8N)^−¼. The block in
`sims.pytorch.layers.transformer_blocks` repeats these formulas, because readers copy that file.
"""


def skip_factor(sums: int) -> float:
    """α, which multiplies the skip: h ← LN(α h + F(h))."""
    return float(max(sums, 1) ** 0.25)


def start_factor(sums: int) -> float:
    """β, which multiplies the initial weights of the branches."""
    return float((4 * max(sums, 1)) ** -0.25)

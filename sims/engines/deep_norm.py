"""DeepNorm's two factors, for as many sums on the stream as a network has (Wang et al. 2203.00555, figure 2).

N layers of an encoder or a decoder alone have two sums each: α = (2N)^¼ and β = (8N)^−¼. The block in
`sims.pytorch.layers.transformer_blocks` spells them out once more, because readers take that file with them.
"""


def skip_factor(sums: int) -> float:
    """α, which multiplies the skip: h ← LN(α h + F(h))."""
    return float(max(sums, 1) ** 0.25)


def start_factor(sums: int) -> float:
    """β, which multiplies initial weights of the branches."""
    return float((4 * max(sums, 1)) ** -0.25)

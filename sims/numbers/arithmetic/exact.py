"""Exact arithmetic for the claims: products, path counts, parameter counts. Nothing here is trained."""

import math

from sims.contract.calculation import Number, calculation
from sims.engines.deep_norm import skip_factor, start_factor


@calculation
def product(factor: float, count: int) -> Number:
    """What is left of 1 after `count` multiplications by `factor`."""
    return float(factor**count)


@calculation
def direct_share(gain: float, blocks: int) -> Number:
    """The part of (1 + gain)^blocks that the one path past all branches contributes: 1 / (1 + gain)^blocks."""
    return float((1 + gain) ** -blocks)


@calculation
def other_paths(gain: float, blocks: int) -> Number:
    """The sum over all paths except the direct one: (1 + gain)^blocks − 1."""
    return float((1 + gain) ** blocks - 1)


@calculation
def path_mass(modules: int, shortest: int, longest: int) -> Number:
    """The share of the 2^modules paths that pass through `shortest` to `longest` modules: a binomial sum."""
    return float(sum(math.comb(modules, length) for length in range(shortest, longest + 1)) / 2**modules)


@calculation
def deepnorm_skip(layers: int) -> Number:
    """The factor α = (2N)^¼ on the skip of DeepNorm, encoder only (Wang et al. 2022, DeepNet)."""
    return skip_factor(2 * layers)


@calculation
def deepnorm_start(layers: int) -> Number:
    """The factor β = (8N)^−¼ on some initial weights of DeepNorm, encoder only (Wang et al. 2022, DeepNet)."""
    return start_factor(2 * layers)


@calculation
def unscaled_growth() -> Number:
    """The stream's growth per block without norm or scaling, default initialization: √(1 + 1/18) in rms."""
    return math.sqrt(1 + 1 / 18)


@calculation
def branch_factor(additions: int) -> Number:
    """1/√additions: the factor that keeps the variance of a sum of independent branches bounded."""
    return 1 / math.sqrt(additions)


@calculation
def block_parameters(width: int, hidden: int) -> Number:
    """Weights and biases of a transformer block: attention (4d² + 4d), a two-layer MLP, and two LayerNorms (4d)."""
    attention = 4 * width * width + 4 * width
    feed_forward = 2 * width * hidden + hidden + width
    return attention + feed_forward + 4 * width


@calculation
def random_walk_share(components: int) -> Number:
    """The share of the first principal components in the squared distances from the end of a long random walk.

    The walk has very many dimensions. Component k has the share 8 / (π² (2k − 1)²): seen from its end, a walk is a
    Brownian motion that starts at 0, and these are the eigenvalues of its covariance min(s, t).
    """
    return 8 / math.pi**2 * sum(1 / (2 * k - 1) ** 2 for k in range(1, components + 1))


@calculation
def gaussian_product_median(matrices: int, width: int) -> Number:
    """What is left of a vector after L independent Gaussian matrices with an rms singular value of 1: e^(−L/2n).

    n is the width. The squared length gets a factor χ²/n per matrix, whose logarithm has the mean −1/n and the variance
    2/n, to first order in 1/n. So the logarithm of the length has the mean −L/2n and the variance L/2n.
    """
    return math.exp(-matrices / (2 * width))


@calculation
def gaussian_product_spread(matrices: int, width: int) -> Number:
    """The factor e^√(L/2n) by which such a product typically lies above or below its median: one standard deviation."""
    return math.exp(math.sqrt(matrices / (2 * width)))

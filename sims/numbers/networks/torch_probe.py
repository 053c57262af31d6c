"""The famous ratio of chapter 4 in PyTorch itself, whose round-off errors differ from those of our NumPy code."""

from functools import cache

from sims.contract.calculation import Number, calculation
from sims.engines.kernels.norms import EPSILON
from sims.instruments.gradients.norm_stack import POINTS, WIDTH

SEED, DEPTH = 42, 20


@cache
def gradient_norm(placement: str, precision: str) -> float:
    """The norm of the gradient of the sum of all outputs, at the input of 20 blocks: placement "pre" or "post"."""
    # The import takes a second, and building a page needs only the name of a kept value.
    import torch
    from torch import nn

    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        layers = [nn.Linear(WIDTH, WIDTH) for _ in range(DEPTH)]
        x = torch.randn(POINTS, WIDTH)
    kind = {"float32": torch.float32, "float64": torch.float64}[precision]
    x = x.to(kind).requires_grad_()
    h = x
    for layer in layers:
        layer.to(kind)
        if placement == "post":
            h = nn.functional.layer_norm(h + torch.relu(layer(h)), (WIDTH,), eps=EPSILON)
        else:
            h = h + torch.relu(layer(nn.functional.layer_norm(h, (WIDTH,), eps=EPSILON)))
    (gradient,) = torch.autograd.grad(h.sum(), x)
    return gradient.norm().item()


@calculation(long=True, tolerance=0.99)
def famous_ratio(precision: str) -> Number:
    """Pre-LN over Post-LN. Post-LN's gradient is only round-off, which differs between processors."""
    return gradient_norm("pre", precision) / gradient_norm("post", precision)

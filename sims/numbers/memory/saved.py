"""The memory cost of a skip: the bytes that PyTorch keeps for the backward pass, with and without it."""

from sims.contract.calculation import Number, calculation

BLOCKS, WIDTH, BATCH = 4, 256, 512


@calculation(long=True)
def kilobytes(skip: bool) -> Number:
    """Thousands of bytes kept by four blocks Linear, ReLU, Linear of width 256 for 512 points, in single precision."""
    # The import takes a second, and building a page needs only the name of a kept value.
    import torch
    from torch import nn

    from sims.pytorch.diagnostics.checks import saved_bytes
    from sims.pytorch.layers.blocks import Plain, Residual

    around = Residual if skip else Plain
    layers = [around(nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))) for _ in range(BLOCKS)]
    return saved_bytes(nn.Sequential(*layers), torch.ones(BATCH, WIDTH)) / 1e3

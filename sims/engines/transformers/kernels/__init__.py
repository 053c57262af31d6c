"""Compiled passes through a transformer, on top of the products and norms of `sims.engines.perceptrons.kernels`."""

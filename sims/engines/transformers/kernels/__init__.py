"""Compiled passes through a transformer, on top of the products, layers and norms of `sims.engines.kernels`."""

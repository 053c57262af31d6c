"""Residual designs in one small language model: their training, and the statistics of their comparison."""

"""Gradients: paths, Jacobians, and the backward pass."""

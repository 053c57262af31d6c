"""Views of `sims.simulations.gradients`."""

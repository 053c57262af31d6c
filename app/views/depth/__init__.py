"""Views of `sims.simulations.depth`."""

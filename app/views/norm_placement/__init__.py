"""Views of `sims.simulations.norm_placement`."""

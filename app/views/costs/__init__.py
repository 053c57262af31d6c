"""Views of `sims.simulations.costs`."""

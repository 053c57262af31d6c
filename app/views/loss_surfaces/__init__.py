"""Views of `sims.simulations.loss_surfaces`."""

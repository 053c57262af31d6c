"""Views of `sims.simulations.wiring`."""

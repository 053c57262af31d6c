"""Views of `sims.simulations.language_models`."""

"""Views of `sims.simulations.theories`."""

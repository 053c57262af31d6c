"""Views of `sims.simulations.shortcuts`."""

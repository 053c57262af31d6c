"""Views of `sims.simulations.design_choices`."""

"""The pictures of the simulations, one module each."""

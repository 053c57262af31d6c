"""Backward passes written by hand in NumPy, and checks of them."""

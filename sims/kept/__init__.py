"""Results that took long to compute, kept on disk by the parameters and the code that made them."""

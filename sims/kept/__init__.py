"""Results that took long to compute, kept under the parameters and the code that made them."""

"""Networks in training, measured while they learn."""

"""Networks in training, looked at while they learn."""

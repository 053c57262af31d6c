"""Language models with and without skips."""

"""Published architectures, of which the residual additions are known: `python -m tools.architectures`."""

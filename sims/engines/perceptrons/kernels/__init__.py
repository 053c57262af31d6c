"""The compiled kernels of perceptrons; `steps` is the entry point."""

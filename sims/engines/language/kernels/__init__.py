"""The compiled kernels of language models."""

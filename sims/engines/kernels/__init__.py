"""Compiled kernels that all engines share."""

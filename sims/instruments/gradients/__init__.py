"""Sizes, paths and spectra of gradients."""

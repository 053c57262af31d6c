"""Datasets, results that others published, and torch's random numbers."""

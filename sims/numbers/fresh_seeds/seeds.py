"""The seeds of this folder, and how their values are told."""

SEEDS = tuple(range(20, 30))
"""Ten seeds that no figure starts with, and that nothing in the text was found with"""

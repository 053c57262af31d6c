"""Whole networks."""

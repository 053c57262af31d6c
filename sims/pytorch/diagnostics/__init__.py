"""Diagnostics that run on any model."""

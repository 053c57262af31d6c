"""Measured on networks, untrained and trained."""

"""Diagrams of blocks and networks."""

"""Trained networks, opened: maps, edges, blocks taken out, text."""

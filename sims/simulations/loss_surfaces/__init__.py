"""Slices through the loss, and what moves on them."""

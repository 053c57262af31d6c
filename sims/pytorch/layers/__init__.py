"""Blocks to copy, and how to initialize them."""

"""Blocks to copy, and what to do to them."""

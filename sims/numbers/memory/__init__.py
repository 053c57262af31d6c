"""Bytes that are kept for the backward pass."""

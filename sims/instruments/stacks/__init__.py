"""Stacks of blocks: what becomes of the stream."""

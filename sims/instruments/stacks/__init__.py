"""Stacks of blocks: how the stream changes along the depth."""

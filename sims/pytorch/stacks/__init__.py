"""Stacks of blocks for experiments, several seeds side by side."""

"""Blocks to copy that load published weights: each file runs on its own."""

"""Runs trainings in chunks: the chunk itself, states between processes, and the worker's side."""

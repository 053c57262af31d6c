"""Exact arithmetic: nothing here is trained."""

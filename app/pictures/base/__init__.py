"""Shared by all pictures: figures, theme, and labels."""

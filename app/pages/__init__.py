"""Converts Markdown to pages."""

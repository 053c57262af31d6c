"""Measurements on networks: what can be read off given weights."""

"""Theories of residual networks, put to the test."""

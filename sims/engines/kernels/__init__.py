"""Compiled pieces that both engines are made of."""

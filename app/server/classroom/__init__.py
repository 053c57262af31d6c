"""Class mode: rooms, the answers they accept, and their HTTP routes."""

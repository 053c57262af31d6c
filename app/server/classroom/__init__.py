"""Class mode: rooms, what they take as answers, and their HTTP routes."""

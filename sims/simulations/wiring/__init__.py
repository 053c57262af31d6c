"""Other ways to connect, from the first ones to those of today."""

"""Other ways to connect blocks, from the first ones to those of today."""

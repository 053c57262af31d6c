"""What all pictures use: figures, theme, and labels."""

"""What networks are trained on, what others published, and torch's random numbers."""

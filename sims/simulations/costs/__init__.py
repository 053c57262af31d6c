"""What skips cost in memory and time."""

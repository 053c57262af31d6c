"""Parameters, memory and time."""

"""The build as a separate process, and what it has built so far."""

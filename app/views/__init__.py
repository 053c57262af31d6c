"""The picture of every simulation, one to a file."""

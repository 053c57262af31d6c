"""The build as a process beside the server, and what it has built so far."""

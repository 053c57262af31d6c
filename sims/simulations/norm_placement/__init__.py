"""Where norms stand, and what follows from it."""

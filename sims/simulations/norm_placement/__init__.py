"""Where norms are placed, and what follows from it."""

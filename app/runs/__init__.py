"""Where chunks of trainings run, in which order, and what becomes of their results."""

"""Numbers that are measured on networks, untrained and trained."""

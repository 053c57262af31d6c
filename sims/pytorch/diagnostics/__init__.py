"""Questions to any model."""

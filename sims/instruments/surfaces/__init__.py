"""The loss as a function of the weights: slices, curvature, and trajectories."""

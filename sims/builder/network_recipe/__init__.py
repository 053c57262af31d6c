"""A complete recipe for a network: what to build, how to start and how to train it, as lines and as code."""

"""A complete recipe for a reader's network: what to build, how to start it and how to train it, as lines and as code."""

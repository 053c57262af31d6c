"""Plain PyTorch: the blocks and networks that a reader copies, and checks to run on any model."""

"""Plain PyTorch: blocks and networks for readers to copy, and checks to run on any model."""

"""The block builder: from a choice of parts to a diagram, its costs, and a file that trains."""

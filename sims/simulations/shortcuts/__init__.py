"""What a shortcut does to one block and to its stream."""

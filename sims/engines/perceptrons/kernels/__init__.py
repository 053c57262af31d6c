"""Everything that is compiled. `steps` is the way in."""

"""Every simulation, one to a file: the module `paths` holds the class `Paths`."""

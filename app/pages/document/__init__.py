"""A page under construction, and the parts of a finished page."""

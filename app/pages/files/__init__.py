"""Files: the sources of pages with their versions, and static files for browsers."""

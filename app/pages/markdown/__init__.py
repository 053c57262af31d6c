"""The syntax of a page, its table of directives, and the way from text to a page."""

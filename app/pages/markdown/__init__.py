"""The syntax of a page, its table of directives, and the conversion of text to a page."""

"""One module for each directive or family of directives, and the roles."""

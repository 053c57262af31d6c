"""Text processing: mistakes with their line, YAML, numbers, formulas and code as HTML, templates."""

"""What all pictures use: figures, theme, labels, identifiers, and repairs to Bokeh."""

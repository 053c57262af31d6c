"""What replaces or reaches into private parts of Bokeh; docs/bokeh-internals.md has the table."""

"""Code that replaces private parts of Bokeh or reaches into them; docs/bokeh-internals.md has the table."""

"""From Markdown to pages."""

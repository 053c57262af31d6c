"""Builds pages, pictures and prepared states ahead of time, so that readers need no session for them."""

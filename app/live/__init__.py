"""A reader's live simulation: its session, its controls, and its messages to the page."""

"""A reader's live simulation: its session, controls, and what it tells the page."""

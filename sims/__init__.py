"""Numbers: networks that are really trained and quantities that are really measured.

Nothing here knows about pages, widgets or servers; `python -m sims` runs every simulation without a browser.
"""
